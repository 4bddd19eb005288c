//! Settings, blocked people, and signing in and out.

use http::StatusCode;

use crate::forum::Forum;
use crate::forum::catalogue::VISITOR;
use crate::forum::flash::Flash;
use crate::forum::moment::Moment;
use crate::forum::pages;
use crate::{Request, Response};

impl Forum {
    pub(in crate::forum) fn save_settings(&mut self, request: &Request, section: &str) -> Option<Response> {
        let settings = &mut self.state.settings;
        let saved = match section {
            "profile" => settings.save_profile(request),
            "notifications" => {
                settings.save_notifications(request);
                Ok(())
            }
            "privacy" => {
                settings.save_privacy(request);
                Ok(())
            }
            "content" => settings.save_content(request),
            _ => return None,
        };
        Some(match saved {
            Ok(()) => Flash::SettingsSaved.then(&format!("/settings?tab={section}")),
            Err(problem) => pages::settings::page(&self.visit(request), section, Some(&problem))
                .status(StatusCode::UNPROCESSABLE_ENTITY),
        })
    }

    pub(in crate::forum) fn set_blocked(&mut self, name: &str, blocked: bool) -> Option<Response> {
        let person = self.catalogue.person(name).filter(|person| person.name != VISITOR)?;
        let location = format!("/u/{}", person.name);
        if blocked {
            self.state.blocked.insert(person.name.clone(), Moment::now());
            Some(Flash::Blocked.then(&location))
        } else {
            self.state.blocked.remove(&person.name);
            Some(Flash::Unblocked.then(&location))
        }
    }

    pub(in crate::forum) fn sign_in(&mut self) -> Response {
        self.state.signed_in = true;
        Flash::SignedIn.then("/")
    }

    pub(in crate::forum) fn sign_out(&mut self) -> Response {
        self.state.signed_in = false;
        Flash::SignedOut.then("/signin")
    }
}
