//! Statistics as tables for a person. A section is there only if there is something to say in it.

use std::fmt::Write as _;

use umpire_stats::{Comparison, Interval, Mean, Paired};

use super::{AgentStatistics, Statistics};
use crate::grid::{count, grid, p_value, percent, range, signed};

pub fn show(found: &Statistics) -> String {
    let mut out = String::new();
    rates(found, &mut out);
    sites(&found.agents, &mut out);
    comparisons(found, &mut out);
    reliability(&found.agents, &mut out);
    pairs("initial state", ["both", "only on", "only off", "neither"], &found.agents, |a| a.states, &mut out);
    pairs(
        "hint where to go",
        ["both", "only without", "only with", "neither"],
        &found.agents,
        |a| a.hints,
        &mut out,
    );
    levels(&found.agents, &mut out);
    perturbed(found, &mut out);
    efficiency(&found.agents, &mut out);
    adequacy(found, &mut out);
    out
}

fn title(text: &str, out: &mut String) {
    if !out.is_empty() {
        out.push('\n');
    }
    let _ = writeln!(out, "{text}");
}

fn interval(mean: &Mean) -> String {
    range(mean.interval)
}

fn rates(found: &Statistics, out: &mut String) {
    title(
        &format!("success in percent of {} planned attempts, with 95 % intervals", count(found.attempts)),
        out,
    );
    let rows: Vec<Vec<String>> = found
        .agents
        .iter()
        .map(|agent| {
            let (rate, by) = (&agent.rate, &agent.macro_rates);
            vec![
                agent.agent.clone(),
                format!("{}/{}", rate.passed, rate.planned),
                percent(rate.value()),
                range(Some(rate.interval)),
                range(by.clustered),
                range(by.bootstrap),
                percent(Some(by.template.value)),
                interval(&by.template),
                by.template.units.to_string(),
                percent(Some(by.site.value)),
                interval(&by.site),
                bounds(agent),
            ]
        })
        .collect();
    let header = [
        "agent",
        "passed",
        "rate",
        "Wilson",
        "clustered",
        "bootstrap",
        "by template",
        "t",
        "templates",
        "by site",
        "t",
        "infra bounds",
    ];
    grid(&header, &rows, out);
}

/// Only where the harness left something open.
fn bounds(agent: &AgentStatistics) -> String {
    let (low, high) = (agent.rate.infra_low, agent.rate.infra_high);
    if low < high { range(Some(Interval { low, high })) } else { String::new() }
}

fn sites(agents: &[AgentStatistics], out: &mut String) {
    let mut names: Vec<&String> = agents.iter().flat_map(|agent| agent.macro_rates.by_site.keys()).collect();
    names.sort();
    names.dedup();
    if names.len() < 2 {
        return;
    }
    title("within each site, each template counts once", out);
    let mut header = vec!["site"];
    header.extend(agents.iter().map(|agent| agent.agent.as_str()));
    let rows: Vec<Vec<String>> = names
        .into_iter()
        .map(|site| {
            let cell = |agent: &AgentStatistics| {
                agent.macro_rates.by_site.get(site).map_or_else(String::new, |mean| {
                    format!("{} {}", percent(Some(mean.value)), interval(mean)).trim_end().to_owned()
                })
            };
            std::iter::once(site.clone()).chain(agents.iter().map(cell)).collect()
        })
        .collect();
    grid(&header, &rows, out);
}

fn comparisons(found: &Statistics, out: &mut String) {
    let (Some(anchor), false) = (&found.anchor, found.comparisons.is_empty()) else { return };
    title(&format!("against {anchor}, by template, in percentage points"), out);
    let rows: Vec<Vec<String>> = found.comparisons.iter().map(comparison).collect();
    let header =
        ["agent", "difference", "t", "bootstrap", "p", "Holm", "gained", "lost", "McNemar p", "would need"];
    grid(&header, &rows, out);
}

fn comparison(one: &Comparison) -> Vec<String> {
    vec![
        one.agent.clone(),
        signed(one.by_template.map(|mean| mean.value)),
        one.by_template.as_ref().map_or_else(String::new, interval),
        range(one.bootstrap),
        p_value(one.p_value),
        p_value(one.p_holm),
        one.attempts.gained.to_string(),
        one.attempts.lost.to_string(),
        p_value(Some(one.p_mcnemar)),
        would_need(one),
    ]
}

/// What it would take; nothing where the two are told apart already.
pub fn would_need(one: &Comparison) -> String {
    let apart = one.by_template.and_then(|mean| mean.interval).is_some_and(|i| i.low > 0.0 || i.high < 0.0);
    match one.needed.filter(|_| !apart) {
        None => String::new(),
        Some(needed) => {
            let trials = needed.trials.map_or_else(String::new, |trials| format!(" or {trials} trials"));
            format!("{} templates{trials}", count(needed.templates))
        }
    }
}

fn reliability(agents: &[AgentStatistics], out: &mut String) {
    let most = agents.iter().map(|agent| agent.reliability.curve.len()).max().unwrap_or(0);
    if most < 2 {
        return;
    }
    title("over trials: passes at least once in k (pass@k), and every time (pass^k)", out);
    let names: Vec<String> =
        (1..=most).map(|k| format!("@{k}")).chain((1..=most).map(|k| format!("^{k}"))).collect();
    let mut header = vec!["agent"];
    header.extend(names.iter().map(String::as_str));
    header.extend(["always", "sometimes", "never"]);
    let rows: Vec<Vec<String>> = agents
        .iter()
        .map(|agent| {
            let curve = &agent.reliability.curve;
            let once = (0..most).map(|k| percent(curve.get(k).map(|one| one.once.value)));
            let always = (0..most).map(|k| percent(curve.get(k).map(|one| one.always.value)));
            let counts = [
                agent.reliability.always_passed,
                agent.reliability.flaky.len(),
                agent.reliability.never_passed,
            ];
            std::iter::once(agent.agent.clone())
                .chain(once)
                .chain(always)
                .chain(counts.map(|count| count.to_string()))
                .collect()
        })
        .collect();
    grid(&header, &rows, out);
}

fn pairs(
    what: &str,
    names: [&str; 4],
    agents: &[AgentStatistics],
    of: impl Fn(&AgentStatistics) -> Paired,
    out: &mut String,
) {
    if agents.iter().all(|agent| of(agent).pairs() == 0) {
        return;
    }
    title(&format!("{what}: the same task passed in which version"), out);
    let rows: Vec<Vec<String>> = agents
        .iter()
        .map(|agent| std::iter::once(agent.agent.clone()).chain(paired(&of(agent))).collect())
        .collect();
    let header = ["agent", names[0], names[1], names[2], names[3], "difference", "95 %", "McNemar p"];
    grid(&header, &rows, out);
}

/// Both, lost, gained, neither; the difference, its interval, and whether it may be chance.
fn paired(pairs: &Paired) -> [String; 7] {
    let [both, lost, gained, neither] =
        [pairs.both, pairs.lost, pairs.gained, pairs.neither].map(|count| count.to_string());
    let difference = signed(pairs.difference());
    [both, lost, gained, neither, difference, range(Some(pairs.interval())), p_value(Some(pairs.p_value()))]
}

fn levels(agents: &[AgentStatistics], out: &mut String) {
    let mut known: Vec<usize> = agents.iter().flat_map(|agent| agent.levels.keys().copied()).collect();
    known.sort_unstable();
    known.dedup();
    if known.len() < 2 {
        return;
    }
    title("by ambiguity of the query", out);
    let names: Vec<String> = known.iter().map(|level| format!("level {level}")).collect();
    let mut header = vec!["agent"];
    header.extend(names.iter().map(String::as_str));
    let rows: Vec<Vec<String>> = agents
        .iter()
        .map(|agent| {
            let cell = |level: &usize| {
                agent.levels.get(level).map_or_else(String::new, |rate| {
                    format!("{} {}", percent(rate.value()), range(Some(rate.interval)))
                })
            };
            std::iter::once(agent.agent.clone()).chain(known.iter().map(cell)).collect()
        })
        .collect();
    grid(&header, &rows, out);
}

fn perturbed(found: &Statistics, out: &mut String) {
    if found.perturbed.is_empty() {
        return;
    }
    title("under perturbation, against the plain attempt of the same trial, in percentage points", out);
    let rows: Vec<Vec<String>> = found
        .perturbed
        .iter()
        .map(|one| {
            let passed = format!("{}/{}", one.rate.passed, one.rate.planned);
            [one.agent.clone(), one.perturbation.clone(), passed, percent(one.rate.value())]
                .into_iter()
                .chain(paired(&one.pairs))
                .collect()
        })
        .collect();
    let header = [
        "agent",
        "perturbation",
        "passed",
        "rate",
        "both",
        "lost",
        "gained",
        "neither",
        "difference",
        "95 %",
        "McNemar p",
    ];
    grid(&header, &rows, out);
}

fn efficiency(agents: &[AgentStatistics], out: &mut String) {
    let told =
        |agent: &AgentStatistics| agent.efficiency.steps_on_success.or(agent.efficiency.steps_on_failure);
    if agents.iter().all(|agent| told(agent).is_none()) {
        return;
    }
    title("what it took; steps over reference steps on success, lower is better", out);
    let number = |value: Option<f64>, digits: usize| {
        value.map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"))
    };
    let rows: Vec<Vec<String>> = agents
        .iter()
        .map(|agent| {
            let e = &agent.efficiency;
            let unknown =
                if e.usd_unknown > 0 { format!(" + {} unknown", e.usd_unknown) } else { String::new() };
            vec![
                agent.agent.clone(),
                number(e.ratio.map(|mean| mean.value), 2),
                number(e.steps_on_success.map(|mean| mean.value), 1),
                number(e.steps_on_failure.map(|mean| mean.value), 1),
                number(e.seconds, 0),
                e.tokens.map_or_else(|| "–".to_owned(), |tokens| count(tokens as usize)),
                format!("{}{unknown}", number(e.usd, 4)),
                number(e.usd_per_success, 4),
            ]
        })
        .collect();
    let header = [
        "agent",
        "over reference",
        "steps passed",
        "steps failed",
        "seconds",
        "tokens",
        "USD",
        "USD per success",
    ];
    grid(&header, &rows, out);
}

fn adequacy(found: &Statistics, out: &mut String) {
    if found.adequacy.is_empty() {
        return;
    }
    let hasty: Vec<&_> = found.adequacy.iter().filter(|one| !one.adequate).collect();
    title(
        &format!(
            "rightly called impossible: {}, of which {} before looking",
            count(found.adequacy.len()),
            count(hasty.len())
        ),
        out,
    );
    for one in hasty {
        let _ = writeln!(
            out,
            "  {}/{}/{}  {:.2} of the site's usual steps",
            one.agent, one.instance, one.trial, one.normalised_steps
        );
    }
}
