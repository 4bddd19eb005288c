//! `string_match`: the agent's answer against the reference answers.

use super::answer::{cleaned, equals, includes, includes_only_reference};
use super::recording::Recording;
use super::score::{Check, EvalType, Finding, Part, Undecided};
use super::task::{AnswerRule, OriginalTask};

/// The model the original evaluator asked where text comparison does not reach.
///
/// An error is the reason why there is no verdict; the check is then undecided.
pub trait FuzzyJudge {
    /// Whether `answer` says the same as `reference` in reply to `question`; half right is wrong.
    fn means_the_same(&self, question: &str, reference: &str, answer: &str) -> Result<bool, String>;

    /// Whether `report` gives `reason`, if only between the lines, for why `task` cannot be done.
    fn gives_the_reason(&self, task: &str, reason: &str, report: &str) -> Result<bool, String>;
}

pub(super) fn judge_answer(
    task: &OriginalTask,
    recording: &Recording,
    judge: Option<&dyn FuzzyJudge>,
) -> Part {
    let Some(rules) = &task.eval.reference_answers else {
        return Part::raising(EvalType::StringMatch, "reference_answers is null".to_owned());
    };
    let answer = cleaned(&recording.answer);
    let mut checks = Vec::new();
    let mut finding = Finding::Met;
    for rule in rules {
        let first_new = checks.len();
        match rule {
            AnswerRule::ExactMatch(reference) => {
                checks.push(check(
                    "exact_match",
                    reference,
                    &answer,
                    Finding::of(equals(reference, &answer)),
                ));
            }
            AnswerRule::MustInclude(references) => {
                checks.extend(references.iter().map(|reference| {
                    check("must_include", reference, &answer, inclusion(references, reference, &answer))
                }));
            }
            AnswerRule::FuzzyMatch(references) => checks.extend(references.iter().map(|reference| {
                let verdict = ask(judge, |judge| judge.means_the_same(&task.intent, reference, &answer));
                check("fuzzy_match", reference, &answer, verdict)
            })),
            AnswerRule::Unachievable => {
                let says_so = Finding::of(equals("N/A", &answer));
                let so_far = Finding::product([&finding, &says_so]);
                checks.push(check("fuzzy_match", "N/A", &answer, says_so));
                if so_far != Finding::Met {
                    let (reason, verdict) = reason_given(task, &answer, judge);
                    checks.push(check("ua_match", &reason, &answer, verdict.clone()));
                    finding = replaced(&so_far, verdict);
                }
                continue;
            }
            AnswerRule::Ignored(_) => {}
            AnswerRule::Unusable { approach, value } => {
                checks.push(check(
                    approach,
                    &value.to_string(),
                    &answer,
                    Finding::Raises(format!("{approach} has an unusable value")),
                ));
            }
        }
        finding = Finding::product(
            std::iter::once(&finding).chain(checks[first_new..].iter().map(|check| &check.finding)),
        );
    }
    Part { eval_type: EvalType::StringMatch, finding, checks }
}

fn check(rule: &str, expected: &str, answer: &str, finding: Finding) -> Check {
    Check::new(rule, expected, Some(answer), finding)
}

/// Word boundaries are asked for only where there is a single reference. `|OR|` has no meaning here: it is part of the text.
fn inclusion(references: &[String], reference: &str, answer: &str) -> Finding {
    if references.len() == 1 {
        includes_only_reference(reference, answer)
    } else {
        Finding::of(includes(reference, answer))
    }
}

fn ask(
    judge: Option<&dyn FuzzyJudge>,
    question: impl FnOnce(&dyn FuzzyJudge) -> Result<bool, String>,
) -> Finding {
    match judge.map(question) {
        None => Finding::Undecided(Undecided::NeedsModel),
        Some(Ok(met)) => Finding::of(met),
        Some(Err(why)) => Finding::Undecided(Undecided::ModelFailed(why)),
    }
}

fn reason_given(task: &OriginalTask, answer: &str, judge: Option<&dyn FuzzyJudge>) -> (String, Finding) {
    match &task.eval.string_note {
        Some(reason) => {
            (reason.clone(), ask(judge, |judge| judge.gives_the_reason(&task.intent, reason, answer)))
        }
        None => (String::new(), Finding::Raises("string_note is missing".to_owned())),
    }
}

/// The verdict on the reason replaces the product so far, whatever failed before; an undecided product may still be one.
fn replaced(so_far: &Finding, verdict: Finding) -> Finding {
    match so_far {
        Finding::Undecided(_) if verdict != Finding::Met => so_far.clone(),
        Finding::Raises(_) => so_far.clone(),
        _ => verdict,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Takes for the same whatever shares the first word.
    struct FirstWord;

    impl FuzzyJudge for FirstWord {
        fn means_the_same(&self, _: &str, reference: &str, answer: &str) -> Result<bool, String> {
            match (reference.split(' ').next(), answer.split(' ').next()) {
                (_, Some("")) => Err("empty answer".to_owned()),
                (reference, answer) => Ok(reference == answer),
            }
        }

        fn gives_the_reason(&self, task: &str, reason: &str, report: &str) -> Result<bool, String> {
            self.means_the_same(task, reason, report)
        }
    }

    fn finding(reference_answers: &Value, answer: &str, judge: Option<&dyn FuzzyJudge>) -> Finding {
        let task = OriginalTask::from_value(json!({
            "task_id": 1, "sites": [], "start_url": "", "intent": "?",
            "eval": {"eval_types": ["string_match"], "reference_answers": reference_answers, "string_note": "nobody did"}
        }));
        judge_answer(&task.expect("well-formed"), &Recording::answering(answer), judge).finding
    }

    #[test]
    fn answers_without_a_model() {
        for (references, answer, met) in [
            (json!({"exact_match": "Sprite"}), " 'sprite' ", true),
            (json!({"exact_match": "Sprite"}), "Sprite.", false),
            (json!({"must_include": ["a", "b"]}), "xaxbx", true),
            (json!({"must_include": ["a", "b"]}), "a", false),
            (json!({"must_include": ["0"]}), "10", false),
            (json!({"must_include": ["0", "1"]}), "10", true),
            (json!({"must_include": ["36.39"]}), "-36.39", true),
            (json!({"must_include": ["65 |OR| 3"]}), "65", false),
            (json!({"must_include": ["65 |OR| 3"]}), "it is 65 |or| 3", true),
            (json!({"must_include": []}), "", true),
            (json!({"fuzzy_match": "N/A"}), "n/a", true),
            (json!({"must_exclude": ["a"]}), "a", true),
            (json!({"exact_match": "a", "fuzzy_match": ["b"]}), "c", false),
        ] {
            assert_eq!(finding(&references, answer, None), Finding::of(met), "{references} for {answer:?}");
        }
    }

    #[test]
    fn meanings_need_a_model() {
        let needs_model = Finding::Undecided(Undecided::NeedsModel);
        assert_eq!(finding(&json!({"fuzzy_match": ["no, it is open"]}), "no", None), needs_model);
        assert_eq!(finding(&json!({"fuzzy_match": "N/A"}), "cannot be done", None), needs_model);
        assert_eq!(
            finding(&json!({"fuzzy_match": ["no, it is open"]}), "no, sorry", Some(&FirstWord)),
            Finding::Met
        );
        assert_eq!(
            finding(&json!({"fuzzy_match": ["no, it is open"]}), "yes", Some(&FirstWord)),
            Finding::Missed
        );
        assert_eq!(
            finding(&json!({"fuzzy_match": ["no"]}), "", Some(&FirstWord)),
            Finding::Undecided(Undecided::ModelFailed("empty answer".to_owned()))
        );
    }

    #[test]
    fn the_reason_replaces_what_failed_before() {
        let references = json!({"exact_match": "a", "fuzzy_match": "N/A"});
        assert_eq!(finding(&references, "nobody knows", Some(&FirstWord)), Finding::Met);
        assert_eq!(finding(&references, "somebody knows", Some(&FirstWord)), Finding::Missed);
    }

    #[test]
    fn unusable_references_raise() {
        for references in [
            Value::Null,
            json!({"must_include": "text"}),
            json!({"exact_match": 3}),
            json!({"fuzzy_match": "text"}),
        ] {
            assert!(matches!(finding(&references, "x", None), Finding::Raises(_)), "{references}");
        }
    }
}
