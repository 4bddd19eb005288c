//! JSON pointers (RFC 6901).

use std::fmt;

use serde_json::Value;

use crate::ruling::Undecided;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pointer {
    steps: Vec<String>,
}

impl Pointer {
    pub(super) fn parse(text: &str) -> Result<Self, Undecided> {
        let broken = |problem: &str| Undecided::Broken(format!("the pointer `{text}` {problem}"));
        if text.is_empty() {
            return Ok(Self::default());
        }
        let rest = text.strip_prefix('/').ok_or_else(|| broken("does not start with `/`"))?;
        let steps = rest.split('/').map(unescaped).collect::<Option<Vec<_>>>();
        steps.map(|steps| Self { steps }).ok_or_else(|| broken("has a `~` that is neither `~0` nor `~1`"))
    }

    pub(super) fn resolve<'a>(&self, root: &'a Value) -> Option<&'a Value> {
        self.steps.iter().try_fold(root, |value, step| match value {
            Value::Object(map) => map.get(step),
            Value::Array(list) => list.get(index(step)?),
            _ => None,
        })
    }

    pub(super) fn child(&self, step: impl Into<String>) -> Self {
        let mut steps = self.steps.clone();
        steps.push(step.into());
        Self { steps }
    }

    /// True for what the pointer points to and everything inside it.
    pub(super) fn covers(&self, other: &Self) -> bool {
        other.steps.starts_with(&self.steps)
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.steps.is_empty() {
            return f.write_str("the state");
        }
        self.steps.iter().try_for_each(|step| write!(f, "/{}", step.replace('~', "~0").replace('/', "~1")))
    }
}

fn unescaped(step: &str) -> Option<String> {
    let mut parts = step.split('~');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (escape, rest) = part.split_at_checked(1)?;
        plain.push(match escape {
            "0" => '~',
            "1" => '/',
            _ => return None,
        });
        plain.push_str(rest);
    }
    Some(plain)
}

/// Digits without leading zeros, as the RFC wants list positions.
fn index(step: &str) -> Option<usize> {
    let canonical = step == "0" || (!step.starts_with('0') && step.bytes().all(|byte| byte.is_ascii_digit()));
    canonical.then(|| step.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// The document and the answers of RFC 6901, section 5.
    #[test]
    fn examples_of_the_rfc() {
        let document = json!({
            "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8
        });
        for (pointer, expected) in [
            ("/foo", json!(["bar", "baz"])),
            ("/foo/0", json!("bar")),
            ("/", json!(0)),
            ("/a~1b", json!(1)),
            ("/c%d", json!(2)),
            ("/e^f", json!(3)),
            ("/g|h", json!(4)),
            ("/i\\j", json!(5)),
            ("/k\"l", json!(6)),
            ("/ ", json!(7)),
            ("/m~0n", json!(8)),
        ] {
            assert_eq!(
                Pointer::parse(pointer).expect(pointer).resolve(&document),
                Some(&expected),
                "{pointer}"
            );
        }
        assert_eq!(Pointer::parse("").expect("whole").resolve(&document), Some(&document));
        for nowhere in
            ["/foo/00", "/foo/2", "/foo/-", "/foo/+1", "/foo/bar/x", "/x", "//", "/foo/99999999999999999999"]
        {
            assert_eq!(Pointer::parse(nowhere).expect(nowhere).resolve(&document), None, "{nowhere}");
        }
        for broken in ["foo", "/a~", "/a~2b", "/~é"] {
            assert!(matches!(Pointer::parse(broken), Err(Undecided::Broken(_))), "{broken}");
        }
    }

    #[test]
    fn covering_goes_by_steps_not_by_letters() {
        let pointer = |text| Pointer::parse(text).expect(text);
        assert!(pointer("/a").covers(&pointer("/a/b")) && pointer("/a").covers(&pointer("/a")));
        assert!(!pointer("/a").covers(&pointer("/ab")) && !pointer("/a/b").covers(&pointer("/a")));
        assert!(pointer("").covers(&pointer("/x")));
    }

    proptest! {
        #[test]
        fn written_pointers_are_read_back(steps in prop::collection::vec(any::<String>(), 1..4)) {
            let pointer = steps.iter().fold(Pointer::default(), |pointer, step| pointer.child(step.as_str()));
            prop_assert_eq!(Pointer::parse(&pointer.to_string()), Ok(pointer));
        }
    }
}
