//! `url_match`: the page the attempt ended on against the reference URLs.

use super::recording::Recording;
use super::score::{Check, EvalType, Finding, Part, Undecided};
use super::task::OriginalEval;
use crate::python::urllib::{self, UrlError};

const ALTERNATIVE: &str = " |OR| ";

pub(super) fn judge_last_url(eval: &OriginalEval, recording: &Recording) -> Part {
    let Some(reference) = &eval.reference_url else {
        return Part::raising(EvalType::UrlMatch, "reference_url is null".to_owned());
    };
    let rule = eval.url_note.as_deref().unwrap_or("GOLD in PRED");
    let last_url = recording.last_page.as_ref().map(|page| page.url.as_str());
    let finding = match (rule, last_url) {
        ("GOLD in PRED" | "EXACT", None) => Finding::Undecided(Undecided::LastUrlNotRecorded),
        ("GOLD in PRED", Some(url)) => {
            reference_in(reference, url).map_or_else(|error| Finding::Raises(error.to_string()), Finding::of)
        }
        ("EXACT", Some(url)) => Finding::of(
            reference
                .split(ALTERNATIVE)
                .any(|alternative| without_slashes(alternative) == without_slashes(url)),
        ),
        _ => Finding::Raises(format!("there is no url_note {rule:?}")),
    };
    Part::product(EvalType::UrlMatch, vec![Check::new(rule, reference, last_url, finding)])
}

fn without_slashes(url: &str) -> &str {
    url.trim_end_matches('/')
}

/// Some alternative's host and path occur in the URL's, and for every query name of *any* alternative one of the values
/// the alternatives give it is among the URL's.
fn reference_in(reference: &str, url: &str) -> Result<bool, UrlError> {
    let seen = Target::of(url)?;
    let alternatives: Vec<Target> = reference.split(ALTERNATIVE).map(Target::of).collect::<Result<_, _>>()?;
    let wanted: Vec<&(String, String)> =
        alternatives.iter().flat_map(|alternative| &alternative.query).collect();
    let has_base = alternatives.iter().any(|alternative| seen.base.contains(&alternative.base));
    let has_query = wanted
        .iter()
        .all(|(name, _)| wanted.iter().any(|value| value.0 == *name && seen.query.contains(value)));
    Ok(has_base && has_query)
}

/// The parts of a URL that are compared; scheme and fragment are not.
struct Target {
    base: String,
    /// Names and values; a name without a value does not count.
    query: Vec<(String, String)>,
}

impl Target {
    fn of(url: &str) -> Result<Self, UrlError> {
        let parts = urllib::split(without_slashes(url))?;
        Ok(Self {
            base: format!("{}{}", parts.authority, parts.path_and_parameters().0),
            query: urllib::form_fields(&parts.query).filter(|(_, value)| !value.is_empty()).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::recording::Page;
    use super::*;

    fn judged(reference: &str, note: Option<&str>, url: Option<&str>) -> Finding {
        let eval = OriginalEval {
            reference_url: Some(reference.to_owned()),
            url_note: note.map(str::to_owned),
            ..OriginalEval::default()
        };
        judge_last_url(&eval, &Recording { last_page: url.map(Page::at), ..Recording::default() }).finding
    }

    #[test]
    fn the_reference_occurs_in_the_url() {
        for (reference, url, met) in [
            ("http://s/a", "http://s/a", true),
            ("http://s/a/", "http://s/a", true),
            ("http://s/a", "http://s/a/b", true),
            ("http://s/a", "http://s/abc", true),
            ("http://s/a", "https://s/a", true),
            ("http://s/a", "http://elsewhere/?u=http://s/a", false),
            ("http://s/a", "http://s/", false),
            ("http://s/a?q=1", "http://s/a", false),
            ("http://s/a?q=1", "http://s/a?x=2&q=1", true),
            ("http://s/a?q=1", "http://s/a?q=2&q=1", true),
            ("http://s/a?q=1", "http://s/a?q=11", false),
            ("http://s/a?q=a%20b", "http://s/a?q=a+b", true),
            ("http://s/a?q=", "http://s/a", true),
            // The slash before a query is part of the path, so the two spellings differ.
            ("http://s/a/?q=1", "http://s/a?q=1", false),
            ("http://s/a |OR| http://s/b", "http://s/b", true),
            // Alternatives share their query: the path of one goes with a value of the other.
            ("http://s/a?q=1 |OR| http://s/b?q=2", "http://s/a?q=2", true),
            ("http://s/a |OR| http://s/b?q=2", "http://s/a", false),
            ("http://s/a", "http://s/a#top", true),
            ("http://s/a;v=1", "http://s/a;v=2", true),
            ("__MAP__/search?query=x", "__MAP__/search?query=x", true),
        ] {
            assert_eq!(judged(reference, None, Some(url)), Finding::of(met), "{reference} in {url}");
        }
    }

    #[test]
    fn notes_choose_the_rule() {
        assert_eq!(judged("http://s/a/", Some("EXACT"), Some("http://s/a")), Finding::Met);
        assert_eq!(judged("http://s/a", Some("EXACT"), Some("http://s/a/b")), Finding::Missed);
        assert!(matches!(judged("http://s/a", Some("PRED in GOLD"), Some("http://s/a")), Finding::Raises(_)));
        assert_eq!(judged("http://s/a", None, None), Finding::Undecided(Undecided::LastUrlNotRecorded));
    }

    proptest! {
        #[test]
        fn a_url_matches_itself(url in "http://[a-z]{1,5}(/[a-z0-9%+]{0,4}){0,3}(\\?[a-z]=[a-z0-9%+]{0,4}){0,1}") {
            prop_assert_eq!(judged(&url, None, Some(&url)), Finding::Met);
        }

        #[test]
        fn any_text_is_cut(url in ".*") {
            judged(&url, None, Some(&url));
        }
    }
}
