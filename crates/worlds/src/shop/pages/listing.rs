//! Lists of products: a category, a shelf, the offers, a search. One page with filters, sorting and paging.

use maud::{Markup, html};

use super::layout::Page;
use super::{Visit, newsletter, stars};
use crate::Response;
use crate::shop::artwork::picture;
use crate::shop::catalogue::{COLOURS, Product};
use crate::shop::listing::{Listing, ListingQuery, PAGE_SIZE, Scope, Sort, plain};

pub fn page(visit: &Visit<'_>, scope: Scope) -> Response {
    let query = ListingQuery::parse(scope, visit.request);
    let listing = query.run(visit.catalogue);
    let (title, trail) = match scope {
        Scope::Everything if query.words.is_empty() => ("All products".to_owned(), Vec::new()),
        Scope::Everything => (format!("Results for “{}”", query.words), Vec::new()),
        Scope::Category(category) => (category.name.to_owned(), Vec::new()),
        Scope::Subcategory(category, shelf) => {
            (shelf.name.to_owned(), vec![(category.name.to_owned(), category.path())])
        }
        Scope::Reduced => ("Offers".to_owned(), Vec::new()),
    };
    let trail =
        if trail.is_empty() { vec![("All products".to_owned(), "/search".to_owned())] } else { trail };
    let body = html! {
        div.listing {
            aside {
                @if let Scope::Category(category) | Scope::Subcategory(category, _) = scope {
                    nav.shelf-list aria-label={ "Shelves in " (category.name) } {
                        h2 { (category.name) }
                        ul {
                            @for shelf in category.subcategories {
                                @let here =
                                    matches!(scope, Scope::Subcategory(_, current) if current.slug == shelf.slug);
                                li {
                                    a href={ (category.path()) "/" (shelf.slug) } aria-current=[here.then_some("page")] {
                                        (shelf.name)
                                    }
                                }
                            }
                        }
                    }
                }
                (filters(&query, &listing))
            }
            section {
                div.listing-head {
                    div {
                        h1 { (title) }
                        p.muted { (summary(&listing)) }
                    }
                    div.sort {
                        label for="sort" { "Sort by" }
                        select id="sort" name="sort" form="filters" {
                            @for sort in Sort::ALL {
                                option value=(sort.code()) selected[sort == query.sort] { (sort.label()) }
                            }
                        }
                    }
                }
                @if listing.found.is_empty() {
                    div.notice {
                        p { "Nothing matches. Try fewer filters or another word." }
                    }
                } @else {
                    ul.cards { @for product in listing.on_page() { (card(product, visit)) } }
                    (paging(listing.page, listing.pages, |page| query.link(page)))
                }
            }
        }
        @if matches!(scope, Scope::Reduced) { (newsletter::invitation(visit)) }
    };
    Page { title: &title, trail, scripts: &["listing.js", "dialogs.js"], body }.respond(visit)
}

fn summary(listing: &Listing<'_>) -> String {
    let total = listing.found.len();
    let first = (listing.page - 1) * PAGE_SIZE + 1;
    match total {
        0 => "No products".to_owned(),
        1 => "1 product".to_owned(),
        _ => format!("{first}–{} of {total} products", first + listing.on_page().len() - 1),
    }
}

/// Choices of the rating filter: least number of stars and label.
const RATINGS: [(Option<u32>, &str); 4] = [
    (None, "Any rating"),
    (Some(4), "4 stars and up"),
    (Some(3), "3 stars and up"),
    (Some(2), "2 stars and up"),
];

fn filters(query: &ListingQuery, listing: &Listing<'_>) -> Markup {
    html! {
        form.filters #filters action=(query.scope.path()) aria-label="Filters" {
            @if matches!(query.scope, Scope::Everything) { input type="hidden" name="q" value=(query.words); }
            h2 { "Filter" }
            fieldset {
                legend { "Brand" }
                @for (brand, count) in &listing.brands {
                    label.check {
                        input type="checkbox" name="brand" value=(brand) aria-label=(brand)
                            checked[query.brands.iter().any(|chosen| chosen == brand)];
                        span { (brand) } small aria-hidden="true" { (count) }
                    }
                }
            }
            fieldset {
                legend { "Price in $" }
                div.range {
                    input name="min" type="text" inputmode="decimal" aria-label="Minimum price"
                        placeholder="From" value=(query.min.map(plain).unwrap_or_default());
                    span aria-hidden="true" { "–" }
                    input name="max" type="text" inputmode="decimal" aria-label="Maximum price"
                        placeholder="To" value=(query.max.map(plain).unwrap_or_default());
                }
            }
            fieldset {
                legend { "Rating" }
                @for (value, label) in RATINGS {
                    label.check {
                        input type="radio" name="rating" checked[query.rating == value]
                            value=(value.map(|stars| stars.to_string()).unwrap_or_default());
                        span { (label) }
                    }
                }
            }
            fieldset {
                legend { "Availability" }
                label.check {
                    input type="checkbox" name="stock" value="1" checked[query.in_stock];
                    span { "In stock only" }
                }
            }
            fieldset {
                legend { "Colour" }
                @for colour in COLOURS {
                    @if let Some((name, count)) = listing.colours.iter().find(|(name, _)| *name == colour.name) {
                        label.check {
                            input type="checkbox" name="colour" value=(name) aria-label=(name)
                                checked[query.colours.iter().any(|chosen| chosen == name)];
                            span.swatch style={ "background:" (colour.hex) } aria-hidden="true" {}
                            span { (name) } small aria-hidden="true" { (count) }
                        }
                    }
                }
            }
            div.actions {
                button type="submit" { "Apply filters" }
                a href=(clear_link(query)) { "Clear filters" }
            }
        }
    }
}

fn clear_link(query: &ListingQuery) -> String {
    let bare = ListingQuery {
        words: query.words.clone(),
        brands: Vec::new(),
        colours: Vec::new(),
        min: None,
        max: None,
        rating: None,
        in_stock: false,
        sort: query.sort,
        ..*query
    };
    bare.link(1)
}

pub fn card(product: &Product, visit: &Visit<'_>) -> Markup {
    let wished = visit.state.wishlist.contains_key(&product.id);
    let (action, label) = if wished { ("remove", "Remove") } else { ("add", "Add") };
    let preposition = if wished { "from" } else { "to" };
    html! {
        li.card {
            (picture(product, 0, 0))
            div.card-text {
                p.brand { (product.brand) }
                a.card-link href=(product.path()) { (product.name) }
                p.rating {
                    @if let Some(rating) = product.rating {
                        (stars(rating)) " " small { "(" (product.reviews.len()) ")" }
                    }
                    @else { small { "No reviews yet" } }
                }
                p.price {
                    @if product.subcategory.sizes.is_some() { small { "from " } }
                    strong { (product.price) }
                    @if let Some(was) = product.was { " " s { (was) } }
                }
                @if !product.in_stock() { p.sold-out { "Out of stock" } }
            }
            form.heart method="post" action={ "/wishlist/" (action) } {
                input type="hidden" name="product" value=(product.id);
                input type="hidden" name="back" value=(visit.here());
                button type="submit" aria-label={ (label) " " (product.name) " " (preposition) " wish list" } {
                    (if wished { "♥" } else { "♡" })
                }
            }
        }
    }
}

/// Links to the pages of a list; nothing if there is only one.
pub fn paging(current: usize, pages: usize, link: impl Fn(usize) -> String) -> Markup {
    html! {
        @if pages > 1 {
            nav.paging aria-label="Pages" {
                @if current > 1 { a href=(link(current - 1)) rel="prev" { "Previous page" } }
                @for page in 1..=pages {
                    @if page == current {
                        span aria-current="page" { (page) }
                    } @else if page == 1 || page == pages || page.abs_diff(current) <= 2 {
                        a href=(link(page)) aria-label={ "Page " (page) } { (page) }
                    } @else if page.abs_diff(current) == 3 {
                        span { "…" }
                    }
                }
                @if current < pages { a href=(link(current + 1)) rel="next" { "Next page" } }
            }
        }
    }
}
