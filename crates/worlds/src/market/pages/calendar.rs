//! Days to choose from: a month's calendar for an item, a strip of days with the lowest fares for a route.

use maud::{Markup, html};

use super::Visit;
use crate::kit::calendar::{Day, TODAY};
use crate::kit::money::Cents;
use crate::market::item::Item;
use crate::market::listing::{ListingQuery, address, is_bookable};

/// Two months from `shown` on; every day that can be had is a link that chooses it.
pub fn months(item: &Item, key: &str, chosen: Option<Day>, kept: &[(&str, String)]) -> Markup {
    let first = chosen.unwrap_or(TODAY).first_of_month();
    let second = first.plus(first.days_in_month());
    let link = |day: Day| {
        let mut pairs: Vec<(&str, String)> = kept.iter().filter(|(name, _)| *name != key).cloned().collect();
        pairs.push((key, day.iso()));
        address(&item.path(), &pairs)
    };
    html! {
        div.months {
            @for month in [first, second] {
                table.month-table {
                    caption { (month.month()) }
                    thead { tr { @for name in ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"] { th scope="col" { (name) } } } }
                    tbody {
                        @for week in weeks(month) {
                            tr {
                                @for day in week {
                                    td {
                                        @match day {
                                            Some(day) if is_bookable(day) && item.is_open_on(day) => {
                                                a href=(link(day)) aria-label=(day)
                                                    aria-current=[(chosen == Some(day)).then_some("date")] {
                                                    (day.day_of_month())
                                                }
                                            }
                                            Some(day) => span.gone { (day.day_of_month()) },
                                            None => {}
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The days of a month in rows from Monday to Sunday.
fn weeks(first: Day) -> Vec<[Option<Day>; 7]> {
    let mut rows = vec![[None; 7]];
    for offset in 0..first.days_in_month() {
        let day = first.plus(offset);
        if day.weekday() == 0 && offset > 0 {
            rows.push([None; 7]);
        }
        if let Some(cell) = rows.last_mut().and_then(|row| row.get_mut(day.weekday())) {
            *cell = Some(day);
        }
    }
    rows
}

/// Seven days around the chosen one with the lowest fare of each.
pub fn fare_strip(visit: &Visit<'_>, query: &ListingQuery) -> Markup {
    let middle = query.day.unwrap_or(TODAY.plus(3));
    html! {
        nav.fares aria-label="Fares by day" {
            ul {
                @for day in (-3..=3).map(|offset| middle.plus(offset)).filter(|day| is_bookable(*day)) {
                    @let here = query.day == Some(day);
                    li {
                        a href=(query.link_on(day)) aria-current=[here.then_some("date")] {
                            span { (day.short()) }
                            strong { @match lowest_fare(visit, query, day) { Some(fare) => (fare), None => "–" } }
                        }
                    }
                }
            }
        }
    }
}

fn lowest_fare(visit: &Visit<'_>, query: &ListingQuery, day: Day) -> Option<Cents> {
    let that_day = ListingQuery { day: Some(day), ..query.clone() };
    visit
        .stock
        .items()
        .iter()
        .filter(|item| that_day.is_in_scope(item))
        .map(|item| that_day.price_of(item))
        .min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_has_its_days_under_their_weekdays() {
        let rows = weeks(TODAY.first_of_month());
        // March 2026 begins on a Sunday.
        assert_eq!(rows.len(), 6);
        assert_eq!(rows[0].iter().flatten().count(), 1);
        assert_eq!(rows.iter().flatten().flatten().count(), 31);
        assert_eq!(rows[3][0], Some(TODAY));
    }
}
