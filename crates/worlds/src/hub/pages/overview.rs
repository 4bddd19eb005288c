//! The dashboard.

use maud::{Markup, html};

use super::layout::{nice_date, page};
use crate::Response;
use crate::hub::View;
use crate::hub::state::TwoFactor;

pub(in crate::hub) fn show(view: &View<'_>) -> Response {
    let state = view.state;
    let first_name = state.profile.display_name.split_whitespace().next().unwrap_or("there");
    let two_factor = match state.security.two_factor {
        TwoFactor::Off => "Off. A stolen password is enough to get in.",
        TwoFactor::App => "On, with an authenticator app.",
        TwoFactor::Text => "On, with text messages.",
    };
    let content = html! {
        p.lead { "Hello " (first_name) ". This is what protects your account, and who can see what is in it." }
        div.cards {
            (card("Two-step verification", two_factor, "/security/two-factor", "Manage two-step verification"))
            (card("Password", &format!("{} recovery methods are on file.", state.security.recovery.len()),
                "/security", "Review sign-in"))
            (card("Devices", &format!("You are signed in on {} devices.", state.sessions.len()), "/devices", "See devices"))
            (card("Connected apps", &format!("{} apps can use your account.", state.apps.len()), "/apps", "Review apps"))
            (card("Privacy", "Choose what is saved and who can find you.", "/privacy", "Check privacy"))
            (card("Ads", "Choose what ads are based on.", "/ads", "Change ad settings"))
        }
        section.card {
            h2 { "Recent activity" }
            div data-activity="compact" aria-busy="true" { p.quiet { "Loading…" } }
            p { a href="/activity" { "All activity" } }
        }
        section.card {
            h2 { "Your data" }
            @match state.exports.values().next_back() {
                Some(export) => p { "Last copy requested on " (nice_date(&export.requested)) "." },
                None => p { "You have never asked for a copy." },
            }
            p { a href="/data" { "Data and exports" } }
        }
        script src="/assets/activity.js" defer {}
    };
    page(view, "Overview", &content)
}

fn card(title: &str, text: &str, link: &str, action: &str) -> Markup {
    html! {
        section.card {
            h2 { (title) }
            p { (text) }
            p { a href=(link) { (action) } }
        }
    }
}
