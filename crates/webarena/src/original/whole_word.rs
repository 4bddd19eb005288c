//! When a single character is a word of its own.
//!
//! The original splits the answer into words with a Treebank tokenizer and looks the character up among them. Only the
//! places next to the character matter for that, so they are all that is looked at here. The tokenizer first splits
//! sentences with a trained model, which decides whether a full stop after the character is split off; those cases are
//! told apart instead of guessed.

/// How a character occurs in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    Alone,
    NotAlone,
    /// It is alone if a sentence ends right after it.
    AtPossibleSentenceEnd,
    /// The character is punctuation whose own splitting depends on more than its neighbours.
    NotModelled,
}

/// Split off wherever they occur.
const ALWAYS_APART: &str = ";@#$%&?!*()[]{}<>\"`«»“”„‘’";
const DEPENDS_ON_CONTEXT: &str = ".,:'-";
/// What may stand between a sentence's full stop and its end.
const CLOSERS: &str = "])}>\"'»”’ ";

/// How `character` stands in the cleaned answer `text`.
pub(super) fn standing(character: char, text: &str) -> Standing {
    let characters: Vec<char> = text.chars().collect();
    let mut places = (0..characters.len()).filter(|&place| characters[place] == character).peekable();
    if places.peek().is_none() {
        return Standing::NotAlone;
    }
    if ALWAYS_APART.contains(character) && character != '"' {
        return Standing::Alone;
    }
    if DEPENDS_ON_CONTEXT.contains(character) || character == '"' {
        return Standing::NotModelled;
    }
    let mut best = Standing::NotAlone;
    for place in places {
        if !is_cut_before(&characters, place) {
            continue;
        }
        match cut_at(&characters, place + 1, ShortForm::MayFollow) {
            Cut::Certain => return Standing::Alone,
            Cut::AtSentenceEnd => best = Standing::AtPossibleSentenceEnd,
            Cut::None => {}
        }
    }
    best
}

enum Cut {
    Certain,
    AtSentenceEnd,
    None,
}

fn is_cut_before(text: &[char], place: usize) -> bool {
    let Some(before) = place.checked_sub(1) else { return true };
    match text[before] {
        space if space.is_whitespace() => true,
        mark if ALWAYS_APART.contains(mark) => true,
        ',' | ':' => is_separating_mark(text, before),
        '.' | '-' => run_length_before(text, before) >= 2 && is_cut_by_run(text, before),
        '\'' => {
            let doubled = before > 0 && text[before - 1] == '\'';
            // An opening apostrophe leaves a lone character alone unless it may be the short form of a verb.
            let opens = before == 0 || !is_word_character(text.get(before - 1));
            let is_lone_word = is_word_character(text.get(place)) && !is_word_character(text.get(place + 1));
            doubled || (opens && is_lone_word && !"mtsdn".contains(text[place]))
        }
        _ => false,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum ShortForm {
    MayFollow,
    Taken,
}

/// Whether the word before `end` is cut off there, if need be with a short form of a verb between it and the cut.
fn cut_at(text: &[char], end: usize, short_form: ShortForm) -> Cut {
    let rest = &text[end..];
    match rest {
        _ if ends_word(rest) => Cut::Certain,
        [',' | ':', ..] if is_separating_mark(text, end) => Cut::Certain,
        ['.', after @ ..] => {
            let closed = after.iter().position(|next| !CLOSERS.contains(*next)).unwrap_or(after.len());
            match &after[closed..] {
                [] => Cut::Certain,
                remainder if remainder.iter().all(|next| next.is_whitespace()) => Cut::Certain,
                _ if after.first().is_some_and(|next| next.is_whitespace() || CLOSERS.contains(*next)) => {
                    Cut::AtSentenceEnd
                }
                _ => Cut::None,
            }
        }
        _ if short_form == ShortForm::Taken => Cut::None,
        _ => {
            let lengths = SHORT_FORMS.iter().filter(|form| starts_with(rest, form)).map(|form| form.len());
            let cuts = lengths.map(|length| cut_at(text, end + length, ShortForm::Taken));
            cuts.fold(Cut::None, |best, cut| if matches!(best, Cut::None) { cut } else { best })
        }
    }
}

/// A comma or colon parts words unless a digit follows; the mark after a mark is taken along with the first.
fn is_separating_mark(text: &[char], place: usize) -> bool {
    let run = text[..place].iter().rev().take_while(|mark| matches!(mark, ',' | ':')).count();
    if run % 2 == 1 && text.get(place + 1).is_some() {
        return false;
    }
    text.get(place + 1).is_none_or(|next| !next.is_numeric())
}

fn run_length_before(text: &[char], place: usize) -> usize {
    text[..=place].iter().rev().take_while(|mark| **mark == text[place]).count()
}

/// Dots are cut as one run; dashes in pairs, so that the third of three sticks to what follows.
fn is_cut_by_run(text: &[char], place: usize) -> bool {
    text[place] == '.' || run_length_before(text, place).is_multiple_of(2)
}

fn is_word_character(character: Option<&char>) -> bool {
    character.is_some_and(|character| character.is_alphanumeric() || *character == '_')
}

/// What is split from the end of a word.
const SHORT_FORMS: [&str; 8] = ["'", "'s", "'m", "'d", "'ll", "'re", "'ve", "n't"];

/// Whether a word ends where this text begins, whatever the word is.
fn ends_word(rest: &[char]) -> bool {
    match rest {
        [] | ['.', '.', ..] | ['-', '-', ..] | ['\'', '\'', ..] => true,
        [next, ..] => next.is_whitespace() || ALWAYS_APART.contains(*next),
    }
}

fn starts_with(text: &[char], beginning: &str) -> bool {
    text.iter().copied().take(beginning.len()).eq(beginning.chars())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_decide() {
        for (text, expected) in [
            ("2", Standing::Alone),
            ("there are 2.", Standing::Alone),
            ("\"it is 2.\"", Standing::Alone),
            ("(2)", Standing::Alone),
            ("$2", Standing::Alone),
            ("2%", Standing::Alone),
            ("2, 3", Standing::Alone),
            ("2,a", Standing::Alone),
            ("2:", Standing::Alone),
            ("--2--", Standing::Alone),
            ("2...3", Standing::Alone),
            ("'2'", Standing::Alone),
            ("2's", Standing::Alone),
            ("2's, 2n't.", Standing::Alone),
            ("2;3", Standing::Alone),
            ("12", Standing::NotAlone),
            ("2,000", Standing::NotAlone),
            ("3/2", Standing::NotAlone),
            ("a-2", Standing::NotAlone),
            ("2:30", Standing::NotAlone),
            ("x:2", Standing::NotAlone),
            (",,2", Standing::NotAlone),
            ("2.5", Standing::NotAlone),
            ("2=3", Standing::NotAlone),
            ("3'2", Standing::NotAlone),
            ("---2", Standing::NotAlone),
            ("", Standing::NotAlone),
            ("it is 2. that is all", Standing::AtPossibleSentenceEnd),
            ("it is 2. that is all: 2", Standing::Alone),
        ] {
            assert_eq!(standing('2', text), expected, "{text:?}");
        }
    }

    #[test]
    fn marks_stand_alone_or_are_left_open() {
        assert_eq!(standing('$', "a$b"), Standing::Alone);
        assert_eq!(standing(',', "a,b"), Standing::NotModelled);
        assert_eq!(standing('s', "it's"), Standing::NotAlone);
    }
}
