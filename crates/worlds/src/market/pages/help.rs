//! Answers to what customers ask most.

use maud::html;

use super::Visit;
use super::layout::Page;
use crate::Response;
use crate::kit::money::Cents;

pub fn page(visit: &Visit<'_>) -> Response {
    let site = visit.storefront;
    let body = html! {
        article.help {
            h1 { "Help" }
            h2 #how { "How it works" }
            @if visit.is_shop() {
                p { "Put what you like into your " (site.words.kept.to_lowercase())
                    ", choose how it should reach you, and press “" (site.words.confirm) "”." }
                ul {
                    @for (name, fee) in site.trade.deliveries() {
                        li { (name) ": " @if *fee == 0 { "free of charge" } @else { (Cents(*fee)) } }
                    }
                }
            } @else {
                p { "Choose from our " (site.trade.nouns.1) ", press “" (site.words.deal)
                    "”, check that everything is right, and press “" (site.words.confirm) "”." }
                p { "You find what you booked under “" (site.words.kept) "”." }
            }
            h2 #changes { "Changes and cancellations" }
            @if visit.is_shop() {
                p { "Orders can be changed until they are packed. Send back what you do not want within 30 days." }
            } @else {
                p { "Cancel free of charge under “" (site.words.kept) "” up to 24 hours before." }
            }
            h2 #contact { "Contact" }
            p { "Write to help@" (site.key) ".example or call 555-0142 from 8 to 18 o'clock." }
        }
    };
    Page { title: "Help", body }.respond(visit)
}
