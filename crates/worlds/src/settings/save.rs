//! Saving: one control by script, a block by its button, the mail matrix, lists, the cookie banner. Everything that
//! arrives is checked against the description, since forms can be filled by anyone with anything.

use http::StatusCode;
use serde_json::{Value, json};

use super::description::{Control, Growth, Holds, Kind, Page, Saved};
use super::state::fits;
use super::{SettingsSite, draw};
use crate::{Request, Response};

/// Entries a list can have, and characters an entry can have.
const LONGEST_LIST: usize = 200;
const LONGEST_ENTRY: usize = 60;

/// The block whose toggles the cookie banner sets.
pub(super) const COOKIE_BLOCK: &str = "cookies";

/// `{"id": …, "value": …, "confirmed": bool}`, where a boolean is how the control is drawn.
pub(super) fn one_control(site: &mut SettingsSite, request: &Request) -> Response {
    let refused = |why: &str| Response::json(&json!({"error": why})).status(StatusCode::UNPROCESSABLE_ENTITY);
    let Some(json) = &request.json else { return refused("not JSON") };
    let id = json.get("id").and_then(Value::as_str).unwrap_or_default();
    let control = match site.brand.description().control(id) {
        Some((Saved::AtOnce, control)) if !control.locked => control,
        _ => return refused("no such control"),
    };
    if control.confirm.is_some() && json.get("confirmed") != Some(&Value::Bool(true)) {
        return refused("not confirmed");
    }
    let value = stored(control, json.get("value").cloned().unwrap_or_default());
    if !fits(control, &value) {
        return refused("no such value");
    }
    site.state.settings.insert(id.to_owned(), value);
    Response::json(&json!({"id": id}))
}

/// From what is drawn to what is stored.
fn stored(control: &Control, drawn: Value) -> Value {
    match (control.kind, drawn) {
        (Kind::Toggle { inverted: true, .. }, Value::Bool(on)) => Value::Bool(!on),
        (_, value) => value,
    }
}

/// All controls of a block at once, or none if one of them does not fit.
pub(super) fn block(site: &mut SettingsSite, request: &Request, slug: &str, block: &str) -> Response {
    let description = site.brand.description();
    let found = description.page(slug).and_then(|page| {
        let block = page.blocks.iter().find(|known| known.id == block)?;
        match block.holds {
            Holds::Controls(Saved::Button(_), controls) => Some((page, block.id, controls)),
            _ => None,
        }
    });
    let Some((page, id, controls)) = found else { return draw::not_found(&site.view(request)) };
    let mut values = Vec::new();
    for control in controls.iter().filter(|control| !control.locked) {
        match read(control, request) {
            Ok(value) => values.push((control.id.to_owned(), value)),
            Err(problem) => return refused(site, request, page, &problem),
        }
    }
    site.state.settings.extend(values);
    if id == COOKIE_BLOCK {
        site.state.cookies_answered = true;
    }
    Response::see_other(&format!("/settings/{slug}?done=saved"))
}

fn refused(site: &SettingsSite, request: &Request, page: &'static Page, problem: &str) -> Response {
    draw::settings_page(&site.view(request), page, Some(problem)).status(StatusCode::UNPROCESSABLE_ENTITY)
}

fn read(control: &Control, request: &Request) -> Result<Value, String> {
    let sent = request.form(control.id);
    match control.kind {
        Kind::Toggle { .. } => Ok(stored(control, Value::Bool(sent.is_some()))),
        Kind::Choice { .. } | Kind::Text { .. } => {
            let value = Value::from(sent.unwrap_or_default().trim());
            match control.kind {
                _ if fits(control, &value) => Ok(value),
                Kind::Text { longest, .. } => {
                    Err(format!("“{}” can have at most {longest} characters.", control.label))
                }
                _ => Err(format!("Choose one of the options for “{}”.", control.label)),
            }
        }
    }
}

pub(super) fn mail(site: &mut SettingsSite, request: &Request) -> Response {
    let description = site.brand.description();
    for (topic, row) in &mut site.state.mail {
        for (channel, on) in row {
            let locked = (topic.as_str(), channel.as_str()) == description.mail.locked;
            *on = locked || request.form(&format!("{topic}.{channel}")).is_some();
        }
    }
    let home = description.home_of(|holds| matches!(holds, Holds::Mail(_)));
    Response::see_other(&format!("{home}?done=mail"))
}

/// The banner's two short answers; the long one is the cookie page.
pub(super) fn cookie_banner(site: &mut SettingsSite, request: &Request, answer: &str) -> Response {
    let allowed = match answer {
        "all" => true,
        "necessary" => false,
        _ => return draw::not_found(&site.view(request)),
    };
    for (_, block, _, control) in site.brand.description().controls() {
        if block.id == COOKIE_BLOCK && !control.locked && matches!(control.kind, Kind::Toggle { .. }) {
            site.state.settings.insert(control.id.to_owned(), Value::Bool(allowed));
        }
    }
    site.state.cookies_answered = true;
    Response::see_other("/?done=cookies")
}

pub(super) fn add_typed(site: &mut SettingsSite, request: &Request, list: &str) -> Response {
    let description = site.brand.description();
    let Some(list) = description.list(list).filter(|list| matches!(list.growth, Growth::Typed(_))) else {
        return draw::not_found(&site.view(request));
    };
    let home = home_of_list(site, list.id);
    let text = request.form("entry").unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    let entries = site.state.lists.entry(list.id.to_owned()).or_default();
    let problem = if text.is_empty() || text.chars().count() > LONGEST_ENTRY {
        Some("entry-length")
    } else if entries.len() >= LONGEST_LIST {
        Some("list-full")
    } else if entries.contains_key(&text.to_lowercase()) {
        Some("entry-known")
    } else {
        None
    };
    if let Some(problem) = problem {
        return Response::see_other(&format!("{home}?problem={problem}"));
    }
    entries.insert(text.to_lowercase(), text);
    Response::see_other(&format!("{home}?done=entry-added"))
}

pub(super) fn remove_entry(site: &mut SettingsSite, request: &Request, list: &str) -> Response {
    let entry = request.form("entry").unwrap_or_default();
    let removed = site.state.lists.get_mut(list).and_then(|entries| entries.remove(entry));
    match removed {
        Some(_) => Response::see_other(&format!("{}?done=entry-removed", home_of_list(site, list))),
        None => draw::not_found(&site.view(request)),
    }
}

pub(super) fn clear_list(site: &mut SettingsSite, request: &Request, list: &str) -> Response {
    match site.brand.description().list(list).filter(|list| list.clear.is_some()) {
        None => draw::not_found(&site.view(request)),
        Some(list) => {
            site.state.lists.insert(list.id.to_owned(), std::collections::BTreeMap::new());
            Response::see_other(&format!("{}?done=cleared", home_of_list(site, list.id)))
        }
    }
}

/// Puts something on a list or takes it off, from the site's own pages; goes back to where the button was.
pub(super) fn flip_entry(site: &mut SettingsSite, request: &Request, list: &str) -> Response {
    let entry = request.form("entry").unwrap_or_default();
    let known = site.brand.description().list(list).filter(|list| list.growth == Growth::Elsewhere);
    let name = known.and_then(|list| site.brand.entry_name(site.seed, list.id, entry));
    let (Some(list), Some(name)) = (known, name) else { return draw::not_found(&site.view(request)) };
    let entries = site.state.lists.entry(list.id.to_owned()).or_default();
    let done = if entries.remove(entry).is_some() {
        "entry-removed"
    } else {
        entries.insert(entry.to_owned(), name);
        "entry-added"
    };
    Response::see_other(&format!("{}?done={done}", back(request)))
}

/// The path the form came from, if it is one of this site.
fn back(request: &Request) -> &str {
    let is_plain = |path: &&str| {
        path.starts_with('/')
            && !path.starts_with("//")
            && path.chars().all(|c| c.is_ascii_alphanumeric() || "/-_".contains(c))
    };
    request.form("back").filter(is_plain).unwrap_or("/")
}

fn home_of_list(site: &SettingsSite, list: &str) -> String {
    site.brand.description().home_of(|holds| matches!(holds, Holds::List(id) if *id == list))
}
