//! The shop.

use serde_json::Value;

use crate::{Request, Response, Site};

pub struct Shop;

impl Shop {
    pub fn new(_seed: u64) -> Self {
        Self
    }
}

impl Site for Shop {
    fn handle(&mut self, _request: &Request) -> Response {
        Response::empty()
    }

    fn state(&self) -> Value {
        Value::Null
    }

    fn set_state(&mut self, _state: Value) -> Result<(), String> {
        Ok(())
    }
}
