//! Answers that a model gave to intents alone, written down: one JSON object a line, with `intent` and `answer`.

use std::collections::HashMap;

use serde::Deserialize;

use super::baseline::Knowledge;

/// What a model without a browser answered.
#[derive(Debug)]
pub struct KnownAnswers(HashMap<String, String>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    intent: String,
    answer: String,
}

/// A line that is no answer.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct BadAnswers {
    pub line: usize,
    pub problem: String,
}

impl KnownAnswers {
    pub fn parse(text: &str) -> Result<Self, BadAnswers> {
        let mut answers = HashMap::new();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let bad = |problem: String| BadAnswers { line: index + 1, problem };
            let Line { intent, answer } =
                serde_json::from_str(line).map_err(|error| bad(error.to_string()))?;
            // Tasks share intents; one model has one answer to a question, or the probe would depend on the order.
            match answers.insert(intent, answer.clone()) {
                Some(other) if other != answer => {
                    return Err(bad("the same intent has another answer above".to_owned()));
                }
                _ => {}
            }
        }
        if answers.is_empty() {
            return Err(BadAnswers { line: 1, problem: "there are no answers".to_owned() });
        }
        Ok(Self(answers))
    }
}

impl Knowledge for KnownAnswers {
    fn answer(&self, intent: &str) -> Result<String, String> {
        self.0.get(intent).cloned().ok_or_else(|| "the file has no answer to it".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_found_by_intent() {
        let text = "{\"intent\":\"Who?\",\"answer\":\"Ada\"}\n\n{\"intent\":\"Who?\",\"answer\":\"Ada\"}\n";
        let answers = KnownAnswers::parse(text).expect("answers");
        assert_eq!(answers.answer("Who?").as_deref(), Ok("Ada"));
        assert!(answers.answer("When?").is_err());
    }

    #[test]
    fn bad_lines_are_named() {
        for (text, problem) in [
            ("{\"intent\":\"a\",\"answer\":\"b\"}\nx", "line 2: "),
            ("{\"intent\":\"a\"}", "line 1: missing field `answer`"),
            (
                "{\"intent\":\"a\",\"answer\":\"b\"}\n{\"intent\":\"a\",\"answer\":\"c\"}",
                "line 2: the same intent",
            ),
            ("\n", "line 1: there are no answers"),
        ] {
            let error = KnownAnswers::parse(text).expect_err(problem).to_string();
            assert!(error.starts_with(problem), "{error}");
        }
    }
}
