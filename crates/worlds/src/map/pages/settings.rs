//! The visitor's settings.

use maud::html;

use super::layout::page;
use crate::Response;
use crate::map::Visit;
use crate::map::drawing::{Overlay, View};
use crate::map::routing::Mode;
use crate::map::state::Units;

pub fn show(visit: Visit<'_>) -> Response {
    let settings = &visit.state.settings;
    let typed = |name: &str, now: &str| visit.request.form(name).unwrap_or(now).to_owned();
    let panel = html! {
        h1 { "Settings" }
        form method="post" action="/settings" {
            fieldset {
                legend { "Distances" }
                label.tick { input type="radio" name="units" value="metric" checked[settings.units == Units::Metric]; "Kilometres" }
                label.tick { input type="radio" name="units" value="imperial" checked[settings.units == Units::Imperial]; "Miles" }
            }
            label { "I usually travel"
                select name="mode" { @for mode in Mode::ALL { option value=(mode.code()) selected[mode == settings.mode] { (mode.label()) } } }
            }
            label.tick { input type="checkbox" name="avoid_motorways" checked[settings.avoid_motorways]; "Avoid motorways" }
            label { "Home" input type="text" name="home" maxlength="120" value=(typed("home", &settings.home)) autocomplete="off" data-suggest="/suggest"; }
            label { "Work" input type="text" name="work" maxlength="120" value=(typed("work", &settings.work)) autocomplete="off" data-suggest="/suggest"; }
            fieldset {
                legend { "Privacy" }
                label.tick { input type="checkbox" name="location_history" checked[settings.location_history]; "Keep a history of where I have been" }
            }
            button type="submit" { "Save settings" }
        }
    };
    page(visit, "Settings", &panel, View::whole_country(), &Overlay::default())
}
