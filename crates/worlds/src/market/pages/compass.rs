//! The directory: where people start who know what they want, but not yet where.

use http::StatusCode;
use maud::{DOCTYPE, html};

use crate::market::storefront::{STOREFRONTS, Storefront};
use crate::{Request, Response};

pub fn page(request: &Request) -> Response {
    let words = request.query("q").unwrap_or_default().trim().to_lowercase();
    let found: Vec<&Storefront> = STOREFRONTS.iter().copied().filter(|site| matches(site, &words)).collect();
    let mut trades: Vec<&str> = found.iter().map(|site| site.trade.name).collect();
    trades.dedup();
    let known = request.segments().is_empty();
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Compass – the web, sorted" }
                link rel="stylesheet" href="/assets/theme.css";
                link rel="icon" href="data:,";
            }
            body {
                header {
                    a.brand href="/" { "compass" }
                    form role="search" action="/" {
                        input type="search" name="q" value=(words) aria-label="Search the directory" maxlength="80"
                            placeholder="Groceries, hotels, a name …";
                        button type="submit" { "Search" }
                    }
                }
                main {
                    @if !known {
                        h1 { "No such page" }
                        p { a href="/" { "Back to the directory" } }
                    } @else {
                        h1 { @if words.is_empty() { "The web, sorted" } @else { "Sites for “" (words) "”" } }
                        @if trades.is_empty() { p { "No site matches." } }
                        div.trades {
                            @for trade in trades {
                                section {
                                    h2 { (trade) }
                                    ul {
                                        @for site in found.iter().filter(|site| site.trade.name == trade) {
                                            li { a href=(site.url()) { (site.name) } p { (site.about) } small { (site.host()) } }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
                footer { p { "Compass lists sites by what they are for, in no particular order of merit." } }
            }
        }
    };
    let response = Response::html(document);
    if known { response } else { response.status(StatusCode::NOT_FOUND) }
}

fn matches(site: &Storefront, words: &str) -> bool {
    let text = format!("{} {} {}", site.name, site.trade.name, site.about).to_lowercase();
    words.split_whitespace().all(|word| text.contains(word))
}
