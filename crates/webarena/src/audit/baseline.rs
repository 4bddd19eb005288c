//! What answers given without looking at a page would have scored with the original evaluator.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;

use super::report::{Category, PUBLISHED_TASKS};
use super::verified_task::{effortless_pass, findings};
use super::{AnyTask, AuditError, tasks};
use crate::original::{AnswerRule, OriginalTask, Page, Recording, evaluate};

/// A source of answers that has read much and sees nothing: a model without a browser.
pub trait Knowledge {
    /// Its best guess from the intent alone; the error says why there is none.
    fn answer(&self, intent: &str) -> Result<String, String>;
}

/// The score of one naive answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NaiveScore {
    pub name: &'static str,
    pub answer: &'static str,
    pub passed: Vec<i64>,
    /// Tasks whose verdict needs a model or a page.
    pub undecided: usize,
    /// The paper's count, where it tried the same.
    pub published: Option<usize>,
}

/// The score of one claim made on every WebArena Verified task, with the start page opened and nothing else done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClaimScore {
    /// Task type and status.
    pub claim: String,
    pub passed: Vec<i64>,
}

/// How far knowledge alone goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum KnowledgeProbe {
    NotRun {
        reason: &'static str,
    },
    Ran {
        /// Tasks that look for parts of the answer and at nothing else.
        exposed: usize,
        exposed_passed: Vec<i64>,
        passed: Vec<i64>,
        undecided: usize,
        /// Tasks for which no answer came, with the reason.
        unanswered: Vec<(i64, String)>,
    },
}

/// Lower bounds: what a file's checks give to those who do nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BaselineReport {
    /// Tasks in the original format, which the naive answers are given to.
    pub tasks: usize,
    /// Tasks in the format of WebArena Verified, which the claims are made on.
    pub verified_tasks: usize,
    pub naive: Vec<NaiveScore>,
    /// Tasks that at least one naive answer passes.
    pub passed_by_any: usize,
    pub claims: Vec<ClaimScore>,
    pub knowledge: KnowledgeProbe,
}

struct Naive {
    name: &'static str,
    answer: &'static str,
    published: Option<usize>,
    of: fn(&OriginalTask) -> String,
}

/// An agent that answers at once leaves the browser on the start page, so each of these also counts that page.
const NAIVE: [Naive; 11] = [
    Naive { name: "yes", answer: "Yes", published: Some(5), of: |_| "Yes".to_owned() },
    Naive { name: "no", answer: "No", published: Some(0), of: |_| "No".to_owned() },
    Naive { name: "yes_no", answer: "Yes No", published: Some(5), of: |_| "Yes No".to_owned() },
    Naive { name: "na", answer: "N/A", published: Some(36), of: |_| "N/A".to_owned() },
    Naive { name: "zero", answer: "0", published: Some(15), of: |_| "0".to_owned() },
    Naive {
        name: "empty",
        answer: "nothing: the start page is opened, and that is all",
        published: Some(0),
        of: |_| String::new(),
    },
    Naive { name: "done", answer: "Done", published: None, of: |_| "Done".to_owned() },
    Naive {
        name: "echo_intent",
        answer: "the intent itself",
        published: Some(0),
        of: |task| task.intent.clone(),
    },
    Naive {
        name: "intent_numbers",
        answer: "the numbers in the intent",
        published: Some(11),
        of: |task| numbers_in(&task.intent),
    },
    Naive { name: "one_two_three", answer: "1 2 3", published: None, of: |_| "1 2 3".to_owned() },
    Naive {
        name: "all_digits",
        answer: "0 1 2 3 4 5 6 7 8 9",
        published: None,
        of: |_| "0 1 2 3 4 5 6 7 8 9".to_owned(),
    },
];

/// Scores the naive answers, and `knowledge` if there is any, on the tasks of a file.
pub fn baselines(file: &str, knowledge: Option<&dyn Knowledge>) -> Result<BaselineReport, AuditError> {
    let mut original = Vec::new();
    let mut verified_tasks = 0;
    let mut claims: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for task in tasks(file)? {
        match task {
            AnyTask::Original(task) => original.push(*task),
            AnyTask::Verified { task, eval } => {
                verified_tasks += 1;
                let is_unpassable = findings(&task, &eval)
                    .iter()
                    .any(|finding| Category::UNPASSABLE.contains(&finding.category));
                if let (false, Some((_, claim))) = (is_unpassable, effortless_pass(&task)) {
                    claims.entry(claim).or_default().push(task.task_id);
                }
            }
        }
    }
    let tasks = original;
    let is_published = tasks.len() == PUBLISHED_TASKS;
    let naive: Vec<NaiveScore> = NAIVE
        .iter()
        .map(|naive| {
            let verdicts = Verdicts::of(tasks.iter().map(|task| (task, (naive.of)(task))));
            NaiveScore {
                name: naive.name,
                answer: naive.answer,
                passed: verdicts.passed,
                undecided: verdicts.undecided,
                published: naive.published.filter(|_| is_published),
            }
        })
        .collect();
    let passed_by_any = naive.iter().flat_map(|score| &score.passed).collect::<BTreeSet<_>>().len();
    Ok(BaselineReport {
        tasks: tasks.len(),
        verified_tasks,
        naive,
        passed_by_any,
        claims: claims.into_iter().map(|(claim, passed)| ClaimScore { claim, passed }).collect(),
        knowledge: probe(&tasks, knowledge),
    })
}

struct Verdicts {
    passed: Vec<i64>,
    undecided: usize,
}

impl Verdicts {
    fn of<'a>(attempts: impl Iterator<Item = (&'a OriginalTask, String)>) -> Self {
        let mut verdicts = Self { passed: Vec::new(), undecided: 0 };
        for (task, answer) in attempts {
            let last_page = Some(Page::at(task.start_url.clone()));
            match evaluate(task, &Recording { answer, last_page, ..Recording::default() }, None).value {
                Some(score) if score > 0.0 => verdicts.passed.push(task.task_id),
                Some(_) => {}
                None => verdicts.undecided += 1,
            }
        }
        verdicts
    }
}

fn probe(tasks: &[OriginalTask], knowledge: Option<&dyn Knowledge>) -> KnowledgeProbe {
    let Some(knowledge) = knowledge else { return KnowledgeProbe::NotRun { reason: "needs a model" } };
    let mut unanswered = Vec::new();
    let mut answered = Vec::new();
    for task in tasks {
        match knowledge.answer(&task.intent) {
            Ok(answer) => answered.push((task, answer)),
            Err(why) => unanswered.push((task.task_id, why)),
        }
    }
    let verdicts = Verdicts::of(answered.into_iter());
    let exposed: BTreeSet<i64> =
        tasks.iter().filter(|task| is_exposed(task)).map(|task| task.task_id).collect();
    KnowledgeProbe::Ran {
        exposed: exposed.len(),
        exposed_passed: verdicts.passed.iter().copied().filter(|id| exposed.contains(id)).collect(),
        passed: verdicts.passed,
        undecided: verdicts.undecided,
        unanswered,
    }
}

/// Whether the task looks for parts of the answer without asking where the agent went.
fn is_exposed(task: &OriginalTask) -> bool {
    let rules = task.eval.reference_answers.as_deref().unwrap_or_default();
    task.eval.eval_types == ["string_match"]
        && rules.iter().any(|rule| matches!(rule, AnswerRule::MustInclude(_)))
}

/// The numbers in a text, as written, with a space between.
fn numbers_in(text: &str) -> String {
    let is_numeric = |character: char| character.is_ascii_digit() || character == '.';
    let pieces = text.split(|character: char| !is_numeric(character)).map(|piece| piece.trim_matches('.'));
    pieces.filter(|piece| !piece.is_empty()).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for BaselineReport {
    /// A table for each format the file has tasks in.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.tasks > 0 {
            self.write_naive(formatter)?;
        }
        if self.verified_tasks > 0 {
            self.write_claims(formatter)?;
        }
        Ok(())
    }
}

fn percent(passed: usize, tasks: usize) -> f64 {
    100.0 * passed as f64 / tasks.max(1) as f64
}

impl BaselineReport {
    fn write_naive(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_published = self.naive.iter().any(|score| score.published.is_some());
        let width = self.naive.iter().map(|score| score.name.len()).max().unwrap_or_default();
        let paper = if has_published { "  paper" } else { "" };
        writeln!(formatter, "{:width$}  passed       %  undecided{paper}", "answer")?;
        for score in &self.naive {
            let passed = score.passed.len();
            let share = percent(passed, self.tasks);
            write!(formatter, "{:width$}  {passed:6}  {share:6.1}  {:9}", score.name, score.undecided)?;
            match score.published {
                Some(published) => writeln!(formatter, "  {published:5}")?,
                None => writeln!(formatter)?,
            }
        }
        let share = percent(self.passed_by_any, self.tasks);
        writeln!(formatter, "{:width$}  {:6}  {share:6.1}", "any of them", self.passed_by_any)?;
        match &self.knowledge {
            KnowledgeProbe::NotRun { reason } => writeln!(formatter, "knowledge only: not run: {reason}"),
            KnowledgeProbe::Ran { exposed, exposed_passed, passed, undecided, unanswered } => writeln!(
                formatter,
                "knowledge only: {} of {exposed} exposed tasks, {} of {} in all ({undecided} undecided, {} unanswered)",
                exposed_passed.len(),
                passed.len(),
                self.tasks,
                unanswered.len()
            ),
        }
    }

    fn write_claims(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const HEADING: &str = "claim on the start page";
        let widths = self.claims.iter().map(|score| score.claim.len());
        let width = widths.max().unwrap_or_default().max(HEADING.len());
        writeln!(formatter, "{HEADING:width$}  passed       %")?;
        for score in &self.claims {
            let share = percent(score.passed.len(), self.verified_tasks);
            writeln!(formatter, "{:width$}  {:6}  {share:6.1}", score.claim, score.passed.len())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn file(answers: &[Value]) -> String {
        let task = |(id, answers): (usize, &Value)| {
            json!({"task_id": id, "sites": [], "start_url": "http://s", "intent": format!("Who came in {id}.5?"),
                   "eval": {"eval_types": ["string_match"], "reference_answers": answers}})
        };
        Value::Array(answers.iter().enumerate().map(task).collect()).to_string()
    }

    #[test]
    fn naive_answers_are_counted() {
        let file = file(&[
            json!({"must_include": ["yes"]}),
            json!({"fuzzy_match": "N/A"}),
            json!({"must_include": ["2.5", "came"]}),
            json!({"fuzzy_match": ["a"]}),
        ]);
        let report = baselines(&file, None).expect("readable");
        let passed: Vec<(&str, &[i64])> = report
            .naive
            .iter()
            .filter(|score| !score.passed.is_empty())
            .map(|score| (score.name, score.passed.as_slice()))
            .collect();
        assert_eq!(passed, [("yes", &[0][..]), ("yes_no", &[0]), ("na", &[1]), ("echo_intent", &[2])]);
        assert_eq!(report.passed_by_any, 3);
        assert_eq!(
            report.naive.iter().find(|score| score.name == "na").map(|score| score.undecided),
            Some(1)
        );
        assert_eq!(report.knowledge, KnowledgeProbe::NotRun { reason: "needs a model" });
    }

    #[test]
    fn numbers_are_taken_from_the_intent() {
        for (intent, expected) in
            [("order 307, $5.50.", "307 5.50"), ("top-3 in 2022", "3 2022"), ("none...", "")]
        {
            assert_eq!(numbers_in(intent), expected, "{intent}");
        }
    }

    /// Knows one thing.
    struct Historian;

    impl Knowledge for Historian {
        fn answer(&self, intent: &str) -> Result<String, String> {
            if intent.contains("0.5") { Err("too early".to_owned()) } else { Ok("Caesar".to_owned()) }
        }
    }

    #[test]
    fn knowledge_is_probed_where_it_is_given() {
        let file = file(&[
            json!({"must_include": ["caesar"]}),
            json!({"must_include": ["caesar"]}),
            json!({"exact_match": "Caesar"}),
        ]);
        let report = baselines(&file, Some(&Historian)).expect("readable");
        assert_eq!(
            report.knowledge,
            KnowledgeProbe::Ran {
                exposed: 2,
                exposed_passed: vec![1],
                passed: vec![1, 2],
                undecided: 0,
                unanswered: vec![(0, "too early".to_owned())]
            }
        );
        assert!(report.to_string().contains("knowledge only: 1 of 2 exposed tasks, 2 of 3 in all"));
    }
}
