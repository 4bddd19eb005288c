//! The keyboard: chords such as `Control+a`, and text into fields.

use serde_json::{Value, json};
use umpire_model::{Deadline, Rect};

use super::pointer::{Reach, To, click, delivered, reach};
use super::target::{Aim, describe};
use super::{ActError, ActError as E};
use crate::{Observation, TabHandle};

const ALT: u8 = 1;
pub(super) const CONTROL: u8 = 2;
const META: u8 = 4;
const SHIFT: u8 = 8;

/// Longer texts are put in at once, as if pasted, instead of key by key.
const LONGEST_TYPED: usize = 200;

/// A key as the DOM and Chromium know it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    name: String,
    code: String,
    /// Windows virtual key code, by which Chromium finds the default action.
    number: u32,
    /// What it types, if it types something.
    text: Option<String>,
}

impl Key {
    /// By DOM name or by the character it types on a US keyboard.
    fn named(name: &str) -> Option<Self> {
        let plain = |code: &str, number: u32, text: Option<&str>| {
            let key = if name.eq_ignore_ascii_case("space") { " " } else { code };
            Self { name: key.to_owned(), code: code.to_owned(), number, text: text.map(str::to_owned) }
        };
        let lower = name.to_ascii_lowercase();
        Some(match lower.as_str() {
            "enter" | "return" => plain("Enter", 13, Some("\r")),
            "tab" => plain("Tab", 9, None),
            "escape" | "esc" => plain("Escape", 27, None),
            "backspace" => plain("Backspace", 8, None),
            "delete" | "del" => plain("Delete", 46, None),
            "insert" => plain("Insert", 45, None),
            "home" => plain("Home", 36, None),
            "end" => plain("End", 35, None),
            "pageup" => plain("PageUp", 33, None),
            "pagedown" => plain("PageDown", 34, None),
            "arrowleft" => plain("ArrowLeft", 37, None),
            "arrowup" => plain("ArrowUp", 38, None),
            "arrowright" => plain("ArrowRight", 39, None),
            "arrowdown" => plain("ArrowDown", 40, None),
            "space" => plain("Space", 32, Some(" ")),
            _ => {
                if let Some(number) = lower.strip_prefix('f').and_then(|n| n.parse::<u32>().ok()) {
                    return (1..=12)
                        .contains(&number)
                        .then(|| plain(&format!("F{number}"), 111 + number, None));
                }
                let mut characters = name.chars();
                return Self::typing(characters.next()?).filter(|_| characters.next().is_none());
            }
        })
    }

    /// The key that types this character; `None` if a US keyboard has none.
    fn typing(character: char) -> Option<Self> {
        const SHIFTED_DIGITS: &str = ")!@#$%^&*(";
        const PUNCTUATION: [(char, char, &str, u32); 11] = [
            (';', ':', "Semicolon", 186),
            ('=', '+', "Equal", 187),
            (',', '<', "Comma", 188),
            ('-', '_', "Minus", 189),
            ('.', '>', "Period", 190),
            ('/', '?', "Slash", 191),
            ('`', '~', "Backquote", 192),
            ('[', '{', "BracketLeft", 219),
            ('\\', '|', "Backslash", 220),
            (']', '}', "BracketRight", 221),
            ('\'', '"', "Quote", 222),
        ];
        let (code, number) = match character {
            ' ' => ("Space".to_owned(), 32),
            'a'..='z' | 'A'..='Z' => {
                let upper = character.to_ascii_uppercase();
                (format!("Key{upper}"), u32::from(upper))
            }
            '0'..='9' => (format!("Digit{character}"), u32::from(character)),
            _ => {
                if let Some(digit) = SHIFTED_DIGITS.find(character) {
                    (format!("Digit{digit}"), 48 + digit as u32)
                } else {
                    let types = |row: &&(char, char, _, _)| row.0 == character || row.1 == character;
                    let &(_, _, code, number) = PUNCTUATION.iter().find(types)?;
                    (code.to_owned(), number)
                }
            }
        };
        Some(Self { name: character.to_string(), code, number, text: Some(character.to_string()) })
    }

    fn needs_shift(&self) -> bool {
        self.text.as_deref().is_some_and(|text| {
            text.chars().all(|c| c.is_ascii_uppercase() || "~!@#$%^&*()_+{}|:\"<>?".contains(c))
        })
    }
}

/// Splits `Control+Shift+a` into its modifiers and its key.
fn chord(written: &str) -> Option<(u8, Key)> {
    let mut modifiers = 0;
    let mut rest = written.trim();
    if rest.is_empty() {
        // A single space is the space bar.
        return (!written.is_empty()).then(|| Key::named("Space")).flatten().map(|key| (0, key));
    }
    while let Some((head, tail)) =
        rest.split_once('+').filter(|(head, tail)| !head.is_empty() && !tail.is_empty())
    {
        modifiers |= match head.trim().to_ascii_lowercase().as_str() {
            "control" | "ctrl" | "controlormeta" => CONTROL,
            "shift" => SHIFT,
            "alt" | "option" => ALT,
            "meta" | "command" | "cmd" => META,
            _ => return None,
        };
        rest = tail.trim();
    }
    let key = match rest.to_ascii_lowercase().as_str() {
        "control" | "ctrl" => modifier_key("Control", 17),
        "shift" => modifier_key("Shift", 16),
        "alt" => modifier_key("Alt", 18),
        "meta" => modifier_key("Meta", 91),
        _ => Key::named(rest)?,
    };
    if key.needs_shift() {
        modifiers |= SHIFT;
    }
    Some((modifiers, key))
}

fn modifier_key(name: &str, number: u32) -> Key {
    Key { name: name.to_owned(), code: format!("{name}Left"), number, text: None }
}

pub(super) async fn press(tab: &TabHandle, written: &str, deadline: Deadline) -> Result<(), ActError> {
    let (modifiers, key) = chord(written).ok_or_else(|| E::NotAKey(written.to_owned()))?;
    strike(tab, &key, modifiers, &[], deadline).await
}

/// Presses a named key several times.
pub(super) async fn press_times(
    tab: &TabHandle,
    name: &str,
    times: usize,
    deadline: Deadline,
) -> Result<(), ActError> {
    for _ in 0..times {
        press(tab, name, deadline).await?;
    }
    Ok(())
}

/// One key down and up. `commands` are editing commands that happen with it.
async fn strike(
    tab: &TabHandle,
    key: &Key,
    modifiers: u8,
    commands: &[&str],
    deadline: Deadline,
) -> Result<(), ActError> {
    // Held with Control, Alt or Meta, a key is a command and types nothing.
    let text = key.text.as_deref().filter(|_| modifiers & (CONTROL | ALT | META) == 0);
    let common = json!({
        "key": key.name, "code": key.code, "windowsVirtualKeyCode": key.number, "modifiers": modifiers,
    });
    let mut down = common.clone();
    down["type"] = Value::from(if text.is_some() { "keyDown" } else { "rawKeyDown" });
    if let Some(text) = text {
        down["text"] = Value::from(text);
    }
    if !commands.is_empty() {
        down["commands"] = json!(commands);
    }
    let mut up = common;
    up["type"] = Value::from("keyUp");
    for event in [down, up] {
        delivered(tab.session.run("Input.dispatchKeyEvent", event, deadline).await, deadline)?;
    }
    Ok(())
}

/// Replaces the content of a field by `text`, without pressing Enter.
pub(super) async fn type_into(
    tab: &TabHandle,
    aim: &Aim<'_>,
    text: &str,
    seen: &Observation,
    deadline: Deadline,
) -> Result<Rect, ActError> {
    let spot = reach(To::Use, tab, aim, seen, deadline).await?;
    if let Aim::Element(element) = aim {
        let field = Reach::new(tab, element, seen)?;
        match field.ask::<Field>(FIELD, deadline).await? {
            Field::Text => {}
            Field::Picker => {
                set_picker(&field, &describe(element), text, deadline).await?;
                return Ok(spot.rect);
            }
            Field::None => return Err(E::NotEditable { what: describe(element) }),
        }
        click(tab, &spot, deadline).await?;
        field.ask::<()>(FOCUS, deadline).await?;
    } else {
        click(tab, &spot, deadline).await?;
    }
    let all = Key::named("a").ok_or_else(|| E::NotAKey("a".to_owned()))?;
    strike(tab, &all, CONTROL, &["selectAll"], deadline).await?;
    press(tab, "Delete", deadline).await?;
    if text.chars().count() > LONGEST_TYPED {
        insert(tab, text, deadline).await?;
        return Ok(spot.rect);
    }
    let mut beyond_keys = String::new();
    for character in text.chars() {
        match Key::typing(character) {
            Some(key) => {
                if !beyond_keys.is_empty() {
                    insert(tab, &std::mem::take(&mut beyond_keys), deadline).await?;
                }
                let modifiers = if key.needs_shift() { SHIFT } else { 0 };
                strike(tab, &key, modifiers, &[], deadline).await?;
            }
            // No key, or one that does more than type: a line break must not send the form.
            None => beyond_keys.push(character),
        }
    }
    if !beyond_keys.is_empty() {
        insert(tab, &beyond_keys, deadline).await?;
    }
    Ok(spot.rect)
}

async fn insert(tab: &TabHandle, text: &str, deadline: Deadline) -> Result<(), ActError> {
    delivered(tab.session.run("Input.insertText", json!({ "text": text }), deadline).await, deadline)
}

/// How a field takes its text.
#[derive(serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum Field {
    Text,
    /// A date, time, colour or range, which has no text to edit.
    Picker,
    None,
}

const FIELD: &str = "function () {
    const field = this.localName === 'label' ? this.control ?? this : this;
    if (field.localName === 'input') {
        const pickers = ['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range'];
        if (pickers.includes(field.type)) return 'picker';
        const others = ['checkbox', 'radio', 'file', 'button', 'submit', 'reset', 'image', 'hidden'];
        return others.includes(field.type) || field.readOnly ? 'none' : 'text';
    }
    if (field.localName === 'textarea') return field.readOnly ? 'none' : 'text';
    const inside = field.shadowRoot?.querySelector('input, textarea, [contenteditable]')
        ?? field.querySelector?.('input, textarea, [contenteditable]');
    return field.isContentEditable || inside ? 'text' : 'none';
}";

/// The click may have landed on something in the field that does not take the focus; a field that has it keeps it.
const FOCUS: &str = "function () {
    const root = this.getRootNode();
    const has = root.activeElement;
    if (!has || (has !== this && !this.contains(has))) this.focus?.();
    return null;
}";

/// A picker's text is a format of its own, spread over segments that differ by locale; its value is set as the picker
/// itself would, and the page is told.
async fn set_picker(field: &Reach<'_>, what: &str, value: &str, deadline: Deadline) -> Result<(), ActError> {
    const SCRIPT: &str = "function (value) {
        const before = this.value;
        this.focus();
        this.value = value;
        if (this.value !== value && !(this.type === 'range' && this.value !== before)) {
            const kept = this.value;
            this.value = before;
            return kept === value;
        }
        this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
        this.dispatchEvent(new Event('change', { bubbles: true }));
        return true;
    }";
    let world = field.world(deadline).await?;
    let set: bool = world.call_on(field.node(), SCRIPT, &[], Value::from(value), deadline).await?;
    if set { Ok(()) } else { Err(E::NotAccepted { what: what.to_owned(), value: value.to_owned() }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chords_parse_into_modifiers_and_key() {
        for (written, modifiers, key, code) in [
            ("Enter", 0, "Enter", "Enter"),
            ("Control+a", CONTROL, "a", "KeyA"),
            ("ctrl+Shift+T", CONTROL | SHIFT, "T", "KeyT"),
            ("A", SHIFT, "A", "KeyA"),
            ("+", SHIFT, "+", "Equal"),
            ("Control++", CONTROL | SHIFT, "+", "Equal"),
            ("?", SHIFT, "?", "Slash"),
            ("(", SHIFT, "(", "Digit9"),
            ("Alt+ArrowDown", ALT, "ArrowDown", "ArrowDown"),
            ("Space", 0, " ", "Space"),
            (" ", 0, " ", "Space"),
            ("F5", 0, "F5", "F5"),
            ("Shift", 0, "Shift", "ShiftLeft"),
        ] {
            let (found, parsed) = chord(written).unwrap_or_else(|| panic!("{written} is a chord"));
            assert_eq!(
                (found, parsed.name.as_str(), parsed.code.as_str()),
                (modifiers, key, code),
                "{written}"
            );
        }
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for written in ["", "Hyper+a", "Entr", "F13", "ab", "é"] {
            assert_eq!(chord(written), None, "{written}");
        }
    }

    #[test]
    fn every_printable_ascii_character_has_a_key() {
        for character in ' '..='~' {
            let key = Key::typing(character).unwrap_or_else(|| panic!("{character:?} has a key"));
            assert_eq!(key.text.as_deref(), Some(character.to_string().as_str()));
        }
        assert_eq!(Key::typing('\n'), None);
    }
}
