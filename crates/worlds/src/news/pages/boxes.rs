//! Weather and closing prices, in full.

use maud::html;

use super::layout::{not_found, page};
use crate::Response;
use crate::kit::text::thousands;
use crate::news::{View, boxes};

pub(in crate::news) fn all_weather(view: &View<'_>) -> Response {
    let weather = boxes::weather(view.catalogue.seed);
    let content = html! {
        header.list-head { h1 { "Weather" } p { "Today in sixteen towns. Choose a town for the week." } }
        table.wide {
            thead { tr { th scope="col" { "Town" } th scope="col" { "Sky" } th.number scope="col" { "High" } th.number scope="col" { "Low" } th.number scope="col" { "Chance of rain" } } }
            tbody {
                @for town in &weather {
                    @if let Some(today) = town.days.first() {
                        tr {
                            th scope="row" { a href=(format!("/weather/{}", town.slug)) { (town.place) } }
                            td { (today.sky) } td.number { (today.high) " °C" } td.number { (today.low) " °C" } td.number { (today.rain_percent) " %" }
                        }
                    }
                }
            }
        }
    };
    page(view, "Weather", &content)
}

pub(in crate::news) fn weather_of(view: &View<'_>, place: &str) -> Response {
    let weather = boxes::weather(view.catalogue.seed);
    let Some(town) = weather.iter().find(|town| town.slug == place) else { return not_found(view) };
    let content = html! {
        header.list-head { h1 { "Weather in " (town.place) } p { a href="/weather" { "All towns" } } }
        table.wide {
            thead { tr { th scope="col" { "Day" } th scope="col" { "Sky" } th.number scope="col" { "High" } th.number scope="col" { "Low" } th.number scope="col" { "Chance of rain" } th.number scope="col" { "Wind" } } }
            tbody {
                @for forecast in &town.days {
                    tr {
                        th scope="row" { (forecast.day) } td { (forecast.sky) } td.number { (forecast.high) " °C" } td.number { (forecast.low) " °C" }
                        td.number { (forecast.rain_percent) " %" } td.number { (forecast.wind) " km/h" }
                    }
                }
            }
        }
    };
    page(view, &format!("Weather in {}", town.place), &content)
}

pub(in crate::news) fn markets(view: &View<'_>) -> Response {
    let shares = boxes::shares(view.catalogue.seed);
    let content = html! {
        header.list-head { h1 { "Closing prices" } p { "Greyharbour Exchange, Friday 13 March 2026. Prices in pence." } }
        table.wide id="prices" {
            thead { tr {
                @for (name, numeric) in [("Symbol", false), ("Company", false), ("Trade", false), ("Close", true), ("Change", true), ("Volume", true)] {
                    th scope="col" class=(if numeric { "number" } else { "" }) aria-sort="none" { button.quiet type="button" { (name) } }
                }
            } }
            tbody {
                @for share in &shares {
                    tr {
                        th scope="row" { (share.symbol) } td { (share.company) } td { (share.trade) }
                        td.number data-value=(share.close) { (share.close) }
                        td.number data-value=(share.change) class=(if share.change < 0 { "number down" } else { "number up" }) { (format!("{:+}", share.change)) }
                        td.number data-value=(share.volume) { (thousands(share.volume)) }
                    }
                }
            }
        }
        script src="/assets/markets.js" defer {}
    };
    page(view, "Closing prices", &content)
}
