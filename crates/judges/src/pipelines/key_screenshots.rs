//! Key points of the task, a score for every screenshot, then the outcome over those that tell.

use std::sync::LazyLock;

use futures_util::StreamExt as _;
use futures_util::stream;
use serde_json::{Value, json};
use umpire_llm::Message;

use super::form::{OUTCOME, OUTCOME_NAME, asked_for, read_outcome};
use super::with_pictures;
use crate::answer::json::{JsonProblem, Shape};
use crate::answer::reference::{self, Mode};
use crate::answer::strict;
use crate::asking::{NoOpinion, Parser, Question, SCREENSHOT};
use crate::definition::Definition;
use crate::evidence::numbered;
use crate::frames::Frame;
use crate::judge::{Bench, Opinion};

/// Screenshots that are asked about at a time, within one vote.
const AT_ONCE: usize = 8;
/// The last frame is shown whatever its score: there the outcome is.
const ALWAYS_LAST: usize = 1;

static POINTS: LazyLock<Value> = LazyLock::new(|| {
    json!({
        "type": "object",
        "properties": { "key_points": { "type": "array", "items": { "type": "string" }, "minItems": 1 } },
        "required": ["key_points"],
        "additionalProperties": false,
    })
});
static POINTS_SHAPE: LazyLock<Shape> = LazyLock::new(|| Shape::new(&POINTS).expect("a schema"));

static SCORE: LazyLock<Value> = LazyLock::new(|| {
    json!({
        "type": "object",
        "properties": {
            "reasoning": { "type": "string" },
            "score": { "type": "integer", "minimum": 1, "maximum": 5 },
        },
        "required": ["reasoning", "score"],
        "additionalProperties": false,
    })
});
static SCORE_SHAPE: LazyLock<Shape> = LazyLock::new(|| Shape::new(&SCORE).expect("a schema"));

const POINTS_FORM: &str =
    "Answer with one JSON object and nothing else: {\"key_points\": a list of short sentences}.";
const SCORE_FORM: &str = "Answer with one JSON object and nothing else: {\"reasoning\": what it shows and why that matters, \"score\": 1 to 5}.";
const POINTS_FORM_REFERENCE: &str = "Answer with a numbered list under the heading **Key Points**:";
const SCORE_FORM_REFERENCE: &str =
    "Answer in two parts:\n**Reasoning**: what it shows and why that matters\n**Score**: 1 to 5";

struct KeyScreenshots<'d>(&'d Definition);

/// A screenshot with what was said about it. A score that could not be read is none, and is told apart from a low one.
struct Rated<'f> {
    frame: &'f Frame,
    score: Option<u8>,
    reason: String,
}

pub(super) async fn opinion(definition: &Definition, bench: &Bench<'_>) -> Result<Opinion, NoOpinion> {
    KeyScreenshots(definition).opinion(bench).await
}

impl KeyScreenshots<'_> {
    fn mode(&self) -> Mode {
        if self.0.main == "webjudge-general.md" { Mode::WebJudgeGeneral } else { Mode::WebJudgeOnline }
    }

    async fn opinion(&self, bench: &Bench<'_>) -> Result<Opinion, NoOpinion> {
        let points = self.key_points(bench).await?;
        let rated = self.rated(bench, &points).await?;
        let chosen = self.chosen(&rated, bench.asking.parser);
        let notes: Vec<String> = chosen
            .iter()
            .filter(|rated| !rated.reason.is_empty())
            .map(|rated| format!("screenshot of {}: {}", rated.frame.name(), rated.reason))
            .collect();
        let reasons = if notes.is_empty() {
            "No screenshot was found to matter.".to_owned()
        } else {
            let said = bench.side.exhibit.texts.fences.wrap(&numbered(&notes));
            format!("Notes on the screenshots that matter, which are attached in this order:\n{said}")
        };
        let parser = bench.asking.parser;
        let mut values = bench.side.exhibit.texts.values().to_vec();
        values.extend([("key_points", points.as_str()), ("reasons", reasons.as_str())]);
        let (system, user) = self.0.prompt(&self.0.main, &values);
        let text = format!("{user}\n\n{}", asked_for(parser));
        let question = Question {
            part: "outcome".to_owned(),
            system,
            messages: vec![with_pictures(text, chosen.iter().map(|rated| rated.frame))],
            schema: (parser == Parser::Strict).then_some((OUTCOME_NAME, &*OUTCOME)),
        };
        let judged = bench.asking.ask(question, |answer| read_outcome(answer, parser, self.mode())).await?;
        let scores: Vec<Value> =
            rated.iter().map(|rated| json!({ "steps": rated.frame.steps, "score": rated.score })).collect();
        Ok(Opinion {
            ruling: judged.ruling,
            reason: judged.reason,
            findings: json!({
                "key_points": points.lines().collect::<Vec<_>>(),
                "screenshots": scores,
                "shown": chosen.iter().map(|rated| &rated.frame.steps).collect::<Vec<_>>(),
            }),
            images: (rated.len() + chosen.len()) as u32,
        })
    }

    async fn key_points(&self, bench: &Bench<'_>) -> Result<String, NoOpinion> {
        let parser = bench.asking.parser;
        let (system, user) = self.0.prompt("key-points.md", &bench.side.exhibit.texts.values());
        let form = if parser == Parser::Strict { POINTS_FORM } else { POINTS_FORM_REFERENCE };
        let question = Question {
            part: "key points".to_owned(),
            system,
            messages: vec![Message::user(format!("{user}\n\n{form}"))],
            schema: (parser == Parser::Strict).then_some(("key_points", &*POINTS)),
        };
        bench.asking.ask(question, |answer| read_points(answer, parser)).await
    }

    async fn rated<'b>(&self, bench: &'b Bench<'_>, points: &str) -> Result<Vec<Rated<'b>>, NoOpinion> {
        let frames = &bench.side.frames.frames;
        let mut asking = Vec::with_capacity(frames.len());
        for (frame, number) in frames.iter().zip(1..) {
            asking.push(self.score(bench, points, frame, number));
        }
        let answers: Vec<Result<Rated<'b>, NoOpinion>> =
            stream::iter(asking).buffered(AT_ONCE).collect().await;
        answers.into_iter().collect()
    }

    async fn score<'b>(
        &self,
        bench: &'b Bench<'_>,
        points: &str,
        frame: &'b Frame,
        number: usize,
    ) -> Result<Rated<'b>, NoOpinion> {
        let parser = bench.asking.parser;
        let mut values = bench.side.exhibit.texts.values().to_vec();
        values.push(("key_points", points));
        let (system, user) = self.0.prompt("key-screenshot.md", &values);
        let form = if parser == Parser::Strict { SCORE_FORM } else { SCORE_FORM_REFERENCE };
        let question = Question {
            part: format!("{SCREENSHOT}{number}"),
            system,
            messages: vec![with_pictures(format!("{user}\n\n{form}"), [frame])],
            schema: (parser == Parser::Strict).then_some(("score", &*SCORE)),
        };
        let read = |answer: &str| read_score(answer, parser, self.mode());
        match bench.asking.ask(question, read).await {
            Ok((score, reason)) => Ok(Rated { frame, score, reason }),
            // One picture that nobody can rate does not keep the others from telling; it is shown to the last call.
            Err(NoOpinion::Unread { .. } | NoOpinion::Declined { .. }) => {
                Ok(Rated { frame, score: None, reason: String::new() })
            }
            Err(none) => Err(none),
        }
    }

    /// Those that matter, in their order. Reference mode does as the release does: the first fifty, and nothing else.
    fn chosen<'r, 'f>(&self, rated: &'r [Rated<'f>], parser: Parser) -> Vec<&'r Rated<'f>> {
        const FIRST: usize = 50;
        let threshold = self.0.threshold;
        if parser == Parser::Reference {
            return rated.iter().filter(|rated| rated.score.unwrap_or(0) >= threshold).take(FIRST).collect();
        }
        let most = self.0.evidence.most_screenshots.max(ALWAYS_LAST);
        let is_last = |place: usize| place + ALWAYS_LAST >= rated.len();
        let mut places: Vec<usize> = (0..rated.len())
            .filter(|&place| is_last(place) || rated[place].score.is_none_or(|score| score >= threshold))
            .collect();
        if places.len() > most {
            // The highest scores stay, among equals the later.
            places.sort_by_key(|&place| (is_last(place), rated[place].score.unwrap_or(threshold), place));
            places.drain(..places.len() - most);
            places.sort_unstable();
        }
        places.into_iter().map(|place| &rated[place]).collect()
    }
}

fn read_points(answer: &str, parser: Parser) -> Result<String, String> {
    if parser == Parser::Reference {
        return Ok(reference::key_points(answer));
    }
    let points: Vec<String> = match POINTS_SHAPE.read(answer) {
        Ok(object) => object["key_points"]
            .as_array()
            .map(|points| points.iter().filter_map(Value::as_str).map(str::to_owned).collect())
            .unwrap_or_default(),
        Err(JsonProblem::NoObject) => strict::key_points(answer).map_err(|unread| unread.to_string())?,
        Err(problem) => return Err(problem.to_string()),
    };
    Ok(numbered(&points))
}

fn read_score(answer: &str, parser: Parser, mode: Mode) -> Result<(Option<u8>, String), String> {
    if parser == Parser::Reference {
        let scored = reference::score(mode, answer);
        return Ok((Some(scored.score), scored.reason.unwrap_or_default()));
    }
    match SCORE_SHAPE.read(answer) {
        Ok(object) => {
            let score = object["score"].as_u64().and_then(|score| u8::try_from(score).ok());
            Ok((score, object["reasoning"].as_str().unwrap_or_default().to_owned()))
        }
        Err(JsonProblem::NoObject) => {
            let scored = strict::score(answer).map_err(|unread| unread.to_string())?;
            Ok((Some(scored.score), scored.reason))
        }
        Err(problem) => Err(problem.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(most: usize) -> Definition {
        let mut definition = Definition::built_in("webjudge").expect("built in");
        definition.evidence.most_screenshots = most;
        definition
    }

    fn chosen(scores: &[Option<u8>], most: usize, parser: Parser) -> Vec<u32> {
        let frames: Vec<Frame> = (1..=scores.len() as u32)
            .map(|step| Frame { steps: vec![step], pictures: Vec::new().into() })
            .collect();
        let rated: Vec<Rated<'_>> = frames
            .iter()
            .zip(scores)
            .map(|(frame, score)| Rated { frame, score: *score, reason: String::new() })
            .collect();
        KeyScreenshots(&judge(most)).chosen(&rated, parser).iter().map(|rated| rated.frame.steps[0]).collect()
    }

    #[test]
    fn what_tells_is_shown_and_the_end_always() {
        let scores = [Some(1), Some(3), None, Some(5), Some(2)];
        assert_eq!(chosen(&scores, 50, Parser::Strict), [2, 3, 4, 5], "an unread score is no low score");
        assert_eq!(chosen(&scores, 2, Parser::Strict), [4, 5]);
        assert_eq!(chosen(&scores, 50, Parser::Reference), [2, 4]);
        assert!(chosen(&[], 50, Parser::Strict).is_empty());
    }

    #[test]
    fn the_release_keeps_the_first_fifty_and_we_the_best() {
        let mut scores = vec![Some(3); 80];
        scores[79] = Some(5);
        assert_eq!(chosen(&scores, 50, Parser::Reference).last(), Some(&50));
        let ours = chosen(&scores, 50, Parser::Strict);
        assert_eq!((ours.len(), ours.first(), ours.last()), (50, Some(&31), Some(&80)));
    }
}
