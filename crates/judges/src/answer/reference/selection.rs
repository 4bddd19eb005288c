use super::{Crash, Scored};

/// The first so many are shown, and the end of a longer run is not.
pub const MOST_PICTURES: usize = 50;

/// What the outcome judge is shown of the rated screenshots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Indices of the screenshots, in order.
    pub pictures: Vec<usize>,
    /// Numbered on their own: an empty reason is left out, and all later numbers then belong to another picture.
    pub reasons: Vec<String>,
}

impl Selection {
    /// The reasons as the prompt has them.
    pub fn numbered(&self) -> String {
        numbered(self.reasons.iter().map(String::as_str))
    }
}

/// Keeps what is rated at least `threshold`. At threshold 0, a rating that was not read takes the reason of the one
/// before it, and crashes where there is none.
pub fn select(rated: &[Scored], threshold: u8) -> Result<Selection, Crash> {
    let mut selection = Selection::default();
    let mut latest: Option<&str> = None;
    for (index, scored) in rated.iter().enumerate() {
        latest = scored.reason.as_deref().or(latest);
        if scored.score < threshold {
            continue;
        }
        let reason = latest.ok_or(Crash("the first rating was not read"))?;
        selection.pictures.push(index);
        if !reason.is_empty() {
            selection.reasons.push(reason.to_owned());
        }
    }
    selection.pictures.truncate(MOST_PICTURES);
    selection.reasons.truncate(MOST_PICTURES);
    Ok(selection)
}

pub(super) fn numbered<'a>(items: impl Iterator<Item = &'a str>) -> String {
    let lines = items.enumerate().map(|(index, item)| format!("{}. {item}", index + 1));
    lines.collect::<Vec<_>>().join("\n")
}
