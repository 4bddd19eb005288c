//! Everything the visitor can change. Records are maps keyed by id, so that a check can point at one of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::catalogue::{CommentId, PostId};
use super::moment::Moment;
use super::settings::Settings;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    pub signed_in: bool,
    /// Id of the next record of any kind.
    pub next_id: u32,
    /// By community; every community has an entry.
    pub subscriptions: BTreeMap<String, bool>,
    pub votes: Votes,
    pub saved: BTreeMap<PostId, bool>,
    pub posts: BTreeMap<PostId, OwnPost>,
    pub comments: BTreeMap<CommentId, OwnComment>,
    pub threads: BTreeMap<u32, Thread>,
    pub notifications: BTreeMap<u32, Notification>,
    pub reports: BTreeMap<u32, Report>,
    pub blocked: BTreeMap<String, Moment>,
    pub moderation: Moderation,
    pub settings: Settings,
}

impl State {
    pub fn take_id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id = self.next_id.saturating_add(1);
        id
    }
}

/// 1 up, -1 down; a vote taken back has no entry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Votes {
    pub posts: BTreeMap<PostId, i8>,
    pub comments: BTreeMap<CommentId, i8>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnPost {
    pub community: String,
    pub title: String,
    pub body: String,
    pub link: Option<String>,
    pub flair: Option<String>,
    pub created: Moment,
    pub edited: bool,
    /// The votes of others, and the one every author gives.
    pub points: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnComment {
    pub post: PostId,
    pub parent: Option<CommentId>,
    pub body: String,
    pub created: Moment,
    pub edited: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thread {
    pub with: String,
    pub subject: String,
    pub unread: bool,
    /// Oldest first.
    pub messages: Vec<Message>,
}

impl Thread {
    pub fn newest(&self) -> Option<&Message> {
        self.messages.last()
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    pub from: String,
    pub body: String,
    pub at: Moment,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notification {
    pub text: String,
    pub link: String,
    pub at: Moment,
    pub read: bool,
}

/// What a report or a queue entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    Post(PostId),
    Comment(CommentId),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    pub about: Subject,
    pub reason: String,
    pub details: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moderation {
    /// What people reported in the community the visitor moderates.
    pub queue: BTreeMap<String, QueueEntry>,
    /// Of posts in all communities; those of others are not the visitor's to change.
    pub flags: BTreeMap<PostId, Flags>,
    pub removed_comments: BTreeMap<CommentId, bool>,
    pub banned: BTreeMap<String, Ban>,
    pub log: BTreeMap<u32, LogEntry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QueueStatus {
    Pending,
    Approved,
    Removed,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueueEntry {
    pub about: Subject,
    pub reason: String,
    /// How many people reported it.
    pub reports: u32,
    pub status: QueueStatus,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flags {
    pub locked: bool,
    pub pinned: bool,
    pub removed: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ban {
    /// `None` is for good.
    pub days: Option<u32>,
    pub reason: String,
    pub since: Moment,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogEntry {
    pub moderator: String,
    pub action: String,
    pub target: String,
    pub at: Moment,
}
