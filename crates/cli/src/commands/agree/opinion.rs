//! What a cell says about success.

use crate::args::ColumnArgs;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinion {
    Success,
    Failure,
    /// The task could not be carried out at all.
    Unexecutable,
    /// Nothing there, or somebody who could not decide.
    Undecided,
}

const SUCCESS: [&str; 9] =
    ["1", "1.0", "true", "yes", "success", "successful", "pass", "passed", "succeeded"];
const FAILURE: [&str; 12] = [
    "0",
    "0.0",
    "false",
    "no",
    "failure",
    "unsuccessful",
    "fail",
    "failed",
    "timeout",
    "budget",
    "blocked",
    "invalid",
];
const UNEXECUTABLE: [&str; 6] = ["2", "2.0", "unexecutable", "not executable", "infeasible", "impossible"];
// `infra` is an outcome by which a run says that it does not know; the last three are rulings of models that are none.
const UNDECIDED: [&str; 11] =
    ["", "null", "none", "nan", "n/a", "unsure", "unparsed", "infra", "abstained", "error", "noted"];

impl Opinion {
    /// Words and codes that the public data sets and Umpire itself use; in any case of letters.
    pub fn of_word(cell: &str) -> Result<Self, String> {
        let word = cell.to_lowercase();
        let says = |words: &[&str]| words.contains(&word.as_str());
        if says(&SUCCESS) {
            Ok(Self::Success)
        } else if says(&FAILURE) {
            Ok(Self::Failure)
        } else if says(&UNEXECUTABLE) {
            Ok(Self::Unexecutable)
        } else if says(&UNDECIDED) {
            Ok(Self::Undecided)
        } else {
            Err(format!("`{cell}` says neither success nor failure"))
        }
    }

    /// A verdict: a word, or a number if there is a threshold.
    pub fn of_verdict(cell: &str, columns: &ColumnArgs) -> Result<Option<bool>, String> {
        if let Some(threshold) = columns.threshold {
            if UNDECIDED.contains(&cell.to_lowercase().as_str()) {
                return Ok(None);
            }
            let number: f64 = cell.parse().map_err(|_| format!("`{cell}` is no number"))?;
            return Ok(Some(number > threshold));
        }
        match Self::of_word(cell)? {
            Self::Success => Ok(Some(true)),
            // A judge that calls a task impossible does not call the attempt a success.
            Self::Failure | Self::Unexecutable => Ok(Some(false)),
            Self::Undecided => Ok(None),
        }
    }

    pub fn decided(self) -> Option<bool> {
        match self {
            Self::Success => Some(true),
            Self::Failure | Self::Unexecutable => Some(false),
            Self::Undecided => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_public_data_sets_are_understood() {
        for (cell, expected) in [
            ("1", Opinion::Success),
            ("Successful", Opinion::Success),
            ("Unsuccessful", Opinion::Failure),
            ("timeout", Opinion::Failure),
            ("2", Opinion::Unexecutable),
            ("Unsure", Opinion::Undecided),
            ("infra", Opinion::Undecided),
        ] {
            assert_eq!(Opinion::of_word(cell), Ok(expected), "{cell}");
        }
        assert!(Opinion::of_word("0.7").is_err() && Opinion::of_word("partial success").is_err());
    }
}
