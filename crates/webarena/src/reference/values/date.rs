//! Calendar dates.

use jiff::civil::Date;

use super::date_parser::parse_date;
use super::{Context, Unreadable, ValueType};
use crate::python::Value;
use crate::reference::text::fold;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateValue(Date);

impl ValueType for DateValue {
    fn read(value: &Value, context: &Context) -> Result<Self, Unreadable> {
        let Value::Str(text) = value else { return Err(Unreadable("not a text")) };
        let text = space_after_commas(&fold(text, Some(context)));
        let moment = parse_date(&text, context.today, context.today.year());
        moment.map(|moment| Self(moment.date())).ok_or(Unreadable("no date"))
    }

    fn same(&self, other: &Self) -> bool {
        self == other
    }

    fn report(&self) -> Value {
        Value::from(self.0.to_string())
    }
}

fn space_after_commas(text: &str) -> String {
    text.replace(',', ", ").replace(",  ", ", ")
}
