use super::{Mode, python};

/// How one screenshot was rated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scored {
    /// 1 to 5, or 0 where the reading failed: no one can tell the two apart afterwards.
    pub score: u8,
    /// `None` where reading failed before it came to the reason. [`super::select`] tells what happens then.
    pub reason: Option<String>,
}

/// The released reading of a screenshot's rating.
///
/// The score is the first digit from 1 to 5 between the first and the second mark, whatever it belongs to. The reason is
/// cut at the first empty line (Online-Mind2Web) or at the mark (general).
pub fn score(mode: Mode, answer: &str) -> Scored {
    let general = mode == Mode::WebJudgeGeneral;
    let mark = if general { "### Score" } else { "Score" };
    let Some(after_mark) = answer.split(mark).nth(1) else { return Scored { score: 0, reason: None } };
    let heading = if general { "### Reasoning:" } else { "**Reasoning**:" };
    let reasoning = answer.rsplit(heading).next().unwrap_or_default().trim_matches(python::is_space);
    let end = if general { mark } else { "\n\n" };
    let reason = reasoning.split(end).next().unwrap_or_default().replace('\n', " ");
    let score = after_mark.chars().find_map(|c| c.to_digit(10).filter(|digit| (1..=5).contains(digit)));
    Scored { score: score.unwrap_or(0) as u8, reason: Some(reason) }
}
