use super::{Submission, done};
use crate::Response;
use crate::shop::history::TOPICS;
use crate::shop::pages::account::{self, LANGUAGES};
use crate::shop::pages::newsletter::FREQUENCIES;
use crate::shop::pages::{Problems, addresses};
use crate::shop::state::{Address, Newsletter, Profile};

/// Nobody has more addresses than this; it keeps the state small.
const MAX_ADDRESSES: usize = 20;

impl Submission<'_> {
    pub(super) fn sign_in(&mut self) -> Response {
        self.state.signed_in = true;
        done("/account", "signed-in")
    }

    pub(super) fn sign_out(&mut self) -> Response {
        self.state.signed_in = false;
        done("/", "signed-out")
    }

    pub(super) fn save_profile(&mut self) -> Response {
        let mut problems = Problems::new();
        let profile = Profile {
            name: self.required("name", "Your name", &mut problems),
            email: self.required("email", "Your e-mail address", &mut problems),
            phone: self.phone(&mut problems),
            language: self.field("language").to_owned(),
        };
        if !problems.contains_key("email") && !looks_like_email(&profile.email) {
            problems.insert("email", "This does not look like an e-mail address.".to_owned());
        }
        if !LANGUAGES.contains(&profile.language.as_str()) {
            problems.insert("language", "Please choose a language.".to_owned());
        }
        if !problems.is_empty() {
            return account::profile(&self.visit(), &profile, &problems);
        }
        self.state.profile = profile;
        done("/account/profile", "profile-saved")
    }

    pub(super) fn save_address(&mut self, id: &str) -> Response {
        let known = self.state.addresses.contains_key(id);
        if id != "new" && !known {
            return self.not_found();
        }
        let mut problems = Problems::new();
        let address = Address {
            label: self.required("label", "The label", &mut problems),
            name: self.required("name", "The recipient", &mut problems),
            street: self.required("street", "The street", &mut problems),
            city: self.required("city", "The city", &mut problems),
            region: self.required("region", "The state", &mut problems),
            postcode: self.required("postcode", "The ZIP code", &mut problems),
            phone: self.phone(&mut problems),
        };
        let digits = address.postcode.chars().filter(char::is_ascii_digit).count();
        if !problems.contains_key("postcode") && (digits != 5 || address.postcode.len() != 5) {
            problems.insert("postcode", "A ZIP code has five digits.".to_owned());
        }
        if !known && self.state.addresses.len() >= MAX_ADDRESSES {
            problems.insert("label", format!("You can keep at most {MAX_ADDRESSES} addresses."));
        }
        if !problems.is_empty() {
            return addresses::form(&self.visit(), known.then_some(id), &address, &problems);
        }
        let id = if known { id.to_owned() } else { self.next_address() };
        self.state.addresses.insert(id, address);
        done("/account/addresses", "address-saved")
    }

    fn next_address(&mut self) -> String {
        self.state.sequences.address = self.state.sequences.address.saturating_add(1);
        format!("A{}", self.state.sequences.address)
    }

    pub(super) fn make_default_address(&mut self, id: &str) -> Response {
        if !self.state.addresses.contains_key(id) {
            return self.not_found();
        }
        id.clone_into(&mut self.state.default_address);
        done("/account/addresses", "address-default")
    }

    pub(super) fn delete_address(&mut self, id: &str) -> Response {
        // The default stays, so that there is always one to send to.
        if id == self.state.default_address || self.state.addresses.remove(id).is_none() {
            return self.not_found();
        }
        done("/account/addresses", "address-deleted")
    }

    pub(super) fn save_newsletter(&mut self) -> Response {
        let wants =
            |topic: &str| self.request.form.iter().any(|(name, value)| name == "topic" && value == topic);
        let frequency = self.field("frequency");
        let known = FREQUENCIES.iter().any(|(code, _)| *code == frequency);
        let newsletter = Newsletter {
            subscribed: self.field("subscribed") == "1",
            frequency: if known { frequency.to_owned() } else { self.state.newsletter.frequency.clone() },
            format: if self.field("format") == "text" { "text" } else { "html" }.to_owned(),
            topics: TOPICS.iter().map(|(code, ..)| ((*code).to_owned(), wants(code))).collect(),
            share_with_partners: self.field("partners") == "1",
        };
        self.state.newsletter = newsletter;
        done("/account/newsletter", "newsletter-saved")
    }

    pub(super) fn join_newsletter(&mut self) -> Response {
        self.state.newsletter.subscribed = true;
        self.state.newsletter.topics.insert("offers".to_owned(), true);
        done("/offers", "newsletter-saved")
    }

    fn phone(&self, problems: &mut Problems) -> String {
        let phone = self.required("phone", "The phone number", problems);
        if !problems.contains_key("phone")
            && !phone.chars().all(|c| c.is_ascii_digit() || "+-() ".contains(c))
        {
            problems.insert("phone", "A phone number has digits, spaces and hyphens only.".to_owned());
        }
        phone
    }
}

fn looks_like_email(text: &str) -> bool {
    text.split_once('@').is_some_and(|(user, host)| {
        !user.is_empty()
            && host.contains('.')
            && !host.starts_with('.')
            && !host.ends_with('.')
            && !text.contains(' ')
    })
}
