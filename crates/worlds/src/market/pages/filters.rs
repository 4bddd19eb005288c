//! The search form and the filters of a list, drawn from the trade's description.

use maud::{Markup, html};

use super::Visit;
use crate::kit::calendar::Day;
use crate::market::item::Item;
use crate::market::listing::{ListingQuery, plain};
use crate::market::storefront::Layout;
use crate::market::trade::{Facet, FacetKind, SearchField};

/// Where, when, for how many: the form that starts a search where words alone do not.
pub fn search_form(visit: &Visit<'_>, query: &ListingQuery) -> Markup {
    let site = visit.storefront;
    html! {
        form.seek action="/find" role="search" aria-label={ "Find " (site.trade.nouns.1) } {
            @for field in site.trade.search { (search_field(visit, query, field)) }
            @if site.trade.shelves.len() > 1 { (shelf_field(visit, query)) }
            button.primary type="submit" { (site.words.search) }
        }
    }
}

/// Shelves of booking sites are kinds, picked in the search form rather than in a menu.
fn shelf_field(visit: &Visit<'_>, query: &ListingQuery) -> Markup {
    let current = query.shelf.map_or("", |shelf| shelf.slug);
    html! {
        div.field {
            label for="kind" { "Type" }
            select #kind name="kind" {
                option value="" { "All types" }
                @for shelf in visit.storefront.trade.shelves {
                    option value=(shelf.slug) selected[shelf.slug == current] { (shelf.name) }
                }
            }
        }
    }
}

fn search_field(visit: &Visit<'_>, query: &ListingQuery, field: &SearchField) -> Markup {
    let (key, label) = match field {
        SearchField::Pick { key, label }
        | SearchField::Day { key, label }
        | SearchField::Count { key, label, .. } => (*key, *label),
        SearchField::Near { label } => ("near", *label),
    };
    let id = format!("seek-{key}");
    let problem = query.problems.get(key);
    let problem_id = format!("{id}-problem");
    html! {
        div.field {
            label for=(id) { (label) }
            @match field {
                SearchField::Pick { .. } => {
                    select id=(id) name=(key) {
                        option value="" { "Choose" }
                        @for value in all_values(visit.stock.items(), key) {
                            option value=(value) selected[query.has_pick(key, value)] { (value) }
                        }
                    }
                }
                SearchField::Near { .. } => {
                    input id=(id) name="near" type="text" value=(query.near) maxlength="80"
                        placeholder="118 Alder Street" autocomplete="off"
                        aria-describedby=[problem.map(|_| &problem_id)];
                }
                SearchField::Day { .. } => {
                    input id=(id) name=(key) type="text" inputmode="numeric" placeholder="YYYY-MM-DD" maxlength="10"
                        value=(query.day.map(Day::iso).unwrap_or_default()) autocomplete="off"
                        aria-describedby=[problem.map(|_| &problem_id)];
                }
                SearchField::Count { most, .. } => {
                    select id=(id) name=(key) {
                        @for count in 1..=*most {
                            option value=(count) selected[query.count(key) == Some(count)] { (count) }
                        }
                    }
                }
            }
            @if let Some(problem) = problem { p.problem id=(problem_id) { (problem) } }
        }
    }
}

fn all_values(items: &[Item], key: &str) -> Vec<&'static str> {
    let values: std::collections::BTreeSet<_> =
        items.iter().flat_map(|item| item.values(key)).copied().collect();
    values.into_iter().collect()
}

/// The filters of a list. In a gallery they are folded into a bar, each under its own heading.
pub fn filters(visit: &Visit<'_>, query: &ListingQuery) -> Markup {
    let folded = visit.storefront.layout == Layout::Gallery;
    html! {
        form.filters #filters action=(query.path()) aria-label="Filters" {
            @for (key, value) in query.search_pairs() { input type="hidden" name=(key) value=(value); }
            @for facet in visit.storefront.trade.facets {
                @let inner = facet_fields(visit, query, facet);
                @if folded {
                    details.facet open[is_used(query, facet)] {
                        summary { (facet.label) }
                        fieldset aria-label=(facet.label) { (inner) }
                    }
                } @else {
                    fieldset.facet { legend { (facet.label) } (inner) }
                }
            }
            div.actions {
                button.primary type="submit" { (visit.storefront.words.apply) }
                a href=(query.bare_link()) { "Clear all" }
            }
        }
    }
}

fn is_used(query: &ListingQuery, facet: &Facet) -> bool {
    match facet.kind {
        FacetKind::Price => query.price.0.is_some() || query.price.1.is_some(),
        _ => query.picked(facet.key).next().is_some() || query.bound(facet.key).is_some(),
    }
}

fn facet_fields(visit: &Visit<'_>, query: &ListingQuery, facet: &Facet) -> Markup {
    let key = facet.key;
    let values = || query.values(visit.stock.items(), key);
    match facet.kind {
        FacetKind::AnyOf | FacetKind::AllOf => html! {
            @for (value, count) in values() {
                (tick("checkbox", key, value, value, query.has_pick(key, value), Some(count)))
            }
        },
        FacetKind::OneOf => html! {
            (tick("radio", key, "", "Any", query.picked(key).next().is_none(), None))
            @for (value, count) in values() {
                (tick("radio", key, value, value, query.has_pick(key, value), Some(count)))
            }
        },
        FacetKind::Pick => html! {
            select name=(key) aria-label=(facet.label) {
                option value="" { "Any" }
                @for (value, _) in values() {
                    option value=(value) selected[query.has_pick(key, value)] { (value) }
                }
            }
        },
        FacetKind::Flag(value) => tick("checkbox", key, value, value, query.has_pick(key, value), None),
        FacetKind::AtLeast(steps) => html! {
            (tick("radio", key, "", "Any", query.bound(key).is_none(), None))
            @for (step, label) in steps {
                (tick("radio", key, &step.to_string(), label, query.bound(key) == Some(*step), None))
            }
        },
        FacetKind::AtMost(steps) => html! {
            select name=(key) aria-label=(facet.label) {
                option value="" { "Any" }
                @for (step, label) in steps {
                    option value=(step) selected[query.bound(key) == Some(*step)] { (label) }
                }
            }
        },
        FacetKind::Price => html! {
            div.range {
                input name="min" type="text" inputmode="decimal" aria-label="Lowest price" placeholder="From"
                    value=(query.price.0.map(plain).unwrap_or_default());
                input name="max" type="text" inputmode="decimal" aria-label="Highest price" placeholder="To"
                    value=(query.price.1.map(plain).unwrap_or_default());
            }
        },
    }
}

fn tick(kind: &str, name: &str, value: &str, label: &str, on: bool, count: Option<usize>) -> Markup {
    html! {
        label.tick {
            input type=(kind) name=(name) value=(value) aria-label=(label) checked[on];
            span { (label) }
            @if let Some(count) = count { small aria-hidden="true" { (count) } }
        }
    }
}
