//! A run with attempts to judge, written through the real store, and a panel that asks a scripted provider.

#[path = "../../../model/tests/made_up/mod.rs"]
mod made_up;

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use image::{ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};
use tempfile::TempDir;
use umpire_judges::definition::Definition;
use umpire_judges::judge::Judge;
use umpire_judges::panel::{Docket, Panel, PanelOptions, Sitting};
use umpire_llm::scripted::{Asked, Script, ScriptedProvider};
use umpire_llm::{
    Budget, CacheOptions, Gateway, GatewayOptions, Limits, ModelSpec, Price, PriceSpec, Provider, TapeOptions,
};
use umpire_model::{
    Action, AgentEntry, AttemptId, Digest, End, EventBody, Evidence as _, Instance, Manifest, Media,
    Observed, Redactor, Tab, Target, Task, Viewport,
};
use umpire_store::{Run, Runs};

/// What an attempt holds beside its pictures.
#[derive(Clone, Debug)]
pub struct Story {
    pub thought: String,
    pub title: String,
    pub clicked: String,
    pub outline: String,
    pub answer: String,
    pub end: End,
    /// The pictures' colours, one for each step.
    pub shades: Vec<u8>,
}

impl Default for Story {
    fn default() -> Self {
        Self {
            thought: "Next.".to_owned(),
            title: "Settings".to_owned(),
            clicked: "Save".to_owned(),
            outline: "heading \"Settings\"".to_owned(),
            answer: "done".to_owned(),
            end: End::Answered,
            shades: vec![10, 120, 230],
        }
    }
}

pub fn task(id: &str) -> Value {
    json!({
        "id": id, "template": "t", "kind": "mutate", "intent": "Turn off personalised ads.", "sites": ["hub"],
        "start_urls": ["http://hub.localhost/"], "category": "ads", "ui_elements": ["toggle", "button"],
        "reference": ["click switch \"Personalised ads\"", "answer \"done\""], "difficulty": "easy", "checks": [],
    })
}

/// A run of these agents over these tasks, every attempt as its story says.
pub fn run(root: &Path, agents: &[&str], tasks: &[Value], story: impl Fn(&AttemptId) -> Story) -> Run {
    let instances: Vec<Instance> = tasks
        .iter()
        .flat_map(|task| Instance::of(&serde_json::from_value::<Task>(task.clone()).expect("a task")))
        .collect();
    let agents = agents.iter().map(|name| AgentEntry {
        name: (*name).to_owned(),
        kind: "oracle".to_owned(),
        settings: [].into(),
    });
    let manifest = Manifest {
        suite: "court".to_owned(),
        denominator: "every planned attempt".to_owned(),
        ..made_up::manifest("court-1", agents.collect(), &instances)
    };
    let run = Runs::new(root).create(&manifest, &instances).expect("a new run");
    for id in run.planned().expect("a plan") {
        write(&run, &id, &story(&id));
    }
    run
}

fn write(run: &Run, id: &AttemptId, story: &Story) {
    let journal = run.attempt(id).writer(Redactor::default()).expect("a writer");
    journal.event(EventBody::Started {
        attempt: id.clone(),
        r#try: 1,
        instance: Digest::of(b"instance"),
        at: "2026-01-01T00:00:00Z".to_owned(),
        browser: "Chromium/1".to_owned(),
        remote: None,
        viewport: Viewport::default(),
    });
    let last = story.shades.len() as u32;
    for (&shade, step) in story.shades.iter().zip(1..) {
        let screenshot = journal.blob(&picture(shade), Media::Png);
        let outline = journal.blob(story.outline.as_bytes(), Media::Text);
        journal.event(EventBody::Observed(Observed {
            step,
            url: format!("http://hub.localhost/{step}"),
            title: story.title.clone(),
            tabs: vec![Tab { id: "1".into(), url: String::new(), title: String::new(), active: true }],
            screenshot: Some(screenshot),
            outline: Some(outline),
            elements: 3,
            took_ms: 1,
        }));
        journal.event(EventBody::Thought { step, text: story.thought.clone() });
        let action = if step == last && story.end == End::Answered {
            Action::Answer(story.answer.clone())
        } else {
            Action::Click(Target::named("button", story.clicked.as_str()))
        };
        journal.event(EventBody::Acted { step, action, at: None, error: None, took_ms: 1 });
    }
    if story.end == End::Answered {
        journal.event(EventBody::Answered { response: story.answer.clone() });
    }
    journal.event(EventBody::Ended { end: story.end, detail: String::new(), steps: last, counted: last });
    journal.finish().expect("on the disk");
}

/// A page of one shade with something written on it: other shades are other pages.
pub fn picture(shade: u8) -> Vec<u8> {
    let page = RgbImage::from_fn(64, 48, |x, y| {
        Rgb([shade, (x * 4) as u8 ^ shade, if (x / 8 + y / 8) % 2 == 0 { shade } else { 255 - shade }])
    });
    let mut png = Cursor::new(Vec::new());
    page.write_to(&mut png, ImageFormat::Png).expect("drawn");
    png.into_inner()
}

/// A provider that answers by script, and a gateway to it with the models `one`, `two`, … of known price.
pub struct Court {
    pub provider: ScriptedProvider,
    pub gateway: Arc<Gateway>,
    pub budget: Arc<Budget>,
    pub folder: TempDir,
}

/// Dollars for a million tokens, so that a token costs 2 or 8 millionths.
pub const PRICE: Price = Price { input: 2.0, cached_input: None, output: 8.0 };

impl Court {
    pub async fn new(script: impl Into<Script>) -> Self {
        Self::with(script, |spec| spec, None).await
    }

    pub async fn with(
        script: impl Into<Script>,
        change: impl Fn(ModelSpec) -> ModelSpec,
        cache: Option<&Path>,
    ) -> Self {
        let provider = ScriptedProvider::start(script).await.expect("a provider");
        let folder = tempfile::tempdir().expect("a folder");
        let mut court = Self {
            gateway: Gateway::new(BTreeMap::new(), &GatewayOptions::default(), &|_| None).expect("a gateway"),
            budget: Budget::new("judge", Limits::default()),
            provider,
            folder,
        };
        let spec = change(ModelSpec {
            price: Some(PriceSpec::Listed(PRICE)),
            ..court.provider.model(Provider::OpenAi, "judge-model")
        });
        let models = ["one", "two", "three"]
            .map(|name| (name.to_owned(), ModelSpec { model: format!("judge-{name}"), ..spec.clone() }));
        let cache = cache.map(|folder| CacheOptions { folder: folder.to_owned(), any_temperature: true });
        let options =
            GatewayOptions { tapes: TapeOptions { cache, cassette: None }, ..GatewayOptions::default() };
        court.gateway = Gateway::new(models.into(), &options, &|_| None).expect("a gateway");
        court
    }

    pub fn panel(&self, run: &Run, judge: &str, options: PanelOptions) -> Panel {
        self.panel_of(run, Definition::built_in(judge).expect("a judge"), options)
    }

    pub fn panel_of(&self, run: &Run, judge: Definition, options: PanelOptions) -> Panel {
        Panel {
            run: run.clone(),
            judge: Judge::new(judge),
            gateway: Arc::clone(&self.gateway),
            budget: Arc::clone(&self.budget),
            darkroom: Arc::default(),
            options,
        }
    }
}

pub fn asking(models: &[&str]) -> PanelOptions {
    PanelOptions {
        models: models.iter().map(|model| (*model).to_owned()).collect(),
        ..PanelOptions::default()
    }
}

/// All of a run judged.
pub async fn sit(panel: &Panel) -> (Docket, Sitting) {
    let docket = panel.docket().expect("a docket");
    let sitting = panel.sit(&docket, |_| ()).await.expect("a sitting");
    (docket, sitting)
}

/// Which part of a pipeline a request belongs to, by the name of the schema it carries.
pub fn part_of(asked: &Asked) -> String {
    asked.body["response_format"]["json_schema"]["name"].as_str().unwrap_or_default().to_owned()
}
