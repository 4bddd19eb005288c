//! Scores of wishes as tables and curves: by agent, by how it could know the person, by level.

use std::collections::BTreeMap;

use umpire_persona::scoring::{ErrorKind, PersonaScore};
use umpire_report::plots::{LevelPlot, Levels, levels};
use umpire_stats::wilson;

use super::score::Scored;
use crate::grid::{count, grid, percent, range};

type Group<'a> = (&'a str, &'a str, Option<usize>);

fn groups(scored: &[Scored]) -> BTreeMap<Group<'_>, Vec<&Scored>> {
    let mut groups: BTreeMap<Group<'_>, Vec<&Scored>> = BTreeMap::new();
    for one in scored {
        groups.entry((&one.attempt.agent, &one.knowing, one.level)).or_default().push(one);
    }
    groups
}

pub fn table(scored: &[Scored]) -> String {
    let row = |((agent, knowing, level), group): (&Group<'_>, &Vec<&Scored>)| {
        let mean = |of: &dyn Fn(&PersonaScore) -> f64| {
            let mean = |scores: &dyn Fn(&Scored) -> PersonaScore| {
                percent(Some(group.iter().map(|one| of(&scores(one))).sum::<f64>() / group.len() as f64))
            };
            let (least, most) = (mean(&|one| one.least), mean(&|one| one.most));
            if least == most { least } else { format!("{least}…{most}") }
        };
        let errors = |kind: ErrorKind| {
            let with = group.iter().filter(|one| one.errors.iter().any(|error| error.kind == kind));
            with.count().to_string()
        };
        let accesses: usize = group.iter().map(|one| one.accesses).sum();
        let is_open = |one: &&&Scored| one.rubric.is_none();
        vec![
            (*agent).to_owned(),
            (*knowing).to_owned(),
            level.map_or_else(|| "–".to_owned(), |level| level.to_string()),
            count(group.len()),
            count(group.iter().filter(is_open).count()),
            format!("{:.1}", accesses as f64 / group.len() as f64),
            mean(&|score| score.website),
            mean(&|score| score.preference),
            mean(&|score| score.average),
            mean(&|score| score.intent),
            mean(&|score| f64::from(u8::from(score.success))),
            range(successes(group).map(|successes| wilson(successes, group.len()))),
            errors(ErrorKind::RedundantAccess),
            errors(ErrorKind::HallucinatedPreference),
            errors(ErrorKind::RetrievalFailure),
            errors(ErrorKind::UtilizationFailure),
        ]
    };
    let rows: Vec<Vec<String>> = groups(scored).iter().map(row).collect();
    let header = [
        "agent",
        "knows by",
        "level",
        "attempts",
        "for a judge",
        "accesses",
        "website",
        "preference",
        "average",
        "intent",
        "success",
        "95 %",
        "redundant",
        "invented",
        "not found",
        "not used",
    ];
    let mut out = String::from(
        "points in percent of all attempts; where a judge has to decide, from … to; errors in attempts\n",
    );
    grid(&header, &rows, &mut out);
    out
}

/// How many succeeded, if no judge can change it.
fn successes(group: &[&Scored]) -> Option<usize> {
    let count = |of: &dyn Fn(&Scored) -> bool| group.iter().filter(|one| of(one)).count();
    let least = count(&|one| one.least.success);
    (least == count(&|one| one.most.success)).then_some(least)
}

/// Success over levels, one curve for an agent that knows in one way; as far as no judge can change it.
pub fn level_curves(scored: &[Scored]) -> String {
    let mut curves: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
    for ((agent, knowing, level), group) in groups(scored) {
        let Some((level, successes)) = level.zip(successes(&group)) else { continue };
        let label = if knowing == "–" { agent.to_owned() } else { format!("{agent} ({knowing})") };
        curves.entry(label).or_default().push((level as f64, successes as f64 / group.len() as f64));
    }
    let agents = curves.into_iter().map(|(label, points)| Levels { label, points }).collect();
    levels(&LevelPlot { title: "Wishes fulfilled, by what they leave unsaid".to_owned(), agents })
}
