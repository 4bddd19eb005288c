//! When two wordings are the same, and how alike they are if they are not.
//!
//! "The same" is strict on purpose: `Sign out Hotel TV 412` and `Sign out Hotel TV 413` share nearly all their words and
//! are two buttons. Beyond equality only three things count: a text that was cut when it was recorded, a value or a count
//! behind a label, and, on a control, a label that says the opposite because the control was turned.

use std::collections::HashSet;

use umpire_browser::observe::inventory::LONGEST_WORDS;

/// How alike two wordings are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likeness {
    /// From 0 to 1.
    pub score: f64,
    /// They say the same thing of the same element.
    pub same: bool,
}

impl Likeness {
    pub const NONE: Self = Self { score: 0.0, same: false };
    const EQUAL: Self = Self { score: 1.0, same: true };
    /// Equal but for a value or count.
    const OTHER_VALUE: Self = Self { score: 0.85, same: true };
    /// Equal but for a word that turns with the state.
    const TURNED: Self = Self { score: 0.7, same: true };

    pub fn better(self, other: Self) -> Self {
        if (other.same, other.score) > (self.same, self.score) { other } else { self }
    }
}

/// Words of which a control wears one or the other, depending on how it stands.
const TURNS: [&[&str]; 24] = [
    &["on", "off"],
    &["enable", "disable"],
    &["enabled", "disabled"],
    &["activate", "deactivate"],
    &["activated", "deactivated"],
    &["active", "inactive"],
    &["show", "hide"],
    &["shown", "hidden", "visible"],
    &["allow", "limit", "block", "deny"],
    &["allowed", "limited", "blocked", "denied"],
    &["mute", "unmute"],
    &["muted", "unmuted"],
    &["follow", "unfollow", "following"],
    &["subscribe", "unsubscribe", "subscribed"],
    &["pin", "unpin"],
    &["lock", "unlock"],
    &["more", "fewer", "less"],
    &["get", "see"],
    &["yes", "no"],
    &["in", "out"],
    &["public", "private"],
    &["checked", "unchecked"],
    &["start", "stop"],
    &["pause", "resume"],
];

/// Lower case, punctuation dropped.
pub fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// How alike a recorded wording and one on the page are. Only what holds a state may have turned.
pub fn likeness(recorded: &str, found: &str, may_have_turned: bool) -> Likeness {
    let (was, is) = (words(recorded), words(found));
    if was.is_empty() || is.is_empty() {
        // Signs alone, such as `×`, are compared as they are.
        let equal = !recorded.trim().is_empty() && recorded.trim() == found.trim();
        return if equal { Likeness::EQUAL } else { Likeness::NONE };
    }
    if was == is || is_cut(recorded, found) || is_cut(found, recorded) {
        return Likeness::EQUAL;
    }
    if without_count(recorded) == without_count(found) || label_before_value(recorded, found) {
        return Likeness::OTHER_VALUE;
    }
    if may_have_turned
        && was.len() == is.len()
        && was.iter().zip(&is).all(|(a, b)| a == b || turns_into(a, b))
    {
        return Likeness::TURNED;
    }
    Likeness { score: 0.6 * shared(&was, &is), same: false }
}

fn turns_into(a: &str, b: &str) -> bool {
    TURNS.iter().any(|turn| turn.contains(&a) && turn.contains(&b))
}

/// One is the beginning of the other, as long as is ever kept.
fn is_cut(short: &str, long: &str) -> bool {
    const NEARLY_ALL: usize = LONGEST_WORDS / 2;
    short.chars().count() >= NEARLY_ALL && long.starts_with(short)
}

/// Without counts in brackets at the end: `Inbox (3)`.
fn without_count(text: &str) -> Vec<String> {
    let trimmed = text.trim_end();
    let inside = trimmed.strip_suffix(')').and_then(|text| text.rsplit_once('('));
    match inside {
        Some((label, count))
            if !count.is_empty() && count.chars().all(|c| c.is_ascii_digit() || c == '+') =>
        {
            words(label)
        }
        _ => words(text),
    }
}

/// `Text size: Normal` and `Text size: Large`.
fn label_before_value(recorded: &str, found: &str) -> bool {
    let label = |text: &str| {
        let (label, value) = text.rsplit_once(": ")?;
        let label = words(label);
        (!value.trim().is_empty() && label.concat().len() >= 4).then_some(label)
    };
    label(recorded).is_some_and(|was| label(found) == Some(was))
}

/// The share of words that both have, from 0 to 1.
fn shared(was: &[String], is: &[String]) -> f64 {
    let (was, is): (HashSet<&String>, HashSet<&String>) = (was.iter().collect(), is.iter().collect());
    2.0 * was.intersection(&is).count() as f64 / (was.len() + is.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_as_the_same_words() {
        for (recorded, found, on_control, same) in [
            ("Save", "Save", false, true),
            ("  Save   changes ", "save changes", false, true),
            ("Inbox (3)", "Inbox (12)", false, true),
            ("Text size: Normal", "Text size: Very large", false, true),
            ("Disable data training", "Enable data training", true, true),
            ("Get more ads about: cars", "See fewer ads about: cars", true, true),
            ("Turn off", "Turn on", true, true),
            // A button that leads somewhere has not turned: it is another one.
            ("Disable data training", "Enable data training", false, false),
            ("Sign out Hotel TV 412", "Sign out Hotel TV 413", true, false),
            ("Page 2", "Page 3", false, false),
            ("Accept all", "Reject all", true, false),
            ("Log out laptop in Cardiff", "Log out laptop in Bristol", true, false),
            ("×", "×", false, true),
            ("×", "+", false, false),
            ("", "", false, false),
        ] {
            assert_eq!(likeness(recorded, found, on_control).same, same, "{recorded:?} {found:?}");
        }
    }

    #[test]
    fn a_text_that_was_cut_is_the_same_text() {
        let long = "word ".repeat(60);
        let cut: String = long.chars().take(150).collect();
        assert!(likeness(&cut, &long, false).same);
        assert!(!likeness("word", &long, false).same);
    }

    proptest::proptest! {
        #[test]
        fn every_text_is_like_itself_and_likeness_stays_in_bounds(a in "\\PC{0,40}", b in "\\PC{0,40}", turned: bool) {
            let own = likeness(&a, &a, turned);
            proptest::prop_assert!(a.trim().is_empty() || own == Likeness::EQUAL);
            proptest::prop_assert!((0.0..=1.0).contains(&likeness(&a, &b, turned).score));
        }
    }
}
