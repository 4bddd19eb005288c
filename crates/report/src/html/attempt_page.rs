//! The page of one attempt.

use maud::{Markup, html};
use umpire_model::AttemptId;
use umpire_store::{FiledVerdict, InstanceFacts, Journal};

use super::attempt_parts::{answer, attempt_head, crumbs, earlier_tries, flags, same_instance};
use super::backend_table::backend;
use super::frame::{outcome_word, page};
use super::images::Images;
use super::model_calls::model_calls;
use super::record_tables::{agent_output, console, gate, network};
use super::recording::Recording;
use super::steps::{film_strip, step_list};
use super::verdicts::{check_numbers, current_verdicts, verdict_section};
use super::{TO_ROOT, page_path};
use crate::{AttemptSummary, Summary};

/// Everything one attempt's page is made from.
pub(super) struct AttemptPage<'a> {
    pub summary: &'a Summary,
    pub attempt: &'a AttemptSummary,
    pub facts: Option<&'a InstanceFacts>,
    pub journal: &'a Journal,
    pub verdicts: &'a [FiledVerdict],
    pub images: &'a Images,
}

impl AttemptPage<'_> {
    pub(super) fn render(&self) -> Markup {
        let recording = Recording::of(&self.journal.trajectory);
        let verdicts = current_verdicts(self.verdicts, self.attempt.tries);
        let evidence = check_numbers(&verdicts);
        let path = |id: &AttemptId| format!("{TO_ROOT}{}", page_path(id));
        let title = format!("{} {} · Umpire", outcome_word(self.attempt.outcome), self.attempt.id);
        page(
            &title,
            &html! {
                (crumbs(self.summary, self.attempt, &format!("{TO_ROOT}index.html"), &path))
                main id="main" {
                    (attempt_head(&self.summary.manifest, self.attempt, self.facts, self.journal, &recording))
                    (flags(self.journal))
                    (film_strip(&recording, self.images))
                    @for verdict in &verdicts { (verdict_section(verdict, &self.journal.trajectory, &recording)) }
                    (answer(&self.journal.trajectory))
                    section {
                        h2 { "Steps" }
                        @if recording.steps.is_empty() { p.muted { "No step was recorded." } }
                        (step_list(&recording, self.images))
                    }
                    (backend(&recording, &evidence))
                    (model_calls(&recording))
                    (network(&recording, &evidence))
                    (gate(&recording))
                    (console(&recording))
                    (agent_output(&recording))
                    (earlier_tries(self.journal))
                    (same_instance(self.summary, self.attempt, &path, &|_| html! {}))
                }
            },
        )
    }
}
