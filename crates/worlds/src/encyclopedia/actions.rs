//! What forms change. Each action answers with a redirect, or says why it refuses.

use super::Encyclopedia;
use super::pages::{self, Visit};
use super::state::{Edit, PASSWORD, Preferences, Remark, TextSize, Theme, VISITOR};
use crate::kit::flash;
use crate::kit::text::bounded;
use crate::{Request, Response};

pub enum Refusal {
    /// The form was sent to something that does not exist.
    Missing,
    SignedOut,
    Protected,
    Invalid(String),
}

type Outcome = Result<Response, Refusal>;

const LONGEST_TEXT: usize = 40_000;
const MOST_EDITS: usize = 60;
const MOST_REMARKS: usize = 60;

fn invalid<T>(problem: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Invalid(problem.into()))
}

fn required(request: &Request, name: &str, what: &str, longest: usize) -> Result<String, Refusal> {
    let text = request.form(name).unwrap_or_default().trim();
    match text.chars().count() {
        0 => invalid(format!("{what} is missing.")),
        length if length > longest => invalid(format!("{what} has more than {longest} characters.")),
        _ => Ok(text.replace("\r\n", "\n")),
    }
}

impl Encyclopedia {
    pub(super) fn perform(&mut self, request: &Request, segments: &[&str]) -> Outcome {
        match segments {
            ["sign-in"] => return self.sign_in(request),
            ["sign-out"] => {
                self.state.signed_in = false;
                return Ok(flash::then("/", "signed-out"));
            }
            _ if !self.state.signed_in => return Err(Refusal::SignedOut),
            _ => {}
        }
        match segments {
            ["article", slug, "edit"] => self.edit(slug, request),
            ["article", slug, "talk"] => self.say(slug, request),
            ["article", slug, "watch"] => self.watch(slug, request),
            ["preferences"] => self.save_preferences(request),
            _ => Err(Refusal::Missing),
        }
    }

    fn sign_in(&mut self, request: &Request) -> Outcome {
        let given = (request.form("name").map(str::trim), request.form("password"));
        if given != (Some(VISITOR), Some(PASSWORD)) {
            return invalid("User name and password do not fit together.");
        }
        self.state.signed_in = true;
        Ok(flash::then("/", "signed-in"))
    }

    fn known(&self, slug: &str) -> Result<String, Refusal> {
        self.library.article(slug).map(|article| article.slug.clone()).ok_or(Refusal::Missing)
    }

    fn edit(&mut self, slug: &str, request: &Request) -> Outcome {
        let article = self.library.article(slug).ok_or(Refusal::Missing)?;
        if article.protected {
            return Err(Refusal::Protected);
        }
        if request.form("preview").is_some() {
            let visit = Visit { desk: self.desk(), request, problem: None };
            return pages::edit::show(visit, slug).ok_or(Refusal::Missing);
        }
        let text = required(request, "text", "The text", LONGEST_TEXT)?;
        let latest = self.desk().revision(article);
        // Somebody who began with an older revision must not overwrite a newer one unseen.
        if request.form("base").and_then(|base| base.parse().ok()) != Some(latest) {
            return invalid(
                "The article has changed since you opened this form. Reload it and put your change in again.",
            );
        }
        if text == self.desk().text(article) {
            return invalid("You have not changed anything.");
        }
        let edit = Edit {
            text,
            summary: bounded(request.form("summary").unwrap_or_default(), 200),
            minor: request.form("minor").is_some(),
        };
        if request.form("watch").is_some() {
            self.state.watchlist.insert(slug.to_owned());
        }
        let edits = self.state.edits.entry(slug.to_owned()).or_default();
        if edits.len() >= MOST_EDITS {
            return invalid("You have edited this article very often today. Come back tomorrow.");
        }
        edits.insert(latest + 1, edit);
        Ok(flash::then(&format!("/article/{slug}"), "edit-saved"))
    }

    fn say(&mut self, slug: &str, request: &Request) -> Outcome {
        let slug = self.known(slug)?;
        let topic = required(request, "topic", "The topic", 100)?;
        let text = required(request, "text", "What you want to say", 2_000)?;
        let remarks = self.state.talk.entry(slug.clone()).or_default();
        if remarks.len() >= MOST_REMARKS {
            return invalid("Let somebody else say something.");
        }
        self.state.made = self.state.made.saturating_add(1);
        remarks.insert(format!("remark-{}", self.state.made), Remark { topic, text });
        Ok(flash::then(&format!("/article/{slug}/talk"), "remark-added"))
    }

    fn watch(&mut self, slug: &str, request: &Request) -> Outcome {
        let slug = self.known(slug)?;
        let back = if request.form("back") == Some("watchlist") {
            "/watchlist".to_owned()
        } else {
            format!("/article/{slug}")
        };
        if self.state.watchlist.remove(&slug) {
            return Ok(flash::then(&back, "unwatched"));
        }
        self.state.watchlist.insert(slug);
        Ok(flash::then(&back, "watched"))
    }

    fn save_preferences(&mut self, request: &Request) -> Outcome {
        let Some(theme) = request.form("theme").and_then(Theme::parse) else {
            return invalid("Choose a theme.");
        };
        let Some(text_size) = request.form("text_size").and_then(TextSize::parse) else {
            return invalid("Choose a text size.");
        };
        let on = |name: &str| request.form(name).is_some();
        self.state.preferences = Preferences {
            theme,
            text_size,
            show_contents: on("show_contents"),
            mark_minor: on("mark_minor"),
            mail_on_change: on("mail_on_change"),
            mail_on_talk: on("mail_on_talk"),
            signature: bounded(request.form("signature").unwrap_or_default(), 80),
        };
        Ok(flash::then("/preferences", "preferences-saved"))
    }
}
