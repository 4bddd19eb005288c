use std::collections::{BTreeMap, BTreeSet};

use super::known::{AMBIGUOUS, COMMON_PARTS, CUES_AFTER, CUES_BEFORE, DISTINCT, FILLERS, QUALIFIERS};
use super::words::{Atom, Joint, atoms, joint};

/// What stands where a name was. It has no letter, so it can be part of no name.
const MARK: &str = "▮▮▮";

/// A text without names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scrubbed {
    pub text: String,
    /// Which names were hidden, in their plainest spelling, and how often.
    pub hidden: BTreeMap<String, usize>,
}

impl Scrubbed {
    pub fn hidden_in_all(&self) -> usize {
        self.hidden.values().sum()
    }
}

/// Hides names in texts.
#[derive(Clone, Debug)]
pub struct Scrubber {
    /// Names, squashed to letters and digits, with where they may be written apart: at these lengths.
    names: BTreeMap<String, Name>,
    ambiguous: BTreeSet<String>,
    longest: usize,
}

#[derive(Clone, Debug, Default)]
struct Name {
    /// Lengths in bytes at which one part ends and the next begins.
    parts: BTreeSet<usize>,
}

impl Scrubber {
    /// For an arena whose agents and models have these names, in whatever form they are configured: `reader`,
    /// `anthropic/claude-3.7-sonnet:thinking`. Their parts count as names too, unless they are ordinary words.
    pub fn new<T: AsRef<str>>(configured: &[T]) -> Self {
        let mut scrubber = Self {
            names: BTreeMap::new(),
            ambiguous: AMBIGUOUS.iter().map(|word| (*word).to_owned()).collect(),
            longest: 0,
        };
        for name in DISTINCT {
            scrubber.know(name);
        }
        for name in configured {
            let name = name.as_ref();
            scrubber.know(name);
            // `vendor/model:variant`: each of them, and each word of them, may stand alone.
            for part in name.split(['/', ':', '@']) {
                scrubber.know(part);
            }
            for part in name.split(|c: char| !c.is_alphanumeric()) {
                let ordinary = |list: &[&str]| list.contains(&part.to_lowercase().as_str());
                let letters = part.chars().filter(|c| c.is_alphabetic()).count();
                if letters >= 4 && !ordinary(COMMON_PARTS) && !ordinary(QUALIFIERS) && !ordinary(AMBIGUOUS) {
                    scrubber.know(part);
                }
            }
        }
        scrubber
    }

    /// Of these names those that stay where they are written: ordinary words, which cannot be taken out of texts that use
    /// them as such.
    pub fn cannot_hide<'n>(&self, names: &'n [String]) -> Vec<&'n str> {
        names.iter().map(String::as_str).filter(|name| self.scrub(name).hidden.is_empty()).collect()
    }

    pub(super) fn know(&mut self, name: &str) {
        let parts = atoms(name);
        let squashed: String = parts.iter().map(|atom| atom.text.as_str()).collect();
        // A single letter, a bare number or an ordinary word by itself is nobody's name.
        let is_ordinary = |list: &[&str]| list.contains(&squashed.as_str());
        if squashed.chars().count() < 2
            || parts.iter().all(|atom| atom.is_number)
            || is_ordinary(COMMON_PARTS)
            || is_ordinary(QUALIFIERS)
            || self.ambiguous.contains(&squashed)
        {
            return;
        }
        self.longest = self.longest.max(squashed.len());
        let known = self.names.entry(squashed).or_default();
        let mut length = 0;
        for atom in &parts {
            length += atom.text.len();
            known.parts.insert(length);
        }
    }

    pub fn scrub(&self, text: &str) -> Scrubbed {
        let atoms = atoms(text);
        let mut scrubbed = Scrubbed { text: String::with_capacity(text.len()), hidden: BTreeMap::new() };
        let (mut at, mut copied) = (0, 0);
        while at < atoms.len() {
            let Some((name, end)) = self.name_at(text, &atoms, at) else {
                at += 1;
                continue;
            };
            scrubbed.text.push_str(&text[copied..atoms[at].start]);
            scrubbed.text.push_str(MARK);
            copied = atoms[end - 1].end;
            *scrubbed.hidden.entry(name).or_default() += 1;
            at = end;
        }
        scrubbed.text.push_str(&text[copied..]);
        scrubbed
    }

    /// The longest name that begins at an atom, with the place after its last one.
    fn name_at(&self, text: &str, atoms: &[Atom], at: usize) -> Option<(String, usize)> {
        if !begins_word(atoms, at) {
            return None;
        }
        let mut squashed = String::new();
        let mut best = None;
        // Lengths at which the text is written apart, and how.
        let mut cuts: Vec<(usize, Joint, bool)> = Vec::new();
        for (place, atom) in atoms.iter().enumerate().skip(at) {
            if place > at {
                let between = joint(&text[atoms[place - 1].end..atom.start]);
                if between == Joint::Apart {
                    break;
                }
                cuts.push((squashed.len(), between, atom.is_capitalised && atoms[at].is_capitalised));
            }
            squashed.push_str(&atom.text);
            if squashed.len() > self.longest {
                break;
            }
            if let Some(name) = self.names.get(&squashed)
                && may_end(atoms, place)
                && cuts.iter().all(|(length, joint, capitals)| {
                    name.may_be_cut(*length, *joint, *capitals, squashed.len())
                })
            {
                best = Some((squashed.clone(), place + 1));
            }
        }
        if let Some((name, end)) = best {
            return Some((name, self.end_of_qualifiers(text, atoms, end)));
        }
        if self.is_ambiguous_at(atoms, at) {
            let end = self.end_of_qualifiers(text, atoms, at + 1);
            if end > at + 1 || is_cued(text, atoms, at) {
                return Some((atoms[at].text.clone(), end));
            }
        }
        None
    }

    fn is_ambiguous_at(&self, atoms: &[Atom], at: usize) -> bool {
        let begins = begins_word(atoms, at);
        begins && may_end(atoms, at) && self.ambiguous.contains(&atoms[at].text)
    }

    /// Takes in the version and kind that follow a name: `3.7 Sonnet`, `-2.5-pro-preview-03-25`, `4o mini`.
    fn end_of_qualifiers(&self, text: &str, atoms: &[Atom], mut end: usize) -> usize {
        let mut is_after_number = false;
        while let Some(atom) = atoms.get(end) {
            let between = joint(&text[atoms[end - 1].end..atom.start]);
            let is_word = QUALIFIERS.contains(&atom.text.as_str());
            let is_single = atom.text.len() == 1;
            let belongs = match between {
                Joint::Apart => false,
                Joint::Tight => atom.is_number || is_word,
                // At the end of a sentence a number may follow that has nothing to do with it.
                Joint::Sign => {
                    atom.is_number
                        || (is_word && ends_word(atoms, end))
                        || self.ambiguous.contains(&atom.text)
                }
                Joint::Space => {
                    let version = atom.is_number && (atom.text.len() <= 2) && !is_after_number;
                    let kind = is_word
                        && !is_single
                        && (atom.is_capitalised || is_after_number)
                        && ends_word(atoms, end);
                    version
                        || kind
                        || (is_single
                            && is_word
                            && atoms
                                .get(end + 1)
                                .is_some_and(|next| next.is_number && next.start == atom.end))
                }
            };
            if !belongs {
                break;
            }
            // The letter of `4o` belongs to the number before it.
            is_after_number = atom.is_number || (is_after_number && between == Joint::Tight);
            end += 1;
        }
        // Not in the middle of a word: `gpt-4x4` keeps its tail rather than losing half of it.
        while end < atoms.len() && !ends_word(atoms, end - 1) {
            end += 1;
        }
        end
    }
}

impl Name {
    /// Whether a name may be written apart after so many bytes. Where it has no joint of its own, as `OpenAI`, a sign will
    /// do (`open-ai`), and a space only between capitals (`Open AI`): "open AI settings" is no name.
    fn may_be_cut(&self, length: usize, joint: Joint, is_capitalised: bool, whole: usize) -> bool {
        match joint {
            Joint::Tight => true,
            // `o3` is not "o 3", and `r1` is not "r 1".
            _ if whole <= 3 => joint == Joint::Sign && self.parts.contains(&length),
            Joint::Sign => self.parts.contains(&length) || is_capitalised || whole >= 6,
            Joint::Space => self.parts.contains(&length) || is_capitalised,
            Joint::Apart => false,
        }
    }
}

fn begins_word(atoms: &[Atom], at: usize) -> bool {
    at == 0 || atoms[at - 1].end < atoms[at].start
}

fn ends_word(atoms: &[Atom], at: usize) -> bool {
    atoms.get(at + 1).is_none_or(|next| next.start > atoms[at].end)
}

/// A name also ends where a version follows at once: `gpt4`.
fn may_end(atoms: &[Atom], at: usize) -> bool {
    let versioned = |next: &Atom| next.is_number && !atoms[at].is_number;
    ends_word(atoms, at) || atoms.get(at + 1).is_some_and(versioned)
}

/// Whether something near an ambiguous word says that it is meant as a name.
fn is_cued(text: &str, atoms: &[Atom], at: usize) -> bool {
    let same_sentence = |from: usize, to: usize| !text[from..to].contains(['.', '!', '?', ';', '\n', ',']);
    let before = (0..at)
        .rev()
        .take(4)
        .take_while(|place| same_sentence(atoms[*place].end, atoms[at].start))
        .find(|place| !FILLERS.contains(&atoms[*place].text.as_str()));
    let cue = |place: usize, cues: &[&str]| cues.contains(&atoms[place].text.as_str());
    // "as a Meta employee" says who somebody works for; "as Meta" says who speaks.
    let is_modifier = atoms.get(at + 1).is_some_and(|next| {
        !next.is_capitalised
            && joint(&text[atoms[at].end..next.start]) == Joint::Space
            && !CUES_AFTER.contains(&next.text.as_str())
    });
    let speaks =
        before.is_some_and(|place| cue(place, CUES_BEFORE) && !(atoms[place].text == "as" && is_modifier));
    let followed = at + 1 < atoms.len()
        && joint(&text[atoms[at].end..atoms[at + 1].start]) != Joint::Apart
        && cue(at + 1, CUES_AFTER)
        && atoms[at].is_capitalised;
    atoms[at].is_capitalised && (speaks || followed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scrubber() -> Scrubber {
        Scrubber::new(&[
            "deepseek/deepseek-r1",
            "meta-llama/llama-4-maverick",
            "anthropic/claude-3.7-sonnet:thinking",
            "google/gemini-2.5-pro-preview-03-25",
            "openai/o4-mini",
            "o3",
            "moonshotai/kimi-k2",
            "quartz-runner",
        ])
    }

    #[test]
    fn names_that_are_ordinary_words_are_told_of() {
        let names = ["quillfish", "oracle", "my-oracle", "heuristic", "gemini", "gpt-4o"].map(str::to_owned);
        assert_eq!(Scrubber::new(&names).cannot_hide(&names), ["oracle", "heuristic", "gemini"]);
    }

    #[test]
    fn names_go_in_every_spelling() {
        let scrubber = scrubber();
        for (text, wanted) in [
            ("As Claude 3.7 Sonnet, I click.", "As ▮▮▮, I click."),
            ("claude-3.7-sonnet:thinking says", "▮▮▮ says"),
            ("CLAUDE3.7SONNET", "▮▮▮"),
            ("I'm gpt-4o mini.", "I'm ▮▮▮."),
            ("GPT 4o and gpt4 and Gpt_4.1", "▮▮▮ and ▮▮▮ and ▮▮▮"),
            ("o3 and Grok 3 and Kimi K2", "▮▮▮ and ▮▮▮ and ▮▮▮"),
            ("DeepSeek-R1 thinks", "▮▮▮ thinks"),
            ("Deep Seek and Open AI and open-ai", "▮▮▮ and ▮▮▮ and ▮▮▮"),
            ("I am Gemini, a large language model", "I am ▮▮▮, a large language model"),
            ("a model trained by Google", "a model trained by ▮▮▮"),
            ("google/gemini-2.5-pro-preview-03-25", "▮▮▮"),
            ("Llama 4 Maverick; meta-llama", "▮▮▮; ▮▮▮"),
            ("the quartz runner and QuartzRunner", "the ▮▮▮ and ▮▮▮"),
            ("Opened openai.com/pricing", "Opened ▮▮▮.com/pricing"),
            ("o4-mini", "▮▮▮"),
            ("(Claude)'s", "(▮▮▮)'s"),
        ] {
            assert_eq!(scrubber.scrub(text).text, wanted, "{text}");
        }
    }

    #[test]
    fn other_words_stay_as_they_are() {
        let scrubber = scrubber();
        for text in [
            "Extracted page metadata and metal prices",
            "Llama farm tours in Wales",
            "Flights to Palm Beach",
            "as a Meta employee",
            "Sonnet by Shakespeare",
            "open AI settings from the menu",
            "Go to google.com and search",
            "step 3 of 4; o 3; R 1",
            "the agent clicks; this model of lamp",
            "Claudette, declaude and gpts2x are words",
            "mini flash pro max plus",
            "reads the thinking of others",
        ] {
            let shown = scrubber.scrub(text);
            assert_eq!((shown.text.as_str(), shown.hidden_in_all()), (text, 0), "{:?}", shown.hidden);
        }
    }

    #[test]
    fn what_was_hidden_is_counted() {
        let scrubbed = scrubber().scrub("Claude 3.7 Sonnet and claude and Kimi");
        assert_eq!(
            scrubbed.hidden,
            [("claude37sonnet".to_owned(), 1), ("claude".to_owned(), 1), ("kimi".to_owned(), 1)].into()
        );
    }

    fn spelled(name: &'static str) -> impl Strategy<Value = String> {
        let parts: Vec<&str> = name.split(['-', '.', '/', ':']).collect();
        let count = parts.len();
        (proptest::collection::vec(0..5_usize, count), proptest::collection::vec(0..3_usize, count)).prop_map(
            move |(joints, cases)| {
                let mut out = String::new();
                for (at, part) in parts.iter().enumerate() {
                    if at > 0 {
                        out.push_str(["-", "_", " ", ".", ""][joints[at]]);
                    }
                    out.push_str(&match cases[at] {
                        0 => part.to_lowercase(),
                        1 => part.to_uppercase(),
                        _ => part[..1].to_uppercase() + &part[1..],
                    });
                }
                out
            },
        )
    }

    proptest! {
        #[test]
        fn a_configured_name_never_survives(
            name in prop_oneof![spelled("claude-3.7-sonnet"), spelled("quartz-runner"), spelled("deepseek-r1"), spelled("kimi-k2")],
            before in "([a-z]{1,6}[ ,(]{1,2}){0,3}", after in "([ ,.)]{1,2}[a-z]{1,6}){0,3}",
        ) {
            let text = format!("{before}{name}{after}");
            let scrubbed = scrubber().scrub(&text);
            prop_assert!(scrubbed.hidden_in_all() >= 1, "{text} -> {}", scrubbed.text);
            let squashed: String = scrubbed.text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
            for part in ["claude", "quartzrunner", "deepseek", "kimi"] {
                prop_assert!(!squashed.contains(part) || before.contains(part), "{text} -> {}", scrubbed.text);
            }
        }

        #[test]
        fn texts_without_names_are_untouched(text in "([bcdfhjkmnpqrstvwxz]{2,9}[ .,;:!?\n-]{1,2}){0,12}") {
            prop_assert_eq!(scrubber().scrub(&text).text, text);
        }

        #[test]
        fn anything_goes_in_and_a_second_time_changes_nothing(text in "(\\PC|claude|gpt|4o|Meta|[ -]){0,40}") {
            let once = scrubber().scrub(&text);
            let twice = scrubber().scrub(&once.text);
            prop_assert_eq!(&twice.text, &once.text);
            prop_assert_eq!(twice.hidden_in_all(), 0);
            let kept: String = once.text.replace(MARK, "");
            prop_assert!(kept.len() <= text.len());
        }
    }
}
