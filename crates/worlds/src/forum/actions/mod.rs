//! What a visitor can do. Each action checks, changes the state, and answers with a redirect, JSON or the form again.

mod mail;
mod moderating;
mod preferences;
mod toggles;
mod writing;

pub use moderating::BAN_LENGTHS;
pub use writing::REPORT_REASONS;

use crate::Request;

/// A trimmed form field, with the line ends that browsers send made plain.
fn field(request: &Request, name: &str) -> String {
    request.form(name).unwrap_or_default().replace("\r\n", "\n").trim().to_owned()
}
