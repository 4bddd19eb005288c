//! Votes, bookmarks and subscriptions: small JSON requests sent by buttons.

use http::StatusCode;
use serde::Deserialize;
use serde_json::json;

use crate::forum::Forum;
use crate::forum::catalogue::{CommentId, PostId};
use crate::forum::state::Subject;
use crate::{Request, Response};

#[derive(Deserialize)]
struct Vote {
    post: Option<PostId>,
    comment: Option<CommentId>,
    /// 1, -1, or 0 to take a vote back.
    value: i8,
}

#[derive(Deserialize)]
struct Save {
    post: PostId,
    saved: bool,
}

#[derive(Deserialize)]
struct Subscription {
    community: String,
    subscribed: bool,
}

impl Forum {
    pub(in crate::forum) fn vote(&mut self, request: &Request) -> Response {
        let Some(vote) = parse::<Vote>(request).filter(|vote| (-1..=1).contains(&vote.value)) else {
            return refuse(StatusCode::BAD_REQUEST, "a vote is 1, 0 or -1");
        };
        let subject = match (vote.post, vote.comment) {
            (Some(post), None) => Subject::Post(post),
            (None, Some(comment)) => Subject::Comment(comment),
            _ => return refuse(StatusCode::BAD_REQUEST, "vote on a post or on a comment"),
        };
        let Some(post) = self.board().post_of(subject) else {
            return refuse(StatusCode::NOT_FOUND, "it is gone");
        };
        if post.flags.locked {
            return refuse(StatusCode::FORBIDDEN, "voting is closed on locked posts");
        }
        let votes = match subject {
            Subject::Post(_) => &mut self.state.votes.posts,
            Subject::Comment(_) => &mut self.state.votes.comments,
        };
        let (Subject::Post(id) | Subject::Comment(id)) = subject;
        if vote.value == 0 {
            votes.remove(&id);
        } else {
            votes.insert(id, vote.value);
        }
        let score = match subject {
            Subject::Post(id) => self.board().post(id).map(|post| post.score),
            Subject::Comment(id) => self.board().comment(id).map(|comment| comment.score),
        };
        Response::json(&json!({"score": score, "vote": vote.value}))
    }

    pub(in crate::forum) fn save(&mut self, request: &Request) -> Response {
        let Some(save) = parse::<Save>(request) else {
            return refuse(StatusCode::BAD_REQUEST, "say which post");
        };
        if self.board().post(save.post).is_none() {
            return refuse(StatusCode::NOT_FOUND, "it is gone");
        }
        if save.saved {
            self.state.saved.insert(save.post, true);
        } else {
            self.state.saved.remove(&save.post);
        }
        Response::json(&json!({"saved": save.saved}))
    }

    pub(in crate::forum) fn subscribe(&mut self, request: &Request) -> Response {
        let Some(wanted) = parse::<Subscription>(request) else {
            return refuse(StatusCode::BAD_REQUEST, "say which community");
        };
        let Some(community) = self.catalogue.community(&wanted.community) else {
            return refuse(StatusCode::NOT_FOUND, "there is no such community");
        };
        self.state.subscriptions.insert(wanted.community, wanted.subscribed);
        let members = community.members + u32::from(wanted.subscribed);
        Response::json(&json!({"subscribed": wanted.subscribed, "members": members}))
    }
}

fn parse<T: for<'de> Deserialize<'de>>(request: &Request) -> Option<T> {
    request.json.as_ref().and_then(|json| T::deserialize(json).ok())
}

fn refuse(status: StatusCode, problem: &str) -> Response {
    Response::json(&json!({"error": problem})).status(status)
}
