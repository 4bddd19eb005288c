//! The card for a person.

use std::fmt::Write as _;

use umpire_stats::Interval;
use umpire_stats::hard::{Checked, Estimate};

use super::card::Card;
use crate::grid::{coefficient, count, grid, percent};

pub fn show(card: &Card) -> String {
    let mut out = String::new();
    head(card, &mut out);
    effects(card, &mut out);
    subset(card, &mut out);
    validation(card, &mut out);
    ablation(card, &mut out);
    out
}

fn head(card: &Card, out: &mut String) {
    let (pool, health) = (&card.pool, &card.fit.health);
    let _ = writeln!(
        out,
        "Attempts   {} by {} agents at {} tasks of one site ({} templates, {} categories), {} % succeeded",
        count(pool.rows.len()),
        pool.agents.len(),
        count(pool.tasks.len()),
        pool.templates.len(),
        pool.categories.len(),
        percent(Some(pool.success_rate()))
    );
    for (number, what) in [
        (pool.multi_site.len(), "tasks of several sites are not modelled, and all taken"),
        (pool.excluded, "attempts at excluded sites are left out"),
        (pool.repeated, "attempts repeat an agent's first one at a task and are left out"),
    ] {
        if number > 0 {
            let _ = writeln!(out, "           {} {what}", count(number));
        }
    }
    let _ = writeln!(
        out,
        "Chains     {} × {} draws after {} of warm-up, seed {}",
        health.chains, health.draws, health.warmup, card.seed
    );
    let _ = writeln!(out, "           R̂ at most {:.4} ({})", health.r_hat, health.r_hat_of);
    let _ = writeln!(
        out,
        "           effective draws at least {:.0} in the middle ({}), {:.0} in the tails ({})",
        health.ess_bulk, health.ess_bulk_of, health.ess_tail, health.ess_tail_of
    );
    let _ =
        writeln!(out, "           {} divergences, {} cut trajectories", health.divergences, health.too_long);
}

fn effects(card: &Card, out: &mut String) {
    let row = |estimate: &Estimate| {
        let Interval { low, high } = estimate.interval;
        let found = estimate.diagnosis;
        vec![
            estimate.name.clone(),
            format!("{:+.2}", estimate.median),
            format!("[{low:+.2}, {high:+.2}]"),
            found.map_or_else(|| "–".to_owned(), |found| format!("{:.3}", found.r_hat)),
            found.map_or_else(|| "–".to_owned(), |found| format!("{:.0}", found.ess_bulk)),
        ]
    };
    let mut table = |title: &str, estimates: &[Estimate]| {
        let _ = writeln!(out);
        grid(&[title, "median", "95 %", "R̂", "draws"], &estimates.iter().map(row).collect::<Vec<_>>(), out);
    };
    table("agent (log hazard)", &card.fit.agents);
    table("site", &card.fit.sites);
    table("steps", &card.fit.bins);
    let mut others = card.fit.scales.clone();
    for scale in &mut others {
        scale.name = format!("spread of {} effects", scale.name);
    }
    others.extend([card.fit.exhausted.clone(), card.fit.intercept.clone()]);
    table("other", &others);
}

fn subset(card: &Card, out: &mut String) {
    let (pool, selection) = (&card.pool, &card.selection);
    let (likely, certain) = card.hard(selection, &card.scores.hardness);
    let all = selection.tasks.len();
    let share = |part: usize| percent((all > 0).then(|| part as f64 / all as f64));
    let _ = writeln!(
        out,
        "\nSubset     {} tasks: {all} of one site and {} of several",
        card.tasks().len(),
        pool.multi_site.len()
    );
    let _ = writeln!(
        out,
        "           {} % have a reference success of at most {:.2}, {} % are so with a probability of 0.9 or more",
        share(likely),
        selection.policy.hard,
        share(certain)
    );
    let rows: Vec<Vec<String>> = pool
        .sites
        .iter()
        .enumerate()
        .map(|(site, name)| {
            let available = pool.tasks.iter().filter(|task| task.site == site).count();
            let selected = card.of_sites(selection)[site];
            vec![
                name.clone(),
                selected.to_string(),
                available.to_string(),
                format!("{:.1}", card.fit.reference_steps[site]),
            ]
        })
        .collect();
    let _ = writeln!(out);
    grid(&["site", "selected", "tasks", "reference steps"], &rows, out);

    let mut order: Vec<usize> = (0..pool.categories.len()).collect();
    order.sort_by(|&a, &b| {
        let success = |at: usize| selection.categories[at].success.unwrap_or(2.0);
        pool.categories[a].0.cmp(&pool.categories[b].0).then(success(a).total_cmp(&success(b)))
    });
    let rows: Vec<Vec<String>> = order
        .into_iter()
        .map(|at| {
            let (site, name) = &pool.categories[at];
            let category = &selection.categories[at];
            let tasks = selection.tasks.iter().filter(|&&task| pool.tasks[task].category == at);
            let tasks: Vec<String> = tasks
                .map(|&task| format!("{} ({:.2})", pool.tasks[task].name, card.scores.hardness[task]))
                .collect();
            vec![
                format!(
                    "{}/{name}{}",
                    pool.sites[*site],
                    if category.very_easy { " (very easy)" } else { "" }
                ),
                percent(category.success),
                format!("{}/{}", category.selected, category.available),
                tasks.join(", "),
            ]
        })
        .collect();
    let _ = writeln!(out);
    grid(&["category", "success %", "taken", "tasks (probability of being hard)"], &rows, out);
    if !pool.multi_site.is_empty() {
        let _ = writeln!(out, "  several sites: {}", pool.multi_site.join(", "));
    }
}

fn validation(card: &Card, out: &mut String) {
    let validation = &card.validation;
    let rows: Vec<Vec<String>> = validation
        .agents
        .iter()
        .map(|rates| vec![rates.agent.clone(), percent(rates.pool), percent(rates.subset)])
        .collect();
    let _ = writeln!(
        out,
        "\nValidation {} replicates, whole templates drawn with replacement\n",
        validation.replicates
    );
    grid(&["agent", "pool %", "subset %"], &rows, out);
    let row = |name: &str, sign: &str, checked: Option<Checked>| {
        let number = |value: f64| format!("{value:.3}");
        let range = checked.and_then(|checked| checked.interval);
        vec![
            name.to_owned(),
            checked.map_or_else(|| "–".to_owned(), |checked| number(checked.value)),
            range.map_or_else(|| "–".to_owned(), |range| format!("[{:.3}, {:.3}]", range.low, range.high)),
            checked.map_or_else(|| "–".to_owned(), |checked| format!("{sign} {:.2}", checked.threshold)),
            percent(checked.map(|checked| checked.met)),
        ]
    };
    let _ = writeln!(out);
    let rows = [
        row("Kendall's τ of agents", "≥", validation.tau),
        row("mean change of a rate", "≤", validation.drift),
    ];
    grid(&["subset against pool", "value", "95 %", "wanted", "met in %"], &rows, out);
    if let Some(stability) = &card.stability {
        let _ = writeln!(
            out,
            "\nStability  with agents drawn anew {} times, subsets overlap by {:.2} [{:.2}, {:.2}]; {} of {} tasks are in 80 % of them",
            stability.replicates,
            stability.overlap,
            stability.interval.low,
            stability.interval.high,
            stability.steady,
            stability.subset
        );
    }
    if let Some(left_out) = &card.left_out {
        let row = |one: &umpire_stats::hard::LeftOut| {
            vec![
                one.agent.clone(),
                format!("{:.2}", one.overlap),
                coefficient(one.tau),
                format!("{:.3}", one.r_hat),
                one.divergences.to_string(),
            ]
        };
        let _ = writeln!(out);
        let rows: Vec<Vec<String>> = left_out.iter().map(row).collect();
        grid(&["subset made without", "overlap", "τ of agents", "R̂", "divergences"], &rows, out);
    }
}

fn ablation(card: &Card, out: &mut String) {
    let Some(selections) = &card.ablation else { return };
    let mut header = vec!["hard ≤", "cap", "easy cap", "easy ≥", "agents ≥", "selected"];
    header.extend(card.pool.sites.iter().map(String::as_str));
    let rows: Vec<Vec<String>> = selections
        .iter()
        .map(|selection| {
            let policy = selection.policy;
            let mut row = vec![
                format!("{:.2}", policy.hard),
                policy.cap.to_string(),
                policy.easy_cap.to_string(),
                format!("{:.2}", policy.easy),
                policy.agents.to_string(),
                selection.tasks.len().to_string(),
            ];
            row.extend(card.of_sites(selection).iter().map(usize::to_string));
            row
        })
        .collect();
    let _ = writeln!(out, "\nAblation   the paper's policies on the same draws\n");
    grid(&header, &rows, out);
}
