//! What was on the forum before the visitor came: communities, people, posts and comments. It never changes, and is
//! built once per seed and shared by all worlds of that seed.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::generate;
use super::moment::Moment;
use super::vocabulary::CommunityWords;
use crate::kit::by_seed::BySeed;

pub type PostId = u32;
pub type CommentId = u32;

/// The account every visitor is signed in with.
pub const VISITOR: &str = "mira_holt";
/// The community the visitor moderates.
pub const MODERATED: &str = "houseplants";

pub const FIRST_POST: PostId = 1001;
/// Posts of the archive are numbered behind those of today: they were taken over from the boards that came before.
pub const FIRST_ARCHIVED: PostId = 10_001;
pub const FIRST_COMMENT: CommentId = 20_001;
/// The visitor's own posts are part of the state; the comments of others on them are not.
pub const OWN_POSTS: Range<PostId> = 5001..5005;
/// The visitor's own comments from before the attempt.
pub const OWN_COMMENTS: Range<CommentId> = 50_001..50_006;

pub struct Community {
    pub words: &'static CommunityWords,
    pub founded: Moment,
    /// Without the visitor.
    pub members: u32,
    pub moderators: Vec<String>,
}

pub struct Person {
    pub name: String,
    pub bio: &'static str,
    pub town: &'static str,
    pub joined: Moment,
}

pub struct Post {
    pub id: PostId,
    pub community: &'static str,
    pub author: String,
    pub title: String,
    pub body: String,
    /// A link post points here and has no body.
    pub link: Option<String>,
    pub flair: Option<&'static str>,
    pub at: Moment,
    pub points: i32,
    pub has_picture: bool,
}

pub struct Comment {
    pub id: CommentId,
    pub post: PostId,
    pub parent: Option<CommentId>,
    pub author: String,
    pub body: String,
    pub at: Moment,
    pub points: i32,
}

pub struct Catalogue {
    pub seed: u64,
    pub communities: Vec<Community>,
    pub people: Vec<Person>,
    /// Those who wrote what is in the archive, and have not been seen since.
    pub former: Vec<Person>,
    /// By id, oldest first.
    pub posts: Vec<Post>,
    /// By id: what was written before any of `posts`, but for the welcomes.
    pub archive: Vec<Post>,
    /// By id; those of one post stand together.
    pub comments: Vec<Comment>,
    pub comment_ranges: BTreeMap<PostId, Range<usize>>,
}

impl Catalogue {
    pub fn shared(seed: u64) -> Arc<Self> {
        static CATALOGUES: BySeed<Catalogue> = BySeed::new();
        CATALOGUES.get(seed, generate::catalogue)
    }

    pub fn community(&self, slug: &str) -> Option<&Community> {
        self.communities.iter().find(|community| community.words.slug == slug)
    }

    pub fn person(&self, name: &str) -> Option<&Person> {
        self.everybody().find(|person| person.name.eq_ignore_ascii_case(name))
    }

    pub fn everybody(&self) -> impl Iterator<Item = &Person> {
        self.people.iter().chain(&self.former)
    }

    pub fn all_posts(&self) -> impl Iterator<Item = &Post> {
        self.posts.iter().chain(&self.archive)
    }

    pub fn post(&self, id: PostId) -> Option<&Post> {
        match id.checked_sub(FIRST_ARCHIVED) {
            Some(place) => self.archive.get(place as usize),
            None => self.posts.get(id.checked_sub(FIRST_POST)? as usize),
        }
    }

    pub fn comment(&self, id: CommentId) -> Option<&Comment> {
        self.comments.get(id.checked_sub(FIRST_COMMENT)? as usize)
    }

    pub fn comments_on(&self, post: PostId) -> &[Comment] {
        self.comment_ranges.get(&post).and_then(|range| self.comments.get(range.clone())).unwrap_or_default()
    }
}
