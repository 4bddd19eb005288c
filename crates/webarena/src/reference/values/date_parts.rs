//! The numbers of a date in the order they were written, and which of them is the year, the month and the day.

use jiff::civil::Date;

#[derive(Debug, Default)]
pub(super) struct DateParts {
    parts: Vec<i64>,
    /// Positions that are known, because the text was long enough for a year or named the month.
    year_at: Option<usize>,
    month_at: Option<usize>,
    century_given: bool,
}

pub(super) type YearMonthDay = (Option<i64>, Option<i64>, Option<i64>);

impl DateParts {
    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }

    pub(super) fn century_is_given(&self) -> bool {
        self.century_given
    }

    /// Digits; three or more can only be a year.
    pub(super) fn push_text(&mut self, digits: &str) -> Option<()> {
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let value = digits.parse().ok()?;
        if digits.len() > 2 {
            return self.push_year(value);
        }
        self.parts.push(value);
        Some(())
    }

    /// A number; above a hundred it can only be a year. Fractions are cut off.
    pub(super) fn push_number(&mut self, value: f64) -> Option<()> {
        if value > 100.0 {
            return self.push_year(value as i64);
        }
        self.parts.push(value as i64);
        Some(())
    }

    pub(super) fn push_month(&mut self, month: i64) -> Option<()> {
        self.parts.push(month);
        label(&mut self.month_at, self.parts.len() - 1)
    }

    /// A year with its century, however many digits it was written with.
    pub(super) fn push_year(&mut self, year: i64) -> Option<()> {
        self.century_given = true;
        self.parts.push(year);
        label(&mut self.year_at, self.parts.len() - 1)
    }

    pub(super) fn could_be_day(&self, value: f64) -> bool {
        let month = self.month_at.and_then(|at| i8::try_from(self.parts[at]).ok());
        let year = self.year_at.and_then(|at| i16::try_from(self.parts[at]).ok());
        let last = month
            .map_or(31, |month| Date::new(year.unwrap_or(2000), month, 1).map_or(31, Date::days_in_month));
        (1.0..=f64::from(last)).contains(&value)
    }

    /// Decides by position and size what was not labelled.
    pub(super) fn resolve(&self) -> Option<YearMonthDay> {
        let at = |at: usize| self.parts[at];
        let labels = usize::from(self.year_at.is_some()) + usize::from(self.month_at.is_some());
        if labels > 0 && (labels == self.len() || (self.len() == 3 && labels == 2)) {
            let day =
                (0..3).find(|at| self.len() == 3 && Some(*at) != self.year_at && Some(*at) != self.month_at);
            return Some((self.year_at.map(at), self.month_at.map(at), day.map(at)));
        }
        match (self.month_at, self.parts.as_slice()) {
            (_, []) => Some((None, None, None)),
            (None, &[part]) => Some(year_or_day(part, None)),
            (Some(0), &[month, other]) | (Some(_), &[other, month]) => Some(year_or_day(other, Some(month))),
            (None, &[first, second]) if first > 31 => Some((Some(first), Some(second), None)),
            (None, &[first, second]) if second > 31 => Some((Some(second), Some(first), None)),
            (None, &[first, second]) => Some((None, Some(first), Some(second))),
            (month_at, &[first, second, third]) => {
                let (year, month, day) = match month_at {
                    Some(0) if second > 31 => (second, first, third),
                    Some(0) => (third, first, second),
                    Some(1) if first > 31 => (first, second, third),
                    Some(1) => (third, second, first),
                    Some(_) if second > 31 => (second, third, first),
                    Some(_) => (first, third, second),
                    None if first > 31 || self.year_at == Some(0) => (first, second, third),
                    None if first > 12 => (third, second, first),
                    None => (third, first, second),
                };
                Some((Some(year), Some(month), Some(day)))
            }
            _ => None,
        }
    }
}

fn year_or_day(part: i64, month: Option<i64>) -> YearMonthDay {
    if part > 31 { (Some(part), month, None) } else { (None, month, Some(part)) }
}

/// `None` if the label is already taken.
fn label(slot: &mut Option<usize>, at: usize) -> Option<()> {
    slot.replace(at).is_none().then_some(())
}
