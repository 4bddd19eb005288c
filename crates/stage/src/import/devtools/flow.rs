use serde_json::Value;
use umpire_model::Viewport;

use super::selectors::portrait;
use crate::import::ImportError;
use crate::import::addresses::{asks_for_a_password, harmless_address};
use crate::import::remarks::Remarks;
use crate::import::source::Fields;
use crate::session::{ControlKind, ControlState, Deed, Entry, Frame, Portrait, Purpose, Step};

const MODIFIERS: [&str; 4] = ["Control", "Shift", "Alt", "Meta"];

/// A flow on its way into a session: which tabs are open and where they are, which keys are held down.
pub(super) struct Flow<'r> {
    pub steps: Vec<Step>,
    pub start_url: Option<String>,
    pub viewport: Option<Viewport>,
    test_attribute: Option<String>,
    /// What the recording calls its tabs, and where each is. The first is `main`.
    tabs: Vec<(String, String)>,
    held: Vec<String>,
    remarks: &'r mut Remarks,
}

/// Where a step takes place.
struct Place {
    tab: u32,
    frames: Vec<Frame>,
}

impl<'r> Flow<'r> {
    pub fn new(test_attribute: Option<String>, remarks: &'r mut Remarks) -> Self {
        Self {
            steps: Vec::new(),
            start_url: None,
            viewport: None,
            test_attribute,
            tabs: vec![("main".to_owned(), String::new())],
            held: Vec::new(),
            remarks,
        }
    }

    pub fn add(&mut self, mut step: Fields) -> Result<(), ImportError> {
        let kind = step.needed_text("type")?;
        let place = self.place(&mut step);
        let timeout = step.number("timeout", self.remarks);
        if timeout.is_some() && kind != "waitForElement" {
            self.remarks.add(
                step.number,
                "timeout",
                "how long a step may take is decided at replay; left out",
            );
        }
        match kind.as_str() {
            "setViewport" => self.set_viewport(&mut step),
            "navigate" => self.navigate(&mut step, &place)?,
            "click" | "doubleClick" => self.click(&mut step, &place, kind == "doubleClick")?,
            "hover" => {
                let element = self.element(&mut step)?;
                self.push(&place, Deed::Hover, Purpose::Way, Some(element));
            }
            "change" => self.change(&mut step, &place)?,
            "keyDown" => self.key_down(&mut step, &place)?,
            "keyUp" => {
                let key = step.needed_text("key")?;
                self.held.retain(|held| *held != key);
            }
            "scroll" => {
                let x = step.number("x", self.remarks).unwrap_or_default();
                let y = step.number("y", self.remarks).unwrap_or_default();
                let element = if step.has("selectors") { Some(self.element(&mut step)?) } else { None };
                self.push(&place, Deed::Scroll { x, y }, Purpose::Way, element);
            }
            "waitForElement" => self.wait(&mut step, &place, timeout)?,
            "close" => self.push(&place, Deed::CloseTab, Purpose::Way, None),
            "waitForExpression" => {
                step.take("expression");
                self.leave_out(&step, "waits for a script to say yes; scripts of a recording are not run");
            }
            "emulateNetworkConditions" => {
                for field in ["download", "upload", "latency"] {
                    step.take(field);
                }
                self.leave_out(&step, "slows the network down; perturbations do that");
            }
            "customStep" => {
                step.take("name");
                step.take("parameters");
                self.leave_out(&step, "means something to the program that wrote it only");
            }
            _ => return Err(step.wrong(&format!("`type` is `{kind:.40}`, which no recorder writes"))),
        }
        self.follow(&mut step, &place);
        step.remark_the_rest(self.remarks);
        Ok(())
    }

    fn leave_out(&mut self, step: &Fields, why: &str) {
        self.remarks.add(step.number, "type", &format!("{why}; left out"));
    }

    fn place(&mut self, step: &mut Fields) -> Place {
        let target = step.text("target", self.remarks).unwrap_or_else(|| "main".to_owned());
        let target = if target == "main" { target } else { harmless_address(&target).0 };
        let known = self.tabs.iter().position(|(name, _)| *name == target);
        let index = known.unwrap_or_else(|| {
            self.tabs.push((target.clone(), target.clone()));
            let opened = Place { tab: self.tabs.len() as u32, frames: Vec::new() };
            self.push(&opened, Deed::TabOpened { by: 1, url: target }, Purpose::Way, None);
            self.tabs.len() - 1
        });
        let frames = match step.take("frame") {
            Some(Value::Array(places)) => places
                .iter()
                .filter_map(Value::as_u64)
                .map(|place| Frame { index: u32::try_from(place + 1).ok(), ..Frame::default() })
                .collect(),
            Some(_) => {
                self.remarks.add(step.number, "frame", "is no list of places; left out");
                Vec::new()
            }
            None => Vec::new(),
        };
        Place { tab: index as u32 + 1, frames }
    }

    fn push(&mut self, place: &Place, deed: Deed, purpose: Purpose, element: Option<Portrait>) {
        let url = self.tabs.get(place.tab as usize - 1).map(|(_, url)| url.clone()).unwrap_or_default();
        self.steps.push(Step {
            at_ms: 0,
            tab: place.tab,
            url,
            frames: place.frames.clone(),
            deed,
            purpose,
            element,
            before: None,
            after: None,
            screenshot: None,
        });
    }

    fn element(&mut self, step: &mut Fields) -> Result<Portrait, ImportError> {
        let Some(Value::Array(selectors)) = step.take("selectors") else {
            return Err(step.wrong("it has no `selectors`"));
        };
        let found = portrait(&selectors, self.test_attribute.as_deref());
        if found.not_understood > 0 {
            self.remarks.add(step.number, "selectors", "some are neither text nor a list of texts; left out");
        }
        if found.portrait.locators.selectors.is_empty() {
            return Err(step.wrong("`selectors` points at nothing"));
        }
        Ok(found.portrait)
    }

    fn set_viewport(&mut self, step: &mut Fields) {
        let mut side =
            |field: &str| step.number(field, self.remarks).filter(|side| (1.0..=16_384.0).contains(side));
        let (width, height) = (side("width"), side("height"));
        match (width, height) {
            (Some(width), Some(height)) if self.viewport.is_none() => {
                self.viewport = Some(Viewport { width: width as u32, height: height as u32 });
            }
            (Some(_), Some(_)) => self.leave_out(step, "changes the window's size on the way"),
            _ => self.leave_out(step, "says no size a window can have"),
        }
        for field in ["deviceScaleFactor", "isMobile", "hasTouch", "isLandscape"] {
            step.leave(field, "what kind of device it was; left out", self.remarks);
        }
    }

    fn navigate(&mut self, step: &mut Fields, place: &Place) -> Result<(), ImportError> {
        let url = self.address(step, "url")?;
        if self.start_url.is_none() && self.steps.is_empty() && place.tab == 1 {
            self.start_url = Some(url.clone());
        } else {
            self.push(place, Deed::Goto { url: url.clone() }, Purpose::Way, None);
        }
        self.went(place, url);
        Ok(())
    }

    fn address(&mut self, step: &mut Fields, field: &str) -> Result<String, ImportError> {
        let (url, cut) = harmless_address(&step.needed_text(field)?);
        if cut {
            self.remarks.add(
                step.number,
                field,
                "parameters that may hold a secret were cut from the address",
            );
        }
        Ok(url)
    }

    fn went(&mut self, place: &Place, url: String) {
        if let Some(tab) = self.tabs.get_mut(place.tab as usize - 1) {
            tab.1 = url;
        }
    }

    fn click(&mut self, step: &mut Fields, place: &Place, double: bool) -> Result<(), ImportError> {
        let element = self.element(step)?;
        for field in ["offsetX", "offsetY"] {
            step.leave(field, "where in the element it was; clicks go to its middle", self.remarks);
        }
        step.leave("duration", "how long the button was held; left out", self.remarks);
        step.leave("deviceType", "mouse, pen or finger; clicks are done with the mouse", self.remarks);
        if let Some(button) = step.text("button", self.remarks)
            && button != "primary"
        {
            self.leave_out(step, &format!("a click with the {button:.20} button cannot be replayed"));
            return Ok(());
        }
        let holds_a_state =
            matches!(element.role.as_str(), "checkbox" | "switch" | "radio" | "menuitemcheckbox");
        let purpose = if holds_a_state { Purpose::State } else { Purpose::Way };
        self.push(place, Deed::Click { double }, purpose, Some(element));
        Ok(())
    }

    fn change(&mut self, step: &mut Fields, place: &Place) -> Result<(), ImportError> {
        let value = step.needed_text("value")?;
        let mut element = self.element(step)?;
        let selectors = element.locators.selectors.join(" ");
        if asks_for_a_password(&selectors) || asks_for_a_password(&element.name) {
            self.remarks.add(step.number, "value", "a password is never kept: the step refers to the vault");
            let page = self.tabs.get(place.tab as usize - 1).map(|(_, url)| url.as_str()).unwrap_or_default();
            let host =
                page.split_once("://").map_or("", |(_, rest)| rest.split('/').next().unwrap_or_default());
            let text = Entry::Secret(format!("accounts/{host}/password"));
            self.push(place, Deed::Type { text }, Purpose::Way, Some(element));
            return Ok(());
        }
        let (deed, after) =
            if element.tag == "select" || matches!(element.role.as_str(), "combobox" | "listbox") {
                self.remarks.add(
                    step.number,
                    "value",
                    "the option's value: the recorder does not write down its label",
                );
                (Deed::Select { options: vec![value.clone()] }, ControlState::Chosen(vec![value]))
            } else {
                element.control = Some(ControlKind::Text);
                (Deed::Type { text: Entry::Text(value.clone()) }, ControlState::Text(value))
            };
        self.push(place, deed, Purpose::State, Some(element));
        if let Some(step) = self.steps.last_mut() {
            step.after = Some(after);
        }
        Ok(())
    }

    /// Keys that are held make a chord of the next one.
    fn key_down(&mut self, step: &mut Fields, place: &Place) -> Result<(), ImportError> {
        let key = step.needed_text("key")?;
        if MODIFIERS.contains(&key.as_str()) {
            if !self.held.contains(&key) {
                self.held.push(key);
            }
            return Ok(());
        }
        // A letter that is typed with Shift is already the capital one.
        let chord: Vec<&str> = MODIFIERS
            .into_iter()
            .filter(|modifier| self.held.iter().any(|held| held == modifier))
            .filter(|modifier| *modifier != "Shift" || key.chars().count() > 1)
            .chain([key.as_str()])
            .collect();
        let chord = chord.join("+");
        self.push(place, Deed::Press { key: chord }, Purpose::Way, None);
        Ok(())
    }

    fn wait(&mut self, step: &mut Fields, place: &Place, timeout: Option<f64>) -> Result<(), ImportError> {
        let element = self.element(step)?;
        let count = step.number("count", self.remarks);
        let operator = step.text("operator", self.remarks);
        let visible = step.flag("visible", self.remarks);
        for field in ["properties", "attributes"] {
            step.leave(field, "what the element must be like besides; left out", self.remarks);
        }
        let none =
            matches!((operator.as_deref(), count), (None | Some("==" | "<="), Some(count)) if count == 0.0);
        let one =
            matches!((operator.as_deref(), count), (None | Some("==" | ">="), None)) || count == Some(1.0);
        if !none && !one {
            self.remarks.add(step.number, "count", "waits for one element, not for a number of them");
        }
        let gone = none || visible == Some(false);
        let millis =
            timeout.filter(|millis| (0.0..=3_600_000.0).contains(millis)).map(|millis| millis as u64);
        self.push(place, Deed::WaitFor { gone, millis }, Purpose::Way, Some(element));
        Ok(())
    }

    /// What the step brought about says where the next one takes place.
    fn follow(&mut self, step: &mut Fields, place: &Place) {
        let Some(events) = step.take("assertedEvents") else { return };
        for event in events.as_array().into_iter().flatten() {
            if let Some(url) = event.get("url").and_then(Value::as_str) {
                let (url, cut) = harmless_address(url);
                if cut {
                    let why = "parameters that may hold a secret were cut from the address";
                    self.remarks.add(step.number, "assertedEvents", why);
                }
                self.went(place, url);
            }
            let known = |field: &&String| field.as_str() == "type" || field.as_str() == "url";
            for field in
                event.as_object().into_iter().flat_map(|event| event.keys()).filter(|field| !known(field))
            {
                self.remarks.add(step.number, field, "of the page that was expected; left out");
            }
        }
    }
}
