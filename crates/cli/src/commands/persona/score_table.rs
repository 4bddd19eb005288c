//! Scores of wishes as tables and curves: by agent, by how it could know the person, by level.

use std::collections::BTreeMap;

use umpire_persona::scoring::{ErrorKind, PersonaScore};
use umpire_report::plots::{LevelPlot, Levels, levels};
use umpire_stats::wilson;

use super::score::Scored;
use crate::grid::{count, grid, percent, range};

/// An agent, under what, knowing how, at which level.
type Group<'a> = (&'a str, Option<&'a str>, &'a str, Option<usize>);

fn groups(scored: &[Scored]) -> BTreeMap<Group<'_>, Vec<&Scored>> {
    let mut groups: BTreeMap<Group<'_>, Vec<&Scored>> = BTreeMap::new();
    for one in scored {
        let under = one.perturbation.as_deref();
        groups.entry((&one.attempt.agent, under, &one.knowing, one.level)).or_default().push(one);
    }
    groups
}

fn named(agent: &str, under: Option<&str>) -> String {
    under.map_or_else(|| agent.to_owned(), |under| format!("{agent} under {under}"))
}

pub fn table(scored: &[Scored]) -> String {
    let row = |((agent, under, knowing, level), group): (&Group<'_>, &Vec<&Scored>)| {
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
        let lost = group.iter().filter(|one| one.lost).count();
        let seen = group.len() - lost;
        let accesses = group.iter().map(|one| one.accesses).sum::<usize>() as f64 / seen as f64;
        let is_open = |one: &&&Scored| !one.lost && one.rubric.is_none();
        vec![
            named(agent, *under),
            (*knowing).to_owned(),
            level.map_or_else(|| "–".to_owned(), |level| level.to_string()),
            count(group.len()),
            count(lost),
            count(group.iter().filter(is_open).count()),
            if seen == 0 { "–".to_owned() } else { format!("{accesses:.1}") },
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
        "lost",
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
        "points in percent of all attempts; where a judge has to decide or the harness lost one, from … to; errors in \
         attempts\n",
    );
    grid(&header, &rows, &mut out);
    out
}

/// How many succeeded, if nothing can change it.
fn successes(group: &[&Scored]) -> Option<usize> {
    let count = |of: &dyn Fn(&Scored) -> bool| group.iter().filter(|one| of(one)).count();
    let least = count(&|one| one.least.success);
    (least == count(&|one| one.most.success)).then_some(least)
}

/// Success over levels, one curve for an agent that knows in one way; as far as nothing can change it.
pub fn level_curves(scored: &[Scored]) -> String {
    let mut curves: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
    for ((agent, under, knowing, level), group) in groups(scored) {
        let Some((level, successes)) = level.zip(successes(&group)) else { continue };
        let agent = named(agent, under);
        let label = if knowing == "–" { agent } else { format!("{agent} ({knowing})") };
        curves.entry(label).or_default().push((level as f64, successes as f64 / group.len() as f64));
    }
    let agents = curves.into_iter().map(|(label, points)| Levels { label, points }).collect();
    levels(&LevelPlot { title: "Wishes fulfilled, by what they leave unsaid".to_owned(), agents })
}

#[cfg(test)]
mod tests {
    use umpire_model::AttemptId;

    use super::*;

    /// One that succeeded, or that the harness lost.
    fn scored(trial: u32, under: Option<&str>, lost: bool) -> Scored {
        Scored {
            run: "persona-1".to_owned(),
            attempt: AttemptId::new("recaller", "hotels-maya-lindqvist@2", trial).expect("an id"),
            knowing: "lexical, all".to_owned(),
            person: "maya-lindqvist".to_owned(),
            level: Some(2),
            perturbation: under.map(str::to_owned),
            lost,
            accesses: if lost { 0 } else { 3 },
            rubric: None,
            least: if lost { PersonaScore::NOTHING } else { PersonaScore::EVERYTHING },
            most: PersonaScore::EVERYTHING,
            errors: Vec::new(),
            undecided: Vec::new(),
        }
    }

    fn cells(table: &str, agent: &str) -> Vec<String> {
        let is_row = |line: &&str| line.split("  ").any(|cell| cell.trim() == agent);
        let row = table.lines().find(is_row).unwrap_or_else(|| panic!("{agent}: {table}"));
        row.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn what_the_harness_lost_stands_in_the_bounds_and_what_it_perturbed_apart() {
        let all = [
            scored(1, None, false),
            scored(2, None, true),
            scored(1, Some("popups"), false),
            scored(1, Some("dark"), true),
        ];
        let told = table(&all);
        let plain = cells(&told, "recaller");
        assert_eq!(plain[2..7], ["2", "2", "1", "1", "3.0"], "level, attempts, lost, open, accesses: {told}");
        assert_eq!(plain[7..12], ["50.0…100.0"; 5], "{told}");
        let perturbed = cells(&told, "recaller under popups");
        assert_eq!(perturbed[2..8], ["2", "1", "0", "1", "3.0", "100.0"], "{told}");
        let lost = cells(&told, "recaller under dark");
        assert_eq!(lost[2..8], ["2", "1", "1", "0", "–", "0.0…100.0"], "{told}");
        let curves = level_curves(&all);
        assert!(
            curves.contains("recaller under popups") && !curves.contains("recaller (lexical"),
            "{curves}"
        );
    }
}
