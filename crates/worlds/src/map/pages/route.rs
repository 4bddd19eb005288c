//! Directions from one end to another.

use maud::{Markup, html};

use super::layout::page;
use crate::Response;
use crate::kit::lists::link_with;
use crate::map::Visit;
use crate::map::drawing::{Overlay, View};
use crate::map::lookup::{self, Found};
use crate::map::routing::{self, End, Mode, Route};

pub fn show(visit: Visit<'_>) -> Response {
    let mode = Mode::parse(visit.asked("mode")).unwrap_or(visit.state.settings.mode);
    let (from, to) = (visit.asked("from"), visit.asked("to"));
    let found = [("from", from), ("to", to)]
        .map(|(name, text)| (name, text, lookup::resolve(visit.country, visit.catalogue, text)));
    let ends: Vec<&End> = found
        .iter()
        .filter_map(|(.., found)| if let Found::One(end) = found { Some(end) } else { None })
        .collect();
    // However an end was written, the page has one address.
    if let [first, second] = ends.as_slice()
        && ((first.label.as_str(), second.label.as_str()) != (from, to) || visit.asked("mode") != mode.code())
    {
        return Response::see_other(&address(&first.label, &second.label, mode));
    }
    let route = match ends.as_slice() {
        [from, to] => routing::find(visit.country, from, to, mode, visit.state.settings.avoid_motorways),
        _ => None,
    };
    let settings = &visit.state.settings;
    let panel = html! {
        h1 { "Directions" }
        form.route method="get" action="/route" {
            label { "From" input type="text" name="from" value=(from) maxlength="120" autocomplete="off" placeholder="Place, address or coordinates" data-suggest="/suggest"; }
            label { "To" input type="text" name="to" value=(to) maxlength="120" autocomplete="off" placeholder="Place, address or coordinates" data-suggest="/suggest"; }
            fieldset.modes {
                legend { "How" }
                @for each in Mode::ALL {
                    label { input type="radio" name="mode" value=(each.code()) checked[each == mode]; span { (each.label()) } }
                }
            }
            button type="submit" { "Get directions" }
            @if !from.is_empty() && !to.is_empty() { a href=(address(to, from, mode)) { "Swap the ends" } }
        }
        p.muted {
            @if !settings.home.is_empty() { a href=(link_with(visit.request, "from", &settings.home)) { "From home" } " " }
            @if !settings.work.is_empty() { a href=(link_with(visit.request, "to", &settings.work)) { "To work" } }
        }
        @for (name, text, found) in &found { (unclear(visit, name, text, found)) }
        @if let Some(route) = &route { (directions(visit, route, mode)) }
        @else if ends.len() == 2 { p.problem { "There is no way to get there." } }
    };
    let course = route.map(|route| route.course).unwrap_or_default();
    let pins: Vec<_> = ends.iter().map(|end| end.point).collect();
    let shown = if course.is_empty() { &pins } else { &course };
    let view = View::around(shown);
    page(visit, "Directions", &panel, view, &Overlay { places: Vec::new(), route: course, pins })
}

fn address(from: &str, to: &str, mode: Mode) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("from", from).append_pair("to", to).append_pair("mode", mode.code());
    format!("/route?{}", query.finish())
}

fn unclear(visit: Visit<'_>, name: &str, text: &str, found: &Found) -> Markup {
    html! {
        @match found {
            Found::Several(choices) => {
                div.problem {
                    p { "Several places fit “" (text) "”. Which one do you mean?" }
                    ul { @for choice in choices { li { a href=(link_with(visit.request, name, choice)) { (choice) } } } }
                }
            }
            Found::Nothing if !text.is_empty() => {
                p.problem { "“" (text) "” is not on the map." }
            }
            _ => {}
        }
    }
}

fn directions(visit: Visit<'_>, route: &Route, mode: Mode) -> Markup {
    let units = visit.state.settings.units;
    html! {
        section.summary aria-label="Route" {
            p.big { (route.duration()) " " span { "(" (units.write(route.metres)) ")" } }
            p.muted { (mode.label())
                @if mode == Mode::Car && visit.state.settings.avoid_motorways { ", without motorways" } }
        }
        ol.legs { @for leg in &route.legs {
            li { (leg.instruction) @if leg.metres > 0 { span.muted { (units.write(leg.metres)) } } }
        } }
    }
}
