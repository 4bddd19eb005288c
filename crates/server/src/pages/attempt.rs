//! One attempt: what was seen, done, said and decided.

use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;
use umpire_model::{AttemptId, EventBody, HumanLabel, standing_labels};
use umpire_report::html::{
    Recording, agent_output, answer, attempt_head, backend, check_numbers, console, crumbs, current_verdicts,
    earlier_tries, flags, gate, model_calls, network, outcome_word, same_instance, verdict_section,
};
use umpire_report::{AttemptSummary, bytes, clipped};
use umpire_store::{FiledVerdict, Journal};

use super::step_view::{Sources, stage};
use super::{attempt_id, attempt_path, in_query, run_id, stay_blind};
use crate::accounts::Who;
use crate::assets;
use crate::error::PageError;
use crate::frame::{Page, Room};
use crate::index::IndexedRun;
use crate::state::App;

const LINE_SHOWN: usize = 400;

#[derive(Debug, Deserialize)]
pub(crate) struct Asked {
    step: Option<u32>,
}

pub(crate) async fn attempt(
    State(app): State<App>,
    Path((run, agent, instance, trial)): Path<(String, String, String, u32)>,
    Query(asked): Query<Asked>,
    who: Who,
) -> Result<Response, PageError> {
    let id = attempt_id(&agent, &instance, trial)?;
    let run = run_id(&run)?;
    stay_blind(&app, &who, &run, Some(&id)).await?;
    let indexed = app.index.open(&run).await?;
    let title = format!("{} {id}", outcome_word(summary_of(&indexed, &id)?.outcome));
    let has_films = app.films.is_some();
    let body = tokio::task::spawn_blocking(move || {
        let folder = indexed.run.attempt(&id);
        let (journal, verdicts, labels) = (folder.journal()?, folder.verdicts()?, indexed.run.labels()?);
        let attempt = summary_of(&indexed, &id)?;
        let labels: Vec<&HumanLabel> =
            standing_labels(&labels).into_iter().filter(|label| label.attempt == id).collect();
        let page = AttemptPage {
            indexed: &indexed,
            attempt,
            journal: &journal,
            verdicts: &verdicts,
            labels,
            has_films,
        };
        Ok::<_, PageError>(page.render(asked.step))
    })
    .await??;
    let scripts: &[&assets::Asset] = &[&assets::PLAYER];
    Ok(Page { title: &title, room: Room::Runs, who: &who, scripts, body }.respond())
}

fn summary_of<'a>(indexed: &'a IndexedRun, id: &AttemptId) -> Result<&'a AttemptSummary, PageError> {
    indexed.summary.attempts.iter().find(|attempt| attempt.id == *id).ok_or(PageError::NotFound)
}

struct AttemptPage<'a> {
    indexed: &'a IndexedRun,
    attempt: &'a AttemptSummary,
    journal: &'a Journal,
    verdicts: &'a [FiledVerdict],
    labels: Vec<&'a HumanLabel>,
    /// Whether somebody encodes WebM films.
    has_films: bool,
}

impl AttemptPage<'_> {
    fn render(&self, step: Option<u32>) -> Markup {
        let trajectory = &self.journal.trajectory;
        let recording = Recording::of(trajectory);
        let verdicts = current_verdicts(self.verdicts, self.attempt.tries);
        let evidence = check_numbers(&verdicts);
        let summary = &self.indexed.summary;
        let (run, own) = (&summary.manifest.run, &self.attempt.id);
        let facts = self.indexed.facts.get(&own.instance);
        let path = |id: &AttemptId| attempt_path(run, id);
        let side_by_side = |other: &AttemptSummary| {
            let [left, right] = [own, &other.id].map(|id| in_query(&format!("{run}/{id}")));
            html! { td { @if other.tries > 0 { a href={ "/compare/attempts?left=" (left) "&right=" (right) } { "side by side" } } } }
        };
        let sources = Sources { run, attempt: Some(own) };
        let ended_ms = trajectory.events.last().map_or(0, |event| event.ms);
        html! {
            (crumbs(summary, self.attempt, &format!("/runs/{run}"), &path))
            (attempt_head(&summary.manifest, self.attempt, facts, self.journal, &recording))
            (self.downloads(&path(own)))
            (flags(self.journal))
            (stage(&recording, &sources, step, ended_ms, &|_| html! {}))
            nav.sections aria-label="On this page" {
                @for (anchor, name) in [("#verdicts", "Verdicts"), ("#network", "Network"), ("#models", "Models"), ("#records", "Console and output")] {
                    a href=(anchor) { (name) }
                }
            }
            div id="verdicts" { @for verdict in &verdicts { (verdict_section(verdict, trajectory, &recording)) } }
            (self.people())
            (answer(&self.journal.trajectory))
            (backend(&recording, &evidence))
            (model_calls(&recording))
            (self.words_of_models())
            (network(&recording, &evidence))
            div id="records" { (gate(&recording)) (console(&recording)) (agent_output(&recording)) }
            (earlier_tries(self.journal))
            (same_instance(summary, self.attempt, &path, &side_by_side))
        }
    }

    fn downloads(&self, path: &str) -> Markup {
        html! {
            @if self.attempt.steps.is_some() {
                p.downloads {
                    "Download "
                    @for (format, name) in [("film", "film (GIF)"), ("webm", "film (WebM)"), ("har", "HAR"), ("trace", "Playwright trace")] {
                        @if format != "webm" || self.has_films { a href={ (path) "/download/" (format) } download { (name) } " " }
                    }
                }
            }
        }
    }

    fn people(&self) -> Markup {
        html! {
            @if !self.labels.is_empty() {
                section {
                    h2 { "What people say" }
                    table.wide {
                        thead { tr { th { "who" } th { "says" } th { "categories" } th { "steps" } th { "text" } } }
                        tbody {
                            @for label in &self.labels {
                                tr {
                                    td { (label.annotator) }
                                    td { @if let Some(success) = label.success { (format!("{success:?}").to_lowercase()) } }
                                    td { @for category in &label.failures { div { (category) } } }
                                    td {
                                        @for step in &label.steps {
                                            div { a href={ "#step-" (step.step) } { (step.step) } " " (format!("{:?}", step.verdict).to_lowercase()) " " span.said { (clipped(&step.text, LINE_SHOWN)) } }
                                        }
                                    }
                                    td.said { (clipped(&label.text, LINE_SHOWN)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    fn words_of_models(&self) -> Markup {
        let path = attempt_path(&self.indexed.summary.manifest.run, &self.attempt.id);
        let calls: Vec<_> = self
            .journal
            .trajectory
            .events
            .iter()
            .filter_map(|event| match &event.body {
                EventBody::ModelCalled(call) => Some((event.seq, call)),
                _ => None,
            })
            .collect();
        html! {
            @if !calls.is_empty() {
                details {
                    summary { "What was sent and what came back" }
                    ol {
                        @for (seq, call) in calls {
                            li {
                                (call.model) ": "
                                a href={ (path) "/calls/" (seq) "/request" } { "request, " (bytes(call.request.bytes)) }
                                @if let Some(reply) = &call.reply {
                                    ", " a href={ (path) "/calls/" (seq) "/reply" } { "reply, " (bytes(reply.bytes)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
