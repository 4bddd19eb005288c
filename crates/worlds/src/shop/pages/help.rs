use maud::{Markup, html};

use super::Visit;
use super::layout::{Page, not_found};
use crate::Response;

pub fn page(visit: &Visit<'_>, topic: &str) -> Response {
    let (title, text): (&str, Markup) = match topic {
        "delivery" => (
            "Delivery information",
            html! {
                p { "We ship from Portland, Monday to Friday." }
                table.specification {
                    tr { th scope="row" { "Standard delivery" } td { "$4.95, free from $75.00, 3 to 5 working days" } }
                    tr {
                        th scope="row" { "Express delivery" }
                        td { "$12.95, next working day if ordered before noon" }
                    }
                    tr { th scope="row" { "Store pickup" } td { "Free, ready within 2 hours" } }
                }
            },
        ),
        "returns" => (
            "Returns policy",
            html! {
                p { "Not right for you? Send it back within 30 days of delivery. Open the order in your account \
                    and request a return; the label comes by e-mail." }
                p { "An order that is still being processed can be cancelled in your account. Once it has been \
                    shipped it can only be returned." }
            },
        ),
        "contact" => (
            "Contact us",
            html! {
                p { "Write to hello@larkmoor.example or call 503-555-0100, Monday to Friday, 9 am to 5 pm." }
                p { "Larkmoor Goods, 60 Alder Street, Portland, OR 97205" }
            },
        ),
        "about" => (
            "About Larkmoor",
            html! {
                p { "Larkmoor began in 2009 as a stall with eleven kinds of brush. Today forty people look \
                    after six hundred products and those of our partners, and we still sell the brush." }
            },
        ),
        "terms" => (
            "Terms of sale",
            html! {
                p { "Goods remain ours until they are paid for. Prices include sales tax." }
                p { "One coupon can be used on an order, and each coupon once by a customer." }
            },
        ),
        _ => return not_found(visit),
    };
    let body = html! { div.narrow { h1 { (title) } (text) } };
    Page { title, trail: vec![("All products".to_owned(), "/search".to_owned())], scripts: &[], body }
        .respond(visit)
}
