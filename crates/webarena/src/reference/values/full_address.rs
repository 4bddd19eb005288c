//! Postal addresses in the United States.
//!
//! The reference sends them through a trained tagger. No released task reaches it, so this is a subset by rule: the
//! five required fields, folded, with states by name or abbreviation and ZIP codes of five or nine digits.

use super::{Context, Unreadable, ValueType};
use crate::python::{Dict, Value, str_of};
use crate::reference::text::fold;

#[derive(Debug, Clone)]
pub struct FullAddress {
    house_number: String,
    street: String,
    city: String,
    state: &'static str,
    postcode: String,
    name: Option<String>,
}

impl ValueType for FullAddress {
    fn read(value: &Value, context: &Context) -> Result<Self, Unreadable> {
        let Value::Dict(entries) = value else { return Err(Unreadable("not an address object")) };
        let field = |key: &str| match entries.get(key) {
            Some(field) if field.truthy() => Some(fold(&str_of(field), Some(context))),
            _ => None,
        };
        let required = |key: &str| field(key).ok_or(Unreadable("an address lacks a field"));
        let postcode = required("postcode")?;
        let digits = postcode.bytes().filter(u8::is_ascii_digit).count();
        if !matches!(digits, 5 | 9) || !postcode.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
            return Err(Unreadable("not a ZIP code"));
        }
        Ok(Self {
            house_number: required("house_number")?,
            street: required("street")?,
            city: required("city")?,
            state: state_code(&required("state")?).ok_or(Unreadable("not a state"))?,
            postcode,
            name: field("name"),
        })
    }

    /// The name is not compared.
    fn same(&self, other: &Self) -> bool {
        let fields = |address: &Self| {
            let Self { house_number, street, city, state, postcode, name: _ } = address;
            [house_number.clone(), street.clone(), city.clone(), (*state).to_owned(), postcode.clone()]
        };
        fields(self) == fields(other)
    }

    /// Further alternatives are read but not looked at.
    fn any_same(expected: &[Self], actual: &[Self]) -> bool {
        matches!((expected, actual), ([expected, ..], [actual, ..]) if expected.same(actual))
    }

    fn report(&self) -> Value {
        let name = self.name.as_deref().map_or(Value::None, Value::from);
        let fields = [
            ("house_number", Value::from(self.house_number.as_str())),
            ("street", Value::from(self.street.as_str())),
            ("city", Value::from(self.city.as_str())),
            ("state", Value::from(self.state)),
            ("postcode", Value::from(self.postcode.as_str())),
            ("name", name),
        ];
        Value::Dict(fields.into_iter().map(|(key, field)| (key.to_owned(), field)).collect::<Dict>())
    }
}

fn state_code(text: &str) -> Option<&'static str> {
    STATES.iter().find(|(code, name)| text.eq_ignore_ascii_case(code) || text == *name).map(|(code, _)| *code)
}

const STATES: [(&str, &str); 51] = [
    ("AL", "alabama"),
    ("AK", "alaska"),
    ("AZ", "arizona"),
    ("AR", "arkansas"),
    ("CA", "california"),
    ("CO", "colorado"),
    ("CT", "connecticut"),
    ("DE", "delaware"),
    ("DC", "district of columbia"),
    ("FL", "florida"),
    ("GA", "georgia"),
    ("HI", "hawaii"),
    ("ID", "idaho"),
    ("IL", "illinois"),
    ("IN", "indiana"),
    ("IA", "iowa"),
    ("KS", "kansas"),
    ("KY", "kentucky"),
    ("LA", "louisiana"),
    ("ME", "maine"),
    ("MD", "maryland"),
    ("MA", "massachusetts"),
    ("MI", "michigan"),
    ("MN", "minnesota"),
    ("MS", "mississippi"),
    ("MO", "missouri"),
    ("MT", "montana"),
    ("NE", "nebraska"),
    ("NV", "nevada"),
    ("NH", "new hampshire"),
    ("NJ", "new jersey"),
    ("NM", "new mexico"),
    ("NY", "new york"),
    ("NC", "north carolina"),
    ("ND", "north dakota"),
    ("OH", "ohio"),
    ("OK", "oklahoma"),
    ("OR", "oregon"),
    ("PA", "pennsylvania"),
    ("RI", "rhode island"),
    ("SC", "south carolina"),
    ("SD", "south dakota"),
    ("TN", "tennessee"),
    ("TX", "texas"),
    ("UT", "utah"),
    ("VT", "vermont"),
    ("VA", "virginia"),
    ("WA", "washington"),
    ("WV", "west virginia"),
    ("WI", "wisconsin"),
    ("WY", "wyoming"),
];

#[cfg(test)]
mod tests {
    use super::super::cases::{assert_accepts, assert_reads};

    const ADDRESS: &str = r#"{"house_number":"123","street":"Main St","city":"San Francisco","state":"California","postcode":"94102"}"#;

    #[test]
    fn fields_and_states() {
        let report = r#"{"house_number":"123","street":"main st","city":"san francisco","state":"CA","postcode":"94102","name":null}"#;
        assert_reads(
            "full_address",
            &[(ADDRESS, Some(report)), (r#"{"city":"x"}"#, None), (r#""123 Main St""#, None)],
        );
        let abbreviated = ADDRESS.replace("California", "ca");
        let elsewhere = ADDRESS.replace("California", "Ohio");
        assert_accepts("full_address", &[(ADDRESS, &abbreviated, true), (ADDRESS, &elsewhere, false)]);
    }
}
