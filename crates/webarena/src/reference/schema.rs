//! The JSON-schema-like objects that say of which type the parts of an answer are.

use indexmap::IndexMap;

use crate::python::Value;

/// What the evaluator reads of a schema; every other keyword is decoration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Schema {
    kind: Option<String>,
    format: Option<String>,
    items: Option<Box<Schema>>,
    properties: IndexMap<String, Schema>,
    empty: bool,
}

impl Schema {
    pub fn from_value(value: &Value) -> Self {
        let Some(entries) = value.as_dict() else { return Self { empty: true, ..Self::default() } };
        let text = |key: &str| entries.get(key).and_then(Value::as_str).map(str::to_owned);
        let properties = entries.get("properties").and_then(Value::as_dict);
        Self {
            kind: text("type"),
            format: text("format").filter(|format| !format.is_empty()),
            items: entries.get("items").map(|items| Box::new(Self::from_value(items))),
            properties: properties
                .map(|properties| {
                    properties.iter().map(|(key, schema)| (key.clone(), Self::from_value(schema))).collect()
                })
                .unwrap_or_default(),
            empty: entries.is_empty(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// The `type` keyword.
    pub fn kind(&self) -> Option<&str> {
        self.kind.as_deref()
    }

    /// The value type of a leaf: its format, or its type, or text.
    pub fn leaf_name(&self) -> &str {
        self.format.as_deref().or(self.kind.as_deref()).unwrap_or("string")
    }

    pub fn items(&self) -> Option<&Schema> {
        self.items.as_deref()
    }

    pub fn property(&self, key: &str) -> Option<&Schema> {
        self.properties.get(key)
    }
}
