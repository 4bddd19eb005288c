//! Values of PostgreSQL's binary format as JSON.

use std::fmt::Write as _;

use jiff::civil;
use jiff::{SignedDuration, Span, Timestamp};
use serde_json::Value;
use sqlx::TypeInfo as _;
use sqlx::postgres::{PgTypeInfo, PgTypeKind};

use super::{bytes, float, single_float};

/// Arrays have at most six dimensions.
const MOST_DIMENSIONS: i32 = 6;
const MICROS_PER_SECOND: i64 = 1_000_000;
/// 2000-01-01 in Unix time; PostgreSQL counts from there.
const EPOCH: i64 = 946_684_800;

/// `None` if the type is not known here, or the content is not what it promises.
pub(super) fn decode(info: &PgTypeInfo, content: &[u8]) -> Option<Value> {
    match info.kind() {
        PgTypeKind::Array(element) => return array(element, content),
        PgTypeKind::Domain(base) => return decode(base, content),
        PgTypeKind::Enum(_) => return text(content),
        _ => {}
    }
    Some(match info.name() {
        "BOOL" => (content != [0]).into(),
        "INT2" => i16::from_be_bytes(content.try_into().ok()?).into(),
        "INT4" => i32::from_be_bytes(content.try_into().ok()?).into(),
        "INT8" => i64::from_be_bytes(content.try_into().ok()?).into(),
        "OID" => u32::from_be_bytes(content.try_into().ok()?).into(),
        "FLOAT4" => single_float(f32::from_be_bytes(content.try_into().ok()?)),
        "FLOAT8" => float(f64::from_be_bytes(content.try_into().ok()?)),
        "NUMERIC" => numeric(content)?.into(),
        "TEXT" | "VARCHAR" | "CHAR" | "\"CHAR\"" | "BPCHAR" | "NAME" | "XML" | "UNKNOWN" | "citext" => {
            return text(content);
        }
        "BYTEA" => bytes(content),
        "JSON" => serde_json::from_slice(content).ok()?,
        // The first byte is the version of the format.
        "JSONB" => serde_json::from_slice(content.strip_prefix(&[1])?).ok()?,
        "UUID" => uuid(content)?.into(),
        "DATE" => date(i32::from_be_bytes(content.try_into().ok()?))?.into(),
        "TIME" => time_of_day(i64::from_be_bytes(content.try_into().ok()?)).into(),
        "TIMETZ" => {
            let (time, zone) = content.split_first_chunk()?;
            let zone = i32::from_be_bytes(zone.try_into().ok()?);
            format!("{}{}", time_of_day(i64::from_be_bytes(*time)), offset(zone)).into()
        }
        "TIMESTAMP" => timestamp(i64::from_be_bytes(content.try_into().ok()?), false)?.into(),
        "TIMESTAMPTZ" => timestamp(i64::from_be_bytes(content.try_into().ok()?), true)?.into(),
        "INTERVAL" => interval(content)?.into(),
        "VOID" => Value::Null,
        _ => return None,
    })
}

fn text(content: &[u8]) -> Option<Value> {
    std::str::from_utf8(content).ok().map(Value::from)
}

fn take_i16(content: &mut &[u8]) -> Option<i16> {
    let (head, rest) = content.split_first_chunk()?;
    *content = rest;
    Some(i16::from_be_bytes(*head))
}

fn take_i32(content: &mut &[u8]) -> Option<i32> {
    let (head, rest) = content.split_first_chunk()?;
    *content = rest;
    Some(i32::from_be_bytes(*head))
}

/// Exact, with as many decimals as the value has. It comes as digits to the base 10,000, the first of them worth
/// 10,000 to the `weight`.
fn numeric(mut content: &[u8]) -> Option<String> {
    let count = take_i16(&mut content)?;
    let weight = i32::from(take_i16(&mut content)?);
    let sign = take_i16(&mut content)?.cast_unsigned();
    let decimals = usize::try_from(take_i16(&mut content)?).ok()?;
    let sign = match sign {
        0x0000 => "",
        0x4000 => "-",
        0xC000 => return Some("NaN".to_owned()),
        0xD000 => return Some("Infinity".to_owned()),
        0xF000 => return Some("-Infinity".to_owned()),
        _ => return None,
    };
    let digits: Vec<i16> = (0..count).map(|_| take_i16(&mut content)).collect::<Option<_>>()?;
    let digit_worth =
        |power: i32| usize::try_from(weight - power).ok().and_then(|at| digits.get(at)).copied().unwrap_or(0);
    let whole = in_groups_of_four((0..=weight.max(0)).rev().map(digit_worth));
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    if decimals == 0 {
        return Some(format!("{sign}{whole}"));
    }
    let mut fraction = in_groups_of_four((1..).take(decimals.div_ceil(4)).map(|place| digit_worth(-place)));
    fraction.truncate(decimals);
    Some(format!("{sign}{whole}.{fraction}"))
}

fn in_groups_of_four(digits: impl Iterator<Item = i16>) -> String {
    digits.fold(String::new(), |mut text, digit| {
        let _ = write!(text, "{digit:04}");
        text
    })
}

fn uuid(content: &[u8]) -> Option<String> {
    let content: [u8; 16] = content.try_into().ok()?;
    let hex = format!("{:032x}", u128::from_be_bytes(content));
    Some([&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-"))
}

fn date(days: i32) -> Option<String> {
    match days {
        i32::MAX => Some("infinity".to_owned()),
        i32::MIN => Some("-infinity".to_owned()),
        days => {
            let since_epoch = Span::new().try_days(days).ok()?;
            civil::date(2000, 1, 1).checked_add(since_epoch).ok().map(|date| date.to_string())
        }
    }
}

/// RFC 3339; one without a time zone has no offset at its end.
fn timestamp(micros: i64, is_utc: bool) -> Option<String> {
    match micros {
        i64::MAX => return Some("infinity".to_owned()),
        i64::MIN => return Some("-infinity".to_owned()),
        _ => {}
    }
    let since_epoch = SignedDuration::from_micros(micros);
    if is_utc {
        let epoch = Timestamp::from_second(EPOCH).ok()?;
        epoch.checked_add(since_epoch).ok().map(|at| at.to_string())
    } else {
        let epoch = civil::date(2000, 1, 1).at(0, 0, 0, 0);
        epoch.checked_add(since_epoch).ok().map(|at| at.to_string())
    }
}

/// PostgreSQL has 24:00:00 too, so this is no civil time.
fn time_of_day(micros: i64) -> String {
    let seconds = micros / MICROS_PER_SECOND;
    let clock = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{clock}{}", fraction(micros % MICROS_PER_SECOND))
}

fn fraction(micros: i64) -> String {
    match micros.abs() {
        0 => String::new(),
        micros => format!(".{micros:06}").trim_end_matches('0').to_owned(),
    }
}

/// PostgreSQL counts seconds west of Greenwich.
fn offset(seconds_west: i32) -> String {
    let sign = if seconds_west > 0 { '-' } else { '+' };
    let minutes = seconds_west.unsigned_abs() / 60;
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

/// An ISO 8601 duration, each part with its own sign, as PostgreSQL itself writes them in that style.
fn interval(content: &[u8]) -> Option<String> {
    let (micros, mut rest) = content.split_first_chunk()?;
    let micros = i64::from_be_bytes(*micros);
    let days = take_i32(&mut rest)?;
    let months = take_i32(&mut rest)?;
    let part = |number: i64, unit: char| match number {
        0 => String::new(),
        number => format!("{number}{unit}"),
    };
    let date: String = [(months / 12, 'Y'), (months % 12, 'M'), (days, 'D')]
        .map(|(number, unit)| part(i64::from(number), unit))
        .concat();
    let seconds = micros / MICROS_PER_SECOND;
    let below = fraction(micros % MICROS_PER_SECOND);
    let mut time = part(seconds / 3600, 'H') + &part(seconds / 60 % 60, 'M');
    if seconds % 60 != 0 || !below.is_empty() {
        let sign = if micros < 0 { "-" } else { "" };
        let _ = write!(time, "{sign}{}{below}S", (seconds % 60).abs());
    }
    Some(match (date.as_str(), time.as_str()) {
        ("", "") => "PT0S".to_owned(),
        (date, "") => format!("P{date}"),
        (date, time) => format!("P{date}T{time}"),
    })
}

fn array(element: &PgTypeInfo, mut content: &[u8]) -> Option<Value> {
    let dimensions = take_i32(&mut content)?;
    let _has_nulls = take_i32(&mut content)?;
    let _element_type = take_i32(&mut content)?;
    if !(0..=MOST_DIMENSIONS).contains(&dimensions) {
        return None;
    }
    let mut lengths = Vec::new();
    for _ in 0..dimensions {
        lengths.push(take_i32(&mut content)?);
        let _lower_bound = take_i32(&mut content)?;
    }
    if lengths.is_empty() {
        return Some(Value::Array(Vec::new()));
    }
    // Every element takes four bytes at least; more than fit were promised by a broken server.
    let promised = lengths.iter().try_fold(1_usize, |product, length| {
        product.checked_mul(usize::try_from(*length).ok().filter(|length| *length > 0)?)
    })?;
    if promised > content.len() / 4 {
        return None;
    }
    elements(element, &lengths, &mut content)
}

fn elements(element: &PgTypeInfo, lengths: &[i32], content: &mut &[u8]) -> Option<Value> {
    let Some((length, inner)) = lengths.split_first() else {
        let size = take_i32(content)?;
        let Ok(size) = usize::try_from(size) else {
            return Some(Value::Null);
        };
        let (value, rest) = content.split_at_checked(size)?;
        *content = rest;
        return decode(element, value);
    };
    (0..*length).map(|_| elements(element, inner, content)).collect::<Option<Vec<_>>>().map(Value::Array)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sqlx::{Postgres, Type};

    use super::*;

    #[test]
    fn an_array_cannot_promise_more_than_it_holds() {
        let integers = <i32 as Type<Postgres>>::type_info();
        let header = |lengths: &[i32]| -> Vec<u8> {
            let dimensions = i32::try_from(lengths.len()).expect("a few");
            let mut words = vec![dimensions, 0, 23];
            words.extend(lengths.iter().flat_map(|length| [*length, 1]));
            words.into_iter().flat_map(i32::to_be_bytes).collect()
        };
        for lengths in [&[i32::MAX][..], &[i32::MAX, 0], &[-1], &[i32::MAX, i32::MAX, i32::MAX], &[1; 7]] {
            assert_eq!(array(&integers, &header(lengths)), None, "{lengths:?}");
        }
        assert_eq!(array(&integers, &header(&[])), Some(Value::Array(Vec::new())));
    }

    proptest! {
        #[test]
        fn no_bytes_break_the_reader(content in prop::collection::vec(any::<u8>(), 0..64)) {
            for info in [
                <i64 as Type<Postgres>>::type_info(),
                <f32 as Type<Postgres>>::type_info(),
                <String as Type<Postgres>>::type_info(),
                <Vec<i32> as Type<Postgres>>::type_info(),
                <Vec<u8> as Type<Postgres>>::type_info(),
            ] {
                decode(&info, &content);
            }
            let _ = (numeric(&content), uuid(&content), interval(&content));
        }

        #[test]
        fn no_number_breaks_dates_and_times(number in any::<i64>(), small in any::<i32>()) {
            let _ = (timestamp(number, true), timestamp(number, false), time_of_day(number), date(small), offset(small));
        }
    }
}
