//! Other words on controls. What is data stays: a link or a field changes only if the whole of its words is in the table,
//! a button also if its first word is a verb of the table.

use umpire_model::Random;

use super::page::{Edits, Kind, Piece, elements, pieces};
use super::words::{PHRASES, VERBS};

/// Which synonym stands for which word in one attempt.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    seed: u64,
}

/// Controls whose words are never somebody's data.
const BUTTON_ROLES: [&str; 2] = ["button", "searchbox"];

impl Words {
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// What a control of this role and name is called instead; none if it keeps its name.
    pub fn other_name(self, role: &str, name: &str) -> Option<String> {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if BUTTON_ROLES.contains(&role) { self.of_button(&name) } else { self.of_phrase(&name) }
    }

    fn of_phrase(self, text: &str) -> Option<String> {
        let (phrase, synonyms) = PHRASES.iter().find(|(phrase, _)| *phrase == text)?;
        self.choose(phrase, synonyms).map(str::to_owned)
    }

    fn of_button(self, text: &str) -> Option<String> {
        if let Some(other) = self.of_phrase(text) {
            return Some(other);
        }
        let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
        let (verb, synonyms) = VERBS.iter().find(|(verb, _)| *verb == first)?;
        let other = self.choose(verb, synonyms)?;
        Some(if rest.is_empty() { other.to_owned() } else { format!("{other} {rest}") })
    }

    fn choose(self, word: &str, synonyms: &[&'static str]) -> Option<&'static str> {
        Random::stream(self.seed, word).pick(synonyms).copied()
    }

    /// Rewrites a page; the number says how many words were changed.
    pub fn rewrite(self, page: &str) -> (String, u32) {
        let pieces = pieces(page);
        let mut edits = Edits::default();
        for element in elements(&pieces) {
            let tag = pieces[element.tag];
            let Some(control) = Control::of(&tag) else { continue };
            for attribute in ["aria-label", "placeholder"] {
                self.edit_attribute(&tag, attribute, control, &mut edits);
            }
            match control {
                // The value of a named button is posted.
                Control::Submit if tag.value("name").is_none() => {
                    self.edit_attribute(&tag, "value", control, &mut edits);
                }
                Control::Submit | Control::Field => {}
                Control::Button | Control::Link | Control::Label => {
                    let inside =
                        pieces[element.tag..].iter().take_while(|piece| piece.at < element.range.end);
                    let words: Vec<&Piece<'_>> =
                        inside.filter(|p| p.kind == Kind::Text && !p.text.trim().is_empty()).collect();
                    // The words of a link are its whole content, or they are part of something longer.
                    if let Some(first) =
                        words.first().filter(|_| control != Control::Link || words.len() == 1)
                    {
                        let trimmed = first.text.trim();
                        if let Some(other) = self.in_place(control, trimmed) {
                            let from = first.at + (first.text.len() - first.text.trim_start().len());
                            edits.replace(from..from + trimmed.len(), other);
                        }
                    }
                }
            }
        }
        let count = edits.count();
        (edits.apply(page), count)
    }

    fn edit_attribute(self, tag: &Piece<'_>, name: &str, control: Control, edits: &mut Edits) {
        if let (Some(range), Some(text)) = (tag.attribute(name), tag.value(name))
            && let Some(other) = self.in_place(control, text)
        {
            edits.replace(range, other);
        }
    }

    fn in_place(self, control: Control, text: &str) -> Option<String> {
        match control {
            Control::Button | Control::Submit => self.of_button(text),
            // `Search the shop` on a field is an invitation, not data.
            Control::Field if text.starts_with("Search") => self.of_button(text),
            Control::Link | Control::Label | Control::Field => self.of_phrase(text),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Control {
    Button,
    Submit,
    Link,
    Label,
    Field,
}

impl Control {
    fn of(tag: &Piece<'_>) -> Option<Self> {
        let is_button = matches!(tag.value("role"), Some("button"));
        Some(match tag.name() {
            _ if is_button => Self::Button,
            "button" | "summary" => Self::Button,
            "a" => Self::Link,
            "label" => Self::Label,
            "input" if matches!(tag.value("type"), Some("submit" | "button")) => Self::Submit,
            "input" | "select" | "textarea" => Self::Field,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_change_and_data_stays() {
        let words = Words::new(3);
        let save = words.other_name("button", "Save").expect("in the table");
        let settings = words.other_name("link", "Settings").expect("in the table");
        let search = words.other_name("searchbox", "Search Keelson").expect("a verb of the table");
        assert!(search.ends_with(" Keelson"), "{search}");
        for (page, expected) in [
            ("<button>Save changes</button>".to_owned(), format!("<button>{save} changes</button>")),
            (
                "<button> <svg></svg> Save\n</button>".to_owned(),
                format!("<button> <svg></svg> {save}\n</button>"),
            ),
            ("<a href=/s>Settings</a>".to_owned(), format!("<a href=/s>{settings}</a>")),
            (
                "<label>Settings <input name=s></label>".to_owned(),
                format!("<label>{settings} <input name=s></label>"),
            ),
            (
                "<input type=search aria-label=\"Search Keelson\" name=q value=Save>".to_owned(),
                format!("<input type=search aria-label=\"{search}\" name=q value=Save>"),
            ),
            ("<input type=submit value=Save>".to_owned(), format!("<input type=submit value={save}>")),
        ] {
            assert_eq!(words.rewrite(&page), (expected, 1), "{page}");
        }
        for kept in [
            "<a href=/b>Save the Seals</a>",
            "<a><b>Settings</b> 12</a>",
            "<p>Save</p><td>Settings</td>",
            "<input type=submit name=go value=Save>",
            "<select name=a><option>Save</option></select>",
            "<script>const a = '<button>Save</button>'</script>",
            "<textarea><button>Save</button></textarea>",
        ] {
            assert_eq!(words.rewrite(kept), (kept.to_owned(), 0));
        }
    }

    #[test]
    fn a_seed_keeps_its_words_and_others_choose_differently() {
        let names = |seed| {
            let all = VERBS.iter().filter_map(|(verb, _)| Words::new(seed).other_name("button", verb));
            all.collect::<Vec<_>>()
        };
        assert_eq!(names(1), names(1));
        assert_ne!(names(1), names(2));
    }
}
