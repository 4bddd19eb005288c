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

#[cfg(test)]
mod tests {
    use super::super::cases::assert_reads;

    #[test]
    fn ways_to_write_a_day() {
        let day = Some(r#""2023-03-05""#);
        assert_reads(
            "date",
            &[
                (r#""2023-03-05""#, day),
                (r#""03/05/2023""#, day),
                (r#""March 5th, 2023""#, day),
                (r#""5 Mar 23""#, day),
                (r#""20230305T235959""#, day),
                (r#""Sunday 2023-03-05 11:30 pm""#, day),
                (r#""March 2023""#, Some(r#""2023-03-15""#)),
                (r#""monday""#, Some(r#""2026-11-16""#)),
                (r#""2023-13-01""#, None),
                (r#""Feb 30 2023""#, None),
                (r#""2023-03-05 10:00 est""#, None),
                (r#""today""#, None),
                ("20230305", None),
            ],
        );
    }
}
