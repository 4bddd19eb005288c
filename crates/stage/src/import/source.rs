//! Taking a JSON source apart field by field, so that none is overlooked.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::ImportError;
use super::remarks::Remarks;

/// The text of a file; knows the line of every value in it.
pub(super) struct Source<'t> {
    text: &'t str,
}

impl<'t> Source<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text }
    }

    /// The line a value begins on, from 1.
    pub fn line(&self, value: &RawValue) -> usize {
        let offset = (value.get().as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        self.text.get(..offset).unwrap_or_default().matches('\n').count() + 1
    }

    pub fn wrong(&self, value: &RawValue, problem: impl Into<String>) -> ImportError {
        ImportError::Shape { line: self.line(value), problem: problem.into() }
    }

    /// The fields of an object whose values are read later.
    pub fn object(&self, value: &'t RawValue, what: &str) -> Result<RawFields<'t>, ImportError> {
        let fields: indexmap::IndexMap<String, &'t RawValue> = serde_json::from_str(value.get())
            .map_err(|_| self.wrong(value, format!("{what} is no JSON object")))?;
        Ok(RawFields { fields })
    }

    pub fn list(&self, value: &'t RawValue, what: &str) -> Result<Vec<&'t RawValue>, ImportError> {
        serde_json::from_str(value.get()).map_err(|_| self.wrong(value, format!("{what} is no list")))
    }

    /// The fields of one step of the source.
    pub fn step(&self, value: &RawValue, number: usize) -> Result<Fields, ImportError> {
        let map: Map<String, Value> = serde_json::from_str(value.get())
            .map_err(|_| self.wrong(value, format!("step {number} is no JSON object")))?;
        Ok(Fields { number: Some(number), line: self.line(value), map })
    }
}

/// Top-level fields, not yet read: the large ones are taken apart piece by piece.
pub(super) struct RawFields<'t> {
    fields: indexmap::IndexMap<String, &'t RawValue>,
}

impl<'t> RawFields<'t> {
    pub fn has(&self, field: &str) -> bool {
        self.fields.contains_key(field)
    }

    pub fn take(&mut self, field: &str) -> Option<&'t RawValue> {
        self.fields.shift_remove(field).filter(|value| value.get() != "null")
    }

    /// Text, if it is there and is text; anything else in its place is remarked.
    pub fn text(&mut self, field: &str, remarks: &mut Remarks) -> Option<String> {
        self.read(field, "is not text; left out", remarks)
    }

    pub fn number(&mut self, field: &str, remarks: &mut Remarks) -> Option<f64> {
        self.read(field, "is no number; left out", remarks)
    }

    fn read<T: serde::de::DeserializeOwned>(
        &mut self,
        field: &str,
        otherwise: &str,
        remarks: &mut Remarks,
    ) -> Option<T> {
        let raw = self.take(field)?;
        let value = serde_json::from_str(raw.get()).ok();
        if value.is_none() {
            remarks.add(None, field, otherwise);
        }
        value
    }

    pub fn remark_the_rest(self, step: Option<usize>, remarks: &mut Remarks) {
        for (field, value) in self.fields {
            if value.get() != "null" {
                remarks.add(step, &field, NOT_KNOWN);
            }
        }
    }
}

const NOT_KNOWN: &str = "no known field of this format; left out";

/// The fields of one small object of the source.
pub(super) struct Fields {
    /// Which step it belongs to, from 1.
    pub number: Option<usize>,
    pub line: usize,
    map: Map<String, Value>,
}

impl Fields {
    pub fn wrong(&self, problem: &str) -> ImportError {
        let place = self.number.map(|number| format!("step {number}: ")).unwrap_or_default();
        ImportError::Shape { line: self.line, problem: format!("{place}{problem}") }
    }

    /// Whether the field is written at all, be it as null.
    pub fn has(&self, field: &str) -> bool {
        self.map.contains_key(field)
    }

    pub fn take(&mut self, field: &str) -> Option<Value> {
        self.map.shift_remove(field).filter(|value| !is_nothing(value))
    }

    pub fn text(&mut self, field: &str, remarks: &mut Remarks) -> Option<String> {
        match self.take(field)? {
            Value::String(text) => Some(text),
            _ => self.not(field, "text", remarks),
        }
    }

    pub fn needed_text(&mut self, field: &str) -> Result<String, ImportError> {
        match self.map.shift_remove(field) {
            Some(Value::String(text)) => Ok(text),
            Some(_) => Err(self.wrong(&format!("`{field}` is not text"))),
            None => Err(self.wrong(&format!("it has no `{field}`"))),
        }
    }

    pub fn number(&mut self, field: &str, remarks: &mut Remarks) -> Option<f64> {
        match self.take(field)?.as_f64() {
            Some(number) if number.is_finite() => Some(number),
            _ => self.not(field, "a number", remarks),
        }
    }

    pub fn flag(&mut self, field: &str, remarks: &mut Remarks) -> Option<bool> {
        match self.take(field)? {
            Value::Bool(flag) => Some(flag),
            _ => self.not(field, "true or false", remarks),
        }
    }

    /// A list of texts; other members are remarked.
    pub fn texts(&mut self, field: &str, remarks: &mut Remarks) -> Vec<String> {
        let Some(value) = self.take(field) else { return Vec::new() };
        let Value::Array(members) = value else {
            self.not::<()>(field, "a list", remarks);
            return Vec::new();
        };
        let mut texts = Vec::with_capacity(members.len());
        for member in members {
            match member {
                Value::String(text) => texts.push(text),
                _ => {
                    self.not::<()>(field, "a list of texts", remarks);
                }
            }
        }
        texts
    }

    /// An object within this one.
    pub fn inner(&mut self, field: &str, remarks: &mut Remarks) -> Option<Self> {
        match self.take(field)? {
            Value::Object(map) => Some(Self { number: self.number, line: self.line, map }),
            _ => self.not(field, "an object", remarks),
        }
    }

    /// Takes a field that has no place in a session, and says so.
    pub fn leave(&mut self, field: &str, why: &str, remarks: &mut Remarks) {
        if self.take(field).is_some() {
            remarks.add(self.number, field, why);
        }
    }

    pub fn remark_the_rest(self, remarks: &mut Remarks) {
        for (field, value) in &self.map {
            if !is_nothing(value) {
                remarks.add(self.number, field, NOT_KNOWN);
            }
        }
    }

    fn not<T>(&self, field: &str, what: &str, remarks: &mut Remarks) -> Option<T> {
        remarks.add(self.number, field, &format!("is not {what}; left out"));
        None
    }
}

/// Recorders write out every field they know; what is empty says nothing.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(members) => members.is_empty(),
        Value::Object(fields) => fields.values().all(is_nothing),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}
