//! The report card: everything that is computed, as one value that is printed or written as JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Serialize;
use umpire_stats::Bootstrap;
use umpire_stats::agreement::{Ceiling, Share, human_ceiling, kendall_tau_b, spearman};

use super::attempts::{Attempt, Gathered};
use super::columns::Columns;
use super::correction::{Correction, Gap, corrections, gap};
use super::difficulty::{Difficulty, by_difficulty, level_key};
use super::figures::{Figures, Proportion, figures, pairs_of, proportion};
use super::opinion::Opinion;
use super::panel::{PanelCard, panel};
use super::policy::{Concerned, Judged, Policies, apply, human_success};
use crate::args::{Missing, Unexecutable};
use crate::failure::Failure;

pub const CARD_VERSION: u32 = 1;

#[derive(Debug, Serialize)]
pub struct Card {
    pub version: u32,
    pub labels: PathBuf,
    pub judgments: Option<PathBuf>,
    pub columns: Columns,
    pub policies: Policies,
    pub bootstrap: Drawn,
    pub humans: Humans,
    pub judges: Vec<JudgeCard>,
    pub panel: Option<PanelCard>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Drawn {
    pub draws: usize,
    pub seed: u64,
}

/// What people say, whatever judges do.
#[derive(Debug, Serialize)]
pub struct Humans {
    pub attempts: usize,
    pub labelled: usize,
    pub unexecutable: usize,
    pub success: Proportion,
    /// The same without the attempts that cannot be carried out, whatever the policy is.
    pub success_of_executable: Proportion,
    pub groups: Vec<RateGroup>,
    pub difficulty: Option<Difficulty>,
    pub ceiling: Option<Ceiling>,
    /// Further annotations about attempts that have no label.
    pub strangers: usize,
}

#[derive(Debug, Serialize)]
pub struct RateGroup {
    pub column: String,
    pub value: String,
    pub success: Proportion,
}

#[derive(Debug, Serialize)]
pub struct JudgeCard {
    pub judge: String,
    pub concerned: Concerned,
    pub overall: Figures,
    pub groups: Vec<FigureGroup>,
    /// Agreement if missing verdicts and unexecutable tasks were left out instead; none if that is the policy, or the same.
    pub otherwise: Option<Share>,
    pub ranks: Option<Ranks>,
    pub corrections: Vec<Correction>,
    pub gap: Option<Gap>,
    pub difficulty: Option<Difficulty>,
}

#[derive(Debug, Serialize)]
pub struct FigureGroup {
    pub column: String,
    pub value: String,
    #[serde(flatten)]
    pub figures: Figures,
}

/// Whether the judge orders the agents as people do.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Ranks {
    pub agents: usize,
    pub kendall_tau_b: Option<f64>,
    pub spearman: Option<f64>,
}

pub struct Request<'a> {
    pub labels: PathBuf,
    pub judgments: Option<PathBuf>,
    pub columns: &'a Columns,
    pub policies: Policies,
    pub bootstrap: Bootstrap,
}

pub fn card(gathered: &Gathered, request: Request<'_>) -> Result<Card, Failure> {
    let Request { labels, judgments, columns, policies, bootstrap } = request;
    let mut cards = Vec::new();
    let mut counted = Vec::new();
    for judge in gathered.judges.iter().enumerate().map(|(at, name)| (at, name.as_str())) {
        let (compared, concerned) = apply(&gathered.attempts, judge, policies)?;
        let strict = Policies { missing: Missing::Drop, unexecutable: Unexecutable::Drop, ..policies };
        let (without, _) = apply(&gathered.attempts, judge, strict)?;
        cards.push(judge_card(judge.1, &compared, concerned, &without, columns, bootstrap));
        counted.push(compared);
    }
    Ok(Card {
        version: CARD_VERSION,
        labels,
        judgments,
        columns: columns.clone(),
        policies,
        bootstrap: Drawn { draws: bootstrap.draws, seed: bootstrap.seed },
        humans: humans(gathered, columns, policies, bootstrap),
        panel: panel(&gathered.judges, &counted, bootstrap),
        judges: cards,
    })
}

fn humans(gathered: &Gathered, columns: &Columns, policies: Policies, bootstrap: Bootstrap) -> Humans {
    let attempts = &gathered.attempts;
    let strict = Policies { unexecutable: Unexecutable::Drop, ..policies };
    let success = |policies: Policies, among: &dyn Fn(&Attempt) -> bool| {
        let counted = attempts.iter().filter(|one| among(one));
        let by_task: Vec<(&str, bool)> = counted
            .filter_map(|attempt| Some((attempt.task.as_str(), human_success(attempt, policies)?)))
            .collect();
        proportion(&by_task, bootstrap)
    };
    let mut groups = Vec::new();
    for column in &columns.by {
        for value in values_of(attempts.iter(), column) {
            let here = |attempt: &Attempt| attempt.groups.get(column) == Some(&value);
            let success = success(policies, &here);
            groups.push(RateGroup { column: column.clone(), value, success });
        }
    }
    let annotations: Vec<Vec<Option<bool>>> = attempts.iter().map(|one| one.annotations.clone()).collect();
    let ceiling = human_ceiling(&annotations);
    let unexecutable = attempts.iter().filter(|attempt| attempt.human == Opinion::Unexecutable).count();
    let labelled = attempts.iter().filter(|attempt| attempt.human != Opinion::Undecided).count();
    let by_level =
        attempts.iter().filter_map(|attempt| leveled(attempt, columns, human_success(attempt, policies)?));
    Humans {
        attempts: attempts.len(),
        labelled,
        unexecutable,
        success: success(policies, &|_| true),
        success_of_executable: success(strict, &|_| true),
        groups,
        difficulty: by_difficulty(by_level),
        ceiling: (ceiling.attempts > 0).then_some(ceiling),
        strangers: gathered.strangers,
    }
}

fn leveled<'a>(attempt: &'a Attempt, columns: &Columns, success: bool) -> Option<(&'a str, &'a str, bool)> {
    let level = attempt.groups.get(columns.level.as_ref()?)?;
    Some((attempt.agent.as_deref().unwrap_or("all"), level.as_str(), success))
}

fn values_of<'a>(attempts: impl Iterator<Item = &'a Attempt>, column: &str) -> Vec<String> {
    let values: BTreeSet<&String> = attempts.filter_map(|attempt| attempt.groups.get(column)).collect();
    let mut values: Vec<String> = values.into_iter().cloned().collect();
    values.sort_by_key(|value| level_key(value));
    values
}

fn judge_card(
    name: &str,
    judged: &[Judged<'_>],
    concerned: Concerned,
    without: &[Judged<'_>],
    columns: &Columns,
    bootstrap: Bootstrap,
) -> JudgeCard {
    let overall = figures(&pairs_of(judged), bootstrap);
    let mut groups = Vec::new();
    for column in &columns.by {
        for value in values_of(judged.iter().map(|one| one.attempt), column) {
            let here: Vec<Judged<'_>> =
                judged.iter().filter(|one| one.attempt.groups.get(column) == Some(&value)).copied().collect();
            let figures = figures(&pairs_of(&here), bootstrap);
            groups.push(FigureGroup { column: column.clone(), value, figures });
        }
    }
    let corrections = corrections(judged, bootstrap);
    let otherwise = Share::counting(without.iter().filter_map(|one| Some(one.human? == one.judge)));
    let by_level = judged.iter().filter_map(|one| {
        one.human?;
        leveled(one.attempt, columns, one.judge)
    });
    JudgeCard {
        judge: name.to_owned(),
        concerned,
        otherwise: (otherwise != overall.agreement.share).then_some(otherwise),
        overall,
        groups,
        ranks: ranks(judged),
        gap: gap(&corrections),
        corrections,
        difficulty: by_difficulty(by_level),
    }
}

fn ranks(judged: &[Judged<'_>]) -> Option<Ranks> {
    let mut by_agent: BTreeMap<&str, (Share, Share)> = BTreeMap::new();
    for one in judged {
        let (Some(agent), Some(human)) = (one.attempt.agent.as_deref(), one.human) else { continue };
        let rates = by_agent.entry(agent).or_default();
        for (rate, success) in [(&mut rates.0, human), (&mut rates.1, one.judge)] {
            rate.count += usize::from(success);
            rate.of += 1;
        }
    }
    let (human, judge): (Vec<f64>, Vec<f64>) =
        by_agent.values().filter_map(|(human, judge)| Some((human.value()?, judge.value()?))).unzip();
    (human.len() >= 2).then(|| Ranks {
        agents: human.len(),
        kendall_tau_b: kendall_tau_b(&human, &judge),
        spearman: spearman(&human, &judge),
    })
}
