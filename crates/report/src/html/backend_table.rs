//! What the deployment's own backend was asked, and what it said.

use maud::{Markup, html};
use umpire_model::{BackendAnswer, Body, Moment, Said};

use super::record_tables::CheckNumbers;
use super::recording::Recording;
use crate::wording::{bytes, clipped, count};

const QUESTION_SHOWN: usize = 1000;
const ANSWER_SHOWN: usize = 4000;

pub fn backend(recording: &Recording<'_>, evidence: &CheckNumbers) -> Markup {
    if recording.backend.is_empty() {
        return html! {};
    }
    html! {
        section {
            h2 id="backend" { "Backend " span.muted { (count(recording.backend.len(), "question")) } }
            div.scroll tabindex="0" role="region" aria-label="Questions to the backend" {
                table.wide {
                    thead {
                        tr {
                            th { "when" } th { "backend" } th { "question" } th { "answer" } th.number { "ms" }
                            th { "evidence" }
                        }
                    }
                    tbody { @for (seq, answer) in &recording.backend { (row(*seq, answer, evidence)) } }
                }
            }
        }
    }
}

fn row(seq: u64, answer: &BackendAnswer, evidence: &CheckNumbers) -> Markup {
    let checks = evidence.get(&seq);
    let when = match answer.when {
        Moment::Before => "before",
        Moment::After => "after",
    };
    html! {
        tr id={ "e-" (seq) } class=[checks.map(|_| "evidence")] {
            td { (when) }
            td.nowrap { (clipped(&answer.backend, QUESTION_SHOWN)) }
            td.mono.said { (clipped(&answer.asked, QUESTION_SHOWN)) }
            td.mono.said { (said(&answer.said)) }
            td.number { (answer.took_ms) }
            td.nowrap {
                @for number in checks.into_iter().flatten() { a href={ "#check-" (number) } { "check " (number) } " " }
            }
        }
    }
}

fn said(said: &Said) -> Markup {
    match said {
        Said::Json(Body::Text(text) | Body::Omitted(text)) => html! { (clipped(text, ANSWER_SHOWN)) },
        Said::Json(Body::Blob(blob)) => html! { span.muted { "JSON of " (bytes(blob.bytes)) } },
        Said::Nothing => html! { span.muted { "nothing there" } },
        Said::Refused(reason) | Said::Unreachable(reason) => {
            html! { span.bad { (clipped(reason, ANSWER_SHOWN)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use umpire_model::{Digest, Event, EventBody, JOURNAL_VERSION, Trajectory};

    use super::*;

    fn shown(said: Said, evidence: &CheckNumbers) -> String {
        let answer = BackendAnswer {
            backend: "shop-db".to_owned(),
            question: Digest::of(b"a question"),
            asked: "SELECT '<b>' FROM cart".to_owned(),
            when: Moment::After,
            said,
            took_ms: 12,
        };
        let body = EventBody::BackendAnswer(Box::new(answer));
        let events = vec![Event { v: JOURNAL_VERSION, seq: 7, ms: 0, body }];
        let trajectory = Trajectory { events, ..Trajectory::default() };
        backend(&Recording::of(&trajectory), evidence).into_string()
    }

    #[test]
    fn an_answer_is_shown_as_text_with_the_checks_that_rest_on_it() {
        let hostile = Said::Json(Body::Text("[\"<script>\"]".to_owned()));
        let page = shown(hostile, &CheckNumbers::from([(7, vec![2])]));
        for part in [
            "id=\"e-7\"",
            "href=\"#check-2\"",
            "SELECT '&lt;b&gt;' FROM cart",
            "[&quot;&lt;script&gt;&quot;]",
        ] {
            assert!(page.contains(part), "{part} in {page}");
        }
        assert!(!page.contains("<script>"));
    }

    #[test]
    fn what_was_not_answered_says_why() {
        let evidence = CheckNumbers::new();
        assert!(shown(Said::Nothing, &evidence).contains("nothing there"));
        assert!(shown(Said::Refused("no such table".to_owned()), &evidence).contains("no such table"));
        let nobody_asked = Trajectory::default();
        assert_eq!(backend(&Recording::of(&nobody_asked), &evidence).into_string(), "");
    }
}
