//! Months of the year.

use jiff::civil::{DateTime, date};

use super::date_parser::parse_date;
use super::{Context, Unreadable, ValueType};
use crate::python::{Value, parse_int};
use crate::reference::text::fold;

/// January is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MonthValue(i8);

const NAMES: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl ValueType for MonthValue {
    fn read(value: &Value, context: &Context) -> Result<Self, Unreadable> {
        let month = match value {
            Value::Bool(truth) => Some(i8::from(*truth)),
            Value::Int(int) => int.to_i64().and_then(|int| i8::try_from(int).ok()),
            Value::Float(float) if float.fract() == 0.0 && float.abs() < 100.0 => Some(*float as i8),
            Value::Str(text) => from_text(&fold(text, Some(context)), context),
            _ => None,
        };
        month.filter(|month| (1..=12).contains(month)).map(Self).ok_or(Unreadable("no month"))
    }

    fn same(&self, other: &Self) -> bool {
        self == other
    }

    fn report(&self) -> Value {
        Value::from(
            usize::try_from(self.0 - 1).ok().and_then(|at| NAMES.get(at)).copied().unwrap_or_default(),
        )
    }
}

/// Any text with a date in it will do; one without a month is taken for January.
fn from_text(text: &str, context: &Context) -> Option<i8> {
    match parse_int(text) {
        Some(number) => number.to_i64().and_then(|number| i8::try_from(number).ok()),
        None => parse_date(text, date(2000, 1, 1), context.today.year()).map(DateTime::month),
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::assert_reads;

    #[test]
    fn names_numbers_and_dates() {
        assert_reads(
            "month",
            &[
                (r#""Sept""#, Some(r#""September""#)),
                ("12", Some(r#""December""#)),
                ("1.0", Some(r#""January""#)),
                (r#""2023-05-01""#, Some(r#""May""#)),
                (r#""5th""#, Some(r#""January""#)),
                ("13", None),
                ("false", None),
                (r#""20230315""#, None),
            ],
        );
    }
}
