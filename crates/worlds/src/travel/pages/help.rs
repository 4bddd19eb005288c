use maud::html;

use super::layout::{crowns, page};
use crate::Response;
use crate::travel::View;
use crate::travel::booking::BAG_PRICE;

pub(in crate::travel) fn show(view: &View<'_>) -> Response {
    let content = html! {
        h1 { "Help" }
        section.card { h2 { "Bags" } p { "Every fare includes hand luggage. Where no checked bag is included, one costs " (crowns(BAG_PRICE)) " a person and journey." } }
        section.card { h2 { "Cancelling" } p { "Open the booking under “My trips” and press “Cancel booking”. Whether money comes back depends on the stay's house rules or the airline." } }
        section.card { h2 { "Why am I asked whether I am human?" } p { "Fares are copied by machines thousands of times a day. The check keeps the site fast for people." } }
        section.card { h2 { "Telephone" } p { "0871 200 900, daily from seven to midnight." } }
    };
    page(view, "Help", &content)
}
