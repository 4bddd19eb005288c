//! Appearance: a page made of web components; everything on it lives in shadow roots.

use http::StatusCode;
use maud::html;
use serde_json::{Value, json};

use super::layout::page;
use crate::hub::state::Appearance;
use crate::hub::{Hub, View};
use crate::{Request, Response};

const TEXT_SIZES: std::ops::RangeInclusive<u64> = 80..=160;
const TEXT_SIZE_STEP: u64 = 10;

pub(in crate::hub) fn show(view: &View<'_>) -> Response {
    let content = html! {
        p.lead { "How Orrery looks on all your devices. Changes are saved at once." }
        orrery-appearance src="/api/appearance" {}
        noscript { p.problem { "This page needs JavaScript." } }
        script src="/assets/appearance.js" defer {}
    };
    page(view, "Appearance", &content)
}

pub(in crate::hub) fn json(view: &View<'_>) -> Response {
    Response::json(&values(&view.state.appearance))
}

/// `{"name": …, "value": …}`
pub(in crate::hub) fn save(hub: &mut Hub, request: &Request) -> Response {
    let changed = request.json.as_ref().and_then(|json| {
        let name = json.get("name")?.as_str()?;
        with_change(&hub.state.appearance, name, json.get("value")?)
    });
    match changed {
        Some(appearance) => {
            hub.state.appearance = appearance;
            Response::json(&values(&hub.state.appearance))
        }
        None => Response::json(&json!({"error": "no such choice"})).status(StatusCode::UNPROCESSABLE_ENTITY),
    }
}

fn values(appearance: &Appearance) -> Value {
    serde_json::to_value(appearance).unwrap_or_default()
}

/// The appearance with one value replaced, if it has such a value and it fits.
fn with_change(appearance: &Appearance, name: &str, value: &Value) -> Option<Appearance> {
    let mut all = values(appearance);
    *all.get_mut(name)? = value.clone();
    let changed: Appearance = serde_json::from_value(all).ok()?;
    let size = u64::from(changed.text_size);
    (TEXT_SIZES.contains(&size) && size.is_multiple_of(TEXT_SIZE_STEP)).then_some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::data::Account;

    #[test]
    fn only_offered_values_are_taken() {
        let appearance = &Account::of_seed(1).initial.appearance;
        for (name, value, fits) in [
            ("theme", json!("dark"), true),
            ("theme", json!("neon"), false),
            ("text_size", json!(120), true),
            ("text_size", json!(125), false),
            ("text_size", json!(-10), false),
            ("reduce_motion", json!(true), true),
            ("reduce_motion", json!("true"), false),
            ("colour", json!("red"), false),
        ] {
            assert_eq!(with_change(appearance, name, &value).is_some(), fits, "{name} = {value}");
        }
    }
}
