use serde::{Deserialize, Serialize};

/// Whose wish a task is, and what an agent must know of this person where the intent does not say it. A history is
/// generated from these facts; agents are never shown them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Persona {
    pub id: String,
    /// Where this person does such things.
    pub website: Website,
    pub preferences: Vec<Preference>,
    /// Home, for wishes whose fulfilment depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Website {
    /// As people call it, and as a level-0 intent does.
    pub name: String,
    pub host: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preference {
    /// The attribute it is about: `brand`, `insurance`.
    pub key: String,
    /// What is preferred, as the website writes it.
    pub value: String,
    /// The words for it in the intents of levels 0 and 1; `value` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Preference {
    pub fn words(&self) -> &str {
        self.text.as_deref().unwrap_or(&self.value)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Location {
    pub address: String,
    pub city: String,
}

/// The number of intents below level 0.
const VAGUER: usize = 2;

/// Says what is wrong with the levels of a task: each must say what belongs to it, and not betray what it hides.
pub(crate) fn check_levels(intent: &str, levels: &[String], persona: Option<&Persona>) -> Result<(), String> {
    let Some(persona) = persona else {
        return if levels.is_empty() { Ok(()) } else { Err("`levels` need a `persona`".to_owned()) };
    };
    let [unnamed, vague] = levels else {
        let found = levels.len();
        return Err(format!("a task with a `persona` has {VAGUER} `levels` below its intent, not {found}"));
    };
    if persona.preferences.is_empty() {
        return Err("the persona has no preferences".to_owned());
    }
    let texts = [intent, unnamed.as_str(), vague.as_str()];
    says_up_to(0, &texts, &persona.website.name)?;
    for preference in &persona.preferences {
        says_up_to(1, &texts, preference.words())?;
    }
    if let Some(location) = &persona.location {
        says_up_to(0, &texts, &location.address)?;
        says_up_to(0, &texts, &location.city)?;
    }
    Ok(())
}

/// `words` stand in the intents up to `last`, and in none after it.
fn says_up_to(last: usize, texts: &[&str; VAGUER + 1], words: &str) -> Result<(), String> {
    let wanted = words.to_lowercase();
    for (level, text) in texts.iter().enumerate() {
        match (text.to_lowercase().contains(&wanted), level <= last) {
            (false, true) => return Err(format!("level {level} does not say `{words}`")),
            (true, false) => return Err(format!("level {level} gives `{words}` away")),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn persona() -> Persona {
        serde_json::from_value(serde_json::json!({
            "id": "ida-holm",
            "website": {"name": "Basketway", "host": "basketway.localhost"},
            "preferences": [
                {"key": "brand", "value": "Hollow Farm"},
                {"key": "rating", "value": "4.5", "text": "4.5 stars or better"}
            ],
            "location": {"address": "12 Alder Street", "city": "Portmere"}
        }))
        .expect("a persona")
    }

    const CLEAR: &str =
        "At Basketway, get milk from Hollow Farm with 4.5 stars or better to 12 Alder Street, Portmere.";
    const UNNAMED: &str = "Get milk from Hollow Farm with 4.5 stars or better.";
    const VAGUE: &str = "Get the milk I like.";

    #[test]
    fn each_level_says_what_belongs_to_it_and_no_more() {
        let persona = persona();
        for (intent, levels, problem) in [
            (CLEAR, vec![UNNAMED, VAGUE], None),
            (CLEAR, vec![UNNAMED], Some("has 2 `levels` below its intent, not 1")),
            (UNNAMED, vec![UNNAMED, VAGUE], Some("level 0 does not say `Basketway`")),
            (CLEAR, vec![VAGUE, VAGUE], Some("level 1 does not say `Hollow Farm`")),
            (CLEAR, vec![CLEAR, VAGUE], Some("level 1 gives `Basketway` away")),
            (CLEAR, vec![UNNAMED, UNNAMED], Some("level 2 gives `Hollow Farm` away")),
            (CLEAR, vec![UNNAMED, "Get milk to Portmere."], Some("level 2 gives `Portmere` away")),
        ] {
            let levels: Vec<String> = levels.into_iter().map(str::to_owned).collect();
            let found = check_levels(intent, &levels, Some(&persona));
            match problem {
                None => assert_eq!(found, Ok(())),
                Some(problem) => assert!(found.clone().is_err_and(|e| e.contains(problem)), "{found:?}"),
            }
        }
        assert!(check_levels(CLEAR, &[VAGUE.to_owned()], None).is_err());
        assert!(check_levels(CLEAR, &[], None).is_ok());
    }
}
