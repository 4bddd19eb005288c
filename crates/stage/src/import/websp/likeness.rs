use crate::import::addresses::harmless_address;
use crate::import::markup::{Facts, facts};
use crate::import::portray::{accessible_name, implied_role, native_control, words};
use crate::import::remarks::Remarks;
use crate::import::source::Fields;
use crate::session::{ControlKind, Locators, Portrait, Position, Words};

/// The element of an event, and what its markup said besides.
pub(super) struct Likeness {
    pub portrait: Portrait,
    pub facts: Facts,
    /// `inputType`: the type, the role, or the word `switch`.
    pub input_type: Option<String>,
}

/// Takes everything about the element out of an event.
pub(super) fn likeness(event: &mut Fields, remarks: &mut Remarks) -> Likeness {
    let markup = event.text("outerHTML", remarks);
    let facts = markup.as_deref().map(facts).unwrap_or_default();
    if markup.is_some() {
        remarks.add(
            event.number,
            "outerHTML",
            "read for states and test attributes, then left out: it may hold secrets",
        );
    }
    event.leave("innerHTML", "markup may hold secrets; left out", remarks);
    event.leave("targetOnClick", "scripts of a page are left out", remarks);

    let tag = event.text("elementType", remarks);
    let tag_again = event.text("tagName", remarks);
    if tag.is_some() && tag_again.as_ref().is_some_and(|again| tag.as_ref() != Some(again)) {
        remarks.add(event.number, "tagName", "contradicts `elementType`, which is kept");
    }
    let tag = tag.or(tag_again).unwrap_or_default().to_ascii_lowercase();
    let input_type = event.text("inputType", remarks);
    let type_attribute = event.text("typeAttr", remarks);
    let native = matches!(tag.as_str(), "input" | "select" | "textarea");
    let own_type = type_attribute.or_else(|| input_type.clone().filter(|_| native));

    let locators = locators(event, &facts, remarks);
    let words = all_words(event, &facts, remarks);
    let explicit_role = event.text("role", remarks);
    let role = explicit_role
        .unwrap_or_else(|| implied_role(&tag, own_type.as_deref(), locators.href.is_some()).to_owned());
    let index = event.number("webspIndex", remarks);
    if index.is_some_and(|index| !(1.0..=10_000.0).contains(&index)) {
        remarks.add(event.number, "webspIndex", "no place among elements; left out");
    }
    let index = index.filter(|index| (1.0..=10_000.0).contains(index));
    if let Some(guess) = &input_type
        && own_type.as_ref() != Some(guess)
        && role != *guess
    {
        remarks.add(event.number, "inputType", "names another type than the element itself; left out");
    }
    event.leave(
        "ariaSelected",
        "the chosen one of several is chosen again, for any state; left out",
        remarks,
    );
    event.leave("classList", "classes are left out: they change with every build of a site", remarks);
    event.leave("ariaLabelledby", "an id elsewhere in the page; its text is the label", remarks);
    event.leave("ariaDescribedby", "an id elsewhere in the page; left out", remarks);
    event.leave("clickCoordinates", "a place in a window that no longer exists; left out", remarks);

    let mut portrait = Portrait {
        tag,
        name: accessible_name(&role, &words),
        role,
        input_type: own_type,
        position: Position {
            index: index.map(|index| index as u32),
            shadow_hosts: shadow_hosts(locators.css.as_deref().unwrap_or_default()),
            ..Position::default()
        },
        locators,
        words,
        control: None,
    };
    portrait.control = control(&portrait, &facts);
    Likeness { portrait, facts, input_type }
}

fn locators(event: &mut Fields, facts: &Facts, remarks: &mut Remarks) -> Locators {
    let href = event.text("href", remarks).map(|href| {
        let (kept, cut) = harmless_address(&href);
        if cut {
            remarks.add(event.number, "href", super::SECRETS_CUT);
        }
        kept
    });
    let mut test_ids = facts.test_ids.clone();
    for (field, attribute) in
        [("dataTestId", "data-testid"), ("dataCy", "data-cy"), ("dataAutomation", "data-automation")]
    {
        let Some(value) = event.text(field, remarks) else { continue };
        // `dataTestId` may also have been read from `data-test-id`, which the markup then says.
        if !test_ids.iter().any(|(_, known)| *known == value) {
            test_ids.push((attribute.to_owned(), value));
        }
    }
    let field_name = event.text("name", remarks);
    let form = event.inner("formContext", remarks).map(|mut form| {
        let name = form.text("fieldName", remarks);
        form.leave(
            "formSelector",
            "where the form stands follows from the element's own path; left out",
            remarks,
        );
        form.leave("groupName", "the group's name is not part of a portrait; left out", remarks);
        form.remark_the_rest(remarks);
        name
    });
    Locators {
        id: event.text("id", remarks),
        field_name: field_name.or(form.flatten()),
        test_ids,
        href,
        css: event
            .text("selectorPath", remarks)
            .map(|path| path.trim().to_owned())
            .filter(|path| !path.is_empty()),
        xpath: event.text("xpath", remarks),
        selectors: Vec::new(),
    }
}

fn all_words(event: &mut Fields, facts: &Facts, remarks: &mut Remarks) -> Words {
    let mut read = |event: &mut Fields, field: &str| {
        let text = event.text(field, remarks)?;
        let (kept, cut) = words(&text);
        if cut {
            remarks.add(event.number, field, "cut to 200 characters");
        }
        kept
    };
    let label = read(event, "labelText");
    let control_label = read(event, "controlLabelText");
    let visible = read(event, "innerText");
    let contents = read(event, "textContent");
    let heading = read(event, "headingText");
    let region = read(event, "parentContext");
    let around = read(event, "parentTextContext");
    let section = read(event, "sectionText");
    let kept = Words {
        aria_label: read(event, "ariaLabel"),
        placeholder: read(event, "placeholder"),
        title: read(event, "title"),
        previous: read(event, "nearbyLabelText"),
        next: None,
        alt: facts.alt.as_deref().and_then(|alt| words(alt).0),
        label: label.clone().or_else(|| control_label.clone()),
        text: contents.clone().or_else(|| visible.clone()),
        heading: heading.clone().or_else(|| region.clone()),
        parent: around.clone().or_else(|| section.clone()),
    };
    for (field, value, instead) in [
        ("controlLabelText", control_label, &kept.label),
        ("innerText", visible, &kept.text),
        ("parentContext", region, &kept.heading),
        ("sectionText", section, &kept.parent),
    ] {
        if value.is_some() && value != *instead {
            remarks.add(event.number, field, "a nearer text is kept in its place");
        }
    }
    if kept.previous.is_some() {
        remarks.add(
            event.number,
            "nearbyLabelText",
            "kept as the text before the element; the recorder did not say if it stood before or after",
        );
    }
    kept
}

/// What kind of state the element holds. Tabs, options and menu items that choose one of several lead somewhere: they
/// are done as they were done.
fn control(portrait: &Portrait, facts: &Facts) -> Option<ControlKind> {
    if let Some(native) = native_control(portrait) {
        return Some(native);
    }
    match portrait.role.as_str() {
        "tab" | "option" | "menuitem" | "menuitemradio" | "treeitem" => None,
        "switch" | "checkbox" | "menuitemcheckbox" => Some(ControlKind::AriaChecked),
        "radio" => Some(ControlKind::Radio),
        _ if facts.has_popup => None,
        _ if facts.aria_pressed.is_some() => Some(ControlKind::AriaPressed),
        _ if facts.aria_checked.is_some() => Some(ControlKind::AriaChecked),
        _ => None,
    }
}

/// `a > b#x > ::shadow > c` stands in the shadow root of a `b`.
fn shadow_hosts(path: &str) -> Vec<String> {
    let steps: Vec<&str> = path.split('>').map(str::trim).collect();
    let tag = |step: &str| step.split(['#', ':', '.', '[']).next().unwrap_or_default().to_ascii_lowercase();
    let hosts = steps.windows(2).filter(|pair| pair[1] == "::shadow").map(|pair| tag(pair[0]));
    hosts.filter(|host| !host.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shadow_hosts_are_read_from_the_path() {
        assert_eq!(
            shadow_hosts("my-app#a > ::shadow > my-row:nth-of-type(2) > ::shadow > input"),
            ["my-app", "my-row"]
        );
        assert!(shadow_hosts("div > input").is_empty());
    }
}
