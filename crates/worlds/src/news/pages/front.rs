use maud::{Markup, html};

use super::layout::{page, picture, teaser};
use crate::Response;
use crate::kit::calendar::TODAY;
use crate::news::catalogue::Article;
use crate::news::vocabulary::SECTIONS;
use crate::news::{View, boxes};

const TOP_STORIES: usize = 5;
const PER_SECTION: usize = 3;
const MOST_READ: usize = 7;
/// Articles that compete for the top of the page.
const FRESH: usize = 40;

pub(in crate::news) fn show(view: &View<'_>) -> Response {
    let catalogue = view.catalogue;
    let mut top: Vec<&Article> =
        catalogue.newest().filter(|article| article.section.slug != "opinion").take(FRESH).collect();
    top.sort_by_key(|article| std::cmp::Reverse(article.reads));
    let mut most_read: Vec<&Article> = catalogue.newest().take(FRESH * 4).collect();
    most_read.sort_by_key(|article| std::cmp::Reverse(article.reads));
    let content = html! {
        h1.hidden-title { "Front page" }
        div.front {
            section.lead aria-label="Top stories" {
                @if let Some(lead) = top.first() {
                    article.lead-story {
                        img src=(picture(lead)) alt="" width="640" height="400";
                        p.kicker { (lead.section.name) }
                        h2 { a href=(lead.path()) { (lead.headline) } }
                        p.standfirst { (lead.standfirst) }
                        p.byline { (catalogue.author_of(lead).name) " · " (lead.published.ago()) }
                    }
                }
                div.pair { @for article in top.iter().skip(1).take(TOP_STORIES - 1) { (teaser(view, article, false)) } }
            }
            aside {
                (weather_box(view))
                (markets_box(view))
                section.most-read {
                    h2 { "Most read" }
                    ol { @for article in most_read.iter().take(MOST_READ) { li { a href=(article.path()) { (article.headline) } } } }
                }
                section.promo {
                    h2 { "First Light" }
                    p { "The morning in five minutes, in your inbox at six." }
                    a.button href="/newsletters" { "All newsletters" }
                }
            }
        }
        @for section in SECTIONS {
            section.strip-of-section {
                h2 { a href=(format!("/section/{}", section.slug)) { (section.name) } }
                div.three {
                    @for article in catalogue.newest().filter(|article| article.section.slug == section.slug).take(PER_SECTION) {
                        (teaser(view, article, true))
                    }
                }
            }
        }
    };
    page(view, "Front page", &content)
}

fn weather_box(view: &View<'_>) -> Markup {
    let weather = boxes::weather(view.catalogue.seed);
    html! {
        section.box {
            h2 { "Weather" }
            table {
                @for town in weather.iter().take(4) {
                    @if let Some(today) = town.days.iter().find(|forecast| forecast.day == TODAY) {
                        tr {
                            th scope="row" { a href=(format!("/weather/{}", town.slug)) { (town.place) } }
                            td { (today.sky) } td.number { (today.high) "°" }
                        }
                    }
                }
            }
            a href="/weather" { "All towns" }
        }
    }
}

fn markets_box(view: &View<'_>) -> Markup {
    let mut shares = boxes::shares(view.catalogue.seed);
    shares.sort_by_key(|share| std::cmp::Reverse(share.volume));
    html! {
        section.box {
            h2 { "Closing prices" }
            table {
                @for share in shares.iter().take(5) {
                    tr {
                        th scope="row" { (share.symbol) } td.number { (share.close) "p" }
                        td.number class=(if share.change < 0 { "down" } else { "up" }) { (format!("{:+}", share.change)) }
                    }
                }
            }
            a href="/markets" { "All prices" }
        }
    }
}
