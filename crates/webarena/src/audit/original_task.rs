//! What the checks of an original task let pass.

use super::report::{Category, Finding};
use crate::original::{AnswerRule, OriginalTask, PageCheck, RequiredContents};

pub(super) fn findings(task: &OriginalTask) -> Vec<Finding> {
    let mut findings = Findings { task_id: task.task_id, found: Vec::new() };
    for rule in task.eval.reference_answers.iter().flatten() {
        findings.in_answer(rule);
    }
    for (index, check) in task.eval.program_html.iter().enumerate() {
        findings.in_page_check(index, check);
    }
    findings.in_eval_types(task);
    findings.found
}

struct Findings {
    task_id: i64,
    found: Vec<Finding>,
}

/// What the original splits alternatives at, in URLs and in page contents but not in answers.
const ALTERNATIVE: &str = " |OR| ";

impl Findings {
    fn add(&mut self, category: Category, place: String, reason: impl Into<String>, text: &str) {
        self.found.push(Finding {
            task_id: self.task_id,
            category,
            place,
            reason: reason.into(),
            text: text.to_owned(),
        });
    }

    fn in_answer(&mut self, rule: &AnswerRule) {
        let place = |rule: &str| format!("eval.reference_answers.{rule}");
        match rule {
            AnswerRule::MustInclude(references) => {
                for (index, reference) in references.iter().enumerate() {
                    let place = format!("{}[{index}]", place("must_include"));
                    self.add(
                        Category::ResponseSubstring,
                        place.clone(),
                        reach_of(reference, references.len()),
                        reference,
                    );
                    if reference.contains(ALTERNATIVE) {
                        let reason = "the alternatives are not taken apart: only an answer that quotes them all passes";
                        self.add(Category::LiteralAlternatives, place, reason, reference);
                    }
                }
            }
            AnswerRule::FuzzyMatch(references) => {
                for (index, reference) in references.iter().enumerate() {
                    let place = format!("{}[{index}]", place("fuzzy_match"));
                    self.add(
                        Category::ModelJudged,
                        place,
                        "a model compares the answer with the reference",
                        reference,
                    );
                }
            }
            AnswerRule::Unachievable => {
                let reason = "N/A passes, however little was tried";
                self.add(Category::Unachievable, place("fuzzy_match"), reason, "N/A");
                let reason = "any other answer is put before a model";
                self.add(Category::ModelJudged, place("fuzzy_match"), reason, "N/A");
            }
            AnswerRule::Unusable { approach, value } => {
                self.add(
                    Category::BrokenCheck,
                    place(approach),
                    "the evaluator cannot use this value",
                    &value.to_string(),
                );
            }
            AnswerRule::Ignored(approach) => {
                self.add(
                    Category::BrokenCheck,
                    place(approach),
                    "the evaluator passes over this rule",
                    approach,
                );
            }
            AnswerRule::ExactMatch(_) => {}
        }
    }

    fn in_page_check(&mut self, index: usize, check: &PageCheck) {
        let place = format!("eval.program_html[{index}]");
        let is_whole_page = check.locator.trim().is_empty();
        let contents = match &check.required_contents {
            RequiredContents::MustInclude(contents) => contents.as_slice(),
            RequiredContents::ExactMatch(content) => {
                if is_whole_page {
                    self.add(Category::PageContent, place, "the whole page is compared", content);
                }
                return;
            }
            RequiredContents::Unusable(value) => {
                let reason = "the evaluator knows none of these rules";
                self.add(
                    Category::BrokenCheck,
                    format!("{place}.required_contents"),
                    reason,
                    &value.to_string(),
                );
                return;
            }
        };
        let (category, reason) = if is_whole_page {
            (Category::PageContent, "passes wherever in the page's source the text stands".to_owned())
        } else if check.locator.contains("outerText") {
            (Category::LocatorSubstring, format!("passes wherever the text stands in {}", check.locator))
        } else {
            (Category::OtherLocatorSubstring, format!("passes if the text is any part of {}", check.locator))
        };
        for (content_index, content) in contents.iter().enumerate() {
            self.add(
                category,
                format!("{place}.required_contents.must_include[{content_index}]"),
                reason.clone(),
                content,
            );
        }
    }

    fn in_eval_types(&mut self, task: &OriginalTask) {
        let eval = &task.eval;
        for name in &eval.eval_types {
            let problem = match name.as_str() {
                "string_match" if eval.reference_answers.is_none() => {
                    "there are no reference answers to match"
                }
                "url_match" if eval.reference_url.is_none() => "there is no reference URL to match",
                "url_match" if !matches!(eval.url_note.as_deref(), None | Some("GOLD in PRED" | "EXACT")) => {
                    "the evaluator does not know the url_note"
                }
                "string_match" | "url_match" | "program_html" => continue,
                _ => "the evaluator does not know this eval type",
            };
            self.add(Category::BrokenCheck, "eval.eval_types".to_owned(), problem, name);
        }
    }
}

/// What else an inclusion test lets pass.
fn reach_of(reference: &str, references: usize) -> String {
    if references == 1 && reference.trim().chars().count() == 1 {
        format!("passes if {reference:?} is any word of the answer")
    } else {
        format!("passes if {reference:?} is any part of the answer")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn categories(eval: &Value) -> Vec<Category> {
        let task = json!({"task_id": 3, "sites": [], "start_url": "", "intent": "", "eval": eval});
        let found = findings(&OriginalTask::from_value(task).expect("well-formed"));
        assert!(
            found.iter().all(|finding| finding.task_id == 3
                && !finding.place.is_empty()
                && !finding.reason.is_empty())
        );
        found.into_iter().map(|finding| finding.category).collect()
    }

    #[test]
    fn answers_are_sorted_by_how_they_are_compared() {
        for (answers, expected) in [
            (json!({"exact_match": "x"}), vec![]),
            (
                json!({"must_include": ["a", "b"]}),
                vec![Category::ResponseSubstring, Category::ResponseSubstring],
            ),
            (
                json!({"must_include": ["a |OR| b"]}),
                vec![Category::ResponseSubstring, Category::LiteralAlternatives],
            ),
            (json!({"fuzzy_match": ["a"]}), vec![Category::ModelJudged]),
            (json!({"fuzzy_match": "N/A"}), vec![Category::Unachievable, Category::ModelJudged]),
            (json!({"must_exclude": ["a"]}), vec![Category::BrokenCheck]),
            (json!({"must_include": "a"}), vec![Category::BrokenCheck]),
        ] {
            let eval = json!({"eval_types": ["string_match"], "reference_answers": answers});
            assert_eq!(categories(&eval), expected, "{answers}");
        }
    }

    #[test]
    fn page_checks_are_sorted_by_what_they_search() {
        let outer_text = "document.querySelector('p').outerText";
        for (locator, required, expected) in [
            ("", json!({"must_include": ["x"]}), vec![Category::PageContent]),
            (outer_text, json!({"must_include": ["x"]}), vec![Category::LocatorSubstring]),
            (outer_text, json!({"exact_match": "x"}), vec![]),
            (
                "document.querySelector('p').value",
                json!({"must_include": ["x"]}),
                vec![Category::OtherLocatorSubstring],
            ),
            ("", json!({}), vec![Category::BrokenCheck]),
        ] {
            let eval = json!({"eval_types": ["program_html"], "program_html": [{"url": "last", "locator": locator, "required_contents": required}]});
            assert_eq!(categories(&eval), expected, "{locator} {required}");
        }
    }

    #[test]
    fn checks_without_anything_to_check_are_broken() {
        assert_eq!(
            categories(&json!({"eval_types": ["string_match", "url_match", "page_image"]})),
            [Category::BrokenCheck; 3]
        );
        assert_eq!(
            categories(&json!({"eval_types": ["url_match"], "reference_url": "x", "url_note": "odd"})),
            [Category::BrokenCheck]
        );
    }
}
