//! The report card: everything that is computed, as one value that is printed or written as JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Serialize;
use umpire_stats::agreement::{
    Bootstrap, Ceiling, Panel, Share, clustered_bootstrap, human_ceiling, kendall_tau_b, panel_of, spearman,
};
use umpire_stats::{Interval, Paired};

use super::attempts::{Attempt, Gathered};
use super::columns::Columns;
use super::correction::{Correction, Gap, corrections, gap};
use super::difficulty::{Difficulty, by_difficulty, level_key};
use super::figures::{Estimate, Figures, Pairs, Proportion, figures, pairs_of, proportion, tasks_repeat};
use super::opinion::Opinion;
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

#[derive(Debug, Serialize)]
pub struct PanelCard {
    pub judges: Vec<String>,
    pub n: usize,
    #[serde(flatten)]
    pub panel: Panel,
    pub votes: Vec<Vote>,
    pub differences: Vec<Difference>,
}

/// What the judges would be worth as one, by a rule.
#[derive(Debug, Serialize)]
pub struct Vote {
    /// Who must say success: `all`, `any` or `most`.
    pub success_if: &'static str,
    #[serde(flatten)]
    pub figures: Figures,
}

/// The second judge's agreement with people less the first's, on the same attempts.
#[derive(Debug, Serialize)]
pub struct Difference {
    pub first: String,
    pub second: String,
    pub agreement: Estimate,
    /// Exact `McNemar` test.
    pub p_value: f64,
}

pub struct Request<'a> {
    pub labels: PathBuf,
    pub judgments: Option<PathBuf>,
    pub columns: &'a Columns,
    pub policies: Policies,
    pub draws: Bootstrap,
}

pub fn card(gathered: &Gathered, request: Request<'_>) -> Result<Card, Failure> {
    let Request { labels, judgments, columns, policies, draws } = request;
    let mut judges = Vec::new();
    let mut counted = Vec::new();
    for judge in gathered.judges.iter().enumerate().map(|(at, name)| (at, name.as_str())) {
        let (judged, concerned) = apply(&gathered.attempts, judge, policies)?;
        let strict = Policies { missing: Missing::Drop, unexecutable: Unexecutable::Drop, ..policies };
        let (without, _) = apply(&gathered.attempts, judge, strict)?;
        judges.push(judge_card(judge.1, &judged, concerned, &without, columns, draws));
        counted.push(judged);
    }
    Ok(Card {
        version: CARD_VERSION,
        labels,
        judgments,
        columns: columns.clone(),
        policies,
        bootstrap: Drawn { draws: draws.draws, seed: draws.seed },
        humans: humans(gathered, columns, policies, draws),
        panel: panel(&gathered.judges, &counted, draws),
        judges,
    })
}

fn humans(gathered: &Gathered, columns: &Columns, policies: Policies, draws: Bootstrap) -> Humans {
    let attempts = &gathered.attempts;
    let strict = Policies { unexecutable: Unexecutable::Drop, ..policies };
    let success = |policies: Policies, among: &dyn Fn(&Attempt) -> bool| {
        let counted = attempts.iter().filter(|one| among(one));
        let by_task: Vec<(&str, bool)> = counted
            .filter_map(|attempt| Some((attempt.task.as_str(), human_success(attempt, policies)?)))
            .collect();
        proportion(&by_task, draws)
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
    draws: Bootstrap,
) -> JudgeCard {
    let overall = figures(&pairs_of(judged), draws);
    let mut groups = Vec::new();
    for column in &columns.by {
        for value in values_of(judged.iter().map(|one| one.attempt), column) {
            let here: Vec<Judged<'_>> =
                judged.iter().filter(|one| one.attempt.groups.get(column) == Some(&value)).copied().collect();
            let figures = figures(&pairs_of(&here), draws);
            groups.push(FigureGroup { column: column.clone(), value, figures });
        }
    }
    let corrections = corrections(judged, draws);
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

/// On the labelled attempts that count for every judge.
fn panel(names: &[String], counted: &[Vec<Judged<'_>>], draws: Bootstrap) -> Option<PanelCard> {
    if names.len() < 2 {
        return None;
    }
    let mut together: BTreeMap<usize, (Judged<'_>, Vec<bool>)> = BTreeMap::new();
    for judged in counted {
        for one in judged.iter().filter(|one| one.human.is_some()) {
            together.entry(one.at).or_insert((*one, Vec::new())).1.push(one.judge);
        }
    }
    let complete: Vec<(Judged<'_>, Vec<bool>)> =
        together.into_values().filter(|(_, verdicts)| verdicts.len() == names.len()).collect();
    let attempts: Vec<(bool, Vec<bool>)> =
        complete.iter().filter_map(|(one, verdicts)| Some((one.human?, verdicts.clone()))).collect();
    let panel = panel_of(&attempts)?;
    let mut differences = Vec::new();
    for first in 0..names.len() {
        for second in first + 1..names.len() {
            let right: Pairs<'_> = complete
                .iter()
                .filter_map(|(one, verdicts)| {
                    let human = one.human?;
                    Some((one.attempt.task.as_str(), (verdicts[first] == human, verdicts[second] == human)))
                })
                .collect();
            differences.push(difference((&names[first], &names[second]), &right, draws));
        }
    }
    let votes = Panel::RULES
        .into_iter()
        .filter(|(name, _)| *name != "most" || names.len() > 2)
        .map(|(success_if, rule)| {
            let vote = |(one, verdicts): &(Judged<'_>, Vec<bool>)| Some((one.human?, rule(verdicts)));
            let pairs: Pairs<'_> = complete
                .iter()
                .filter_map(|both| Some((both.0.attempt.task.as_str(), vote(both)?)))
                .collect();
            Vote { success_if, figures: figures(&pairs, draws) }
        })
        .collect();
    Some(PanelCard { judges: names.to_vec(), n: attempts.len(), panel, votes, differences })
}

fn difference(names: (&str, &str), right: &Pairs<'_>, draws: Bootstrap) -> Difference {
    let paired = Paired::of(right.iter().map(|pair| pair.1));
    let drawn = |pairs: &[(bool, bool)]| Paired::of(pairs.iter().copied()).difference();
    let interval: Option<Interval> =
        if tasks_repeat(right) { clustered_bootstrap(right, draws, drawn) } else { Some(paired.interval()) };
    Difference {
        first: names.0.to_owned(),
        second: names.1.to_owned(),
        agreement: Estimate { value: paired.difference(), interval },
        p_value: paired.p_value(),
    }
}
