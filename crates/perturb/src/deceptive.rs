//! Design that works against its user: consent that is ticked beforehand, words that shame who declines, and toggles
//! whose sense is turned around.

use std::collections::BTreeMap;

use maud::html;
use umpire_model::Random;

use super::overlay::{end_of_body, layer};
use super::page::{Edits, Element, Kind, Piece, elements, pieces};

const PURPOSES: [(&str, &str); 3] = [
    ("partners", "Personalised offers from our 214 partners"),
    ("measurement", "Follow my visits to other sites to measure interest"),
    ("research", "Share my contact details for market research"),
];

const DECLINING: [&str; 3] = [
    "No, I prefer a worse experience",
    "Decline, I do not care about supporting this site",
    "Continue without, and miss what everybody else gets",
];

/// Buttons that decline the consent dialog.
pub fn declining_buttons() -> impl Iterator<Item = &'static str> {
    DECLINING.into_iter()
}

/// Adds the consent dialog to a page.
pub fn ask_consent(page: &str, seed: u64) -> String {
    let decline = Random::stream(seed, "consent").pick(&DECLINING).copied().unwrap_or_default();
    let content = html! {
        p { "We care about your experience. With your agreement we make this visit better for you." }
        @for (name, label) in PURPOSES {
            label { input type="checkbox" name=(name) checked; span { (label) } }
        }
        div.row {
            button.main type="button" value="accept" { "Agree and continue" }
            button.faint type="button" value="decline" { (decline) }
        }
    };
    let at = end_of_body(page);
    let layer =
        layer("consent-layer", 0, "Make the most of your visit", &content, include_str!("assets/consent.js"));
    [&page[..at], &layer, &page[at..]].concat()
}

/// Tells the answering side which boxes of a form were shown turned around: one `name=value` each.
const MARKER: &str = "-inverted";
/// What an inverted toggle is called.
const PREFIX: &str = "Disable: ";

/// What a toggle of this name is called where it is inverted.
pub fn inverted_name(role: &str, name: &str) -> Option<String> {
    (role == "checkbox").then(|| format!("{PREFIX}{name}"))
}

/// Turns the sense of a form's tick boxes around, about half of them: a setting that is on is shown as `Disable: …`,
/// not ticked. Only where the form posts the box itself, so that [`restore`] can turn it back.
pub fn invert_toggles(page: &str, seed: u64) -> (String, u32) {
    let pieces = pieces(page);
    let elements = elements(&pieces);
    let mut edits = Edits::default();
    let mut inverted = 0;
    for form in elements.iter().filter(|element| posts_itself(&pieces[element.tag])) {
        let mut boxes: BTreeMap<&str, Vec<(&Element, &Piece<'_>)>> = BTreeMap::new();
        for label in elements.iter().filter(|e| pieces[e.tag].opens("label") && within(form, e)) {
            let mut inside = pieces[label.tag..].iter().take_while(|piece| piece.at < label.range.end);
            if let Some(tick_box) = inside.find(|piece| piece.opens("input"))
                && let Some(name) = tick_box.value("name")
            {
                boxes.entry(name).or_default().push((label, tick_box));
            }
        }
        for (name, found) in boxes {
            // Several boxes of one name are a choice among values, not toggles.
            let [(label, tick_box)] = found.as_slice() else { continue };
            let is_chosen = Random::stream(seed, &format!("invert {name}")).chance(50);
            if is_chosen && is_toggle(tick_box) && invert(label, tick_box, &pieces, &mut edits) {
                inverted += 1;
            }
        }
    }
    (edits.apply(page), inverted)
}

fn posts_itself(tag: &Piece<'_>) -> bool {
    tag.opens("form")
        && tag.value("method").is_some_and(|method| method.eq_ignore_ascii_case("post"))
        && !tag.has_script_hook()
}

fn within(outer: &Element, inner: &Element) -> bool {
    outer.range.contains(&inner.range.start)
}

fn is_toggle(tag: &Piece<'_>) -> bool {
    tag.value("type") == Some("checkbox")
        && tag.value("role").is_none()
        && tag.attribute("disabled").is_none()
        && tag.attribute("required").is_none()
        && !tag.has_script_hook()
}

/// False if the label has no words of its own, or speaks for the user ("I agree …"), which has no opposite setting.
fn invert(label: &Element, tick_box: &Piece<'_>, pieces: &[Piece<'_>], edits: &mut Edits) -> bool {
    let inside = pieces[label.tag..].iter().take_while(|piece| piece.at < label.range.end);
    let words = inside.filter(|piece| piece.kind == Kind::Text).find(|piece| !piece.text.trim().is_empty());
    let Some(words) = words.filter(|piece| !piece.text.trim().starts_with("I ")) else { return false };
    edits.insert(words.at + (words.text.len() - words.text.trim_start().len()), PREFIX);
    let name = tick_box.value("name").unwrap_or_default();
    let value = tick_box.value("value").unwrap_or("on");
    let mut tag = tick_box.text.to_owned();
    if let (Some(range), Some(label)) = (tick_box.attribute("aria-label"), tick_box.value("aria-label")) {
        tag.replace_range(range.start - tick_box.at..range.end - tick_box.at, &format!("{PREFIX}{label}"));
    }
    tag = if tick_box.attribute("checked").is_some() {
        tag.replacen(" checked", "", 1)
    } else {
        let end = tag.len() - if tag.ends_with("/>") { 2 } else { 1 };
        format!("{} checked{}", &tag[..end], &tag[end..])
    };
    edits.replace(
        tick_box.range(),
        format!("<input type=\"hidden\" name=\"{MARKER}\" value=\"{name}={value}\">{tag}"),
    );
    true
}

/// Turns posted boxes back; none if nothing was inverted.
pub fn restore(body: &[u8]) -> Option<Vec<u8>> {
    let posted: Vec<(String, String)> = url::form_urlencoded::parse(body).into_owned().collect();
    let (markers, mut fields): (Vec<_>, Vec<_>) = posted.into_iter().partition(|(name, _)| name == MARKER);
    if markers.is_empty() {
        return None;
    }
    for (_, shown) in markers {
        let (name, value) = shown.rsplit_once('=').map(|(n, v)| (n.to_owned(), v.to_owned()))?;
        match fields.iter().position(|(field, _)| *field == name) {
            Some(ticked) => drop(fields.remove(ticked)),
            None => fields.push((name, value)),
        }
    }
    Some(url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: &str = "<form method=\"post\" action=\"/s\"><label><input type=\"checkbox\" name=\"a\" value=\"1\" checked> Ads</label>\
        <label><input type=\"checkbox\" name=\"b\" aria-label=\"Mail\"><span>Mail <small>weekly</small></span></label></form>";

    /// A seed that inverts both boxes.
    fn both() -> u64 {
        (0..1000).find(|seed| invert_toggles(FORM, *seed).1 == 2).expect("one in four seeds")
    }

    #[test]
    fn a_toggle_is_shown_turned_around() {
        let (page, inverted) = invert_toggles(FORM, both());
        assert_eq!(inverted, 2);
        for expected in [
            "<input type=\"hidden\" name=\"-inverted\" value=\"a=1\"><input type=\"checkbox\" name=\"a\" value=\"1\"> Disable: Ads",
            "value=\"b=on\"><input type=\"checkbox\" name=\"b\" aria-label=\"Disable: Mail\" checked><span>Disable: Mail ",
        ] {
            assert!(page.contains(expected), "{page}");
        }
    }

    #[test]
    fn what_is_posted_means_what_it_meant() {
        for (posted, restored) in [
            ("-inverted=a%3D1&-inverted=b%3Don", "a=1&b=on"),
            ("-inverted=a%3D1&a=1&-inverted=b%3Don&b=on&x=y", "x=y"),
            ("x=y&-inverted=a%3D1", "x=y&a=1"),
        ] {
            assert_eq!(restore(posted.as_bytes()).as_deref(), Some(restored.as_bytes()), "{posted}");
        }
        assert_eq!(restore(b"a=1&b=on"), None);
    }

    #[test]
    fn only_toggles_of_plain_forms_are_turned() {
        for kept in [
            "<form method=get><label><input type=checkbox name=a>Ads</label></form>",
            "<form method=post data-live><label><input type=checkbox name=a>Ads</label></form>",
            "<form method=post><label><input type=checkbox name=a data-save=x>Ads</label></form>",
            "<form method=post><label><input type=checkbox name=a>I agree to the terms</label></form>",
            "<form method=post><label><input type=checkbox name=a>A</label><label><input type=checkbox name=a>B</label></form>",
            "<form method=post><label><input type=radio name=a>A</label></form>",
            "<label><input type=checkbox name=a>Ads</label>",
        ] {
            for seed in 0..8 {
                assert_eq!(invert_toggles(kept, seed), (kept.to_owned(), 0), "{kept}");
            }
        }
    }
}
