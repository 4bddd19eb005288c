//! Items in a list: as cards, as a timetable, or under the months they fall into.

use maud::{Markup, html};

use super::{Visit, price, rating, save_button};
use crate::kit::calendar::Day;
use crate::market::atlas::miles;
use crate::market::drawing::picture;
use crate::market::item::Item;
use crate::market::listing::ListingQuery;

pub fn cards(visit: &Visit<'_>, query: &ListingQuery, items: &[&Item]) -> Markup {
    html! {
        ul.cards {
            @for (index, item) in items.iter().enumerate() {
                li.card {
                    a.picture href=(query.item_link(item)) tabindex="-1" aria-hidden="true" { (picture(item)) }
                    div.card-text {
                        h2 { a href=(query.item_link(item)) { (item.name) } }
                        @if let Some(place) = item.place {
                            p.place {
                                span.pin aria-hidden="true" { (index + 1) } " "
                                (place.street) ", " (place.district())
                                @if let Some(distance) = query.distance(item) {
                                    " · " (miles(distance))
                                    @if query.home().is_some() { " away" } @else { " from the centre" }
                                }
                            }
                        }
                        (chips(visit, item))
                    }
                    div.card-end {
                        (rating(item))
                        (price(visit, query, item))
                        (save_button(visit, item))
                    }
                }
            }
        }
    }
}

fn chips(visit: &Visit<'_>, item: &Item) -> Markup {
    html! {
        ul.chips {
            @for key in visit.storefront.trade.card_facts {
                @for value in item.values(key).iter().take(3) { li { (value) } }
            }
        }
    }
}

/// `95` minutes as `1 h 35 min`.
pub fn duration(minutes: i64) -> String {
    match (minutes / 60, minutes % 60) {
        (0, rest) => format!("{rest} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, rest) => format!("{hours} h {rest} min"),
    }
}

/// Minutes after midnight as `14:05`.
pub fn clock(minutes: i64) -> String {
    format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60)
}

pub fn timetable(visit: &Visit<'_>, query: &ListingQuery, items: &[&Item]) -> Markup {
    html! {
        table.timetable {
            thead {
                tr {
                    th scope="col" { "Flight" }
                    th scope="col" { "Departs" }
                    th scope="col" { "Arrives" }
                    th scope="col" { "Journey" }
                    th scope="col" { "Good to know" }
                    th scope="col" { "Fare" }
                }
            }
            tbody {
                @for item in items {
                    @let departs = item.number("departs").unwrap_or(0);
                    @let minutes = item.number("minutes").unwrap_or(0);
                    tr {
                        td {
                            a href=(query.item_link(item)) { (item.name) }
                            br; small { (item.values("airline").join(", ")) }
                        }
                        td { strong { (clock(departs)) } }
                        td { strong { (clock(departs + minutes)) } }
                        td { (duration(minutes)) br; small { (item.values("stops").join(", ")) } }
                        td { (chips(visit, item)) }
                        td.fare { (price(visit, query, item)) }
                    }
                }
            }
        }
    }
}

pub fn headed_by_month(visit: &Visit<'_>, query: &ListingQuery, items: &[&Item]) -> Markup {
    let mut months: Vec<(String, Vec<&Item>)> = Vec::new();
    for item in items {
        let month = item.day.map(Day::month).unwrap_or_default();
        match months.last_mut() {
            Some((current, list)) if *current == month => list.push(item),
            _ => months.push((month, vec![item])),
        }
    }
    html! {
        @for (month, items) in &months {
            h2.month { (month) }
            ul.agenda {
                @for item in items {
                    li.event {
                        @if let Some(day) = item.day {
                            p.date { span { (day.short().split(',').next().unwrap_or_default()) } strong { (day.day_of_month()) } }
                        }
                        div.event-picture aria-hidden="true" { (picture(item)) }
                        div {
                            h3 { a href=(query.item_link(item)) { (item.name) } }
                            p.place {
                                (item.values("venue").join(", "))
                                @if let Some(distance) = query.distance(item) { " · " (miles(distance)) }
                            }
                            (chips(visit, item))
                        }
                        div.card-end { (rating(item)) (price(visit, query, item)) (save_button(visit, item)) }
                    }
                }
            }
        }
    }
}
