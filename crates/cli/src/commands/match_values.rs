//! How a value would be compared, for authors who want to try one.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use umpire_rules::{Comparison, value_types};
use umpire_webarena::reference;

use crate::args::{MatchArgs, ValueMode};
use crate::commands::recorded::today;
use crate::exit::Exit;
use crate::failure::Failure;

/// One line of a file of cases.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    r#type: String,
    expected: Value,
    actual: Value,
    /// What the author believes; a line without it is only tried.
    equal: Option<bool>,
}

#[derive(Serialize)]
struct Tried<'a> {
    line: usize,
    r#type: &'a str,
    #[serde(flatten)]
    comparison: &'a Comparison,
    /// Whether that is what the line says.
    #[serde(skip_serializing_if = "Option::is_none")]
    as_said: Option<bool>,
}

pub fn match_values(args: &MatchArgs, as_json: bool) -> Result<Exit, Failure> {
    match (&args.jsonl, &args.value_type, &args.expected, &args.actual) {
        (Some(file), ..) => match_file(file, args.mode, as_json),
        (None, Some(value_type), Some(expected), Some(actual)) => {
            let comparison =
                compare(args.mode, value_type, &value_of(expected), &value_of(actual)).map_err(|broken| {
                    Failure::new(broken).help("`umpire match` alone lists the types, each with an example")
                })?;
            Ok(say_one(&comparison, as_json))
        }
        _ => {
            list_types();
            Ok(Exit::Ok)
        }
    }
}

/// JSON if it is JSON, else the text itself, so that `--actual 5` and `--actual 'about 5'` both say what they mean.
fn value_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

fn list_types() {
    say!("Types, each with a value that it reads (`--type NAME --expected VALUE --actual VALUE`):");
    for (name, example) in value_types() {
        say!("  {name:15} {example}");
    }
}

/// Compares two values in a mode; an error says why no task could expect the first.
fn compare(
    mode: ValueMode,
    value_type: &str,
    expected: &Value,
    actual: &Value,
) -> Result<Comparison, String> {
    match mode {
        ValueMode::Strict => {
            umpire_rules::try_value(value_type, expected, actual).map_err(|broken| broken.to_string())
        }
        ValueMode::Reference => {
            reference::try_value(value_type, expected, actual, today()).map_err(|error| error.to_string())
        }
    }
}

fn say_one(comparison: &Comparison, as_json: bool) -> Exit {
    if as_json {
        say!("{}", serde_json::to_string(comparison).unwrap_or_default());
    } else {
        say!("{}", in_words(comparison));
    }
    if comparison.equal { Exit::Ok } else { Exit::GateFailed }
}

fn match_file(file: &Path, mode: ValueMode, as_json: bool) -> Result<Exit, Failure> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
    let (mut cases, mut equal, mut disagreements) = (0, 0, 0);
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let at_line = |problem: String| Failure::new(format!("{}:{}: {problem}", file.display(), index + 1));
        let case: Case = serde_json::from_str(line).map_err(|error| at_line(error.to_string()))?;
        let comparison = compare(mode, &case.r#type, &case.expected, &case.actual).map_err(at_line)?;
        let as_said = case.equal.map(|said| said == comparison.equal);
        cases += 1;
        equal += usize::from(comparison.equal);
        disagreements += usize::from(as_said == Some(false));
        if as_json {
            let tried = Tried { line: index + 1, r#type: &case.r#type, comparison: &comparison, as_said };
            say!("{}", serde_json::to_string(&tried).unwrap_or_default());
        } else {
            let remark = if as_said == Some(false) { "  (the line says otherwise)" } else { "" };
            say!("{:>5}  {:15} {}{remark}", index + 1, case.r#type, in_words(&comparison));
        }
    }
    if cases == 0 {
        return Err(Failure::new(format!("{}: there is no case in it", file.display())));
    }
    if !as_json {
        say!("{cases} cases: {equal} equal, {} different; {disagreements} not as said", cases - equal);
    }
    Ok(if disagreements == 0 { Exit::Ok } else { Exit::GateFailed })
}

fn in_words(comparison: &Comparison) -> String {
    match &comparison.reason {
        None => format!("equal      {} = {}", comparison.expected, comparison.actual),
        Some(reason) => format!("different  {reason}"),
    }
}
