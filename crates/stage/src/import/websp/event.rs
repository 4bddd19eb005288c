use jiff::Timestamp;

use super::SECRETS_CUT;
use super::likeness::{Likeness, likeness};
use super::states::{BeforeAndAfter, InitialStates, Reading};
use crate::import::ImportError;
use crate::import::addresses::{asks_for_a_password, harmless_address, is_filled_by_the_page};
use crate::import::remarks::Remarks;
use crate::import::source::Fields;
use crate::session::{ControlKind, ControlState, Deed, Entry, Frame, Portrait, Purpose, Step};

/// A step, with the number of its event and its time.
pub(super) type Timed = (usize, Timestamp, Step);

/// Reads events in order, remembering which page they happened on.
pub(super) struct Reader<'r> {
    /// Oldest traces do not say; then it follows from the links that were clicked.
    page: String,
    site: String,
    initial: InitialStates,
    remarks: &'r mut Remarks,
    is_first: bool,
}

impl<'r> Reader<'r> {
    pub fn new(start_url: &str, initial: InitialStates, remarks: &'r mut Remarks) -> Self {
        let site = super::host_of(start_url).unwrap_or_default().to_owned();
        Self { page: start_url.to_owned(), site, initial, remarks, is_first: true }
    }

    pub fn read(&mut self, mut event: Fields) -> Result<Option<Timed>, ImportError> {
        let kind = event.needed_text("type")?;
        let time = event.needed_text("timestamp")?;
        let time = time.parse().map_err(|_| event.wrong(&format!("`timestamp` is no time: `{time:.40}`")))?;
        let number = event.number.unwrap_or_default();
        self.turn_to(&mut event);
        let step = match kind.as_str() {
            "click" => self.click(&mut event)?,
            "change" => self.change(&mut event)?,
            "keydown" => {
                let key = event.needed_text("key")?;
                Some(self.step(Deed::Press { key }, Purpose::Way, None))
            }
            "scroll-end" => {
                let x = event.number("scrollLeft", self.remarks).unwrap_or_default();
                let y = event.number("scrollTop", self.remarks).unwrap_or_default();
                Some(self.step(Deed::Scroll { x, y }, Purpose::Way, None))
            }
            "navigation" => {
                let (url, cut) = harmless_address(&event.needed_text("url")?);
                if cut {
                    self.remarks.add(event.number, "url", SECRETS_CUT);
                }
                let step = self.step(Deed::Goto { url: url.clone() }, Purpose::Way, None);
                self.page = url;
                Some(step)
            }
            "dom-snapshot" => {
                self.nothing(&mut event, "a copy of the page, which may hold secrets; left out")
            }
            "initial-screenshot" | "final-screenshot" | "scroll-start" => {
                self.nothing(&mut event, "marks a moment, does nothing; left out")
            }
            _ => return Err(event.wrong(&format!("`type` is `{kind:.40}`, which no recorder wrote"))),
        };
        event.leave("framePath", "the frame is not kept: nothing was done to an element in it", self.remarks);
        event.remark_the_rest(self.remarks);
        let Some(step) = step else { return Ok(None) };
        self.is_first = false;
        Ok(Some((number, time, step)))
    }

    fn turn_to(&mut self, event: &mut Fields) {
        let Some(site) = event.text("site", self.remarks) else {
            return;
        };
        let (address, cut) = harmless_address(&site);
        if cut {
            self.remarks.add(event.number, "site", SECRETS_CUT);
        }
        let host = super::host_of(&address).unwrap_or_default();
        if host != super::host_of(&self.page).unwrap_or_default() && !self.is_first {
            let why =
                "another host than before: another page, a frame or a window; the recorder did not say which";
            self.remarks.add(event.number, "site", why);
        }
        self.page = address;
    }

    fn nothing(&mut self, event: &mut Fields, why: &str) -> Option<Step> {
        for field in ["html", "framePath", "scrollLeft", "scrollTop", "filename", "index"] {
            event.take(field);
        }
        self.remarks.add(event.number, "event", why);
        None
    }

    fn step(&self, deed: Deed, purpose: Purpose, element: Option<Portrait>) -> Step {
        Step {
            at_ms: 0,
            tab: 1,
            url: self.page.clone(),
            frames: Vec::new(),
            deed,
            purpose,
            element,
            before: None,
            after: None,
            screenshot: None,
        }
    }

    fn click(&mut self, event: &mut Fields) -> Result<Option<Step>, ImportError> {
        let Likeness { portrait, .. } = likeness(event, self.remarks);
        let is_toggle = event.flag("isToggle", self.remarks).unwrap_or_default();
        event.leave("toggleState", "may be from before or from after the click; left open", self.remarks);
        event.leave("toggleType", "follows from the element itself", self.remarks);
        if matches!(portrait.tag.as_str(), "html" | "body") {
            self.remarks.add(event.number, "event", "a click on the page itself, on nothing in it; left out");
            return Ok(None);
        }
        need_an_element(event, &portrait)?;
        let frames = self.frames(event);
        let purpose = if portrait.control.is_some_and(|kind| kind != ControlKind::Text) {
            Purpose::State
        } else {
            Purpose::Way
        };
        if purpose == Purpose::State {
            self.remarks.add(
                event.number,
                "event",
                "the click changed a state; before and after were not recorded",
            );
        } else if is_toggle {
            self.remarks.add(
                event.number,
                "isToggle",
                "chooses one of several: done as it was done, for any state",
            );
        }
        let followed = portrait.locators.href.clone().filter(|href| href.contains("://"));
        let step = Step { frames, ..self.step(Deed::Click { double: false }, purpose, Some(portrait)) };
        if let Some(address) = followed {
            self.page = address;
        }
        Ok(Some(step))
    }

    fn change(&mut self, event: &mut Fields) -> Result<Option<Step>, ImportError> {
        let Likeness { portrait, facts, input_type } = likeness(event, self.remarks);
        need_an_element(event, &portrait)?;
        let label_classes = event.take("parentLabelClasses").is_some();
        event.leave("parentLabelSelector", "the label's own path; left out", self.remarks);
        if label_classes {
            self.remarks.add(event.number, "parentLabelClasses", "classes are left out");
        }
        let has_value = event.has("value");
        let value = event.text("value", self.remarks);
        let checked = event.flag("checked", self.remarks);
        let frames = self.frames(event);
        let number = event.number;
        let mut step = if let Some(checked) = checked {
            if value.as_deref().is_some_and(|value| value != "on") {
                self.remarks.add(number, "value", "what a form would send for the control; left out");
            }
            let reading = Reading {
                checked,
                portrait: &portrait,
                input_type: input_type.as_deref(),
                facts: &facts,
                overruled_by_label: label_classes,
                is_first: self.is_first,
            };
            let (before, after): BeforeAndAfter = self.initial.tell(&reading).unwrap_or_else(|why| {
                self.remarks.add(number, "checked", why);
                (None, None)
            });
            let step = self.step(Deed::Click { double: false }, Purpose::State, Some(portrait));
            Step { before, after, ..step }
        } else if portrait.control == Some(ControlKind::Select) {
            let value = value.unwrap_or_default();
            let label =
                facts.options.iter().find(|(known, _)| *known == value).map(|(_, label)| label.clone());
            if label.is_none() {
                self.remarks.add(number, "value", "the option's value: its label was not recorded");
            }
            let options = vec![label.unwrap_or(value)];
            let step = self.step(Deed::Select { options: options.clone() }, Purpose::State, Some(portrait));
            Step { after: Some(ControlState::Chosen(options)), ..step }
        } else if has_value {
            let Some(step) = self.typing(number, portrait, value.unwrap_or_default()) else {
                return Ok(None);
            };
            step
        } else {
            return Err(event.wrong("a change has `checked` or `value`"));
        };
        step.frames = frames;
        Ok(Some(step))
    }

    fn typing(&mut self, number: Option<usize>, mut portrait: Portrait, value: String) -> Option<Step> {
        let names =
            [portrait.locators.field_name.as_deref(), portrait.locators.id.as_deref(), Some(&portrait.name)];
        let kind = portrait.input_type.as_deref();
        if kind == Some("password") || names.into_iter().flatten().any(asks_for_a_password) {
            self.remarks.add(number, "value", "a password is never kept: the step refers to the vault");
            let reference = format!("accounts/{}/password", self.site);
            return Some(self.step(
                Deed::Type { text: Entry::Secret(reference) },
                Purpose::Way,
                Some(portrait),
            ));
        }
        if kind == Some("hidden") || names.into_iter().flatten().any(is_filled_by_the_page) {
            self.remarks.add(number, "event", "filled in by the page, with what may be a token; left out");
            return None;
        }
        if value.contains("[redacted]") {
            self.remarks.add(number, "value", "was redacted before it came here: write the text in by hand");
        }
        portrait.control = portrait.control.or(Some(ControlKind::Text));
        let deed = Deed::Type { text: Entry::Text(value.clone()) };
        let step = self.step(deed, Purpose::State, Some(portrait));
        Some(Step { after: Some(ControlState::Text(value)), ..step })
    }

    /// Frames as the recorder pointed at them: by id, by name, by a piece of the address, or by place.
    fn frames(&mut self, event: &mut Fields) -> Vec<Frame> {
        let selectors = event.texts("framePath", self.remarks);
        let innermost = selectors.len().saturating_sub(1);
        let mut frames = Vec::with_capacity(selectors.len());
        for (depth, selector) in selectors.iter().enumerate() {
            let mut frame = frame(selector);
            if frame == Frame::default() {
                self.remarks.add(event.number, "framePath", "points at a frame in a way that is not kept");
            }
            if depth == innermost {
                // Inside a frame, `site` was the frame's address.
                frame.url.clone_from(&self.page);
            }
            frames.push(frame);
        }
        frames
    }
}

fn need_an_element(event: &Fields, portrait: &Portrait) -> Result<(), ImportError> {
    if portrait.tag.is_empty() || portrait.locators.css.is_none() {
        return Err(event.wrong("it has no `elementType` and `selectorPath`"));
    }
    Ok(())
}

fn frame(selector: &str) -> Frame {
    let between = |start: &str, end: &str| {
        let from = selector.find(start)? + start.len();
        Some(selector[from..].strip_suffix(end)?.to_owned())
    };
    Frame {
        id: selector.strip_prefix("iframe#").map(str::to_owned),
        name: between("[name=\"", "\"]"),
        url: between("[src*=\"", "\"]").unwrap_or_default(),
        index: between("iframe:nth-of-type(", ")").and_then(|number| number.parse().ok()),
        title: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_known_by_whatever_the_recorder_used() {
        assert_eq!(frame("iframe#consent").id.as_deref(), Some("consent"));
        assert_eq!(frame("iframe[name=\"login\"]").name.as_deref(), Some("login"));
        assert_eq!(frame("iframe[src*=\"button\"]").url, "button");
        assert_eq!(frame("iframe:nth-of-type(3)").index, Some(3));
        assert_eq!(frame("div > iframe"), Frame::default());
    }
}
