//! Posts, comments and reports.

use http::StatusCode;

use super::field;
use crate::forum::Forum;
use crate::forum::catalogue::{CommentId, PostId};
use crate::forum::flash::Flash;
use crate::forum::moment::Moment;
use crate::forum::pages::{self, submit::Draft};
use crate::forum::settings::is_web_address;
use crate::forum::state::{OwnComment, OwnPost, Report, Subject};
use crate::{Request, Response};

const LONGEST_TITLE: usize = 120;
const LONGEST_TEXT: usize = 4_000;

/// Reasons of the report dialog: value and label.
pub const REPORT_REASONS: [(&str, &str); 6] = [
    ("spam", "Spam or advertising"),
    ("harassment", "Harassment or bullying"),
    ("misinformation", "Misinformation"),
    ("off-topic", "Off topic for this community"),
    ("private-data", "Shares private information"),
    ("other", "Something else"),
];

impl Forum {
    pub(in crate::forum) fn submit(&mut self, request: &Request) -> Response {
        let draft = Draft::of(request);
        if let Err((status, problem)) = self.check(&draft) {
            return pages::submit::page(&self.visit(request), &draft, Some(problem)).status(status);
        }
        let id = self.state.take_id();
        let location = format!("/c/{}/post/{id}", draft.community);
        let is_link = draft.is_link();
        let post = OwnPost {
            community: draft.community,
            title: draft.title,
            body: if is_link { String::new() } else { draft.body },
            link: is_link.then_some(draft.link),
            flair: Some(draft.flair).filter(|flair| !flair.is_empty()),
            created: Moment::now(),
            edited: false,
            points: 1,
        };
        self.state.posts.insert(id, post);
        Flash::PostPublished.then(&location)
    }

    fn check(&self, draft: &Draft) -> Result<(), (StatusCode, &'static str)> {
        let invalid = |problem| Err((StatusCode::UNPROCESSABLE_ENTITY, problem));
        let Some(community) = self.catalogue.community(&draft.community) else {
            return invalid("Choose a community.");
        };
        if community.words.restricted {
            return Err((StatusCode::FORBIDDEN, "Only approved members can post in this community."));
        }
        if !(5..=LONGEST_TITLE).contains(&draft.title.chars().count()) {
            return invalid("A title has 5 to 120 characters.");
        }
        if draft.flair.is_empty() {
            return invalid("Choose a flair.");
        }
        if !community.words.flairs.contains(&draft.flair.as_str()) {
            return invalid("This community does not have that flair.");
        }
        if draft.is_link() && !is_web_address(&draft.link) {
            return invalid("The link has to be a full address such as https://example.org/page.");
        }
        if !draft.is_link() && draft.body.is_empty() {
            return invalid("Write something in the text field.");
        }
        if draft.body.chars().count() > LONGEST_TEXT {
            return invalid("The text is longer than 4,000 characters.");
        }
        Ok(())
    }

    pub(in crate::forum) fn edit_post(&mut self, request: &Request, id: PostId) -> Option<Response> {
        let body = field(request, "body");
        let flair = field(request, "flair");
        let post = self.state.posts.get(&id)?;
        let known_flair = self.catalogue.community(&post.community)?.words.flairs.contains(&flair.as_str());
        let problem = if !known_flair {
            Some("Choose a flair.")
        } else if post.link.is_none() && body.is_empty() {
            Some("Write something in the text field.")
        } else if body.chars().count() > LONGEST_TEXT {
            Some("The text is longer than 4,000 characters.")
        } else {
            None
        };
        if problem.is_some() {
            let page = pages::submit::edit(&self.visit(request), id, problem);
            return Some(page.status(StatusCode::UNPROCESSABLE_ENTITY));
        }
        let post = self.state.posts.get_mut(&id)?;
        if post.link.is_none() {
            post.body = body;
        }
        post.flair = Some(flair);
        post.edited = true;
        Some(Flash::PostUpdated.then(&format!("/c/{}/post/{id}", post.community)))
    }

    pub(in crate::forum) fn delete_post(&mut self, id: PostId) -> Option<Response> {
        let post = self.state.posts.remove(&id)?;
        self.state.comments.retain(|_, comment| comment.post != id);
        self.state.votes.posts.remove(&id);
        self.state.saved.remove(&id);
        Some(Flash::PostDeleted.then(&format!("/c/{}", post.community)))
    }

    pub(in crate::forum) fn comment(&mut self, request: &Request, post: PostId) -> Option<Response> {
        let body = field(request, "body");
        let parent: Option<CommentId> = request.form("parent").and_then(|parent| parent.parse().ok());
        let view = self.board().post(post)?;
        if parent
            .is_some_and(|parent| self.board().comment(parent).is_none_or(|comment| comment.post != post))
        {
            return None;
        }
        let refusal = if view.flags.locked {
            Some((StatusCode::FORBIDDEN, "This post is locked. New comments are not possible."))
        } else if body.is_empty() {
            Some((StatusCode::UNPROCESSABLE_ENTITY, "Write something before you post it."))
        } else if body.chars().count() > LONGEST_TEXT {
            Some((StatusCode::UNPROCESSABLE_ENTITY, "The comment is longer than 4,000 characters."))
        } else {
            None
        };
        if let Some((status, problem)) = refusal {
            return Some(pages::post::page(&self.visit(request), &view, Some(problem)).status(status));
        }
        let path = view.path();
        let id = self.state.take_id();
        let comment = OwnComment { post, parent, body, created: Moment::now(), edited: false };
        self.state.comments.insert(id, comment);
        Some(Flash::CommentPosted.then(&format!("{path}#comment-{id}")))
    }

    pub(in crate::forum) fn edit_comment(&mut self, request: &Request, id: CommentId) -> Option<Response> {
        let body = field(request, "body");
        let post = self.board().post(self.state.comments.get(&id)?.post)?;
        let path = post.path();
        if body.is_empty() || body.chars().count() > LONGEST_TEXT {
            let problem = Some("A comment has 1 to 4,000 characters.");
            let page = pages::post::page(&self.visit(request), &post, problem);
            return Some(page.status(StatusCode::UNPROCESSABLE_ENTITY));
        }
        let comment = self.state.comments.get_mut(&id)?;
        comment.body = body;
        comment.edited = true;
        Some(Flash::CommentUpdated.then(&format!("{path}#comment-{id}")))
    }

    pub(in crate::forum) fn delete_comment(&mut self, id: CommentId) -> Option<Response> {
        let comment = self.state.comments.get(&id)?;
        let path = self.board().post(comment.post)?.path();
        self.state.comments.remove(&id);
        self.state.votes.comments.remove(&id);
        Some(Flash::CommentDeleted.then(&path))
    }

    pub(in crate::forum) fn report(&mut self, request: &Request) -> Option<Response> {
        let number = |name: &str| request.form(name).and_then(|id| id.parse().ok());
        let about = match (number("post"), number("comment")) {
            (_, Some(comment)) => Subject::Comment(comment),
            (Some(post), None) => Subject::Post(post),
            (None, None) => return None,
        };
        let post = self.board().post_of(about)?;
        let reason = field(request, "reason");
        if !REPORT_REASONS.iter().any(|(value, _)| *value == reason) {
            let page =
                pages::post::page(&self.visit(request), &post, Some("Choose a reason for your report."));
            return Some(page.status(StatusCode::UNPROCESSABLE_ENTITY));
        }
        let path = post.path();
        let id = self.state.take_id();
        let details = field(request, "details").chars().take(500).collect();
        self.state.reports.insert(id, Report { about, reason, details });
        Some(Flash::Reported.then(&path))
    }
}
