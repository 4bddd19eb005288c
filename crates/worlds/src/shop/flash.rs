//! What the shop says after a form.

use crate::kit::flash::Messages;

pub const MESSAGES: Messages = &[
    ("cart-added", "Added to your cart."),
    ("cart-updated", "Your cart has been updated."),
    ("cart-removed", "Removed from your cart."),
    ("coupon-applied", "Your coupon has been applied."),
    ("coupon-removed", "Your coupon has been removed."),
    ("wish-added", "Added to your wish list."),
    ("wish-removed", "Removed from your wish list."),
    ("review-sent", "Thank you. Your review is visible to others after a short check."),
    ("review-deleted", "Your review has been deleted."),
    ("order-placed", "Thank you! Your order has been placed."),
    ("order-cancelled", "Your order has been cancelled."),
    ("return-requested", "Your return has been requested. We will e-mail you a label."),
    ("profile-saved", "Your profile has been saved."),
    ("address-saved", "The address has been saved."),
    ("address-deleted", "The address has been deleted."),
    ("address-default", "Your default address has been changed."),
    ("newsletter-saved", "Your newsletter preferences have been saved."),
    ("signed-out", "You are signed out."),
    ("signed-in", "Welcome back."),
];
