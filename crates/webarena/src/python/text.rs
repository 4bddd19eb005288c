//! How Python writes values as text.

use unicode_general_category::{GeneralCategory, get_general_category};

use super::value::{Dict, Value};

/// `str(value)`.
pub fn str_of(value: &Value) -> String {
    match value {
        Value::Str(text) => text.clone(),
        other => repr_of(other),
    }
}

/// `repr(value)`.
pub fn repr_of(value: &Value) -> String {
    let mut out = String::new();
    write_repr(value, &mut out);
    out
}

/// `str.isspace` of one character: Unicode white space and the four ASCII information separators.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// `str.strip()`.
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

fn write_repr(value: &Value, out: &mut String) {
    match value {
        Value::None => out.push_str("None"),
        Value::Bool(truth) => out.push_str(if *truth { "True" } else { "False" }),
        Value::Int(int) => out.push_str(&int.to_string()),
        Value::Float(float) => out.push_str(&float_text(*float)),
        Value::Str(text) => write_quoted(text, out),
        Value::List(items) => write_items(items, ('[', ']'), out),
        Value::Tuple(items) => {
            write_items(items, ('(', if items.len() == 1 { ',' } else { ')' }), out);
            if items.len() == 1 {
                out.push(')');
            }
        }
        Value::Dict(entries) => write_entries(entries, out),
    }
}

fn write_items(items: &[Value], (open, close): (char, char), out: &mut String) {
    out.push(open);
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        write_repr(item, out);
    }
    out.push(close);
}

fn write_entries(entries: &Dict, out: &mut String) {
    out.push('{');
    for (at, (key, value)) in entries.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        write_quoted(key, out);
        out.push_str(": ");
        write_repr(value, out);
    }
    out.push('}');
}

/// The shortest digits that read back as the same float; exponents below 1e-4 and from 1e16.
fn float_text(float: f64) -> String {
    if float.is_nan() {
        "nan".to_owned()
    } else if float.is_infinite() {
        if float > 0.0 { "inf".to_owned() } else { "-inf".to_owned() }
    } else if float == 0.0 || (1e-4..1e16).contains(&float.abs()) {
        let point = if float.fract() == 0.0 { ".0" } else { "" };
        format!("{float}{point}")
    } else {
        let scientific = format!("{float:e}");
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        let (sign, digits) = match exponent.strip_prefix('-') {
            Some(digits) => ('-', digits),
            None => ('+', exponent),
        };
        format!("{mantissa}e{sign}{digits:0>2}")
    }
}

fn write_quoted(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if is_printable(c) => out.push(c),
            c => out.push_str(&code_escape(c)),
        }
    }
    out.push(quote);
}

fn code_escape(c: char) -> String {
    match u32::from(c) {
        code @ ..=0xFF => format!("\\x{code:02x}"),
        code @ ..=0xFFFF => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    }
}

fn is_printable(c: char) -> bool {
    use GeneralCategory as Category;
    c == ' '
        || !matches!(
            get_general_category(c),
            Category::Control
                | Category::Format
                | Category::Surrogate
                | Category::PrivateUse
                | Category::Unassigned
                | Category::LineSeparator
                | Category::ParagraphSeparator
                | Category::SpaceSeparator
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::parse_json;

    #[test]
    fn scalars() {
        for (float, text) in [
            (5.0, "5.0"),
            (-0.0, "-0.0"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.5e21, "1.5e+21"),
            (0.0001, "0.0001"),
            (0.000_01, "1e-05"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "nan"),
        ] {
            assert_eq!(str_of(&Value::Float(float)), text);
        }
        assert_eq!(str_of(&Value::None), "None");
        assert_eq!(str_of(&true.into()), "True");
        assert_eq!(str_of(&"it's".into()), "it's");
    }

    #[test]
    fn containers_quote_their_strings() {
        let value =
            parse_json(r#"{"k": ["a", "it's", "\"'", "x\n\u0001\u00a0é\\"], "n": {}}"#).expect("valid");
        assert_eq!(str_of(&value), r#"{'k': ['a', "it's", '"\'', 'x\n\x01\xa0é\\'], 'n': {}}"#);
        assert_eq!(repr_of(&Value::Tuple(vec![1.into()])), "(1,)");
        assert_eq!(repr_of(&Value::Tuple(vec![1.into(), "a".into()])), "(1, 'a')");
    }
}
