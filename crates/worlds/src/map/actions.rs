//! What forms change. Each action answers with a redirect, or says why it refuses.

use super::Map;
use super::categories::Category;
use super::lookup::{self, Found};
use super::routing::Mode;
use super::state::{List, Review, Suggestion, SuggestionKind, Units};
use crate::kit::flash;
use crate::kit::text::{bounded, slug};
use crate::{Request, Response};

pub enum Refusal {
    /// The form was sent to something that does not exist.
    Missing,
    Invalid(String),
}

type Outcome = Result<Response, Refusal>;

const MOST_LISTS: usize = 30;
const MOST_IN_A_LIST: usize = 200;
const MOST_SUGGESTIONS: usize = 100;

fn invalid<T>(problem: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Invalid(problem.into()))
}

fn required(request: &Request, name: &str, what: &str, longest: usize) -> Result<String, Refusal> {
    let text = request.form(name).unwrap_or_default().trim();
    match text.chars().count() {
        0 => invalid(format!("{what} is missing.")),
        length if length > longest => invalid(format!("{what} has more than {longest} characters.")),
        _ => Ok(text.to_owned()),
    }
}

impl Map {
    pub(super) fn perform(&mut self, request: &Request, segments: &[&str]) -> Outcome {
        match segments {
            ["lists"] => self.add_list(request),
            ["lists", id] => self.save_list(id, request),
            ["lists", id, "delete"] => self.delete_list(id),
            ["lists", id, "remove"] => self.remove_from_list(id, request),
            ["place", id, "save"] => self.save_place(id, request),
            ["place", id, "review"] => self.write_review(id, request),
            ["place", id, "review", "delete"] => self.delete_review(id),
            ["place", id, "suggest"] => self.suggest_edit(id, request),
            ["missing"] => self.report_missing(request),
            ["contributions", id, "withdraw"] => self.withdraw(id),
            ["settings"] => self.save_settings(request),
            _ => Err(Refusal::Missing),
        }
    }

    fn place_id(&self, id: &str) -> Result<u32, Refusal> {
        self.catalogue.place_of_text(id).map(|place| place.id).ok_or(Refusal::Missing)
    }

    fn free_name(&self, request: &Request, own: Option<&str>) -> Result<String, Refusal> {
        let name = required(request, "name", "The name of the list", 60)?;
        let taken =
            |(id, list): (&String, &List)| Some(id.as_str()) != own && list.name.eq_ignore_ascii_case(&name);
        if self.state.lists.iter().any(taken) {
            return invalid("You already have a list of this name.");
        }
        Ok(name)
    }

    fn add_list(&mut self, request: &Request) -> Outcome {
        let name = self.free_name(request, None)?;
        if self.state.lists.len() >= MOST_LISTS {
            return invalid(format!("There can be {MOST_LISTS} lists."));
        }
        let mut id = slug(&name);
        if id.is_empty() || self.state.lists.contains_key(&id) {
            id = self.state.take_id("list");
        }
        let location = format!("/lists/{id}");
        self.state.lists.insert(id, List { name, shared: false, places: std::collections::BTreeMap::new() });
        Ok(flash::then(&location, "list-added"))
    }

    fn save_list(&mut self, id: &str, request: &Request) -> Outcome {
        if !self.state.lists.contains_key(id) {
            return Err(Refusal::Missing);
        }
        let name = self.free_name(request, Some(id))?;
        let list = self.state.lists.get_mut(id).ok_or(Refusal::Missing)?;
        list.name = name;
        list.shared = request.form("shared").is_some();
        Ok(flash::then(&format!("/lists/{id}"), "list-saved"))
    }

    fn delete_list(&mut self, id: &str) -> Outcome {
        self.state.lists.remove(id).ok_or(Refusal::Missing)?;
        Ok(flash::then("/lists", "list-deleted"))
    }

    fn remove_from_list(&mut self, id: &str, request: &Request) -> Outcome {
        let place = self.place_id(request.form("place").unwrap_or_default())?;
        let list = self.state.lists.get_mut(id).ok_or(Refusal::Missing)?;
        list.places.remove(&place).ok_or(Refusal::Missing)?;
        Ok(flash::then(&format!("/lists/{id}"), "place-removed"))
    }

    fn save_place(&mut self, id: &str, request: &Request) -> Outcome {
        let place = self.place_id(id)?;
        let Some(list) = self.state.lists.get_mut(request.form("list").unwrap_or_default()) else {
            return invalid("Choose one of your lists.");
        };
        if list.places.len() >= MOST_IN_A_LIST {
            return invalid(format!("A list holds {MOST_IN_A_LIST} places."));
        }
        list.places.insert(place, bounded(request.form("note").unwrap_or_default(), 200));
        Ok(flash::then(&format!("/place/{place}"), "place-saved"))
    }

    fn write_review(&mut self, id: &str, request: &Request) -> Outcome {
        let place = self.catalogue.place_of_text(id).ok_or(Refusal::Missing)?;
        if !place.category.takes_reviews() {
            return invalid("This kind of place takes no reviews.");
        }
        let stars = request
            .form("stars")
            .and_then(|stars| stars.parse().ok())
            .filter(|stars| (1..=5).contains(stars));
        let Some(stars) = stars else { return invalid("Choose from one to five stars.") };
        let text = required(request, "text", "Your review", 1_000)?;
        let id = place.id;
        self.state.reviews.insert(id, Review { stars, text });
        Ok(flash::then(&format!("/place/{id}"), "review-saved"))
    }

    fn delete_review(&mut self, id: &str) -> Outcome {
        let place = self.place_id(id)?;
        self.state.reviews.remove(&place).ok_or(Refusal::Missing)?;
        Ok(flash::then(&format!("/place/{place}"), "review-deleted"))
    }

    fn suggest_edit(&mut self, id: &str, request: &Request) -> Outcome {
        let place = self.place_id(id)?;
        let Some(kind) = SuggestionKind::parse(request.form("kind").unwrap_or_default()) else {
            return invalid("Choose what is wrong.");
        };
        let text = match kind {
            SuggestionKind::Closed => bounded(request.form("text").unwrap_or_default(), 300),
            _ => required(request, "text", "What it should say", 300)?,
        };
        self.add_suggestion(Suggestion { place: Some(place), kind, text })
    }

    fn report_missing(&mut self, request: &Request) -> Outcome {
        let name = required(request, "name", "The name of the place", 80)?;
        let Some(category) = Category::of_slug(request.form("category").unwrap_or_default()) else {
            return invalid("Choose what kind of place it is.");
        };
        let address = required(request, "address", "The address", 120)?;
        let known = lookup::resolve(&self.catalogue.country, &self.catalogue, &address);
        let Found::One(end) = known else {
            return invalid(
                "This address is not on the map. Write it like 14 Mill Street, and the town after a comma.",
            );
        };
        let text = format!("{name} ({}), {}", category.name, end.label);
        self.add_suggestion(Suggestion { place: None, kind: SuggestionKind::Missing, text })
    }

    fn add_suggestion(&mut self, suggestion: Suggestion) -> Outcome {
        if self.state.suggestions.len() >= MOST_SUGGESTIONS {
            return invalid("Wait until your earlier suggestions have been looked at.");
        }
        let id = self.state.take_id("suggestion");
        self.state.suggestions.insert(id, suggestion);
        Ok(flash::then("/contributions", "suggested"))
    }

    fn withdraw(&mut self, id: &str) -> Outcome {
        self.state.suggestions.remove(id).ok_or(Refusal::Missing)?;
        Ok(flash::then("/contributions", "withdrawn"))
    }

    fn save_settings(&mut self, request: &Request) -> Outcome {
        let units = match request.form("units") {
            Some("metric") => Units::Metric,
            Some("imperial") => Units::Imperial,
            _ => return invalid("Choose kilometres or miles."),
        };
        let Some(mode) = request.form("mode").and_then(Mode::parse) else {
            return invalid("Choose how you travel.");
        };
        let mut addresses = [String::new(), String::new()];
        for (name, address) in ["home", "work"].into_iter().zip(&mut addresses) {
            let typed = bounded(request.form(name).unwrap_or_default(), 120);
            if typed.is_empty() {
                continue;
            }
            let Found::One(end) = lookup::resolve(&self.catalogue.country, &self.catalogue, &typed) else {
                return invalid(format!("The address of {name} is not on the map."));
            };
            *address = end.label;
        }
        let [home, work] = addresses;
        self.state.settings = super::state::Settings {
            units,
            mode,
            avoid_motorways: request.form("avoid_motorways").is_some(),
            location_history: request.form("location_history").is_some(),
            home,
            work,
        };
        Ok(flash::then("/settings", "settings-saved"))
    }
}
