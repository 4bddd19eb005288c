//! The moderator's tools. They work in the community the visitor moderates and are refused everywhere else.

use http::StatusCode;

use super::field;
use crate::forum::Forum;
use crate::forum::catalogue::{PostId, VISITOR};
use crate::forum::flash::Flash;
use crate::forum::moment::Moment;
use crate::forum::pages;
use crate::forum::state::{Ban, LogEntry, QueueStatus, Subject};
use crate::{Request, Response};

/// Lengths of a ban in the form: value, label, days.
pub const BAN_LENGTHS: [(&str, &str, Option<u32>); 5] = [
    ("1", "1 day", Some(1)),
    ("7", "7 days", Some(7)),
    ("30", "30 days", Some(30)),
    ("90", "90 days", Some(90)),
    ("forever", "Permanent", None),
];

impl Forum {
    /// Everything under `/c/<slug>/mod/`.
    pub(in crate::forum) fn moderate(
        &mut self,
        request: &Request,
        slug: &str,
        rest: &[&str],
    ) -> Option<Response> {
        let community = self.catalogue.community(slug)?;
        if !self.board().moderates(slug) {
            return Some(pages::notice::not_a_moderator(&self.visit(request), community));
        }
        let home = format!("/c/{slug}/mod");
        match rest {
            ["queue", entry] => self.decide(entry, request.form("decision")?, &home),
            ["post", id] => self.flag(slug, id.parse().ok()?, request.form("action")?),
            ["banned"] => Some(self.ban(request, &home)),
            ["banned", name, "lift"] => {
                self.state.moderation.banned.remove(*name)?;
                self.log("lifted the ban of", name);
                Some(Flash::BanLifted.then(&format!("{home}/banned")))
            }
            _ => None,
        }
    }

    fn decide(&mut self, entry: &str, decision: &str, home: &str) -> Option<Response> {
        let (status, verb) = match decision {
            "approve" => (QueueStatus::Approved, "approved"),
            "remove" => (QueueStatus::Removed, "removed"),
            _ => return None,
        };
        let queued = self.state.moderation.queue.get_mut(entry)?;
        queued.status = status;
        let about = queued.about;
        if status == QueueStatus::Removed {
            match about {
                Subject::Post(id) => self.state.moderation.flags.entry(id).or_default().removed = true,
                Subject::Comment(id) => {
                    self.state.moderation.removed_comments.insert(id, true);
                }
            }
        }
        let title = self.board().post_of(about).map(|post| post.title.to_owned()).unwrap_or_default();
        let target = match about {
            Subject::Post(_) => title,
            Subject::Comment(_) => format!("a comment on {title}"),
        };
        self.log(verb, &target);
        Some(Flash::Moderated.then(home))
    }

    fn flag(&mut self, slug: &str, id: PostId, action: &str) -> Option<Response> {
        let post = self.board().post(id).filter(|post| post.community.words.slug == slug)?;
        let (title, path) = (post.title.to_owned(), post.path());
        let flags = self.state.moderation.flags.entry(id).or_default();
        let verb = match action {
            "lock" => {
                flags.locked = true;
                "locked"
            }
            "unlock" => {
                flags.locked = false;
                "unlocked"
            }
            "pin" => {
                flags.pinned = true;
                "pinned"
            }
            "unpin" => {
                flags.pinned = false;
                "unpinned"
            }
            "remove" => {
                flags.removed = true;
                "removed"
            }
            "restore" => {
                flags.removed = false;
                "restored"
            }
            _ => return None,
        };
        self.log(verb, &title);
        Some(Flash::Moderated.then(&path))
    }

    fn ban(&mut self, request: &Request, home: &str) -> Response {
        let name = field(request, "user").trim_start_matches('@').to_owned();
        let reason: String = field(request, "reason").chars().take(200).collect();
        let length = BAN_LENGTHS.iter().find(|(value, _, _)| Some(*value) == request.form("length"));
        let problem = match (self.catalogue.person(&name), length) {
            (None, _) => "There is nobody of that name on Thicket.",
            (Some(person), _) if person.name == VISITOR => "You cannot ban yourself.",
            (_, None) => "Choose how long the ban lasts.",
            _ if reason.is_empty() => "Give a reason, the person will see it.",
            (Some(person), Some((_, _, days))) => {
                let name = person.name.clone();
                let ban = Ban { days: *days, reason, since: Moment::now() };
                self.state.moderation.banned.insert(name.clone(), ban);
                self.log("banned", &name);
                return Flash::Banned.then(&format!("{home}/banned"));
            }
        };
        let visit = self.visit(request);
        match self.catalogue.community(crate::forum::catalogue::MODERATED) {
            Some(community) => pages::moderation::banned(&visit, community, Some(problem)),
            None => pages::notice::not_found(&visit),
        }
        .status(StatusCode::UNPROCESSABLE_ENTITY)
    }

    fn log(&mut self, action: &str, target: &str) {
        let id = self.state.take_id();
        let entry = LogEntry {
            moderator: VISITOR.to_owned(),
            action: action.to_owned(),
            target: target.to_owned(),
            at: Moment::now(),
        };
        self.state.moderation.log.insert(id, entry);
    }
}
