//! Which posts a list shows, and in which order.

use serde::{Deserialize, Serialize};

use super::board::{Board, CommentView, PostView};
use crate::Request;

pub const PAGE: usize = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    Hot,
    New,
    Top,
}

impl Sort {
    pub const ALL: [(Self, &'static str, &'static str); 3] =
        [(Self::Hot, "hot", "Hot"), (Self::New, "new", "New"), (Self::Top, "top", "Top")];

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, value, _)| *value == text).map(|(sort, _, _)| *sort)
    }

    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(sort, _, _)| *sort == self).map_or("hot", |(_, value, _)| value)
    }
}

/// How far back a list by score looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Period {
    Day,
    Week,
    Month,
    Year,
    All,
}

impl Period {
    pub const ALL: [(Self, &'static str, &'static str); 5] = [
        (Self::Day, "day", "Past 24 hours"),
        (Self::Week, "week", "Past week"),
        (Self::Month, "month", "Past month"),
        (Self::Year, "year", "Past year"),
        (Self::All, "all", "All time"),
    ];

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, value, _)| *value == text).map(|(period, _, _)| *period)
    }

    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(period, _, _)| *period == self).map_or("all", |(_, value, _)| value)
    }

    fn days(self) -> i64 {
        match self {
            Self::Day => 1,
            Self::Week => 7,
            Self::Month => 30,
            Self::Year => 365,
            Self::All => i64::MAX / (24 * 60),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CommentSort {
    Top,
    New,
    Old,
}

impl CommentSort {
    pub const ALL: [(Self, &'static str, &'static str); 3] = [
        (Self::Top, "top", "Best first"),
        (Self::New, "new", "Newest first"),
        (Self::Old, "old", "Oldest first"),
    ];

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, value, _)| *value == text).map(|(sort, _, _)| *sort)
    }

    pub fn apply(self, comments: &mut [CommentView<'_>]) {
        match self {
            Self::Top => comments.sort_by_key(|comment| std::cmp::Reverse((comment.score, comment.id))),
            Self::New => comments.sort_by_key(|comment| std::cmp::Reverse((comment.at, comment.id))),
            Self::Old => comments.sort_by_key(|comment| (comment.at, comment.id)),
        }
    }
}

/// Where posts come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    Home,
    All,
    Community(String),
}

impl Scope {
    pub fn parse(text: &str) -> Self {
        match text {
            "home" => Self::Home,
            "all" => Self::All,
            slug => Self::Community(slug.to_owned()),
        }
    }

    pub fn as_str(&self) -> &str {
        match self {
            Self::Home => "home",
            Self::All => "all",
            Self::Community(slug) => slug,
        }
    }

    pub fn path(&self) -> String {
        match self {
            Self::Home => "/".to_owned(),
            Self::All => "/all".to_owned(),
            Self::Community(slug) => format!("/c/{slug}"),
        }
    }
}

/// One list of posts.
pub struct Feed {
    pub scope: Scope,
    pub sort: Sort,
    pub period: Period,
}

impl Feed {
    pub fn of(scope: Scope, request: &Request, board: Board<'_>) -> Self {
        Self {
            scope,
            sort: request
                .query("sort")
                .and_then(Sort::parse)
                .unwrap_or(board.state.settings.content.feed_sort),
            period: request.query("t").and_then(Period::parse).unwrap_or(Period::Week),
        }
    }

    pub fn posts<'a>(&self, board: Board<'a>) -> Vec<PostView<'a>> {
        let mut posts: Vec<PostView<'a>> = board.posts().filter(|post| self.shows(post, board)).collect();
        match self.sort {
            Sort::Hot => posts.sort_by_key(|post| std::cmp::Reverse((heat(post), post.id))),
            Sort::New => posts.sort_by_key(|post| std::cmp::Reverse((post.at, post.id))),
            Sort::Top => posts.sort_by_key(|post| std::cmp::Reverse((post.score, post.id))),
        }
        if matches!(self.scope, Scope::Community(_)) {
            posts.sort_by_key(|post| !post.flags.pinned);
        }
        posts
    }

    fn shows(&self, post: &PostView<'_>, board: Board<'_>) -> bool {
        let slug = post.community.words.slug;
        let content = &board.state.settings.content;
        let in_scope = match &self.scope {
            Scope::Home => board.is_subscribed(slug) && !content.hidden_communities.contains(slug),
            Scope::All => !content.hidden_communities.contains(slug),
            Scope::Community(wanted) => slug == wanted,
        };
        let in_period = self.sort != Sort::Top || post.at.age_minutes() <= self.period.days() * 24 * 60;
        let title = post.title.to_lowercase();
        let muted = content.muted_words.iter().any(|word| title.contains(word.as_str()));
        let blocked = board.state.blocked.contains_key(post.author);
        in_scope && in_period && !muted && !blocked && !post.flags.removed
    }
}

/// A tenfold score outweighs a day and a half.
fn heat(post: &PostView<'_>) -> i64 {
    let weight = f64::from(post.score.max(1)).log10() * 36.0 * 60.0;
    weight as i64 - post.at.age_minutes()
}

/// What a search asks for.
pub struct Search<'r> {
    pub words: &'r str,
    pub community: Option<&'r str>,
    pub sort: SearchSort,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchSort {
    Relevance,
    New,
    Top,
}

impl SearchSort {
    pub const ALL: [(Self, &'static str, &'static str); 3] = [
        (Self::Relevance, "relevance", "Relevance"),
        (Self::New, "new", "Newest"),
        (Self::Top, "top", "Highest score"),
    ];
}

impl<'r> Search<'r> {
    pub fn of(request: &'r Request) -> Self {
        let wanted = request.query("sort").unwrap_or_default();
        Self {
            words: request.query("q").unwrap_or_default().trim(),
            community: request.query("c").filter(|slug| !slug.is_empty()),
            sort: SearchSort::ALL
                .iter()
                .find(|(_, value, _)| *value == wanted)
                .map_or(SearchSort::Relevance, |(sort, _, _)| *sort),
        }
    }

    /// Posts that have every word in their title, text or author.
    pub fn posts<'a>(&self, board: Board<'a>) -> Vec<PostView<'a>> {
        let query = self.words.to_lowercase();
        let words: Vec<&str> =
            query.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect();
        if words.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<(i64, PostView<'a>)> = board
            .posts()
            .filter(|post| {
                !post.flags.removed && self.community.is_none_or(|slug| post.community.words.slug == slug)
            })
            .filter_map(|post| {
                let title = post.title.to_lowercase();
                let text = format!("{title}\n{}\n{}", post.body.to_lowercase(), post.author);
                let in_title = words.iter().map(|word| i64::from(title.contains(*word))).sum();
                words.iter().all(|word| text.contains(word)).then_some((in_title, post))
            })
            .collect();
        found.sort_by_key(|(in_title, post)| {
            std::cmp::Reverse(match self.sort {
                SearchSort::Relevance => (*in_title, i64::from(post.score), post.id),
                SearchSort::New => (-post.at.age_minutes(), 0, post.id),
                SearchSort::Top => (i64::from(post.score), 0, post.id),
            })
        });
        found.into_iter().map(|(_, post)| post).collect()
    }
}
