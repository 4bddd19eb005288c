//! Names of places: `Carnegie Mellon University`, `Boston Logan Int'l Airport`.
//!
//! Two names are the same if they have the same words in the same order, accents, case, punctuation, usual
//! abbreviations and an article in front aside. There is no measure of likeness: a name that differs in one word, or in
//! the order of its words, is another place (Washington University is not the University of Washington). Other names of
//! one place are for the task to list.

use serde_json::Value;

use super::place_words;

pub(super) fn read(value: &Value) -> Option<String> {
    let mut words = place_words::read(value.as_str()?)?;
    // `Oaklander Hotel, The`
    if words.len() > 1 && words.last().is_some_and(|word| word == "the") {
        words.pop();
    }
    if words.len() > 1 && words[0] == "the" {
        words.remove(0);
    }
    Some(words.join(" "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn names_of_one_place() {
        for (a, b) in [
            ("Carnegie Mellon University", "carnegie mellon univ."),
            ("The Oaklander Hotel", "Oaklander Hotel"),
            ("The Oaklander Hotel", "Oaklander Hotel, The"),
            ("Boston Logan International Airport", "Boston Logan Int'l Airport"),
            ("De Fer Coffee & Tea", "De Fer Coffee and Tea"),
            ("Café du Monde", "Cafe du Monde"),
            ("Mount Rainier", "Mt. Rainier"),
            ("Starbucks on Craig Street", "starbucks on craig st"),
            ("東京タワー", "東京タワー"),
            ("The", "the"),
        ] {
            assert!(read(&json!(a)).is_some());
            assert_eq!(read(&json!(a)), read(&json!(b)), "{a} and {b}");
        }
    }

    #[test]
    fn names_of_two() {
        for (a, b) in [
            ("Harvard University", "Howard University"),
            ("Holiday Inn Pittsburgh East", "Holiday Inn Pittsburgh West"),
            ("Carnegie Mellon University", "Carnegie University"),
            ("Carnegie Mellon University", "Carnegie Mellon University Library"),
            ("Washington University", "University of Washington"),
            ("Yale University", "University Yale"),
            ("Terminal 1", "Terminal 2"),
        ] {
            assert_ne!(read(&json!(a)), read(&json!(b)), "{a} and {b}");
        }
    }

    #[test]
    fn what_is_no_name() {
        for value in [json!(""), json!("!!!"), json!("???"), json!(null), json!(5), json!(["Grano"])] {
            assert_eq!(read(&value), None, "{value}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_it_and_reading_twice_changes_nothing(text in any::<String>()) {
            if let Some(name) = read(&json!(text)) && name.len() < 900 {
                // Taking off an article can bring another to the front.
                if !name.starts_with("the") && !name.ends_with("the") {
                    prop_assert_eq!(read(&json!(name)), Some(name));
                }
            }
        }
    }
}
