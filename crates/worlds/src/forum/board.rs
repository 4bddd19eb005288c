//! The forum as the visitor sees it: the catalogue with the state laid over it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::catalogue::{Catalogue, CommentId, Community, MODERATED, PostId, VISITOR};
use super::feed::CommentSort;
use super::moment::Moment;
use super::state::{Flags, State, Subject};

#[derive(Clone, Copy)]
pub struct Board<'a> {
    pub catalogue: &'a Catalogue,
    pub state: &'a State,
}

/// A post of anybody's.
pub struct PostView<'a> {
    pub id: PostId,
    pub community: &'a Community,
    pub author: &'a str,
    pub title: &'a str,
    pub body: &'a str,
    pub link: Option<&'a str>,
    pub flair: Option<&'a str>,
    pub at: Moment,
    pub score: i32,
    /// The visitor's vote: 1, 0 or -1.
    pub vote: i8,
    pub comments: usize,
    pub saved: bool,
    pub flags: Flags,
    pub edited: bool,
    pub has_picture: bool,
}

impl PostView<'_> {
    pub fn path(&self) -> String {
        format!("/c/{}/post/{}", self.community.words.slug, self.id)
    }

    pub fn is_own(&self) -> bool {
        self.author == VISITOR
    }

    /// Where a link post points to, without scheme and path.
    pub fn domain(&self) -> Option<&str> {
        self.link.map(|link| {
            let rest = link.split_once("://").map_or(link, |(_, rest)| rest);
            rest.split('/').next().unwrap_or_default()
        })
    }
}

/// A comment of anybody's.
pub struct CommentView<'a> {
    pub id: CommentId,
    pub post: PostId,
    pub parent: Option<CommentId>,
    pub author: &'a str,
    pub body: Cow<'a, str>,
    pub at: Moment,
    pub score: i32,
    pub vote: i8,
    pub edited: bool,
    pub removed: bool,
}

impl CommentView<'_> {
    pub fn is_own(&self) -> bool {
        self.author == VISITOR
    }
}

impl<'a> Board<'a> {
    pub fn new(catalogue: &'a Catalogue, state: &'a State) -> Self {
        Self { catalogue, state }
    }

    /// Whether the visitor may moderate a community.
    pub fn moderates(self, slug: &str) -> bool {
        self.state.signed_in && slug == MODERATED
    }

    pub fn flags(self, post: PostId) -> Flags {
        self.state.moderation.flags.get(&post).copied().unwrap_or_default()
    }

    pub fn is_subscribed(self, slug: &str) -> bool {
        self.state.subscriptions.get(slug).copied().unwrap_or(false)
    }

    pub fn post(self, id: PostId) -> Option<PostView<'a>> {
        if let Some(post) = self.catalogue.post(id) {
            return Some(PostView {
                id,
                community: self.catalogue.community(post.community)?,
                author: &post.author,
                title: &post.title,
                body: &post.body,
                link: post.link.as_deref(),
                flair: post.flair,
                at: post.at,
                score: post.points + i32::from(self.vote(id)),
                vote: self.vote(id),
                comments: self.comment_count(id),
                saved: self.state.saved.contains_key(&id),
                flags: self.flags(id),
                edited: false,
                has_picture: post.has_picture,
            });
        }
        let post = self.state.posts.get(&id)?;
        Some(PostView {
            id,
            community: self.catalogue.community(&post.community)?,
            author: VISITOR,
            title: &post.title,
            body: &post.body,
            link: post.link.as_deref(),
            flair: post.flair.as_deref(),
            at: post.created,
            score: post.points + i32::from(self.vote(id)),
            vote: self.vote(id),
            comments: self.comment_count(id),
            saved: self.state.saved.contains_key(&id),
            flags: self.flags(id),
            edited: post.edited,
            has_picture: false,
        })
    }

    /// All posts there are, removed ones too.
    pub fn posts(self) -> impl Iterator<Item = PostView<'a>> {
        let others = self.catalogue.all_posts().map(|post| post.id);
        others.chain(self.state.posts.keys().copied()).filter_map(move |id| self.post(id))
    }

    fn vote(self, post: PostId) -> i8 {
        self.state.votes.posts.get(&post).copied().unwrap_or(0)
    }

    fn comment_count(self, post: PostId) -> usize {
        let own = self.state.comments.values().filter(|comment| comment.post == post).count();
        self.catalogue.comments_on(post).len() + own
    }

    pub fn comment(self, id: CommentId) -> Option<CommentView<'a>> {
        let vote = self.state.votes.comments.get(&id).copied().unwrap_or(0);
        let removed = self.state.moderation.removed_comments.contains_key(&id);
        if let Some(comment) = self.catalogue.comment(id) {
            return Some(CommentView {
                id,
                post: comment.post,
                parent: comment.parent,
                author: &comment.author,
                body: Cow::Borrowed(&comment.body),
                at: comment.at,
                score: comment.points + i32::from(vote),
                vote,
                edited: false,
                removed,
            });
        }
        let comment = self.state.comments.get(&id)?;
        Some(CommentView {
            id,
            post: comment.post,
            parent: comment.parent,
            author: VISITOR,
            body: Cow::Borrowed(&comment.body),
            at: comment.created,
            score: 1 + i32::from(vote),
            vote,
            edited: comment.edited,
            removed,
        })
    }

    /// Comments of a post by their parent, each list in the wanted order.
    pub fn threads(
        self,
        post: PostId,
        sort: CommentSort,
    ) -> BTreeMap<Option<CommentId>, Vec<CommentView<'a>>> {
        let others = self.catalogue.comments_on(post).iter().map(|comment| comment.id);
        let own = self.state.comments.iter().filter(|(_, comment)| comment.post == post).map(|(id, _)| *id);
        let mut by_parent: BTreeMap<Option<CommentId>, Vec<CommentView<'a>>> = BTreeMap::new();
        for comment in others.chain(own).filter_map(|id| self.comment(id)) {
            // A reply to a comment that its author has deleted moves up to the post.
            let parent = comment.parent.filter(|parent| self.comment(*parent).is_some());
            by_parent.entry(parent).or_default().push(comment);
        }
        for comments in by_parent.values_mut() {
            sort.apply(comments);
        }
        by_parent
    }

    /// Everything a person has commented, newest first.
    pub fn comments_by(self, name: &str) -> Vec<CommentView<'a>> {
        let others =
            self.catalogue.comments.iter().filter(|comment| comment.author == name).map(|comment| comment.id);
        let own = self.state.comments.keys().copied().filter(|_| name == VISITOR);
        let mut comments: Vec<_> = others.chain(own).filter_map(|id| self.comment(id)).collect();
        CommentSort::New.apply(&mut comments);
        comments
    }

    /// The post a subject is, or is a comment on.
    pub fn post_of(self, subject: Subject) -> Option<PostView<'a>> {
        match subject {
            Subject::Post(id) => self.post(id),
            Subject::Comment(id) => self.post(self.comment(id)?.post),
        }
    }

    pub fn unread_messages(self) -> usize {
        self.state.threads.values().filter(|thread| thread.unread).count()
    }

    pub fn unread_notifications(self) -> usize {
        self.state.notifications.values().filter(|notification| !notification.read).count()
    }
}
