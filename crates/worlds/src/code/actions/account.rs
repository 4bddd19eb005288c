//! The visitor's own profile and tokens.

use super::{LONGEST_NAME, Outcome, Refusal, field, invalid, is_checked, required, token};
use crate::Request;
use crate::code::CodeHost;
use crate::code::state::Notifications;
use crate::kit::flash;

const LONGEST_LINE: usize = 160;

impl CodeHost {
    pub(in crate::code) fn save_profile(&mut self, request: &Request) -> Outcome {
        let name = required(request, "name", "Your name", LONGEST_NAME)?;
        let [status, bio, location, website] =
            ["status", "bio", "location", "website"].map(|at| field(request, at));
        if [&status, &bio, &location, &website].iter().any(|text| text.chars().count() > LONGEST_LINE) {
            return invalid(format!("Keep each line under {LONGEST_LINE} characters."));
        }
        if !website.is_empty() && !website.starts_with("https://") && !website.starts_with("http://") {
            return invalid("The website has to begin with https://.");
        }
        let Some(notifications) = Notifications::parse(&field(request, "notifications")) else {
            return invalid("Choose what you want to be notified about.");
        };
        let profile = &mut self.state.profile;
        profile.name = name;
        profile.status = status;
        profile.bio = bio;
        profile.location = location;
        profile.website = website;
        profile.notifications = notifications;
        profile.show_private_contributions = is_checked(request, "show_private_contributions");
        Ok(flash::then("/-/profile", "saved"))
    }

    pub(in crate::code) fn create_token(&mut self, request: &Request) -> Outcome {
        let token = token(request)?;
        let id = self.state.take_id("token");
        self.state.tokens.insert(id, token);
        Ok(flash::then("/-/tokens", "token-created"))
    }

    pub(in crate::code) fn revoke_token(&mut self, id: &str) -> Outcome {
        self.state.tokens.remove(id).ok_or(Refusal::Missing)?;
        Ok(flash::then("/-/tokens", "token-revoked"))
    }
}
