//! The visitor's settings, and how a submitted settings form becomes one. A section is saved as a whole: a box that
//! is not in the form is off.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::feed::{CommentSort, Sort};
use super::vocabulary;
use crate::Request;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub profile: Profile,
    /// By topic, see [`TOPICS`].
    pub notifications: BTreeMap<String, Channels>,
    pub privacy: Privacy,
    pub content: Content,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    pub display_name: String,
    pub bio: String,
    pub location: String,
    pub website: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Channels {
    pub site: bool,
    pub email: bool,
    pub push: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WhoMayWrite {
    Everyone,
    Members,
    Nobody,
}

impl WhoMayWrite {
    pub const ALL: [(Self, &'static str, &'static str); 3] = [
        (Self::Everyone, "everyone", "Everyone"),
        (Self::Members, "members", "People in my communities"),
        (Self::Nobody, "nobody", "Nobody"),
    ];
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools)] // Each is a switch of its own on the page.
pub struct Privacy {
    pub who_may_write: WhoMayWrite,
    pub show_in_search_engines: bool,
    pub show_online_status: bool,
    pub show_communities: bool,
    pub personal_recommendations: bool,
    pub share_activity_with_partners: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content {
    pub feed_sort: Sort,
    pub comment_sort: CommentSort,
    pub show_mature: bool,
    pub compact_cards: bool,
    /// Posts with one of these words in the title are left out of feeds.
    pub muted_words: Vec<String>,
    /// Communities left out of the home and the all feed.
    pub hidden_communities: BTreeSet<String>,
}

/// Topics of the notification matrix, with their labels.
pub const TOPICS: [(&str, &str); 10] = [
    ("post_comment", "Comments on my posts"),
    ("comment_reply", "Replies to my comments"),
    ("mention", "Mentions of my name"),
    ("message", "Direct messages"),
    ("upvote_milestone", "Upvote milestones"),
    ("community_digest", "Weekly community digest"),
    ("pinned_post", "New pinned posts"),
    ("moderation_report", "Reports in communities I moderate"),
    ("follower", "New followers"),
    ("product_news", "News about Thicket"),
];

/// Channels of the matrix: field name, column title.
pub const CHANNELS: [(&str, &str); 3] = [("site", "On site"), ("email", "E-mail"), ("push", "Push")];

impl Channels {
    pub fn get(self, channel: &str) -> bool {
        match channel {
            "site" => self.site,
            "email" => self.email,
            "push" => self.push,
            _ => false,
        }
    }
}

impl Settings {
    pub fn opening() -> Self {
        let notifications = TOPICS
            .iter()
            .map(|(topic, _)| {
                let loud = !matches!(*topic, "upvote_milestone" | "product_news" | "follower");
                let push = matches!(*topic, "message" | "mention");
                let email =
                    matches!(*topic, "message" | "community_digest" | "product_news" | "comment_reply");
                ((*topic).to_owned(), Channels { site: loud, email, push })
            })
            .collect();
        Self {
            profile: Profile {
                display_name: "Mira Holt".to_owned(),
                bio: "Plants, film and a server that hums.".to_owned(),
                location: "Hartsford".to_owned(),
                website: String::new(),
            },
            notifications,
            privacy: Privacy {
                who_may_write: WhoMayWrite::Everyone,
                show_in_search_engines: true,
                show_online_status: true,
                show_communities: false,
                personal_recommendations: true,
                share_activity_with_partners: true,
            },
            content: Content {
                feed_sort: Sort::Hot,
                comment_sort: CommentSort::Top,
                show_mature: false,
                compact_cards: false,
                muted_words: Vec::new(),
                hidden_communities: BTreeSet::new(),
            },
        }
    }

    /// Saves the profile section, or says what is wrong with it.
    pub fn save_profile(&mut self, request: &Request) -> Result<(), String> {
        let field = |name: &str| request.form(name).unwrap_or_default().trim().to_owned();
        let profile = Profile {
            display_name: field("display_name"),
            bio: field("bio"),
            location: field("location"),
            website: field("website"),
        };
        if !(2..=30).contains(&profile.display_name.chars().count()) {
            return Err("A display name has 2 to 30 characters.".to_owned());
        }
        if profile.bio.chars().count() > 200 {
            return Err("The bio is longer than 200 characters.".to_owned());
        }
        if !profile.website.is_empty() && !is_web_address(&profile.website) {
            return Err("The website has to be a full address such as https://example.org.".to_owned());
        }
        self.profile = profile;
        Ok(())
    }

    pub fn save_notifications(&mut self, request: &Request) {
        for (topic, _) in TOPICS {
            let on = |channel: &str| request.form(&format!("{topic}.{channel}")).is_some();
            self.notifications.insert(
                topic.to_owned(),
                Channels { site: on("site"), email: on("email"), push: on("push") },
            );
        }
    }

    pub fn save_privacy(&mut self, request: &Request) {
        // Native boxes are sent only when ticked; the ARIA switches always send their value.
        let on = |name: &str| request.form(name).is_some_and(|value| value != "off");
        let chosen = request.form("who_may_write").unwrap_or_default();
        let who = WhoMayWrite::ALL.iter().find(|(_, value, _)| *value == chosen);
        self.privacy = Privacy {
            who_may_write: who.map_or(self.privacy.who_may_write, |(who, _, _)| *who),
            show_in_search_engines: on("show_in_search_engines"),
            show_online_status: on("show_online_status"),
            show_communities: on("show_communities"),
            personal_recommendations: on("personal_recommendations"),
            share_activity_with_partners: on("share_activity_with_partners"),
        };
    }

    pub fn save_content(&mut self, request: &Request) -> Result<(), String> {
        let muted_words: Vec<String> = request
            .form("muted_words")
            .unwrap_or_default()
            .split([',', '\n'])
            .map(|word| word.trim().to_lowercase())
            .filter(|word| !word.is_empty())
            .collect();
        if muted_words.len() > 30 || muted_words.iter().any(|word| word.chars().count() > 40) {
            return Err("Mute at most 30 words of at most 40 characters each.".to_owned());
        }
        self.content = Content {
            feed_sort: request.form("feed_sort").and_then(Sort::parse).unwrap_or(self.content.feed_sort),
            comment_sort: request
                .form("comment_sort")
                .and_then(CommentSort::parse)
                .unwrap_or(self.content.comment_sort),
            show_mature: request.form("show_mature").is_some(),
            compact_cards: request.form("compact_cards").is_some(),
            muted_words,
            hidden_communities: vocabulary::communities()
                .filter(|words| request.form(&format!("hide.{}", words.slug)).is_some())
                .map(|words| words.slug.to_owned())
                .collect(),
        };
        Ok(())
    }
}

pub fn is_web_address(text: &str) -> bool {
    url::Url::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|h| h.contains('.'))
    })
}
