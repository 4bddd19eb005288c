//! One-time messages. They travel in a cookie, not in the state, so that reading a page changes nothing.

use crate::Request;

pub struct Flash {
    code: &'static str,
    pub text: &'static str,
}

pub const COOKIE: &str = "flash";

const FLASHES: &[Flash] = &[
    Flash { code: "cart-added", text: "Added to your cart." },
    Flash { code: "cart-updated", text: "Your cart has been updated." },
    Flash { code: "cart-removed", text: "Removed from your cart." },
    Flash { code: "coupon-applied", text: "Your coupon has been applied." },
    Flash { code: "coupon-removed", text: "Your coupon has been removed." },
    Flash { code: "wish-added", text: "Added to your wish list." },
    Flash { code: "wish-removed", text: "Removed from your wish list." },
    Flash { code: "review-sent", text: "Thank you. Your review is visible to others after a short check." },
    Flash { code: "review-deleted", text: "Your review has been deleted." },
    Flash { code: "order-placed", text: "Thank you! Your order has been placed." },
    Flash { code: "order-cancelled", text: "Your order has been cancelled." },
    Flash { code: "return-requested", text: "Your return has been requested. We will e-mail you a label." },
    Flash { code: "profile-saved", text: "Your profile has been saved." },
    Flash { code: "address-saved", text: "The address has been saved." },
    Flash { code: "address-deleted", text: "The address has been deleted." },
    Flash { code: "address-default", text: "Your default address has been changed." },
    Flash { code: "newsletter-saved", text: "Your newsletter preferences have been saved." },
    Flash { code: "signed-out", text: "You are signed out." },
    Flash { code: "signed-in", text: "Welcome back." },
];

/// The message that waits for this visitor.
pub fn waiting(request: &Request) -> Option<&'static Flash> {
    let code = request.cookie(COOKIE)?;
    FLASHES.iter().find(|flash| flash.code == code)
}

#[cfg(test)]
pub fn is_known(code: &str) -> bool {
    FLASHES.iter().any(|flash| flash.code == code)
}
