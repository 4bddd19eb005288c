//! Which function answers which path.

use http::StatusCode;

use super::catalogue::PostId;
use super::feed::{Feed, Scope};
use super::pages::{self, Visit};
use super::{Forum, art};
use crate::{Request, Response};

impl Forum {
    pub(super) fn route(&mut self, request: &Request) -> Response {
        let segments = request.segments();
        let answer = match request.method {
            http::Method::POST => self.post(request, &segments),
            http::Method::GET | http::Method::HEAD => self.get(request, &segments),
            _ => Some(Response::empty().status(StatusCode::METHOD_NOT_ALLOWED)),
        };
        answer.unwrap_or_else(|| pages::notice::not_found(&self.visit(request)))
    }

    pub(super) fn visit<'a>(&'a self, request: &'a Request) -> Visit<'a> {
        Visit { board: self.board(), request }
    }

    /// `None` is a page that does not exist.
    fn get(&mut self, request: &Request, segments: &[&str]) -> Option<Response> {
        if let Some(asset) = self.asset(segments) {
            return Some(asset);
        }
        if is_personal(segments) && !self.state.signed_in {
            return Some(Response::see_other("/signin"));
        }
        // Opening a conversation or a notification marks it as read.
        match segments {
            ["messages", id] => self.mark_thread_read(id),
            ["notifications", id] => return self.open_notification(id),
            _ => {}
        }
        let visit = self.visit(request);
        let board = visit.board;
        let feed = |scope| Feed::of(scope, request, board);
        Some(match segments {
            [] => pages::feed::list(&visit, &feed(Scope::Home)),
            ["all"] => pages::feed::list(&visit, &feed(Scope::All)),
            ["communities"] => pages::directory::page(&visit),
            ["c", slug] => {
                board.catalogue.community(slug)?;
                pages::feed::list(&visit, &feed(Scope::Community((*slug).to_owned())))
            }
            ["c", slug, "post", id] => {
                let post = board.post(id.parse().ok()?).filter(|post| post.community.words.slug == *slug)?;
                pages::post::page(&visit, &post, None)
            }
            ["c", slug, "mod", rest @ ..] => {
                let community = board.catalogue.community(slug)?;
                if !board.moderates(slug) {
                    return Some(pages::notice::not_a_moderator(&visit, community));
                }
                match rest {
                    [] => pages::moderation::queue(&visit, community),
                    ["log"] => pages::moderation::log(&visit, community),
                    ["banned"] => pages::moderation::banned(&visit, community, None),
                    _ => return None,
                }
            }
            ["submit"] => pages::submit::page(&visit, &pages::submit::Draft::opening(request), None),
            ["post", id, "edit"] => pages::submit::edit(&visit, own_post(&visit, id)?, None),
            ["search"] => pages::search::page(&visit),
            ["u", name] => match board.catalogue.person(name) {
                Some(person) => pages::profile::page(&visit, person),
                None => pages::notice::no_such_person(&visit, name),
            },
            ["saved"] => pages::profile::saved(&visit),
            ["messages"] => pages::messages::inbox(&visit),
            ["messages", "compose"] => {
                pages::messages::compose(&visit, &pages::messages::Letter::opening(request), None)
            }
            ["messages", id] => pages::messages::thread(&visit, id.parse().ok()?)?,
            ["notifications"] => pages::notifications::page(&visit),
            ["settings"] => pages::settings::page(&visit, request.query("tab").unwrap_or("profile"), None),
            ["signin"] => pages::notice::sign_in(&visit),
            ["about"] => pages::notice::about(&visit),
            ["help"] => pages::notice::help(&visit),
            ["api", "feed"] => {
                pages::feed::more(&visit, &feed(Scope::parse(request.query("scope").unwrap_or("home"))))
            }
            ["api", "people"] => pages::search::people(&visit),
            ["api", "flairs"] => pages::submit::flairs(&visit)?,
            _ => return None,
        })
    }

    fn post(&mut self, request: &Request, segments: &[&str]) -> Option<Response> {
        match segments {
            ["signin"] => return Some(self.sign_in()),
            _ if !self.state.signed_in => {
                return Some(match segments.first() {
                    Some(&"api") => Response::empty().status(StatusCode::UNAUTHORIZED),
                    _ => Response::see_other("/signin"),
                });
            }
            _ => {}
        }
        match segments {
            ["signout"] => Some(self.sign_out()),
            ["api", "vote"] => Some(self.vote(request)),
            ["api", "save"] => Some(self.save(request)),
            ["api", "subscribe"] => Some(self.subscribe(request)),
            ["submit"] => Some(self.submit(request)),
            ["post", id, "edit"] => self.edit_post(request, id.parse().ok()?),
            ["post", id, "delete"] => self.delete_post(id.parse().ok()?),
            ["post", id, "comment"] => self.comment(request, id.parse().ok()?),
            ["comment", id, "edit"] => self.edit_comment(request, id.parse().ok()?),
            ["comment", id, "delete"] => self.delete_comment(id.parse().ok()?),
            ["report"] => self.report(request),
            ["messages", "compose"] => Some(self.send_message(request)),
            ["messages", id] => self.answer_message(request, id.parse().ok()?),
            ["notifications", "read"] => Some(self.mark_all_read()),
            ["settings", section] => self.save_settings(request, section),
            ["u", name, action @ ("block" | "unblock")] => self.set_blocked(name, *action == "block"),
            ["c", slug, "mod", rest @ ..] => self.moderate(request, slug, rest),
            _ => None,
        }
    }

    fn asset(&self, segments: &[&str]) -> Option<Response> {
        match segments {
            ["static", name] => pages::static_file(name),
            ["img", "c", name] => {
                let community = self.catalogue.community(name.strip_suffix(".svg")?)?;
                Some(Response::svg(art::community_icon(community.words)))
            }
            ["img", "u", name] => Some(Response::svg(art::avatar(name.strip_suffix(".svg")?))),
            ["img", "post", name] => {
                let id: PostId = name.strip_suffix(".svg")?.parse().ok()?;
                let post = self.board().post(id)?;
                Some(Response::svg(art::picture(id, post.community.words.hue)))
            }
            _ => None,
        }
    }
}

/// Pages that make no sense without an account.
fn is_personal(segments: &[&str]) -> bool {
    matches!(
        segments.first(),
        Some(&("messages" | "notifications" | "settings" | "saved" | "submit" | "post"))
    ) || matches!(segments, ["c", _, "mod", ..])
}

fn own_post(visit: &Visit<'_>, id: &str) -> Option<PostId> {
    let id = id.parse().ok()?;
    visit.board.state.posts.contains_key(&id).then_some(id)
}
