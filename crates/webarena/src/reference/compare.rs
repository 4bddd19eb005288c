//! Sets an expected and an actual tree side by side and says what differs.

use super::error::EvaluatorError;
use super::values::Typed;
use crate::python::repr_of;

/// One difference, named as in the reference's result files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Assertion {
    pub name: String,
    pub messages: Vec<String>,
}

impl Assertion {
    pub fn new(name: impl Into<String>, message: impl Into<String>) -> Self {
        Self { name: name.into(), messages: vec![message.into()] }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CompareOptions {
    /// Arrays are compared element by element instead of in any order.
    pub ordered: bool,
    /// Keys the expected object does not have are no difference.
    pub ignore_extra_keys: bool,
}

/// All differences; none means equal. `path` opens every assertion's name.
pub fn compare(
    expected: &Typed,
    actual: &Typed,
    path: &str,
    options: CompareOptions,
) -> Result<Vec<Assertion>, EvaluatorError> {
    Comparison { options, met_empty_tuple: false, quiet: false }.compare(expected, actual, path)
}

/// The reference guards against cycles by object identity, and Python has only one empty tuple: an actual tree with
/// two of them looks like a cycle.
#[derive(Clone)]
struct Comparison {
    options: CompareOptions,
    met_empty_tuple: bool,
    /// Only whether there are differences is asked, so none of them is put into words.
    quiet: bool,
}

type Differences = Result<Vec<Assertion>, EvaluatorError>;

impl Comparison {
    fn compare(&mut self, expected: &Typed, actual: &Typed, path: &str) -> Differences {
        match (expected.is_null(), actual.is_null()) {
            (true, true) => return Ok(Vec::new()),
            (false, false) => {}
            _ => return Ok(vec![self.difference(path, "_none_mismatch", expected, actual)]),
        }
        if matches!(actual, Typed::Tuple(items) if items.is_empty())
            && std::mem::replace(&mut self.met_empty_tuple, true)
        {
            return Err(EvaluatorError::MetTwice(path.to_owned()));
        }
        let equal = match expected {
            Typed::Object(_) => return self.compare_objects(expected, actual, path),
            Typed::Tuple(items) | Typed::List(items) => {
                let Some(actual_items) = actual.as_array() else {
                    return Ok(vec![self.difference(path, "_invalid_format", expected, actual)]);
                };
                return if self.options.ordered {
                    self.compare_in_order(items, actual_items, path)
                } else {
                    self.compare_in_any_order(items, actual_items, path)
                };
            }
            Typed::Leaf(leaf) => leaf.accepts(actual)?,
            Typed::Raw(expected) => matches!(actual, Typed::Raw(actual) if expected == actual),
        };
        Ok(if equal { Vec::new() } else { vec![self.difference(path, "_mismatch", expected, actual)] })
    }

    fn compare_objects(&mut self, expected: &Typed, actual: &Typed, path: &str) -> Differences {
        let (Typed::Object(wanted), Typed::Object(given)) = (expected, actual) else {
            return Ok(vec![self.difference(path, "_invalid_format", expected, actual)]);
        };
        if wanted.is_empty() {
            return Err(EvaluatorError::NothingExpected(path.to_owned()));
        }
        let mut differences = Vec::new();
        let missing: Vec<&str> =
            wanted.keys().filter(|key| !given.contains_key(*key)).map(String::as_str).collect();
        let extra: Vec<&str> =
            given.keys().filter(|key| !wanted.contains_key(*key)).map(String::as_str).collect();
        if !missing.is_empty() || !(extra.is_empty() || self.options.ignore_extra_keys) {
            let message =
                format!("missing keys: [{}], extra keys: [{}]", missing.join(", "), extra.join(", "));
            differences.push(Assertion::new(format!("{path}_keys_mismatch"), message));
        }
        for (key, expected) in wanted {
            if let Some(actual) = given.get(key) {
                differences.extend(self.compare(expected, actual, &format!("{path}.{key}"))?);
            }
        }
        Ok(differences)
    }

    fn compare_in_order(&mut self, expected: &[Typed], actual: &[Typed], path: &str) -> Differences {
        let mut differences = Vec::new();
        let mut matched = 0;
        for (at, (expected, actual)) in expected.iter().zip(actual).enumerate() {
            let found = self.compare(expected, actual, &format!("{path}[{at}]"))?;
            matched += usize::from(found.is_empty());
            differences.extend(found);
        }
        if expected.len() != actual.len() {
            let summary = format!("Array value mismatch (ordered). Matched ({matched}/{})", expected.len());
            differences.push(self.array_difference(path, summary, expected, actual));
        }
        Ok(differences)
    }

    /// Each expected element takes the first actual one that is still free and equal, even where another choice
    /// would have left no element over.
    fn compare_in_any_order(&self, expected: &[Typed], actual: &[Typed], path: &str) -> Differences {
        let mut free: Vec<&Typed> = actual.iter().collect();
        let mut missing = 0;
        let trial = Self { quiet: true, ..self.clone() };
        for wanted in expected {
            let mut taken = None;
            for (at, candidate) in free.iter().enumerate() {
                if trial.clone().compare(wanted, candidate, path)?.is_empty() {
                    taken = Some(at);
                    break;
                }
            }
            match taken {
                Some(at) => drop(free.remove(at)),
                None => missing += 1,
            }
        }
        let (total, matched, extra) = (expected.len(), expected.len() - missing, free.len());
        let summary = match (missing, extra) {
            (0, 0) => return Ok(Vec::new()),
            (0, _) => format!(
                "Array contains all expected elements ({matched}/{total}) but has {extra} extra element(s)"
            ),
            (_, 0) => format!("Array is missing {missing} expected element(s). Matched ({matched}/{total})"),
            _ => format!(
                "Array value mismatch (unordered). Matched ({matched}/{total}), Missing: {missing}, Extra: {extra}"
            ),
        };
        Ok(vec![self.array_difference(path, summary, expected, actual)])
    }

    fn difference(&self, path: &str, suffix: &str, expected: &Typed, actual: &Typed) -> Assertion {
        if self.quiet {
            return Assertion::default();
        }
        let message =
            format!("Expected: {}, Got: {}", repr_of(&expected.report()), repr_of(&actual.report()));
        Assertion::new(format!("{path}{suffix}"), message)
    }

    fn array_difference(
        &self,
        path: &str,
        summary: String,
        expected: &[Typed],
        actual: &[Typed],
    ) -> Assertion {
        if self.quiet {
            return Assertion::default();
        }
        let shown = format!("Expected: [{}], Got: [{}]", shorten(expected), shorten(actual));
        Assertion { name: format!("{path}_array_values_mismatch"), messages: vec![summary, shown] }
    }
}

/// Up to three elements: of more, the first two and the last.
fn shorten(items: &[Typed]) -> String {
    let text = |item: &Typed| repr_of(&item.report());
    match items {
        [first, second, _, .., last] => format!("{}, {}, ..., {}", text(first), text(second), text(last)),
        few => few.iter().map(text).collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::parse_json;

    fn names(expected: &str, actual: &Typed, options: CompareOptions) -> Result<Vec<String>, EvaluatorError> {
        let expected = Typed::raw(&parse_json(expected).expect("JSON"));
        Ok(compare(&expected, actual, "x", options)?.into_iter().map(|assertion| assertion.name).collect())
    }

    fn raw(json: &str) -> Typed {
        Typed::raw(&parse_json(json).expect("JSON"))
    }

    #[test]
    fn differences_are_named_by_path() {
        let ordered = CompareOptions { ordered: true, ..CompareOptions::default() };
        let loose = CompareOptions { ignore_extra_keys: true, ..CompareOptions::default() };
        let plain = CompareOptions::default();
        for (expected, actual, options, found) in [
            ("[1, 2]", "[2, 1.0]", plain, vec![]),
            ("[1, 2]", "[2, 1]", ordered, vec!["x[0]_mismatch", "x[1]_mismatch"]),
            ("[1, 2]", "[1]", ordered, vec!["x_array_values_mismatch"]),
            ("[1]", "1", plain, vec!["x_invalid_format"]),
            ("null", "1", plain, vec!["x_none_mismatch"]),
            (r#"{"a": {"b": 1}}"#, r#"{"a": {"b": 2}}"#, plain, vec!["x.a.b_mismatch"]),
            (r#"{"a": 1}"#, r#"{"a": 1, "b": 2}"#, plain, vec!["x_keys_mismatch"]),
            (r#"{"a": 1}"#, r#"{"a": 1, "b": 2}"#, loose, vec![]),
            (r#"{"a": 1}"#, "[]", plain, vec!["x_invalid_format"]),
        ] {
            assert_eq!(
                names(expected, &raw(actual), options).expect("no error"),
                found,
                "{expected} / {actual}"
            );
        }
        assert!(names("{}", &raw("{}"), plain).is_err());
    }

    #[test]
    fn two_empty_tuples_look_like_a_cycle_in_an_ordered_comparison() {
        let actual = Typed::Tuple(vec![Typed::Tuple(vec![]), Typed::Tuple(vec![])]);
        let expected = r#"[{"a": 1}, {"a": 2}]"#;
        let ordered = CompareOptions { ordered: true, ..CompareOptions::default() };
        assert!(matches!(names(expected, &actual, ordered), Err(EvaluatorError::MetTwice(_))));
        let any_order = names(expected, &actual, CompareOptions::default()).expect("no error");
        assert_eq!(any_order, ["x_array_values_mismatch"]);
        assert!(names(expected, &raw("[[], []]"), ordered).is_ok());
    }
}
