use maud::{Markup, html};

use super::layout::{city_field, crowns, date_field, not_found, page, stepper};
use crate::Response;
use crate::travel::View;
use crate::travel::booking::BAG_PRICE;
use crate::travel::catalogue::{City, Flight, clock};
use crate::travel::search::{self, FLIGHT_ORDERS, MOST_PEOPLE};
use crate::travel::vocabulary::AIRLINES;

pub(in crate::travel) fn results(view: &View<'_>) -> Response {
    let request = view.request;
    let text = |name| request.query(name).unwrap_or_default();
    let (from, to) = (City::named(text("from")), City::named(text("to")));
    let content = html! {
        form.searching.slim action="/flights" {
            (city_field("from", "From", text("from"))) (city_field("to", "To", text("to"))) (date_field("date", "Departure date", search::day(request)))
            (stepper("people", "Travellers", search::people(request), MOST_PEOPLE)) button.go type="submit" { "Search flights" }
        }
        @match (from, to) {
            (Some(from), Some(to)) if from != to => (found(view, from, to)),
            (Some(_), Some(_)) => p.problem role="alert" { "Departure and destination are the same." },
            _ if text("from").is_empty() && text("to").is_empty() => { h1 { "Flights" } p { "Say where from and where to." } },
            _ => p.problem role="alert" { "We do not fly there. See " a href="/cities" { "all cities" } " for the places we know." },
        }
    };
    page(view, "Flights", &content)
}

fn found(view: &View<'_>, from: City, to: City) -> Markup {
    let request = view.request;
    let flights = search::flights(view.catalogue, request, from, to);
    let people = search::people(request);
    html! {
        h1 { (from.name) " to " (to.name) }
        div.columns {
            form.filters action="/flights" aria-label="Filters" {
                input type="hidden" name="from" value=(from.name);
                input type="hidden" name="to" value=(to.name);
                input type="hidden" name="date" value=(search::day(request).iso());
                input type="hidden" name="people" value=(people);
                fieldset { legend { "Stops" }
                    @for (id, label) in [("", "Any number of stops"), ("0", "Nonstop only"), ("1", "One stop at most")] {
                        label { input type="radio" name="stops" value=(id) checked[request.query("stops").unwrap_or_default() == id]; (label) }
                    }
                }
                fieldset { legend { "Airlines" }
                    @for (_, airline) in AIRLINES { label { input type="checkbox" name="airline" value=(airline) checked[request.queries("airline").any(|a| a == airline)]; (airline) } }
                }
                label { input type="checkbox" name="bag" checked[request.query("bag").is_some()]; "Checked bag included" }
                label.field { span { "Highest price" } input type="number" name="max" min="1" value=[request.query("max")]; }
                label.field { span { "Sort by" } select name="sort" {
                    @for (id, label) in FLIGHT_ORDERS { option value=(id) selected[request.query("sort") == Some(id)] { (label) } }
                } }
                button type="submit" { "Update results" }
            }
            div.results {
                p role="status" { (flights.len()) " flights on " (search::day(request)) }
                @if flights.is_empty() { p.empty { "No flight fits. Loosen a filter or try another day." } }
                @for flight in &flights { (row(flight, people)) }
            }
        }
    }
}

fn row(flight: &Flight, people: u32) -> Markup {
    let (arrives, midnights) = flight.arrives();
    html! {
        article.flight aria-label=(format!("{} {}", flight.airline, flight.number)) {
            div { b { (flight.airline) } small { (flight.number) } }
            div.times { b { (clock(flight.departs)) } " to " b { (arrives) } @if midnights > 0 { sup { "+" (midnights) } }
                small { (duration(flight.minutes)) ", " (stops(flight)) } }
            div { small { @if flight.bag_included { "Bag included" } @else { "Hand luggage only" } } small { (flight.seats) " seats left" } }
            div.price { b { (crowns(flight.price)) } a.button href=(format!("/flights/{}?people={people}", flight.id)) aria-label=(format!("Choose {}", flight.number)) { "Choose" } }
        }
    }
}

fn duration(minutes: i64) -> String {
    format!("{} h {:02} min", minutes / 60, minutes % 60)
}

fn stops(flight: &Flight) -> String {
    match flight.via.as_slice() {
        [] => "nonstop".to_owned(),
        [one] => format!("1 stop in {one}"),
        many => format!("{} stops: {}", many.len(), many.join(", ")),
    }
}

pub(in crate::travel) fn one(view: &View<'_>, id: &str, problem: Option<&str>) -> Response {
    let Some(flight) = view.catalogue.flight(id) else { return not_found(view) };
    let (arrives, midnights) = flight.arrives();
    let typed = |name| view.request.form(name).unwrap_or_default();
    let content = html! {
        h1 { (flight.from.name) " to " (flight.to.name) }
        div.columns.wide-left {
            section.card {
                h2 { (flight.airline) " " (flight.number) }
                dl {
                    dt { "Day" } dd { (flight.day) }
                    dt { "Departs" } dd { (clock(flight.departs)) " from " (flight.from.name) " (" (flight.from.code) ")" }
                    dt { "Arrives" } dd { (arrives) @if midnights > 0 { ", " (midnights) " day later" } " in " (flight.to.name) " (" (flight.to.code) ")" }
                    dt { "Journey" } dd { (duration(flight.minutes)) ", " (stops(&flight)) }
                    dt { "Luggage" } dd { @if flight.bag_included { "One checked bag included" } @else { "Hand luggage only; a checked bag costs " (crowns(BAG_PRICE)) } }
                    dt { "Fare" } dd { (crowns(flight.price)) " a person" }
                }
            }
            form.card method="post" action=(format!("/flights/{}", flight.id)) {
                h2 { "Who is travelling?" }
                @if let Some(problem) = problem { p.problem role="alert" { (problem) } }
                label.field { span { "Full name" } input type="text" name="name" value=(typed("name")); }
                label.field { span { "E-mail" } input type="text" name="email" value=(typed("email")); }
                (stepper("people", "Travellers", search::people(view.request), MOST_PEOPLE))
                fieldset { legend { "Seat" }
                    @for (id, label) in [("any", "No preference"), ("window", "Window"), ("aisle", "Aisle")] {
                        label { input type="radio" name="seat" value=(id) checked[id == "any"]; (label) }
                    }
                }
                label { input type="checkbox" name="bag"; "Check in a bag" }
                button.go type="submit" { "Book this flight" }
            }
        }
    };
    page(view, &flight.number, &content)
}
