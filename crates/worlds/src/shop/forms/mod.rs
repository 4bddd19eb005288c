//! What a posted form changes. A form that is not right changes nothing and comes back with its problems.

mod account;
mod cart;
mod checkout;
mod orders;
mod reviews;
mod wishlist;

pub use cart::remove_line;

use super::catalogue::Catalogue;
use super::pages::{Problems, Visit, layout};
use super::state::State;
use crate::kit::flash;
use crate::{Request, Response};

/// A posted form and the state it may change.
pub struct Submission<'a> {
    pub request: &'a Request,
    pub catalogue: &'a Catalogue,
    pub state: &'a mut State,
}

impl Submission<'_> {
    pub fn handle(mut self) -> Response {
        let segments = self.request.segments();
        match segments.as_slice() {
            ["cart", "add"] => self.add_to_cart(),
            ["cart", "update"] => self.update_cart(),
            ["cart", "remove"] => self.remove_from_cart(),
            ["cart", "coupon"] => self.apply_coupon(),
            ["cart", "coupon", "remove"] => self.remove_coupon(),
            ["wishlist", "add"] => self.add_wish(),
            ["wishlist", "remove"] => self.remove_wish(),
            ["newsletter", "join"] => self.join_newsletter(),
            ["sign-in"] => self.sign_in(),
            ["sign-out"] => self.sign_out(),
            // The rest belongs to somebody.
            _ if !self.state.signed_in => Response::see_other("/sign-in"),
            ["product", slug, "review"] => self.write_review(slug),
            ["checkout", step] => self.check_out(step),
            ["account", "orders", id, "cancel"] => self.cancel_order(id),
            ["account", "orders", id, "return"] => self.request_return(id),
            ["account", "profile"] => self.save_profile(),
            ["account", "addresses", id] => self.save_address(id),
            ["account", "addresses", id, "default"] => self.make_default_address(id),
            ["account", "addresses", id, "delete"] => self.delete_address(id),
            ["account", "newsletter"] => self.save_newsletter(),
            ["account", "reviews", "delete"] => self.delete_review(),
            _ => self.not_found(),
        }
    }

    /// The state as it is now, for a page.
    fn visit(&self) -> Visit<'_> {
        Visit { request: self.request, catalogue: self.catalogue, state: self.state }
    }

    fn not_found(&self) -> Response {
        layout::not_found(&self.visit())
    }

    /// A field of the form without surrounding space.
    fn field(&self, name: &str) -> &str {
        self.request.form(name).unwrap_or_default().trim()
    }

    /// Like [`Self::field`], noting a problem if it is empty or longer than a form field should be.
    fn required(&self, name: &'static str, label: &str, problems: &mut Problems) -> String {
        let value = self.field(name);
        if value.is_empty() {
            problems.insert(name, format!("{label} is missing."));
        } else if value.chars().count() > MAX_FIELD {
            problems.insert(name, format!("{label} is too long."));
        }
        value.to_owned()
    }

    /// Where the visitor came from, if the form says so and it is a place in this shop.
    fn back(&self) -> &str {
        let back = self.field("back");
        let local = back.starts_with('/')
            && !back.starts_with("//")
            && back.bytes().all(|byte| byte.is_ascii_graphic());
        if local { back } else { "/" }
    }
}

const MAX_FIELD: usize = 200;

fn done(location: &str, message: &'static str) -> Response {
    flash::then(location, message)
}
