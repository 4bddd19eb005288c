//! A run as Markdown: for a pull request, a step summary or a wiki.
//!
//! Whoever renders it may turn names into mentions and text into links or tags, so words that a page or an agent had a say
//! in stand in code spans, and names of suites and agents have their punctuation spelled as entities.

use std::fmt::Write as _;

use umpire_model::Outcome;

use crate::wording::{
    clipped, count, figures, infra_bounds, interval, lapses, p_value, percent, points, points_interval, spent,
};
use crate::{AttemptSummary, Dimension, Summary};

const FAILURES_SHOWN: usize = 50;
const REASON_SHOWN: usize = 240;

pub fn markdown(summary: &Summary) -> String {
    let manifest = &summary.manifest;
    let mut out = format!(
        "# {}\n\nSuite {}, {}, begun {}.\n\n",
        plain(manifest.run.as_str()),
        plain(&manifest.suite),
        summary.arithmetic(),
        plain(&manifest.created),
    );
    if let Some(open) = summary.open_in_words() {
        let _ = writeln!(out, "**{open}.**\n");
    }
    headline(summary, &mut out);
    robustness(summary, &mut out);
    for (by, values) in summary.telling_dimensions() {
        slices(summary, by, &values, &mut out);
    }
    failures(summary, &mut out);
    let _ = writeln!(
        out,
        "95 % Wilson intervals. Denominator: {}. Infra bounds: all infra and open attempts failed … all passed. \
        Browser {}, seed {}, suite `{}`, rules `{}`.",
        plain(&manifest.denominator),
        plain(&match &manifest.remote {
            Some(remote) => format!("{} at {}", manifest.browser, remote.at),
            None => manifest.browser.clone(),
        }),
        manifest.seed,
        manifest.suite_digest.as_str(),
        manifest.rules_digest.as_str(),
    );
    out
}

fn headline(summary: &Summary, out: &mut String) {
    let shown: Vec<Outcome> = Outcome::ALL
        .into_iter()
        .filter(|outcome| summary.agents.iter().any(|agent| agent.outcomes.count(*outcome) > 0))
        .collect();
    let mut header: Vec<String> = ["agent", "passed %", "95 %", "infra bounds"].map(str::to_owned).to_vec();
    header.extend(shown.iter().map(Outcome::to_string));
    header.extend(["open", "steps", "time", "tokens", "cost"].map(str::to_owned));
    let rows = summary.agents.iter().map(|agent| {
        let mut row = vec![
            plain(&agent.name),
            format!("**{}**", percent(agent.headline())),
            interval(&agent.rate),
            infra_bounds(&agent.rate),
        ];
        row.extend(figures(agent, &shown));
        row.extend(spent(&agent.spending));
        row
    });
    table(&header, rows, out);
}

fn robustness(summary: &Summary, out: &mut String) {
    if summary.robustness.is_empty() {
        return;
    }
    out.push_str("## Robustness\n\n");
    let header =
        ["agent", "perturbation", "pairs", "without %", "with %", "difference", "95 %", "p", "talked into"];
    let rows = summary.robustness.iter().map(|row| {
        vec![
            plain(&row.agent),
            plain(&row.perturbation.to_string()),
            row.pairs.pairs().to_string(),
            percent(row.pairs.without()),
            percent(row.pairs.with()),
            points(row.difference),
            points_interval(&row.interval),
            plain(&p_value(row)),
            lapses(row),
        ]
    });
    table(&header.map(str::to_owned), rows, out);
}

/// Values as rows: a category's name is long, and a page is higher than wide.
fn slices(summary: &Summary, by: Dimension, values: &[String], out: &mut String) {
    let _ = writeln!(out, "## By {}\n", by.title());
    let agents = summary.agents.iter().map(|agent| plain(&agent.name));
    let header: Vec<String> = std::iter::once(by.title().to_owned()).chain(agents).collect();
    let rows = values.iter().map(|value| {
        let cells = summary.agents.iter().map(|agent| {
            agent.slice(by, value).map_or_else(
                || "–".to_owned(),
                |slice| {
                    format!("{} ({}/{})", percent(slice.rate.value()), slice.rate.passed, slice.rate.planned)
                },
            )
        });
        std::iter::once(plain(value)).chain(cells).collect()
    });
    table(&header, rows, out);
}

fn failures(summary: &Summary, out: &mut String) {
    let failed: Vec<&AttemptSummary> = summary
        .attempts
        .iter()
        .filter(|attempt| attempt.outcome.is_some_and(|outcome| outcome != Outcome::Pass))
        .collect();
    if failed.is_empty() {
        return;
    }
    out.push_str("## What did not pass\n\n");
    let rows = failed.iter().take(FAILURES_SHOWN).map(|attempt| {
        vec![
            attempt.outcome.map_or("open", Outcome::as_str).to_owned(),
            code(&attempt.id.to_string()),
            code(&clipped(&attempt.reason, REASON_SHOWN)),
        ]
    });
    table(&["outcome", "attempt", "reason"].map(str::to_owned), rows, out);
    if failed.len() > FAILURES_SHOWN {
        let _ = writeln!(out, "And {}.\n", count(failed.len() - FAILURES_SHOWN, "further attempt"));
    }
}

/// First column to the left, all but sentences to the right.
fn table(header: &[String], rows: impl Iterator<Item = Vec<String>>, out: &mut String) {
    let align = |name: &String| {
        if ["attempt", "reason", "talked into", "perturbation"].contains(&name.as_str()) {
            ":--"
        } else {
            "--:"
        }
    };
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    out.push_str(&line(header));
    let rules = header.iter().enumerate().map(|(index, name)| if index == 0 { ":--" } else { align(name) });
    out.push_str(&line(&rules.map(str::to_owned).collect::<Vec<_>>()));
    for row in rows {
        out.push_str(&line(&row));
    }
    out.push('\n');
}

/// A name in running text: what could be syntax is an entity, which every renderer shows as the character.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for character in clipped(text, 300).chars() {
        match character {
            '\n' | '\r' | '\t' => out.push(' '),
            // These are common in names and dates, and nothing by themselves within a line.
            '-' | '.' | ',' | ' ' | '+' | '/' | ';' | '(' | ')' | '%' => out.push(character),
            c if c.is_ascii_punctuation() => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// A code span: nothing in it is syntax but its own fence and, within a table, the bar.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r', '\t'], " ").replace('|', "\\|");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // Without the spaces a text that begins with a backtick would lengthen the fence.
    if text.trim().is_empty() { String::new() } else { format!("{fence} {text} {fence}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_inside_its_span() {
        for (given, written) in [
            ("a | b", "` a \\| b `"),
            ("`x`", "`` `x` ``"),
            ("``` @everyone\n# no heading", "```` ``` @everyone # no heading ````"),
            ("<img src=x>", "` <img src=x> `"),
            ("\n", ""),
        ] {
            assert_eq!(code(given), written);
        }
    }

    #[test]
    fn names_hold_no_syntax() {
        assert_eq!(plain("shop-1 + map"), "shop-1 + map");
        assert_eq!(plain("<b>[x](y)|@you"), "&#60;b&#62;&#91;x&#93;(y)&#124;&#64;you");
    }
}
