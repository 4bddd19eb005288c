//! What an agent can do, as one enum with a text form that parses and prints without loss.
//!
//! ```text
//! click [12]                     hover link "Orders"           press "Control+a"
//! type textbox "Search" "lamp"   select [4] "Medium"           upload [3] "cv.pdf"
//! drag [1] to [2]                scroll window down            scroll [7] left
//! scroll end                     scroll popup down             goto "http://shop.localhost/"
//! scroll by 0 300                scroll to "Terms of use"      waitfor css "#results" 5s
//! click css "a.buy"              click xpath "//button[2]"     save pdf    save html
//! tab 2    newtab "…"   closetab back    forward    wait 1500ms    answer "…"
//! ```
//! Quoted parts are JSON strings.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The element or place an action is aimed at.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// A number from the observation's element list: `[12]`.
    Mark(u32),
    /// Role and accessible name, and which of several equals (from 1): `button "Delete" #2`.
    Named { role: String, name: String, nth: u32 },
    /// CSS pixels in the viewport: `(120,45)`.
    Point { x: f64, y: f64 },
    /// The first element of the main document that a CSS selector matches: `css "a.buy"`.
    Css(String),
    /// The same by a path expression: `xpath "//button[2]"`.
    XPath(String),
}

impl Target {
    pub fn named(role: &str, name: &str) -> Self {
        Self::Named { role: role.to_owned(), name: name.to_owned(), nth: 1 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ScrollArea {
    Window,
    /// The topmost dialog, banner or overlay.
    Popup,
    Element(Target),
}

/// What a page is saved as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageFormat {
    Pdf,
    Html,
}

impl PageFormat {
    /// How files of it end.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Html => "html",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Action {
    Click(Target),
    Hover(Target),
    /// Replaces the field's content; does not press Enter.
    Type(Target, String),
    /// A key or chord in DOM names, such as `Enter` or `Control+a`, sent to whatever has the focus.
    Press(String),
    /// Chooses an option by its label.
    Select(Target, String),
    /// Gives files to a file input, by path relative to the suite's `files/` folder.
    Upload(Target, Vec<String>),
    Drag(Target, Target),
    Scroll(ScrollArea, Direction),
    /// Scrolls the window by so many CSS pixels.
    ScrollBy {
        x: i32,
        y: i32,
    },
    /// Scrolls until this text is in view.
    ScrollToText(String),
    /// Scrolls until the page stops growing.
    ScrollToEnd,
    /// Switches to a tab by its number in the observation, from 1.
    SwitchTab(u32),
    OpenTab(String),
    CloseTab,
    GoTo(String),
    Back,
    Forward,
    Wait {
        millis: u64,
    },
    /// Waits until the target is shown, but no longer than this.
    WaitFor {
        target: Target,
        millis: u64,
    },
    /// Keeps the page in front as a file, with the evidence.
    Save(PageFormat),
    /// Ends the attempt with this response, usually the structured JSON one.
    Answer(String),
}

impl Action {
    /// What the action is aimed at; of a drag, where it begins.
    pub fn target(&self) -> Option<&Target> {
        match self {
            Self::Click(target)
            | Self::Hover(target)
            | Self::Type(target, _)
            | Self::Select(target, _)
            | Self::Upload(target, _)
            | Self::WaitFor { target, .. }
            | Self::Drag(target, _)
            | Self::Scroll(ScrollArea::Element(target), _) => Some(target),
            _ => None,
        }
    }

    /// The same action aimed at something else; of a drag, begun there.
    #[must_use]
    pub fn aimed_at(&self, target: Target) -> Self {
        match self.clone() {
            Self::Click(_) => Self::Click(target),
            Self::Hover(_) => Self::Hover(target),
            Self::Type(_, text) => Self::Type(target, text),
            Self::Select(_, option) => Self::Select(target, option),
            Self::Upload(_, files) => Self::Upload(target, files),
            Self::WaitFor { millis, .. } => Self::WaitFor { target, millis },
            Self::Drag(_, to) => Self::Drag(target, to),
            Self::Scroll(ScrollArea::Element(_), direction) => {
                Self::Scroll(ScrollArea::Element(target), direction)
            }
            untargeted => untargeted,
        }
    }

    /// Scrolling, waiting, saving and answering are free; everything else uses up the budget of actions.
    pub fn is_counted(&self) -> bool {
        !matches!(
            self,
            Self::Scroll(..)
                | Self::ScrollBy { .. }
                | Self::ScrollToText(_)
                | Self::ScrollToEnd
                | Self::Wait { .. }
                | Self::WaitFor { .. }
                | Self::Save(_)
                | Self::Answer(_)
        )
    }
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{text}` is not an action: {reason}")]
pub struct NotAnAction {
    pub text: String,
    pub reason: String,
}

/// Prints as a JSON string, the quoting of the text form.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self.0).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mark(number) => write!(f, "[{number}]"),
            Self::Named { role, name, nth: 1 } => write!(f, "{role} {}", Quoted(name)),
            Self::Named { role, name, nth } => write!(f, "{role} {} #{nth}", Quoted(name)),
            Self::Point { x, y } => write!(f, "({x},{y})"),
            Self::Css(selector) => write!(f, "css {}", Quoted(selector)),
            Self::XPath(path) => write!(f, "xpath {}", Quoted(path)),
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        })
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Click(target) => write!(f, "click {target}"),
            Self::Hover(target) => write!(f, "hover {target}"),
            Self::Type(target, text) => write!(f, "type {target} {}", Quoted(text)),
            Self::Press(keys) => write!(f, "press {}", Quoted(keys)),
            Self::Select(target, option) => write!(f, "select {target} {}", Quoted(option)),
            Self::Upload(target, files) => {
                write!(f, "upload {target}")?;
                files.iter().try_for_each(|file| write!(f, " {}", Quoted(file)))
            }
            Self::Drag(from, to) => write!(f, "drag {from} to {to}"),
            Self::Scroll(ScrollArea::Window, direction) => write!(f, "scroll window {direction}"),
            Self::Scroll(ScrollArea::Popup, direction) => write!(f, "scroll popup {direction}"),
            Self::Scroll(ScrollArea::Element(target), direction) => write!(f, "scroll {target} {direction}"),
            Self::ScrollBy { x, y } => write!(f, "scroll by {x} {y}"),
            Self::ScrollToText(text) => write!(f, "scroll to {}", Quoted(text)),
            Self::ScrollToEnd => f.write_str("scroll end"),
            Self::SwitchTab(number) => write!(f, "tab {number}"),
            Self::OpenTab(url) => write!(f, "newtab {}", Quoted(url)),
            Self::CloseTab => f.write_str("closetab"),
            Self::GoTo(url) => write!(f, "goto {}", Quoted(url)),
            Self::Back => f.write_str("back"),
            Self::Forward => f.write_str("forward"),
            Self::Wait { millis } => write!(f, "wait {millis}ms"),
            Self::WaitFor { target, millis } => write!(f, "waitfor {target} {millis}ms"),
            Self::Save(format) => write!(f, "save {}", format.extension()),
            Self::Answer(response) => write!(f, "answer {}", Quoted(response)),
        }
    }
}

impl From<Action> for String {
    fn from(action: Action) -> Self {
        action.to_string()
    }
}

impl TryFrom<String> for Action {
    type Error = NotAnAction;
    fn try_from(text: String) -> Result<Self, NotAnAction> {
        text.parse()
    }
}

impl FromStr for Action {
    type Err = NotAnAction;

    fn from_str(text: &str) -> Result<Self, NotAnAction> {
        let mut reader = Reader { rest: text.trim() };
        let parsed = reader.action().and_then(|action| match reader.rest.trim() {
            "" => Ok(action),
            extra => Err(format!("unexpected `{extra}` after it")),
        });
        parsed.map_err(|reason| NotAnAction { text: text.to_owned(), reason })
    }
}

/// Consumes the text form from the left.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn action(&mut self) -> Result<Action, String> {
        let verb = self.word();
        Ok(match verb {
            "click" => Action::Click(self.target()?),
            "hover" => Action::Hover(self.target()?),
            "type" => Action::Type(self.target()?, self.quoted()?),
            "press" => Action::Press(self.quoted()?),
            "select" => Action::Select(self.target()?, self.quoted()?),
            "upload" => Action::Upload(self.target()?, self.quoted_list()?),
            "drag" => {
                let from = self.target()?;
                if self.word() != "to" {
                    return Err("`drag` is written `drag <from> to <to>`".to_owned());
                }
                Action::Drag(from, self.target()?)
            }
            "scroll" => self.scroll()?,
            "tab" => Action::SwitchTab(self.number()?),
            "newtab" => Action::OpenTab(self.quoted()?),
            "closetab" => Action::CloseTab,
            "goto" => Action::GoTo(self.quoted()?),
            "back" => Action::Back,
            "forward" => Action::Forward,
            "wait" => Action::Wait { millis: self.millis()? },
            "waitfor" => Action::WaitFor { target: self.target()?, millis: self.millis()? },
            "save" => Action::Save(match self.word() {
                "pdf" => PageFormat::Pdf,
                "html" => PageFormat::Html,
                other => return Err(format!("`{other}` is not pdf or html")),
            }),
            "answer" => Action::Answer(self.quoted()?),
            "" => return Err("it is empty".to_owned()),
            other => return Err(format!("there is no action `{other}`")),
        })
    }

    fn scroll(&mut self) -> Result<Action, String> {
        self.skip_space();
        for (name, area) in [("window", ScrollArea::Window), ("popup", ScrollArea::Popup)] {
            if let Some(rest) = self.rest.strip_prefix(name).filter(|rest| rest.starts_with(' ')) {
                // A role may be called like an area only if a name follows, which begins with a quote.
                if !rest.trim_start().starts_with('"') {
                    self.rest = rest;
                    return Ok(Action::Scroll(area, self.direction()?));
                }
            }
        }
        if let Some(rest) = self.rest.strip_prefix("by ") {
            self.rest = rest;
            return Ok(Action::ScrollBy { x: self.pixels()?, y: self.pixels()? });
        }
        if let Some(rest) = self.rest.strip_prefix("to ") {
            self.rest = rest;
            return Ok(Action::ScrollToText(self.quoted()?));
        }
        if self.rest == "end" {
            self.rest = "";
            return Ok(Action::ScrollToEnd);
        }
        let target = self.target()?;
        Ok(Action::Scroll(ScrollArea::Element(target), self.direction()?))
    }

    fn target(&mut self) -> Result<Target, String> {
        self.skip_space();
        if let Some(rest) = self.rest.strip_prefix('[') {
            let (number, rest) = rest.split_once(']').ok_or("`[` without `]`")?;
            self.rest = rest;
            return number
                .trim()
                .parse()
                .map(Target::Mark)
                .map_err(|_| format!("`[{number}]` is not a mark"));
        }
        if let Some(rest) = self.rest.strip_prefix('(') {
            let (inside, rest) = rest.split_once(')').ok_or("`(` without `)`")?;
            self.rest = rest;
            let point = inside.split_once(',').and_then(|(x, y)| {
                let (x, y): (f64, f64) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
                (x.is_finite() && y.is_finite()).then_some(Target::Point { x, y })
            });
            return point.ok_or_else(|| format!("`({inside})` is not a point"));
        }
        let role = self.word().to_owned();
        if role.is_empty() || !role.chars().all(|c| c.is_ascii_alphabetic()) {
            return Err("a target is `[12]`, `role \"name\"` or `(x,y)`".to_owned());
        }
        let name = self.quoted()?;
        match role.as_str() {
            "css" => return Ok(Target::Css(name)),
            "xpath" => return Ok(Target::XPath(name)),
            _ => {}
        }
        let nth = match self.rest.trim_start().strip_prefix('#') {
            Some(rest) => {
                self.rest = rest;
                self.number()?
            }
            None => 1,
        };
        if nth == 0 {
            return Err("`#` counts from 1".to_owned());
        }
        Ok(Target::Named { role, name, nth })
    }

    fn direction(&mut self) -> Result<Direction, String> {
        match self.word() {
            "up" => Ok(Direction::Up),
            "down" => Ok(Direction::Down),
            "left" => Ok(Direction::Left),
            "right" => Ok(Direction::Right),
            other => Err(format!("`{other}` is not up, down, left or right")),
        }
    }

    fn number(&mut self) -> Result<u32, String> {
        let word = self.word();
        word.parse().map_err(|_| format!("`{word}` is not a number"))
    }

    fn pixels(&mut self) -> Result<i32, String> {
        let word = self.word();
        word.parse().map_err(|_| format!("`{word}` is not a number of pixels"))
    }

    fn millis(&mut self) -> Result<u64, String> {
        let word = self.word();
        let parsed = match word.strip_suffix("ms") {
            Some(millis) => millis.parse().ok(),
            None => {
                word.strip_suffix('s').and_then(|s| s.parse::<u64>().ok()).and_then(|s| s.checked_mul(1000))
            }
        };
        parsed.ok_or_else(|| format!("`{word}` is not a time such as `1500ms` or `2s`"))
    }

    fn quoted_list(&mut self) -> Result<Vec<String>, String> {
        let mut items = vec![self.quoted()?];
        while self.rest.trim_start().starts_with('"') {
            items.push(self.quoted()?);
        }
        Ok(items)
    }

    fn quoted(&mut self) -> Result<String, String> {
        self.skip_space();
        let mut stream = serde_json::Deserializer::from_str(self.rest).into_iter::<serde_json::Value>();
        match stream.next() {
            Some(Ok(serde_json::Value::String(text))) => {
                self.rest = &self.rest[stream.byte_offset()..];
                Ok(text)
            }
            _ => Err("a quoted text was expected".to_owned()),
        }
    }

    fn word(&mut self) -> &'a str {
        self.skip_space();
        let end = self.rest.find(|c: char| c.is_whitespace()).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn text_forms_of_the_module_comment_parse() {
        for (text, action) in [
            ("click [12]", Action::Click(Target::Mark(12))),
            (
                "type textbox \"Search\" \"lamp\"",
                Action::Type(Target::named("textbox", "Search"), "lamp".into()),
            ),
            (
                "click button \"Delete\" #2",
                Action::Click(Target::Named { role: "button".into(), name: "Delete".into(), nth: 2 }),
            ),
            ("scroll popup down", Action::Scroll(ScrollArea::Popup, Direction::Down)),
            ("scroll end", Action::ScrollToEnd),
            ("wait 2s", Action::Wait { millis: 2000 }),
            ("scroll by -10 300", Action::ScrollBy { x: -10, y: 300 }),
            ("scroll to \"Terms\"", Action::ScrollToText("Terms".into())),
            (
                "waitfor css \"#results\" 5s",
                Action::WaitFor { target: Target::Css("#results".into()), millis: 5000 },
            ),
            ("click xpath \"//button[2]\"", Action::Click(Target::XPath("//button[2]".into()))),
            ("save pdf", Action::Save(PageFormat::Pdf)),
            ("drag (1,2.5) to [3]", Action::Drag(Target::Point { x: 1.0, y: 2.5 }, Target::Mark(3))),
        ] {
            assert_eq!(text.parse(), Ok(action), "{text}");
        }
    }

    #[test]
    fn what_is_not_an_action_says_why() {
        for (text, reason) in [
            ("", "empty"),
            ("fly home", "no action `fly`"),
            ("click", "a target is"),
            ("click [x]", "not a mark"),
            ("click [1] now", "unexpected `now`"),
            ("type [1] hello", "quoted text"),
            ("scroll window sideways", "not up, down"),
            ("wait soon", "not a time"),
            ("scroll by 3", "not a number of pixels"),
            ("save jpeg", "not pdf or html"),
            ("waitfor [3]", "not a time"),
            ("click button \"x\" #0", "counts from 1"),
        ] {
            let error = text.parse::<Action>().expect_err(text);
            assert!(error.reason.contains(reason), "{text}: {}", error.reason);
        }
    }

    fn target() -> impl Strategy<Value = Target> {
        prop_oneof![
            any::<u32>().prop_map(Target::Mark),
            // Words of the grammar are no roles.
            ("[a-z]{6,12}", any::<String>(), 1..9_u32).prop_map(|(role, name, nth)| Target::Named {
                role,
                name,
                nth
            }),
            (-1e6..1e6, -1e6..1e6).prop_map(|(x, y)| Target::Point { x, y }),
            any::<String>().prop_map(Target::Css),
            any::<String>().prop_map(Target::XPath),
        ]
    }

    fn direction() -> impl Strategy<Value = Direction> {
        prop_oneof![Just(Direction::Up), Just(Direction::Down), Just(Direction::Left), Just(Direction::Right)]
    }

    fn action() -> impl Strategy<Value = Action> {
        let text = any::<String>;
        prop_oneof![
            target().prop_map(Action::Click),
            target().prop_map(Action::Hover),
            (target(), text()).prop_map(|(t, s)| Action::Type(t, s)),
            text().prop_map(Action::Press),
            (target(), text()).prop_map(|(t, s)| Action::Select(t, s)),
            (target(), prop::collection::vec(text(), 1..4)).prop_map(|(t, s)| Action::Upload(t, s)),
            (target(), target()).prop_map(|(a, b)| Action::Drag(a, b)),
            direction().prop_map(|d| Action::Scroll(ScrollArea::Window, d)),
            direction().prop_map(|d| Action::Scroll(ScrollArea::Popup, d)),
            (target(), direction()).prop_map(|(t, d)| Action::Scroll(ScrollArea::Element(t), d)),
            Just(Action::ScrollToEnd),
            any::<(i32, i32)>().prop_map(|(x, y)| Action::ScrollBy { x, y }),
            text().prop_map(Action::ScrollToText),
            (target(), any::<u64>()).prop_map(|(target, millis)| Action::WaitFor { target, millis }),
            prop_oneof![Just(PageFormat::Pdf), Just(PageFormat::Html)].prop_map(Action::Save),
            any::<u32>().prop_map(Action::SwitchTab),
            text().prop_map(Action::OpenTab),
            Just(Action::CloseTab),
            text().prop_map(Action::GoTo),
            Just(Action::Back),
            Just(Action::Forward),
            any::<u64>().prop_map(|millis| Action::Wait { millis }),
            text().prop_map(Action::Answer),
        ]
    }

    proptest! {
        #[test]
        fn printing_and_parsing_loses_nothing(action in action()) {
            prop_assert_eq!(action.to_string().parse::<Action>(), Ok(action));
        }

        #[test]
        fn any_text_is_parsed_or_refused(text in any::<String>()) {
            let _ = text.parse::<Action>();
        }
    }
}
