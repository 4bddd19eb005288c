use maud::html;

use super::Visit;
use super::account::{account_trail, framed};
use crate::Response;
use crate::shop::artwork::picture;

pub fn page(visit: &Visit<'_>) -> Response {
    let body = html! {
        h1 { "Wish list" }
        @if visit.state.wishlist.is_empty() {
            p.notice { "Your wish list is empty. The heart on a product puts it here." }
        }
        ul.lines {
            @for (id, wish) in &visit.state.wishlist {
                @if let Some(product) = visit.catalogue.product(id) {
                    li.line {
                        (picture(product, 0, 0))
                        div {
                            a href=(product.path()) { (product.name) }
                            p.muted { (product.brand) " · added on " (wish.added) }
                            p { @if product.in_stock() { "In stock" } @else { span.sold-out { "Out of stock" } } }
                            form.inline method="post" action="/wishlist/remove" {
                                input type="hidden" name="product" value=(id);
                                input type="hidden" name="back" value="/account/wishlist";
                                button.link-button type="submit"
                                    aria-label={ "Remove " (product.name) " from wish list" } { "Remove" }
                            }
                        }
                        strong { (product.price) }
                    }
                }
            }
        }
    };
    framed(visit, "Wish list", account_trail(), &body)
}
