//! What a client of the step API is shown.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};
use umpire_agents::View;
use umpire_browser::{Element, marks};

use crate::Session;
use crate::snapshot::axtree;

/// Which picture goes along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Picture {
    #[default]
    Plain,
    /// With the boxes and numbers of the elements.
    Marks,
    None,
}

/// The observation of a session that has one.
pub(crate) fn observation(session: &Session, picture: Picture) -> Value {
    let Some(view) = session.view() else { return Value::Null };
    let View { task, seen, step, deadline, .. } = view.as_ref();
    let active = seen.tabs.iter().position(|tab| tab.active);
    json!({
        "goal": task.intent,
        "task": { "id": task.id, "kind": task.kind, "start_urls": task.start_urls, "limits": task.limits },
        "url": seen.url,
        "title": seen.title,
        "tabs": seen.tabs.iter().map(|tab| json!({ "url": tab.url, "title": tab.title, "active": tab.active })).collect::<Vec<_>>(),
        "active_tab": active,
        "viewport": { "width": seen.viewport.width, "height": seen.viewport.height },
        "elements": seen.elements.iter().map(element).collect::<Vec<_>>(),
        "outline": seen.marked_outline(),
        "axtree_txt": axtree(seen),
        "screenshot": match picture {
            Picture::Plain => Some(STANDARD.encode(&seen.screenshot)),
            Picture::Marks => Some(STANDARD.encode(marks::draw(seen))),
            Picture::None => None,
        },
        "dialogs": seen.dialogs,
        "last_action": session.last_action(),
        "last_action_error": session.last_error().unwrap_or_default(),
        "step": step,
        "elapsed": session.elapsed().as_secs_f64(),
        "seconds_left": deadline.left().as_secs_f64(),
    })
}

fn element(element: &Element) -> Value {
    let state = element.state;
    let mut told = json!({
        "mark": element.mark,
        "role": element.role,
        "name": element.name,
        "tag": element.tag,
        "visible": element.visible,
        "rect": element.rect,
    });
    let flags = [("disabled", state.disabled), ("focused", state.focused), ("password", state.password)];
    let states = [("checked", state.checked), ("selected", state.selected), ("expanded", state.expanded)];
    let texts = [("value", &element.value), ("href", &element.href)];
    if let Some(members) = told.as_object_mut() {
        members.extend(
            texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), json!(text.as_ref()?)))),
        );
        members.extend(states.into_iter().filter_map(|(name, on)| Some((name.to_owned(), json!(on?)))));
        members
            .extend(flags.into_iter().filter(|(_, on)| *on).map(|(name, on)| (name.to_owned(), json!(on))));
        if !element.options.is_empty() {
            members.insert("options".to_owned(), json!(element.options));
        }
    }
    told
}
