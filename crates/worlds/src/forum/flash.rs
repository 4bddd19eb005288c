//! Messages that are shown once, after the redirect that follows a form. They travel as a code in a cookie, so that
//! no text of a visitor's ever gets into a header.

use crate::{Request, Response};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flash {
    PostPublished,
    PostUpdated,
    PostDeleted,
    CommentPosted,
    CommentUpdated,
    CommentDeleted,
    MessageSent,
    AllRead,
    Reported,
    Moderated,
    Banned,
    BanLifted,
    SettingsSaved,
    Blocked,
    Unblocked,
    SignedOut,
    SignedIn,
}

const ALL: [(Flash, &str, &str); 17] = [
    (Flash::PostPublished, "post-published", "Your post is online."),
    (Flash::PostUpdated, "post-updated", "Your changes have been saved."),
    (Flash::PostDeleted, "post-deleted", "Your post has been deleted."),
    (Flash::CommentPosted, "comment-posted", "Your comment is online."),
    (Flash::CommentUpdated, "comment-updated", "Your comment has been changed."),
    (Flash::CommentDeleted, "comment-deleted", "Your comment has been deleted."),
    (Flash::MessageSent, "message-sent", "Message sent."),
    (Flash::AllRead, "all-read", "All notifications are marked as read."),
    (Flash::Reported, "reported", "Thank you. The moderators will have a look."),
    (Flash::Moderated, "moderated", "Done. The action is in the moderation log."),
    (Flash::Banned, "banned", "The ban is in force."),
    (Flash::BanLifted, "ban-lifted", "The ban has been lifted."),
    (Flash::SettingsSaved, "settings-saved", "Your settings have been saved."),
    (Flash::Blocked, "blocked", "You will not see posts of this person any more."),
    (Flash::Unblocked, "unblocked", "This person is no longer blocked."),
    (Flash::SignedOut, "signed-out", "You are signed out."),
    (Flash::SignedIn, "signed-in", "Welcome back."),
];

const COOKIE: &str = "flash";
pub const FORGET: &str = "flash=; Path=/; Max-Age=0";

impl Flash {
    /// A redirect that says this on the next page.
    pub fn then(self, location: &str) -> Response {
        let code = ALL.iter().find(|(flash, _, _)| *flash == self).map_or("", |(_, code, _)| code);
        Response::see_other(location).cookie(COOKIE, code)
    }
}

/// The message the request brings along.
pub fn message(request: &Request) -> Option<&'static str> {
    let code = request.cookie(COOKIE)?;
    ALL.iter().find(|(_, known, _)| *known == code).map(|(_, _, text)| *text)
}

/// Whether the response to this request is a page that shows the message.
pub fn is_shown_by(request: &Request) -> bool {
    let first = request.path.first().map(String::as_str);
    !request.is_post() && request.cookie(COOKIE).is_some() && !matches!(first, Some("static" | "img" | "api"))
}
