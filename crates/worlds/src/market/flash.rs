//! What a storefront says after a form.

use crate::kit::flash::Messages;

pub const MESSAGES: Messages = &[
    ("added", "It is in your basket now."),
    ("changed", "Your basket has been changed."),
    ("ordered", "Thank you! Your order has been placed."),
    ("booked", "All set: your booking is confirmed."),
    ("cancelled", "Your booking has been cancelled."),
];
