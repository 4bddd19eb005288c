use super::{Crash, Mode};

/// The released verdict: `true` is success.
///
/// `WebVoyager`: success unless the upper-case word for failure occurs, so that silence and refusals succeed. All others:
/// success if that word occurs, even as part of another one, between the first and the second `status:`.
pub fn status(mode: Mode, answer: Option<&str>) -> Result<bool, Crash> {
    match (mode, answer) {
        (Mode::WebVoyager, None) => Err(Crash("no answer to look into")),
        (Mode::WebVoyager, Some(answer)) => Ok(!answer.contains("FAILURE")),
        (_, None) => Ok(false),
        (_, Some(answer)) => {
            Ok(answer.to_lowercase().split("status:").nth(1).is_some_and(|said| said.contains("success")))
        }
    }
}
