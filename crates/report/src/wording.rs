//! How numbers are put into words, the same in every table and on every page.

use umpire_model::{Outcome, Spending};
use umpire_stats::{Interval, Rate};

use crate::{AgentSummary, Robustness};

/// `48.7`, in percent; a dash where nothing was planned.
pub fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1}", share * 100.0))
}

pub fn interval(rate: &Rate) -> String {
    span(rate.interval.low, rate.interval.high)
}

pub fn infra_bounds(rate: &Rate) -> String {
    span(rate.infra_low, rate.infra_high)
}

/// A difference in percentage points, `+3.1` or `−12.5`; a dash where there is none.
pub fn points(difference: Option<f64>) -> String {
    difference.map_or_else(|| "–".to_owned(), signed)
}

pub fn points_interval(interval: &Interval) -> String {
    format!("[{}, {}]", signed(interval.low), signed(interval.high))
}

fn signed(share: f64) -> String {
    let points = format!("{:.1}", share.abs() * 100.0);
    match share {
        _ if points == "0.0" => points,
        s if s < 0.0 => format!("−{points}"),
        _ => format!("+{points}"),
    }
}

/// How often each of these outcomes came, what is open, and the medians of steps and time.
pub fn figures(agent: &AgentSummary, outcomes: &[Outcome]) -> Vec<String> {
    let mut cells: Vec<String> =
        outcomes.iter().map(|outcome| agent.outcomes.count(*outcome).to_string()).collect();
    cells.push(agent.outcomes.open.to_string());
    cells.push(agent.median_steps.map_or_else(|| "–".to_owned(), |steps| format!("{steps:.1}")));
    cells.push(agent.median_seconds.map_or_else(|| "–".to_owned(), seconds));
    cells
}

/// Tokens and money; dashes for one that asked nobody.
pub fn spent(spending: &Spending) -> [String; 2] {
    if spending.is_nothing() {
        return ["–", "–"].map(str::to_owned);
    }
    let tokens = spending.usage.input + spending.usage.output;
    let tokens = match tokens {
        0..10_000 => tokens.to_string(),
        10_000..10_000_000 => format!("{}k", tokens / 1000),
        _ => format!("{}M", tokens / 1_000_000),
    };
    [tokens, spending.to_string()]
}

/// A dash where no pair could have told anything.
pub fn p_value(row: &Robustness) -> String {
    if row.pairs.pairs() == 0 { "–".to_owned() } else { p_value_in_words(row.p_value) }
}

/// `<0.001`, `0.043`.
pub fn p_value_in_words(p: f64) -> String {
    if p < 0.001 { "<0.001".to_owned() } else { format!("{p:.3}") }
}

/// `obeyed 3, consented 1`.
pub fn lapses(row: &Robustness) -> String {
    let words: Vec<String> =
        row.lapses.iter().map(|(lapse, count)| format!("{} {count}", lapse.as_str())).collect();
    words.join(", ")
}

fn span(low: f64, high: f64) -> String {
    format!("[{:.1}, {:.1}]", low * 100.0, high * 100.0)
}

/// `0.42 s`, `41.2 s`, `3 min 05 s`.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 9.995 => format!("{s:.2} s"),
        s if s < 59.95 => format!("{s:.1} s"),
        s => {
            let whole = s.round() as u64;
            format!("{} min {:02} s", whole / 60, whole % 60)
        }
    }
}

/// `1 attempt`, `2 attempts`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

pub fn bytes(bytes: u64) -> String {
    match bytes as f64 {
        b if b < 1000.0 => format!("{bytes} B"),
        b if b < 999_500.0 => format!("{:.0} kB", b / 1e3),
        b => format!("{:.1} MB", b / 1e6),
    }
}

/// The beginning of a text that may be arbitrarily long and that a page or an agent had a say in. Characters that
/// would reorder or hide what stands beside them are spelled out.
pub fn clipped(text: &str, characters: usize) -> String {
    let mut out = String::with_capacity(text.len().min(characters * 4));
    for (index, character) in text.chars().enumerate() {
        if index == characters {
            out.push('…');
            break;
        }
        if deceives(character) {
            out.extend(character.escape_unicode());
        } else {
            out.push(character);
        }
    }
    out
}

/// Control characters, marks that change the direction of writing, and invisible ones.
fn deceives(character: char) -> bool {
    let control = character.is_control() && !matches!(character, '\n' | '\t' | '\r');
    control
        || matches!(character, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_round_to_what_is_shown() {
        for (given, shown) in [
            (0.0, "0.00 s"),
            (9.994, "9.99 s"),
            (9.996, "10.0 s"),
            (59.94, "59.9 s"),
            (59.96, "1 min 00 s"),
            (185.2, "3 min 05 s"),
        ] {
            assert_eq!(seconds(given), shown);
        }
    }

    #[test]
    fn differences_have_a_sign_unless_they_round_to_nothing() {
        for (given, shown) in
            [(0.031, "+3.1"), (-0.125, "−12.5"), (0.0, "0.0"), (-0.0004, "0.0"), (-1.0, "−100.0")]
        {
            assert_eq!(points(Some(given)), shown);
        }
    }

    #[test]
    fn clipping_counts_characters_not_bytes() {
        assert_eq!(clipped("äöü", 2), "äö…");
        assert_eq!(clipped("äöü", 3), "äöü");
    }

    #[test]
    fn what_could_deceive_the_eye_is_spelled_out() {
        assert_eq!(clipped("pay \u{202e}01 \u{0}now\n", 99), "pay \\u{202e}01 \\u{0}now\n");
    }

    #[test]
    fn sizes_never_show_a_thousand() {
        for (given, shown) in [(999, "999 B"), (1000, "1 kB"), (999_499, "999 kB"), (999_500, "1.0 MB")] {
            assert_eq!(bytes(given), shown);
        }
    }
}
