//! What people called their posts on the boards that came before; each fits any topic of any community.

pub const ARCHIVED_TITLES: &[&str] = &[
    "From the old board: {t}",
    "Minutes of our meeting on {t}",
    "Who else was at the evening about {t}?",
    "Looking for a second opinion: {t}",
    "Poll results are in: {t}",
    "A long letter about {t}",
    "Notes to my younger self: {t}",
    "Whatever happened to {t}?",
    "Collected answers: {t}",
    "My last word on {t}",
];
