//! Reads dates the way the reference's date library does: month first, tolerant, and ready to fill what is missing
//! from a default day.

use jiff::civil::{Date, DateTime};

use super::date_parts::DateParts;
use super::date_tokens::tokens;
use super::date_words::{am_or_pm, is_jump, is_utc, month, time_unit, weekday};
use crate::python::to_ascii_digits;

/// What a text says about a moment; most of it usually stays unsaid.
#[derive(Debug, Default)]
struct Moment {
    weekday: Option<i8>,
    hour: Option<i64>,
    minute: Option<i64>,
    second: Option<i64>,
    microsecond: Option<i64>,
    has_zone_name: bool,
    has_zone_offset: bool,
}

/// The moment a text names. Missing parts come from `default` at midnight; two-digit years are read around
/// `current_year`. Time zones are read and dropped.
pub fn parse_date(text: &str, default: Date, current_year: i16) -> Option<DateTime> {
    let mut parser = Parser {
        tokens: tokens(&to_ascii_digits(text)),
        parts: DateParts::default(),
        moment: Moment::default(),
        current_year,
    };
    parser.run()?;
    parser.build(default)
}

struct Parser {
    tokens: Vec<String>,
    parts: DateParts,
    moment: Moment,
    current_year: i16,
}

/// `Some` with the index of the last token used, or `None` if the text is no date.
type Used = Option<usize>;

impl Parser {
    fn run(&mut self) -> Option<()> {
        let mut at = 0;
        while at < self.tokens.len() {
            at = self.token(at)? + 1;
        }
        Some(())
    }

    fn text(&self, at: usize) -> Option<&str> {
        self.tokens.get(at).map(String::as_str)
    }

    fn token(&mut self, at: usize) -> Used {
        let token = self.text(at)?;
        if let Some(value) = number(token) {
            return self.numeric(at, value);
        }
        if let Some(weekday) = weekday(token) {
            self.moment.weekday = Some(weekday);
            return Some(at);
        }
        if let Some(month) = month(token) {
            return self.named_month(at, month);
        }
        if let Some(afternoon) = am_or_pm(token) {
            let hour = self.moment.hour.filter(|hour| (0..=12).contains(hour))?;
            self.moment.hour = Some(hour_of_day(hour, afternoon));
            return Some(at);
        }
        if self.could_be_zone(token, self.moment.has_zone_offset) {
            return Some(self.zone_name(at));
        }
        if self.moment.hour.is_some() && (token == "+" || token == "-") {
            return self.zone_offset(at);
        }
        is_jump(token).then_some(at)
    }

    /// `Mar`, `Mar-5`, `Mar/5/2023`, `Mar of 23`.
    fn named_month(&mut self, at: usize, month: i64) -> Used {
        self.parts.push_month(month)?;
        match self.text(at + 1) {
            Some(separator @ ("-" | "/")) => {
                let goes_on = self.text(at + 3) == Some(separator);
                let second = self.text(at + 2)?.to_owned();
                self.parts.push_text(&second)?;
                if goes_on {
                    let third = self.text(at + 4)?.to_owned();
                    self.parts.push_text(&third)?;
                    return Some(at + 4);
                }
                Some(at + 2)
            }
            Some(" ")
                if self.text(at + 3) == Some(" ")
                    && self.text(at + 2).is_some_and(|word| word.eq_ignore_ascii_case("of")) =>
            {
                let Some(year) = self.text(at + 4) else { return Some(at) };
                if let Some(year) = integer(year) {
                    let year = full_year(year, self.current_year);
                    self.parts.push_year(year)?;
                }
                Some(at + 4)
            }
            _ => Some(at),
        }
    }

    fn could_be_zone(&self, token: &str, has_offset: bool) -> bool {
        self.moment.hour.is_some()
            && !self.moment.has_zone_name
            && !has_offset
            && token.len() <= 5
            && (token.bytes().all(|byte| byte.is_ascii_uppercase()) || is_utc(token))
    }

    fn zone_name(&mut self, at: usize) -> usize {
        let name = self.tokens[at].clone();
        self.moment.has_zone_name = true;
        self.moment.has_zone_offset = is_utc(&name);
        if matches!(self.text(at + 1), Some("+" | "-")) {
            // `GMT+3` is an offset from a zone, read with the next token.
            self.moment.has_zone_offset = false;
            self.moment.has_zone_name = !is_utc(&name);
        }
        at
    }

    /// `+0500`, `+05:00`, `+5`, with a zone's name in parentheses after it.
    fn zone_offset(&mut self, at: usize) -> Used {
        let offset = self.text(at + 1)?;
        let mut last = at + 1;
        if offset.len() == 4 {
            integer(offset)?;
        } else if self.text(at + 2) == Some(":") {
            integer(offset)?;
            integer(self.text(at + 3)?)?;
            last = at + 3;
        } else if offset.len() <= 2 {
            integer(offset)?;
        } else {
            return None;
        }
        self.moment.has_zone_offset = true;
        let name_at = last + 3;
        let is_named = self.text(last + 1).is_some_and(is_jump)
            && self.text(last + 2) == Some("(")
            && self.text(name_at + 1) == Some(")")
            && self.text(name_at).is_some_and(|name| name.len() >= 3 && self.could_be_zone(name, false));
        if is_named {
            self.moment.has_zone_name = true;
            last += 4;
        }
        Some(last)
    }

    /// The first reading that fits, in this order.
    fn numeric(&mut self, at: usize, value: f64) -> Used {
        let token = self.tokens[at].clone();
        let next = self.text(at + 1).map(str::to_owned);
        let next = next.as_deref();
        let length = token.len();
        if !value.is_finite() {
            return None;
        }
        let is_bare_time = self.parts.len() == 3
            && matches!(length, 2 | 4)
            && self.moment.hour.is_none()
            && next.is_none_or(|next| next != ":" && time_unit(next).is_none());
        if is_bare_time {
            self.moment.hour = Some(integer(&token[..2])?);
            if length == 4 {
                self.moment.minute = Some(integer(&token[2..])?);
            }
            return Some(at);
        }
        if length == 6 || (length > 6 && token.find('.') == Some(6)) {
            return self.six_digits(&token).map(|()| at);
        }
        if matches!(length, 8 | 12 | 14) {
            return self.long_date(&token).map(|()| at);
        }
        if let Some(unit_at) = self.unit_around(at) {
            return self.with_unit(at, unit_at, &token, value);
        }
        match next {
            Some(":") if at + 2 < self.tokens.len() => self.clock(at, value),
            Some(separator @ ("-" | "/" | ".")) => self.separated(at, &token, separator),
            None => self.date_part(at, value),
            Some(next) if is_jump(next) => self.date_part(at, value),
            Some(next) => match am_or_pm(next) {
                Some(afternoon) if (0.0..24.0).contains(&value) => {
                    self.moment.hour = Some(hour_of_day(value as i64, afternoon));
                    Some(at + 1)
                }
                _ if self.parts.could_be_day(value) => self.parts.push_number(value).map(|()| at),
                _ => None,
            },
        }
    }

    /// `YYMMDD`, or `HHMMSS` with a fraction once a date is known.
    fn six_digits(&mut self, token: &str) -> Option<()> {
        if self.parts.len() == 0 && !token.contains('.') {
            for part in [&token[..2], &token[2..4], &token[4..]] {
                self.parts.push_text(part)?;
            }
        } else {
            self.moment.hour = Some(integer(&token[..2])?);
            self.moment.minute = Some(integer(&token[2..4])?);
            self.seconds(&token[4..])?;
        }
        Some(())
    }

    /// `YYYYMMDD`, with `HHMM` or `HHMMSS` after it.
    fn long_date(&mut self, token: &str) -> Option<()> {
        self.parts.push_year(integer(&token[..4])?)?;
        self.parts.push_text(&token[4..6])?;
        self.parts.push_text(&token[6..8])?;
        if token.len() > 8 {
            self.moment.hour = Some(integer(&token[8..10])?);
            self.moment.minute = Some(integer(&token[10..12])?);
        }
        if token.len() > 12 {
            self.moment.second = Some(integer(&token[12..])?);
        }
        Some(())
    }

    /// Where a time unit stands that belongs to the number at `at`.
    fn unit_around(&self, at: usize) -> Option<usize> {
        let is_unit = |at: usize| self.text(at).is_some_and(|token| time_unit(token).is_some());
        if is_unit(at + 1) {
            Some(at + 1)
        } else if self.text(at + 1) == Some(" ") && is_unit(at + 2) {
            Some(at + 2)
        } else if at > 0 && is_unit(at - 1) {
            Some(at - 1)
        } else if at > 1 && at + 1 == self.tokens.len() && self.text(at - 1) == Some(" ") && is_unit(at - 2) {
            Some(at - 2)
        } else {
            None
        }
    }

    /// A unit before the number means the next finer one: in `10h 36` the 36 are minutes.
    fn with_unit(&mut self, at: usize, unit_at: usize, token: &str, value: f64) -> Used {
        let unit = time_unit(self.text(unit_at)?)? + usize::from(unit_at < at);
        match unit {
            0 => {
                self.moment.hour = Some(value as i64);
                if let Some(minutes) = sixtieths(token) {
                    self.moment.minute = Some(minutes);
                }
            }
            1 => self.minutes(token, value),
            2 => self.seconds(token)?,
            _ => {}
        }
        Some(unit_at.max(at))
    }

    fn clock(&mut self, at: usize, value: f64) -> Used {
        self.moment.hour = Some(value as i64);
        let minutes = self.text(at + 2)?.to_owned();
        let minutes_value = number(&minutes).filter(|value| value.is_finite())?;
        self.minutes(&minutes, minutes_value);
        if self.text(at + 3) == Some(":") && at + 4 < self.tokens.len() {
            let seconds = self.tokens[at + 4].clone();
            self.seconds(&seconds)?;
            return Some(at + 4);
        }
        Some(at + 2)
    }

    fn minutes(&mut self, token: &str, value: f64) {
        self.moment.minute = Some(value as i64);
        self.moment.second = sixtieths(token);
    }

    fn seconds(&mut self, token: &str) -> Option<()> {
        let (whole, fraction) = token.split_once('.').unwrap_or((token, ""));
        self.moment.second = Some(integer(whole)?);
        self.moment.microsecond = Some(integer(&format!("{fraction:0<6}")[..6])?);
        Some(())
    }

    /// `5-3`, `5/Mar/2023`, `5.3.2023`.
    fn separated(&mut self, at: usize, token: &str, separator: &str) -> Used {
        self.parts.push_text(token)?;
        let second = match self.text(at + 2) {
            Some(second) if !is_jump(second) => second.to_owned(),
            _ => return Some(at + 1),
        };
        if integer(&second).is_some() {
            self.parts.push_text(&second)?;
        } else {
            self.parts.push_month(month(&second)?)?;
        }
        if self.text(at + 3) != Some(separator) {
            return Some(at + 2);
        }
        let third = self.text(at + 4)?.to_owned();
        match month(&third) {
            Some(month) => self.parts.push_month(month)?,
            None => self.parts.push_text(&third)?,
        }
        Some(at + 4)
    }

    /// A number on its own, or the hour before a detached `am` or `pm`. What follows it is used up.
    fn date_part(&mut self, at: usize, value: f64) -> Used {
        if let Some(afternoon) = self.text(at + 2).and_then(am_or_pm) {
            self.moment.hour = Some(hour_of_day(value as i64, afternoon));
            return Some(at + 2);
        }
        self.parts.push_number(value)?;
        Some(at + 1)
    }

    fn build(self, default: Date) -> Option<DateTime> {
        let (year, month, day) = self.parts.resolve()?;
        let year =
            year.map(
                |year| if self.parts.century_is_given() { year } else { full_year(year, self.current_year) },
            );
        let moment = &self.moment;
        let nothing_said = year.is_none()
            && month.is_none()
            && day.is_none()
            && moment.weekday.is_none()
            && moment.hour.is_none()
            && moment.minute.is_none()
            && moment.second.is_none();
        if nothing_said {
            return None;
        }
        let year = i16::try_from(year.unwrap_or(i64::from(default.year()))).ok().filter(|year| *year >= 1)?;
        let month = i8::try_from(month.unwrap_or(i64::from(default.month()))).ok()?;
        let first = Date::new(year, month, 1).ok()?;
        let given_day = match day {
            Some(day) => i8::try_from(day).ok()?,
            None => default.day().min(first.days_in_month()),
        };
        let mut date = Date::new(year, month, given_day).ok()?;
        if let (Some(weekday), None) = (moment.weekday, day) {
            let days_ahead = (weekday - date.weekday().to_monday_zero_offset()).rem_euclid(7);
            date = date.checked_add(jiff::Span::new().days(days_ahead)).ok()?;
        }
        let field = |field: Option<i64>| i8::try_from(field.unwrap_or(0)).ok();
        let nanosecond = i32::try_from(moment.microsecond.unwrap_or(0) * 1_000).ok()?;
        let time = jiff::civil::Time::new(
            field(moment.hour)?,
            field(moment.minute)?,
            field(moment.second)?,
            nanosecond,
        )
        .ok()?;
        Some(date.to_datetime(time))
    }
}

/// A token the library takes for a number; `nan` and `infinity` among them, which it then refuses.
fn number(token: &str) -> Option<f64> {
    token.parse().ok()
}

fn integer(text: &str) -> Option<i64> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// The fraction of a number in sixtieths, unless it has none. Exact, because the library computes in decimals.
fn sixtieths(token: &str) -> Option<i64> {
    let fraction = token.split_once('.')?.1.trim_end_matches('0');
    let digits = &fraction[..fraction.len().min(15)];
    let scale = 10_i64.checked_pow(u32::try_from(digits.len()).ok()?)?;
    Some(digits.parse::<i64>().ok()? * 60 / scale)
}

fn hour_of_day(hour: i64, afternoon: bool) -> i64 {
    match (hour, afternoon) {
        (12, false) => 0,
        (..12, true) => hour + 12,
        _ => hour,
    }
}

/// Two digits mean the year within fifty years of the current one.
fn full_year(year: i64, current_year: i16) -> i64 {
    let current = i64::from(current_year);
    if year >= 100 {
        return year;
    }
    let year = year + current / 100 * 100;
    if year >= current + 50 {
        year - 100
    } else if year < current - 50 {
        year + 100
    } else {
        year
    }
}
