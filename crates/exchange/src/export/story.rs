//! A recorded try in the order a film or a list of steps tells it.

use umpire_model::{Action, End, EventBody, Observed, Rect, Trajectory, Viewport};

/// Steps with what was seen, thought and done in each.
#[derive(Debug, Default)]
pub(crate) struct Story<'a> {
    /// RFC 3339; empty if not known.
    pub started_at: &'a str,
    pub browser: &'a str,
    pub viewport: Viewport,
    pub steps: Vec<StoryStep<'a>>,
    pub answer: Option<&'a str>,
    pub end: Option<(End, &'a str)>,
    /// Milliseconds from start to end.
    pub ms: u64,
}

#[derive(Debug, Default)]
pub(crate) struct StoryStep<'a> {
    pub number: u32,
    pub ms: u64,
    pub observed: Option<&'a Observed>,
    pub thoughts: Vec<&'a str>,
    pub acts: Vec<StoryAct<'a>>,
}

#[derive(Debug)]
pub(crate) struct StoryAct<'a> {
    pub did: Did<'a>,
    pub at: Option<Rect>,
    pub error: Option<&'a str>,
    /// When it was over.
    pub ms: u64,
    pub took_ms: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Did<'a> {
    Ours(&'a Action),
    Foreign(&'a str),
}

impl Did<'_> {
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Ours(action) => action.to_string(),
            Self::Foreign(text) => (*text).to_owned(),
        }
    }
}

impl<'a> Story<'a> {
    pub(crate) fn of(trajectory: &'a Trajectory) -> Self {
        let mut story = Self { end: trajectory.end(), ..Self::default() };
        story.answer = trajectory.response().map(|(_, response)| response);
        for event in &trajectory.events {
            story.ms = event.ms;
            match &event.body {
                EventBody::Started { at, browser, viewport, .. } => {
                    (story.started_at, story.browser, story.viewport) = (at, browser, *viewport);
                }
                EventBody::Observed(observed) => {
                    story.step(observed.step, event.ms).observed = Some(observed);
                }
                EventBody::Thought { step, text } => story.step(*step, event.ms).thoughts.push(text),
                EventBody::Acted { step, action, at, error, took_ms } => {
                    let act = StoryAct {
                        did: Did::Ours(action),
                        at: *at,
                        error: error.as_deref(),
                        ms: event.ms,
                        took_ms: *took_ms,
                    };
                    story.step(*step, event.ms).acts.push(act);
                }
                EventBody::ForeignAction { step, text, at, error } => {
                    let act = StoryAct {
                        did: Did::Foreign(text),
                        at: *at,
                        error: error.as_deref(),
                        ms: event.ms,
                        took_ms: 0,
                    };
                    story.step(*step, event.ms).acts.push(act);
                }
                _ => {}
            }
        }
        story
    }

    /// How it ended, in words, where it ended without an answer.
    pub(crate) fn why_no_answer(&self) -> String {
        let how = match self.end.map(|(end, _)| end) {
            Some(End::Time) => "the time ran out",
            Some(End::Actions) => "the actions ran out",
            Some(End::Money) => "the money ran out",
            Some(End::Blocked) => "the site kept the agent out",
            Some(End::Invalid) => "the task could not be asked",
            Some(End::Infra) | None => "the harness failed",
            Some(End::Over) => "the page ended the attempt",
            Some(End::Stopped | End::Answered) => "the agent stopped",
        };
        match self.end.map_or("", |(_, detail)| detail) {
            "" => how.to_owned(),
            detail => format!("{how}: {detail}"),
        }
    }

    fn step(&mut self, number: u32, ms: u64) -> &mut StoryStep<'a> {
        let index = self.steps.iter().rposition(|step| step.number == number).unwrap_or_else(|| {
            self.steps.push(StoryStep { number, ms, ..StoryStep::default() });
            self.steps.len() - 1
        });
        &mut self.steps[index]
    }
}
