//! Values of MySQL's binary protocol as JSON.

use serde_json::Value;
use sqlx::mysql::MySqlTypeInfo;
use sqlx::{MySql, Type, TypeInfo as _};

use super::{bytes, float, single_float};

/// `None` if the content is not what its type promises.
pub(super) fn decode(info: &MySqlTypeInfo, content: &[u8]) -> Option<Value> {
    Some(match info.name() {
        "FLOAT" => single_float(f32::from_le_bytes(content.try_into().ok()?)),
        "DOUBLE" => float(f64::from_le_bytes(content.try_into().ok()?)),
        "BIT" => bits(content)?.into(),
        "YEAR" => unsigned(content)?.into(),
        "BOOLEAN" | "TINYINT" | "SMALLINT" | "MEDIUMINT" | "INT" | "BIGINT" => signed(content)?.into(),
        name if name.ends_with(" UNSIGNED") => unsigned(content)?.into(),
        "DATE" => date(content.get(1..)?)?.into(),
        "DATETIME" => date_and_time(content)?.into(),
        // The session's time zone is UTC.
        "TIMESTAMP" => format!("{}Z", date_and_time(content)?).into(),
        "TIME" => time_span(content)?.into(),
        "JSON" => serde_json::from_slice(content).ok()?,
        "DECIMAL" | "ENUM" | "SET" => std::str::from_utf8(content).ok()?.into(),
        _ if <str as Type<MySql>>::compatible(info) => std::str::from_utf8(content).ok()?.into(),
        _ => bytes(content),
    })
}

fn signed(content: &[u8]) -> Option<i64> {
    Some(match *content {
        [one] => i64::from(one.cast_signed()),
        [a, b] => i64::from(i16::from_le_bytes([a, b])),
        [a, b, c, d] => i64::from(i32::from_le_bytes([a, b, c, d])),
        _ => i64::from_le_bytes(content.try_into().ok()?),
    })
}

fn unsigned(content: &[u8]) -> Option<u64> {
    if content.len() > 8 {
        return None;
    }
    Some(content.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// Bits come with the highest first, unlike everything else.
fn bits(content: &[u8]) -> Option<u64> {
    if content.len() > 8 {
        return None;
    }
    Some(content.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// A date without content is `0000-00-00`, which MySQL may hold and shows so.
fn date(content: &[u8]) -> Option<String> {
    Some(match *content {
        [] => "0000-00-00".to_owned(),
        [low, high, month, day, ..] => {
            format!("{:04}-{month:02}-{day:02}", u16::from_le_bytes([low, high]))
        }
        _ => return None,
    })
}

fn date_and_time(content: &[u8]) -> Option<String> {
    let (length, content) = content.split_first()?;
    let content = content.get(..usize::from(*length))?;
    let time = match content.get(4..).unwrap_or_default() {
        [] => "00:00:00".to_owned(),
        [hour, minute, second, rest @ ..] => {
            format!("{hour:02}:{minute:02}:{second:02}{}", fraction(rest)?)
        }
        _ => return None,
    };
    Some(format!("{}T{time}", date(content)?))
}

/// `TIME` is a span that may be negative and longer than a day.
fn time_span(content: &[u8]) -> Option<String> {
    let (length, content) = content.split_first()?;
    Some(match content.get(..usize::from(*length))? {
        [] => "00:00:00".to_owned(),
        [negative, d0, d1, d2, d3, hour, minute, second, rest @ ..] => {
            let days = u64::from(u32::from_le_bytes([*d0, *d1, *d2, *d3]));
            let hours = days * 24 + u64::from(*hour);
            let sign = if *negative == 0 { "" } else { "-" };
            format!("{sign}{hours:02}:{minute:02}:{second:02}{}", fraction(rest)?)
        }
        _ => return None,
    })
}

fn fraction(content: &[u8]) -> Option<String> {
    if content.is_empty() {
        return Some(String::new());
    }
    let microseconds = u32::from_le_bytes(content.try_into().ok()?);
    Some(format!(".{microseconds:06}").trim_end_matches('0').trim_end_matches('.').to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The layout of the protocol: a length, then only as much as is not zero.
    #[test]
    fn dates_and_spans() {
        for (content, expected) in [
            (&[0][..], "0000-00-00T00:00:00"),
            (&[4, 0xea, 0x07, 2, 28], "2026-02-28T00:00:00"),
            (&[7, 0xea, 0x07, 2, 28, 23, 59, 1], "2026-02-28T23:59:01"),
            (&[11, 0xea, 0x07, 2, 28, 23, 59, 1, 0x20, 0xa1, 0x07, 0], "2026-02-28T23:59:01.5"),
        ] {
            assert_eq!(date_and_time(content).as_deref(), Some(expected), "{content:?}");
        }
        for (content, expected) in [
            (&[0][..], "00:00:00"),
            (&[8, 0, 0, 0, 0, 0, 1, 2, 3], "01:02:03"),
            (&[8, 1, 34, 0, 0, 0, 22, 59, 59], "-838:59:59"),
            (&[12, 0, 0, 0, 0, 0, 1, 2, 3, 1, 0, 0, 0], "01:02:03.000001"),
        ] {
            assert_eq!(time_span(content).as_deref(), Some(expected), "{content:?}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_break_the_reader(content in prop::collection::vec(any::<u8>(), 0..24)) {
            let _ = (date(&content), date_and_time(&content), time_span(&content), fraction(&content));
            let _ = (signed(&content), unsigned(&content), bits(&content));
        }
    }
}
