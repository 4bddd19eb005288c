//! One item: what it is, and the form in which a customer decides about it.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::layout::Page;
use super::{Visit, calendar, rating, rows, save_button};
use crate::Response;
use crate::kit::calendar::Day;
use crate::kit::money::Cents;
use crate::market::atlas::miles;
use crate::market::drawing::picture;
use crate::market::item::Item;
use crate::market::listing::{ListingQuery, is_bookable};
use crate::market::offer::{LETTERS, ROWS, seat_kind};
use crate::market::trade::Ask;

type Problems = BTreeMap<&'static str, String>;

pub fn page(visit: &Visit<'_>, item: &Item, problems: &Problems) -> Response {
    let query = ListingQuery::parse(visit.storefront, None, visit.request);
    let body = html! {
        nav.trail aria-label="Breadcrumb" {
            a href="/" { "Home" } " / "
            a href={ "/shelf/" (item.shelf.slug) } { (item.shelf.name) } " / "
            span aria-current="page" { (item.name) }
        }
        article.item {
            div.item-picture { (picture(item)) }
            div.item-main {
                h1 { (item.name) }
                p { (rating(item)) " " (save_button(visit, item)) }
                @if let Some(place) = item.place {
                    p.place {
                        (place) " · " (place.district())
                        @if query.home().is_some() && let Some(distance) = query.distance(item) {
                            " · " (miles(distance)) " away"
                        }
                    }
                }
                p.text { (item.text) }
                (details(visit, item))
            }
            (offer_form(visit, item, &query, problems))
        }
        (similar(visit, &query, item))
    };
    Page { title: &item.name, body }.respond(visit)
}

fn details(visit: &Visit<'_>, item: &Item) -> Markup {
    html! {
        dl.details {
            @if let Some(day) = item.day { div { dt { "Date" } dd { (day) } } }
            @for (key, label) in visit.storefront.trade.details {
                @if let Some(value) = detail(item, key) { div { dt { (label) } dd { (value) } } }
            }
        }
    }
}

fn detail(item: &Item, key: &str) -> Option<String> {
    let values = item.values(key);
    if !values.is_empty() {
        return Some(values.join(", "));
    }
    let number = item.number(key)?;
    Some(match key {
        "departs" => rows::clock(number),
        "minutes" => rows::duration(number),
        _ => number.to_string(),
    })
}

fn offer_form(visit: &Visit<'_>, item: &Item, query: &ListingQuery, problems: &Problems) -> Markup {
    let site = visit.storefront;
    let given = |key: &str| visit.request.form(key).or_else(|| visit.request.query(key)).unwrap_or_default();
    let day = site.trade.asks.iter().find_map(|ask| match ask {
        Ask::Day { key, .. } => Some(Day::parse(given(key)).filter(|day| is_bookable(*day))),
        _ => None,
    });
    let waits_for_day = day == Some(None);
    let day = day.flatten().or(item.day);
    let price = asked_on(visit, item, item.price, day);
    let (method, action) = if visit.is_shop() {
        ("post", "/basket/add".to_owned())
    } else {
        ("get", format!("/book/{}", item.id))
    };
    html! {
        section.offer aria-label="Your choice" {
            p.big-price { strong { (price) } " " small { (site.trade.unit) } }
            @if !problems.is_empty() {
                div.problem role="alert" { @for problem in problems.values() { p { (problem) } } }
            }
            @for ask in site.trade.asks {
                @if let Ask::Day { key, label } = ask {
                    div.ask { p.ask-label { (label) } (calendar::months(item, key, day, &query.search_pairs())) }
                }
            }
            form method=(method) action=(action) {
                @if visit.is_shop() { input type="hidden" name="item" value=(item.id); }
                @for ask in site.trade.asks { (ask_field(visit, item, ask, day, given(ask.key()))) }
                @if waits_for_day {
                    p.muted { "Choose a day to go on." }
                } @else {
                    button.primary type="submit" { (site.words.deal) }
                }
            }
        }
    }
}

/// A price as it is asked on the chosen day.
fn asked_on(visit: &Visit<'_>, item: &Item, price: Cents, day: Option<Day>) -> Cents {
    match day {
        Some(day) if visit.storefront.trade.day_priced => item.on_day(price, day),
        _ => price,
    }
}

fn ask_field(visit: &Visit<'_>, item: &Item, ask: &Ask, day: Option<Day>, given: &str) -> Markup {
    let (key, label) = (ask.key(), ask.label());
    match ask {
        Ask::Day { .. } => html! {
            @if let Some(day) = day {
                p.chosen { (label) ": " strong { (day) } }
                input type="hidden" name=(key) value=(day.iso());
            }
        },
        Ask::Option { .. } if item.options.is_empty() => html! {},
        Ask::Option { .. } => {
            let varied = item.options.iter().any(|(_, price)| *price != item.price);
            let priced = |price| varied.then(|| asked_on(visit, item, price, day));
            let options = item.options.iter().map(|(name, price)| (*name, priced(*price)));
            choice_field(key, label, given, options)
        }
        Ask::Fact { .. } if item.values(key).is_empty() => html! {},
        Ask::Fact { .. } => {
            choice_field(key, label, given, item.values(key).iter().map(|value| (*value, None)))
        }
        Ask::Time { .. } => html! {
            @if let Some(day) = day {
                fieldset.ask.times {
                    legend { (label) }
                    @for time in item.times_on(day) {
                        label.slot {
                            input type="radio" name=(key) value=(time) aria-label=(time) checked[time == given];
                            span { (time) }
                        }
                    }
                    @if item.times_on(day).is_empty() { p.muted { "No times left on this day." } }
                }
            }
        },
        Ask::Seat { .. } => html! {
            @if let Some(day) = day {
                fieldset.ask.seats {
                    legend { (label) }
                    @for row in ROWS {
                        div.seat-row {
                            @for letter in LETTERS {
                                @let seat = format!("{row}{letter}");
                                @let name = format!("Seat {seat}, {}", seat_kind(&seat));
                                label.seat {
                                    input type="radio" name=(key) value=(seat) aria-label=(name)
                                        disabled[item.is_taken(day, &seat)] checked[seat == given];
                                    span aria-hidden="true" { (seat) }
                                }
                            }
                        }
                    }
                }
            }
        },
        Ask::Count { most, .. } => html! {
            div.ask.field {
                label for={ "ask-" (key) } { (label) }
                select id={ "ask-" (key) } name=(key) {
                    @for count in 1..=*most { option value=(count) selected[count.to_string() == given] { (count) } }
                }
            }
        },
    }
}

fn choice_field<'a>(
    key: &str,
    label: &str,
    given: &str,
    choices: impl Iterator<Item = (&'a str, Option<Cents>)>,
) -> Markup {
    html! {
        fieldset.ask.choices {
            legend { (label) }
            @for (name, price) in choices {
                label.choice {
                    input type="radio" name=(key) value=(name) aria-label=(name) checked[name == given];
                    span { (name) } @if let Some(price) = price { small aria-hidden="true" { (price) } }
                }
            }
        }
    }
}

/// A few others from the same shelf, and from the same city where that matters.
fn similar(visit: &Visit<'_>, query: &ListingQuery, item: &Item) -> Markup {
    let others: Vec<&Item> = visit
        .stock
        .items()
        .iter()
        .filter(|other| {
            other.id != item.id
                && other.shelf.slug == item.shelf.slug
                && other.place.map(|place| place.city) == item.place.map(|place| place.city)
        })
        .take(4)
        .collect();
    html! {
        @if !others.is_empty() {
            section.similar {
                h2 { "You may also like" }
                ul.tiles {
                    @for other in others {
                        li { a href=(query.item_link(other)) { (picture(other)) span { (other.name) } } strong { (other.price) } }
                    }
                }
            }
        }
    }
}
