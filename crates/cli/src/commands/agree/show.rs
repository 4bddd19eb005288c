//! The report card for a person.

use std::fmt::Write as _;

use clap::ValueEnum;
use umpire_stats::agreement::{Confusion, Share, Uncorrectable};

use super::card::{Card, FigureGroup, Humans, JudgeCard};
use super::correction::{Correction, RoganGladen};
use super::difficulty::Difficulty;
use super::figures::{Figures, Proportion};
use super::panel::{PanelCard, Vote};
use crate::commands::grid::{coefficient, count, grid, percent, range, share, signed};

pub fn show(card: &Card) -> String {
    let mut out = String::new();
    head(card, &mut out);
    humans(&card.humans, &mut out);
    for judge in &card.judges {
        judge_card(judge, &mut out);
    }
    if let Some(panel) = &card.panel {
        panel_card(panel, &mut out);
    }
    legend(card, &mut out);
    out
}

fn head(card: &Card, out: &mut String) {
    let humans = &card.humans;
    let _ = writeln!(
        out,
        "Labels     {}: {} attempts, {} labelled ({} as impossible to carry out)",
        card.labels.display(),
        count(humans.attempts),
        count(humans.labelled),
        humans.unexecutable
    );
    if let Some(judgments) = &card.judgments {
        let judges = card.judges.len();
        let _ = writeln!(
            out,
            "Judgments  {}: {judges} judge{}",
            judgments.display(),
            if judges == 1 { "" } else { "s" }
        );
    }
    let _ = writeln!(
        out,
        "Policies   no verdict: {} (--missing) · no label: {} (--unlabelled) · impossible to carry out: {} (--unexecutable)",
        name_of(&card.policies.missing),
        name_of(&card.policies.unlabelled),
        name_of(&card.policies.unexecutable)
    );
}

/// A policy by the word that chooses it.
fn name_of(policy: &impl ValueEnum) -> String {
    policy.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

fn humans(humans: &Humans, out: &mut String) {
    let _ = writeln!(out, "\nSuccess as people see it, in %, with 95 % intervals");
    let row = |name: String, success: Proportion| {
        vec![name, count(success.share.of), percent(success.value()), range(success.interval)]
    };
    let mut rows = vec![row("all".to_owned(), humans.success)];
    if humans.success_of_executable != humans.success {
        rows.push(row("all that can be carried out".to_owned(), humans.success_of_executable));
    }
    rows.extend(
        humans.groups.iter().map(|group| row(format!("{} {}", group.column, group.value), group.success)),
    );
    grid(&["", "n", "success", "interval"], &rows, out);
    if let Some(table) = &humans.difficulty {
        difficulty(table, out);
    }
    if let Some(ceiling) = &humans.ceiling {
        let _ = writeln!(
            out,
            "\nPeople among themselves, the ceiling for judges: {} attempts with {} annotations",
            count(ceiling.attempts),
            if ceiling.annotators == 2 { "2".to_owned() } else { format!("2 to {}", ceiling.annotators) }
        );
        let agreement = |name: &str, of: Share| {
            vec![
                name.to_owned(),
                count(of.of),
                percent(of.value()),
                range((of.of > 0).then(|| of.interval())),
            ]
        };
        let mut rows = vec![agreement("both decide", ceiling.agreement)];
        if ceiling.agreement_undecided_differ != ceiling.agreement {
            rows.push(agreement("undecided differs", ceiling.agreement_undecided_differ));
        }
        grid(&["", "pairs", "agreement", "interval"], &rows, out);
        let _ = writeln!(
            out,
            "  Cohen's κ {} · Fleiss' κ {} · Krippendorff's α {}",
            coefficient(ceiling.cohen_kappa),
            coefficient(ceiling.fleiss_kappa),
            coefficient(ceiling.krippendorff_alpha)
        );
    }
    if humans.strangers > 0 {
        let _ =
            writeln!(out, "  {} further annotations are about attempts without a label", humans.strangers);
    }
}

fn difficulty(table: &Difficulty, out: &mut String) {
    let _ = writeln!(out, "\n  Success by level, in % (n)");
    let mut header = vec![""];
    header.extend(table.levels.iter().map(String::as_str));
    let rows: Vec<Vec<String>> = table
        .agents
        .iter()
        .map(|agent| {
            let rates = agent.rates.iter().map(|rate| format!("{} ({})", percent(rate.value()), rate.of));
            [agent.agent.clone()].into_iter().chain(rates).collect()
        })
        .collect();
    grid(&header, &rows, out);
    for drop in &table.drops {
        let _ = writeln!(
            out,
            "  {} to {}: {} points on the mean of {} agents",
            drop.from,
            drop.to,
            signed(drop.mean.map(|drop| -drop)),
            drop.agents
        );
    }
}

fn judge_card(judge: &JudgeCard, out: &mut String) {
    let concerned = &judge.concerned;
    let _ = writeln!(out, "\nJudge {}", judge.judge);
    let _ = writeln!(
        out,
        "  {} attempts compared; {} without a verdict, {} without a label, {} impossible to carry out",
        count(concerned.compared),
        concerned.missing,
        concerned.unlabelled,
        concerned.unexecutable
    );
    if !concerned.agents_not_judged.is_empty() {
        let _ = writeln!(out, "  never judged, so not counted: {}", concerned.agents_not_judged.join(", "));
    }
    let mut rows = vec![figure_row("all".to_owned(), &judge.overall)];
    rows.extend(
        judge
            .groups
            .iter()
            .map(|FigureGroup { column, value, figures }| figure_row(format!("{column} {value}"), figures)),
    );
    grid(&FIGURE_HEADER, &rows, out);
    let kappa = &judge.overall.cohen_kappa;
    let kappa_range = kappa
        .interval
        .map_or_else(String::new, |interval| format!(" [{:.2}, {:.2}]", interval.low, interval.high));
    let _ = writeln!(
        out,
        "  All: κ {}{kappa_range} · Krippendorff's α {}",
        coefficient(kappa.value),
        coefficient(judge.overall.krippendorff_alpha)
    );
    if let Some(otherwise) = judge.otherwise {
        let _ = writeln!(
            out,
            "  Leaving out missing verdicts and impossible tasks instead, the agreement would be {}",
            share(otherwise)
        );
    }
    bias_table(judge, out);
    if let Some(ranks) = judge.ranks {
        let _ = writeln!(
            out,
            "  Order of the {} agents, people and judge: Kendall's τ-b {}, Spearman's ρ {}",
            ranks.agents,
            coefficient(ranks.kendall_tau_b),
            coefficient(ranks.spearman)
        );
    }
}

const FIGURE_HEADER: [&str; 14] =
    ["", "n", "agree", "interval", "const", "prec", "recall", "F1", "TNR", "κ", "TP", "FP", "FN", "TN"];

fn figure_row(name: String, figures: &Figures) -> Vec<String> {
    let Confusion { true_positive, false_positive, false_negative, true_negative } = figures.confusion;
    vec![
        name,
        count(figures.n),
        percent(figures.agreement.value()),
        range(figures.agreement.interval),
        percent(figures.constant_agreement.value()),
        percent(figures.precision.value()),
        percent(figures.recall.value()),
        percent(figures.f1.value),
        percent(figures.true_negative_rate.value()),
        coefficient(figures.cohen_kappa.value),
        true_positive.to_string(),
        false_positive.to_string(),
        false_negative.to_string(),
        true_negative.to_string(),
    ]
}

fn bias_table(judge: &JudgeCard, out: &mut String) {
    let _ = writeln!(out, "\n  Success rates in %: what the judge adds, and what is left after correction");
    let mut columns: Vec<&str> = vec!["", "people", "judge", "bias", "interval"];
    columns.extend(["corrected by others", "corrected by own", "prediction-powered"]);
    let mut rows: Vec<Vec<String>> = judge.corrections.iter().map(correction_row).collect();
    // What nothing can be said about is not shown as an empty column.
    for column in (5..8).rev() {
        if rows.iter().all(|row| row[column].is_empty()) {
            columns.remove(column);
            for row in &mut rows {
                row.remove(column);
            }
        }
    }
    grid(&columns, &rows, out);
    if let Some(gap) = judge.gap {
        let _ = write!(
            out,
            "  Mean distance from people, {} agents: judge {}",
            gap.agents,
            percent(Some(gap.judge))
        );
        if let Some(corrected) = gap.corrected {
            let _ = write!(out, ", corrected by others {}", percent(Some(corrected)));
        }
        let _ = writeln!(out, " points");
    }
}

fn correction_row(one: &Correction) -> Vec<String> {
    let powered = one.prediction_powered.map_or_else(String::new, |rate| {
        format!("{} {}{}", percent(Some(rate.value)), range(Some(rate.interval)), cut(rate.clipped))
    });
    vec![
        one.agent.clone().unwrap_or_else(|| "all".to_owned()),
        share(one.human),
        share(one.judge),
        signed(one.bias.value),
        range(one.bias.interval),
        one.from_other_agents.as_ref().map_or_else(String::new, corrected),
        one.from_own_labels.as_ref().map_or_else(String::new, corrected),
        powered,
    ]
}

fn corrected(correction: &RoganGladen) -> String {
    match correction {
        RoganGladen::Rate(rate) => {
            format!("{} {}{}", percent(Some(rate.value)), range(Some(rate.interval)), cut(rate.clipped))
        }
        RoganGladen::Impossible(reason) => match reason {
            Uncorrectable::NothingJudged => "nothing judged",
            Uncorrectable::NoHumanSuccess => "no labelled success",
            Uncorrectable::NoHumanFailure => "no labelled failure",
            Uncorrectable::NoBetterThanChance => "judge knows nothing",
        }
        .to_owned(),
    }
}

fn cut(clipped: bool) -> &'static str {
    if clipped { "*" } else { "" }
}

fn panel_card(card: &PanelCard, out: &mut String) {
    let panel = &card.panel;
    let _ = writeln!(out, "\nThe {} judges together, {} attempts", panel.judges, count(card.n));
    let _ = writeln!(
        out,
        "  all say the same {}; then right {}; κ between them {}",
        share(panel.unanimous),
        share(panel.right_if_unanimous),
        coefficient(panel.kappa)
    );
    let rows: Vec<Vec<String>> = card
        .votes
        .iter()
        .map(|Vote { success_if, figures }| {
            let name = match *success_if {
                "all" => "success if all say so",
                "any" => "success if any says so",
                _ => "success if most say so",
            };
            figure_row(name.to_owned(), figures)
        })
        .collect();
    grid(&FIGURE_HEADER, &rows, out);
    for difference in &card.differences {
        let _ = writeln!(
            out,
            "  agreement of {} less that of {}: {} {} points, McNemar p = {:.3}",
            difference.second,
            difference.first,
            signed(difference.agreement.value),
            range(difference.agreement.interval),
            difference.p_value
        );
    }
}

fn legend(card: &Card, out: &mut String) {
    let _ = writeln!(
        out,
        "\nIntervals are 95 %: by task ({} bootstrap draws, seed {}) where a task has several attempts, else Wilson's, for\n\
         differences Newcombe's; people among themselves, Wilson's.",
        card.bootstrap.draws, card.bootstrap.seed
    );
    if card.judges.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "agree   judge and people say the same, in %        const  the same for whoever always gives people's commoner answer\n\
         prec    of the judge's successes, how many are     recall of people's successes, how many the judge saw\n\
         TNR     of people's failures, how many it saw      κ      Cohen's: 1 full agreement, 0 what chance would bring\n\
         TP FP   the judge's successes, right and wrong     FN TN  its failures, wrong and right\n\
         bias    judge less people, in points               –      not defined\n\
         corrected (Rogan–Gladen): with the judge's errors as measured on other agents, or on the agent's own labels; * cut\n\
         off at 0 or 100. Own labels and prediction-powered (PPI++) are shown if some attempts have a verdict and no label. Both\n\
         take attempts as independent."
    );
}
