//! Responses with something around them: a code fence, a sentence before, a sentence after.

use serde::Deserialize as _;
use serde_json::{Deserializer, Value};
use umpire_model::ResponseForm;

use super::{ReadResponse, Response, ResponseProblem, of_json, repeated_key, vocabulary};
use crate::strict_json::UniqueKeys;

/// How many opening braces are tried.
const CANDIDATES: usize = 64;

/// True if a JSON object with something in it starts somewhere in the text.
pub(super) fn has_json(text: &str) -> bool {
    objects(text).next().is_some()
}

/// The one response in the text. Two that say different things are none: an agent may not leave the choice to its
/// judge.
pub(super) fn only_response(text: &str) -> Result<ReadResponse, ResponseProblem> {
    let mut found: Vec<(Response, ResponseForm)> = Vec::new();
    let mut problem = ResponseProblem::Wrapped;
    for (at, object) in objects(text) {
        let read = match object {
            Ok(Value::Object(members)) if !vocabulary::speaks_it(&members) => continue,
            Ok(object) => of_json(object),
            Err(problem) => Err(problem),
        };
        match read {
            Ok(response) if found.iter().any(|(earlier, _)| *earlier == response) => {}
            Ok(response) => found.push((response, form_at(text, at))),
            Err(wrong) => problem = wrong,
        }
    }
    match found.len() {
        0 => Err(problem),
        1 => {
            let (response, form) = found.remove(0);
            Ok(ReadResponse { response, form: Some(form) })
        }
        several => Err(ResponseProblem::Several(several)),
    }
}

/// Inside a fence if an odd number of fences stands before it.
fn form_at(text: &str, at: usize) -> ResponseForm {
    if text[..at].matches("```").count() % 2 == 1 { ResponseForm::Fenced } else { ResponseForm::Prose }
}

/// The outermost JSON objects in a text with their places. One that repeats a key is a problem, not an object; one with
/// further brackets around it is a piece of JSON that is broken.
fn objects(text: &str) -> impl Iterator<Item = (usize, Result<Value, ResponseProblem>)> + '_ {
    let mut from = 0;
    let mut tried = 0;
    std::iter::from_fn(move || {
        while tried < CANDIDATES {
            let at = from + text[from..].find('{')?;
            from = at + 1;
            if !text[from..].trim_start().starts_with('"') || text[..at].trim_end().ends_with(['{', '[']) {
                continue;
            }
            tried += 1;
            let mut stream = Deserializer::from_str(&text[at..]).into_iter::<Value>();
            if let Some(Ok(object)) = stream.next() {
                from = at + stream.byte_offset();
                if text[from..].trim_start().starts_with(['}', ']']) {
                    continue;
                }
                let unique = UniqueKeys::deserialize(&mut Deserializer::from_str(&text[at..from]));
                return Some((at, unique.map(|_| object).map_err(|error| repeated_key(&error))));
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::read_response;
    use super::*;

    const RESPONSE: &str = r#"{"task_type":"RETRIEVE","status":"SUCCESS","retrieved_data":[1]}"#;

    #[test]
    fn forms() {
        for (text, form) in [
            (RESPONSE.to_owned(), None),
            (format!("\u{feff}{RESPONSE}"), Some(ResponseForm::Bom)),
            (format!("```json\n{RESPONSE}\n```"), Some(ResponseForm::Fenced)),
            (format!("```JSON\n{RESPONSE}\n```\nThat is all."), Some(ResponseForm::Fenced)),
            (format!("```python\nprint({{'a': 1}})\n```\n```\n{RESPONSE}\n```"), Some(ResponseForm::Fenced)),
            (
                format!("```json\n{{\"plan\": [1]}}\n```\n```json\n{RESPONSE}\n```"),
                Some(ResponseForm::Fenced),
            ),
            (format!("Here you are: {RESPONSE}"), Some(ResponseForm::Prose)),
            (format!("{RESPONSE} Use {{}} or {{x}}."), Some(ResponseForm::Prose)),
            (format!("{RESPONSE}\n{RESPONSE}"), Some(ResponseForm::Prose)),
        ] {
            let read = read_response(&text).unwrap_or_else(|problem| panic!("{text}: {problem}"));
            assert_eq!(read.form, form, "{text}");
            assert_eq!(read.response.results, Some(vec![Value::from(1)]), "{text}");
        }
    }

    #[test]
    fn what_is_in_the_text_must_be_one_response() {
        let other = RESPONSE.replace("[1]", "[2]");
        let repeated = RESPONSE.replace('{', "{\"status\":\"UNKNOWN_ERROR\",");
        for (text, problem) in [
            (format!("{RESPONSE} or {other}"), ResponseProblem::Several(2)),
            ("Look: {\"a\": 1}".to_owned(), ResponseProblem::Wrapped),
        ] {
            assert_eq!(read_response(&text), Err(problem), "{text}");
        }
        for broken in [format!("{{{RESPONSE}}}"), format!("{RESPONSE}}}"), format!("[{RESPONSE}")] {
            let problem = read_response(&broken);
            assert!(matches!(problem, Err(ResponseProblem::NotJson(_))), "{broken}: {problem:?}");
        }
        let ambiguous = read_response(&format!("So: {repeated}"));
        assert!(matches!(ambiguous, Err(ResponseProblem::RepeatedKey(_))), "{ambiguous:?}");
        let wrong = read_response(&format!("So: {}", RESPONSE.replace("SUCCESS", "FINE")));
        assert!(matches!(wrong, Err(ResponseProblem::Schema { .. })), "{wrong:?}");
    }

    proptest! {
        #[test]
        fn no_text_breaks_it(text in r#"[`{}\[\]",:a-z0-9\\ \n\u{feff}]{0,80}"#) {
            let _ = read_response(&text);
        }
    }
}
