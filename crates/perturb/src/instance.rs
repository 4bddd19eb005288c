//! A task under a perturbation that changes what its pages say: what is asked for and what is expected change with them.

use serde_json::Value;
use umpire_model::{Action, Check, Instance, PerturbationKind};

use super::currency::relabelled;

/// The instance as it must be put where its pages name another currency: its intent, what its reference types and
/// answers, and what its checks expect of an answer or of a text that was typed.
#[must_use]
pub fn in_its_words(mut instance: Instance) -> Instance {
    let is_elsewhere = |by: &umpire_model::Perturbed| by.by.has(PerturbationKind::Locale);
    if !instance.perturbation.as_ref().is_some_and(is_elsewhere) {
        return instance;
    }
    relabel(&mut instance.intent);
    let mut typed = Vec::new();
    for action in &mut instance.reference {
        if let Action::Type(_, text) | Action::Answer(text) = action
            && let Some(other) = relabelled(text)
        {
            typed.push((std::mem::replace(text, other.clone()), other));
        }
    }
    for check in &mut instance.checks {
        *check = checked_in_its_words(check.clone(), &typed);
    }
    for preference in instance.persona.iter_mut().flat_map(|persona| &mut persona.preferences) {
        relabel(&mut preference.value);
        preference.text.iter_mut().for_each(relabel);
    }
    instance
}

fn relabel(text: &mut String) {
    if let Some(other) = relabelled(text) {
        *text = other;
    }
}

/// What a site holds by itself is in its own currency; only what came from outside is in the other.
fn checked_in_its_words(check: Check, typed: &[(String, String)]) -> Check {
    match check {
        Check::Response(mut response) => {
            let answers = response.results.iter_mut().flatten();
            answers.for_each(|answer| each_text(answer, &mut relabel));
            Check::Response(response)
        }
        other if typed.is_empty() => other,
        other => {
            let Ok(mut told) = serde_json::to_value(&other) else { return other };
            each_text(&mut told, &mut |text| {
                if let Some((_, other)) = typed.iter().find(|(plain, _)| plain == text) {
                    text.clone_from(other);
                }
            });
            // Only texts that may be any text have changed.
            serde_json::from_value(told).unwrap_or(other)
        }
    }
}

fn each_text(value: &mut Value, change: &mut impl FnMut(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each_text(item, change)),
        Value::Object(fields) => fields.values_mut().for_each(|field| each_text(field, change)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use umpire_model::{Perturbation, Task};

    use super::*;

    fn instance(by: &str) -> Instance {
        let typed = "It costs $105.99.";
        let task: Task = serde_json::from_value(json!({
            "id": "t", "template": "t", "kind": "retrieve", "sites": ["shop"], "start_urls": ["http://shop.localhost/"],
            "category": "c", "difficulty": "easy",
            "intent": "Find what is cheaper than $150 on March 3, 2026 and write its price, dollar sign included.",
            "reference": [format!("type textbox \"Message\" \"{typed}\""), "click link \"Buy for $5\"",
                "answer \"{\\\"results\\\":[\\\"$76.78\\\", 1234.5]}\""],
            "checks": [
                {"type": "response", "status": "SUCCESS", "results": ["$76.78", ["$5", 5]], "schema": {"type": "string", "format": "currency"}},
                {"type": "state", "site": "forum", "path": "/a", "expect": {"contains": {"body": typed}}},
                {"type": "state", "site": "forum", "path": "/b", "expect": {"contains": {"body": "An old post about $20"}}},
            ],
        }))
        .expect("a task");
        let by: Perturbation = by.parse().expect("a perturbation");
        in_its_words(Instance::of(&task)[0].perturbed(&by, 1))
    }

    #[test]
    fn a_task_speaks_of_the_currency_that_its_pages_show() {
        let told = serde_json::to_value(instance("locale")).expect("JSON");
        assert_eq!(
            told["intent"],
            "Find what is cheaper than 150 € on March 3, 2026 and write its price, euro sign included."
        );
        assert_eq!(told["reference"][0], "type textbox \"Message\" \"It costs 105,99 €.\"");
        // What a control is called is looked up on the page, whatever is done to that.
        assert_eq!(told["reference"][1], "click link \"Buy for $5\"");
        assert!(
            told["reference"][2]
                .as_str()
                .is_some_and(|answer| answer.contains("76,78 €") && answer.contains("1234.5"))
        );
        assert_eq!(told["checks"][0]["results"], json!(["76,78 €", ["5 €", 5]]));
        assert_eq!(told["checks"][1]["expect"]["contains"]["body"], "It costs 105,99 €.");
        assert_eq!(told["checks"][2]["expect"]["contains"]["body"], "An old post about $20");
    }

    #[test]
    fn other_perturbations_change_no_word_of_it() {
        let (plain, dark) = (instance("mobile"), instance("dark"));
        assert_eq!((plain.intent, plain.checks, plain.reference), (dark.intent, dark.checks, dark.reference));
        assert!(instance("dark+locale").intent.contains("150 €"));
        assert!(instance("dark").intent.contains("$150"));
    }
}
