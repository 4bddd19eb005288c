//! What a client does to pages, in the words of our own actions.
//!
//! Clients speak in mouse and key events; a person who looks at the attempt wants to read `click (120,45)`.

use serde_json::Value;
use umpire_model::{Action, Direction, ScrollArea, Target};

/// Longest text of a client's typing that is put together.
const TYPED: usize = 1000;

/// Follows one client's input.
#[derive(Default)]
pub(super) struct Inputs {
    pressed: Option<(f64, f64)>,
    /// Where the client last clicked: what it types goes there.
    focus: Option<(f64, f64)>,
    typed: String,
    /// The letter of a key that went down without a text of its own, which may follow as an event of its own.
    announced: Option<String>,
}

impl Inputs {
    /// The action a message completes, if it completes one.
    pub fn follow(&mut self, method: &str, params: &Value) -> Option<Action> {
        let text = |name: &str| params.get(name).and_then(Value::as_str);
        let action = match method {
            "Input.dispatchMouseEvent" => return self.mouse(params),
            "Input.dispatchKeyEvent" => return self.key(params),
            "Input.insertText" => return Some(self.typing(text("text")?)),
            "Page.navigate" => Action::GoTo(text("url")?.to_owned()),
            "Target.createTarget" => Action::OpenTab(text("url").unwrap_or_default().to_owned()),
            "Target.closeTarget" | "Page.close" => Action::CloseTab,
            "Page.navigateToHistoryEntry" => Action::Back,
            _ => return None,
        };
        self.typed.clear();
        Some(action)
    }

    fn mouse(&mut self, params: &Value) -> Option<Action> {
        let number = |name: &str| params.get(name).and_then(Value::as_f64);
        let (x, y) = (number("x")?, number("y")?);
        match params.get("type").and_then(Value::as_str)? {
            "mousePressed" => {
                self.pressed = Some((x, y));
                None
            }
            "mouseReleased" => {
                self.typed.clear();
                let (from_x, from_y) = self.pressed.take()?;
                self.focus = Some((x, y));
                let here = Target::Point { x, y };
                let moved = (from_x - x).abs().max((from_y - y).abs()) > 4.0;
                Some(if moved {
                    Action::Drag(Target::Point { x: from_x, y: from_y }, here)
                } else {
                    Action::Click(here)
                })
            }
            "mouseWheel" => {
                let (across, down) = (number("deltaX").unwrap_or(0.0), number("deltaY").unwrap_or(0.0));
                let direction = match (across.abs() > down.abs(), across > 0.0, down > 0.0) {
                    (true, true, _) => Direction::Right,
                    (true, false, _) => Direction::Left,
                    (false, _, true) => Direction::Down,
                    (false, _, false) => Direction::Up,
                };
                Some(Action::Scroll(ScrollArea::Window, direction))
            }
            _ => None,
        }
    }

    fn key(&mut self, params: &Value) -> Option<Action> {
        let text = |name: &str| params.get(name).and_then(Value::as_str);
        let kind = text("type")?;
        if !matches!(kind, "keyDown" | "rawKeyDown" | "char") {
            return None;
        }
        let announced = self.announced.take();
        if kind == "char" && announced.is_some_and(|letter| same_letter(&letter, text("text"))) {
            return None;
        }
        let modifiers = params.get("modifiers").and_then(Value::as_u64).unwrap_or(0);
        let key = text("key").or(text("text"))?;
        // Shift alone only makes another letter.
        let chord = modifiers & !8 != 0;
        if !chord && key.chars().count() == 1 {
            if text("text").is_none_or(str::is_empty) {
                self.announced = Some(key.to_owned());
            }
            return Some(self.typing(key));
        }
        let names = [(1, "Alt"), (2, "Control"), (4, "Meta"), (8, "Shift")];
        if names.iter().any(|(_, name)| *name == key) {
            return None;
        }
        self.typed.clear();
        let held = names.iter().filter(|(bit, _)| modifiers & bit != 0).map(|(_, name)| *name);
        Some(Action::Press(held.chain([key]).collect::<Vec<_>>().join("+")))
    }

    fn typing(&mut self, text: &str) -> Action {
        if self.typed.len() < TYPED {
            self.typed.push_str(text);
        }
        match self.focus {
            Some((x, y)) => Action::Type(Target::Point { x, y }, self.typed.clone()),
            None => Action::Press(self.typed.clone()),
        }
    }
}

/// Whether a text is the letter of a key, whatever Shift made of it.
fn same_letter(letter: &str, text: Option<&str>) -> bool {
    text.is_some_and(|text| text.to_lowercase() == letter.to_lowercase())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// browser-use sends a key and its letter, Playwright the letter with its key, others the letter alone.
    #[test]
    fn a_letter_is_typed_once_however_it_is_sent() {
        let events = |text: Option<&str>, with_char: bool| {
            let mut inputs = Inputs::default();
            let mut last = None;
            for letter in ["l", "l", "a"] {
                let mut down = json!({"type": "keyDown", "key": letter});
                if let Some(text) = text {
                    down["text"] = text.replace('*', letter).into();
                }
                last = inputs.follow("Input.dispatchKeyEvent", &down).or(last);
                if with_char {
                    let char = json!({"type": "char", "text": letter.to_uppercase(), "key": letter});
                    last = inputs.follow("Input.dispatchKeyEvent", &char).or(last);
                }
                inputs.follow("Input.dispatchKeyEvent", &json!({"type": "keyUp", "key": letter}));
            }
            last.map(|action| action.to_string())
        };
        let typed = Some("press \"lla\"".to_owned());
        assert_eq!(events(None, true), typed);
        assert_eq!(events(Some("*"), false), typed);
        assert_eq!(events(None, false), typed);
    }

    #[test]
    fn raw_events_become_actions() {
        let mut inputs = Inputs::default();
        let mouse = |kind: &str, x: i32, y: i32| json!({"type": kind, "x": x, "y": y});
        let key = |key: &str, modifiers: u8| json!({"type": "keyDown", "key": key, "modifiers": modifiers});
        let wheel = json!({"type": "mouseWheel", "x": 1, "y": 1, "deltaX": 0, "deltaY": -100});
        for (method, params, expected) in [
            ("Input.dispatchMouseEvent", mouse("mouseMoved", 10, 20), None),
            ("Input.dispatchMouseEvent", mouse("mousePressed", 10, 20), None),
            ("Input.dispatchMouseEvent", mouse("mouseReleased", 10, 20), Some("click (10,20)")),
            ("Input.dispatchKeyEvent", key("Shift", 8), None),
            ("Input.dispatchKeyEvent", key("A", 8), Some("type (10,20) \"A\"")),
            ("Input.dispatchKeyEvent", key("d", 0), Some("type (10,20) \"Ad\"")),
            ("Input.insertText", json!({"text": "é"}), Some("type (10,20) \"Adé\"")),
            ("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": "d"}), None),
            ("Input.dispatchKeyEvent", key("a", 2), Some("press \"Control+a\"")),
            ("Input.dispatchKeyEvent", key("Enter", 0), Some("press \"Enter\"")),
            ("Input.dispatchMouseEvent", wheel, Some("scroll window up")),
            ("Input.dispatchMouseEvent", mouse("mousePressed", 10, 20), None),
            ("Input.dispatchMouseEvent", mouse("mouseReleased", 90, 20), Some("drag (10,20) to (90,20)")),
            (
                "Page.navigate",
                json!({"url": "http://shop.localhost/"}),
                Some("goto \"http://shop.localhost/\""),
            ),
            ("Runtime.evaluate", json!({"expression": "1"}), None),
        ] {
            let action = inputs.follow(method, &params).map(|action| action.to_string());
            assert_eq!(action.as_deref(), expected, "{method} {params}");
        }
    }
}
