//! Recordings of the recorder panel of Chrome `DevTools`: a flow with a title and steps.

mod flow;
mod selectors;

use umpire_model::Viewport;

use super::remarks::Remarks;
use super::source::{RawFields, Source};
use super::{ImportError, MAX_STEPS};
use crate::session::{SESSION_VERSION, Session};
use flow::Flow;

pub(super) fn session<'t>(
    source: &Source<'t>,
    fields: &mut RawFields<'t>,
    remarks: &mut Remarks,
) -> Result<Session, ImportError> {
    let list = fields.take("steps").ok_or(ImportError::UnknownFormat)?;
    let steps = source.list(list, "`steps`")?;
    if steps.len() > MAX_STEPS {
        return Err(source.wrong(list, format!("there are {} steps, more than {MAX_STEPS}", steps.len())));
    }
    let name = fields.text("title", remarks).filter(|title| !title.trim().is_empty());
    if fields.number("timeout", remarks).is_some() {
        remarks.add(None, "timeout", "how long a step may take is decided at replay; left out");
    }
    let test_attribute = fields.text("selectorAttribute", remarks);
    let mut flow = Flow::new(test_attribute, remarks);
    for (index, raw) in steps.iter().enumerate() {
        flow.add(source.step(raw, index + 1)?)?;
    }
    let Flow { steps, start_url, viewport, .. } = flow;
    if start_url.is_none() {
        remarks.add(None, "steps", "none of them says where it begins: write `start_url` in by hand");
    }
    remarks.add(None, "steps", "the recorder writes down no times, and no state before or after a step");
    Ok(Session {
        version: SESSION_VERSION,
        name: name.unwrap_or_else(|| "unnamed".to_owned()),
        recorded_at: String::new(),
        recorder: "import devtools".to_owned(),
        start_url: start_url.unwrap_or_default(),
        viewport: viewport.unwrap_or_else(Viewport::default),
        steps,
        remarks: Vec::new(),
    })
}
