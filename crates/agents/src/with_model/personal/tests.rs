use std::sync::{Arc, Mutex};

use umpire_llm::AskError;
use umpire_model::{HistoryAccess, HistoryHit, HistoryScheme, TaskBrief, TaskKind};

use super::super::tests::{BROWSING, Parrot, click_of, said, shop};
use super::super::{ModelAgentSpec, ModelKind};
use super::{Memory, NoMemory, Recalled, Recalling};
use crate::sample::{decide, task};
use crate::{Agent, Decision, NoDecision};

/// A history that knows about lamps, may be asked so often, and keeps what it was asked.
#[derive(Debug)]
struct Lamps {
    left: Mutex<u32>,
    accesses: Mutex<Vec<HistoryAccess>>,
}

impl Memory for Lamps {
    fn recall<'a>(&'a self, query: &'a str) -> Recalling<'a> {
        let mut left = self.left.lock().expect("left");
        let found = if query == "broken" {
            Err(NoMemory::Broken("no index".to_owned()))
        } else if *left == 0 {
            Err(NoMemory::Spent(2))
        } else {
            *left -= 1;
            let text = query.contains("lamp").then(|| "purchase: Lumen lamp, shop.localhost".to_owned());
            let hit = HistoryHit { id: 3, score: if text.is_some() { 0.9 } else { 0.2 }, text };
            Ok(Recalled { method: "lexical".to_owned(), hits: vec![hit] })
        };
        Box::pin(std::future::ready(found))
    }

    fn accessed(&self, access: HistoryAccess) {
        self.accesses.lock().expect("accesses").push(access);
    }

    fn profile(&self) -> String {
        "- brand: Lumen".to_owned()
    }
}

struct Scene {
    model: Arc<Parrot>,
    memory: Arc<Lamps>,
    agent: Box<dyn Agent>,
    task: TaskBrief,
    step: u32,
}

impl Scene {
    fn of(kind: ModelKind, scheme: HistoryScheme, replies: &[&str]) -> Self {
        let replies = replies.iter().map(|text| said(text)).collect();
        let model = Arc::new(Parrot { replies: Mutex::new(replies), ..Parrot::default() });
        let memory = Arc::new(Lamps { left: Mutex::new(2), accesses: Mutex::default() });
        let mut spec = ModelAgentSpec::new(kind);
        spec.options.history = Some(scheme);
        let task = task(TaskKind::Mutate, "Buy the lamp I always buy.");
        let prompts = spec.prompts().expect("own prompts");
        let agent = spec.create(&task, prompts, Arc::clone(&model) as _, Some(Arc::clone(&memory) as _));
        Self { model, memory, agent, task, step: 0 }
    }

    fn turn(&mut self) -> Result<Decision, NoDecision> {
        self.step += 1;
        decide(self.agent.as_mut(), &self.task, &shop(), self.step, None)
    }

    fn accesses(&self) -> Vec<HistoryAccess> {
        self.memory.accesses.lock().expect("accesses").clone()
    }

    /// Everything the model was shown in its last call.
    fn last_asked(&self) -> String {
        let asked = self.model.asked.lock().expect("asked");
        let last = asked.last().expect("asked");
        last.messages.iter().map(umpire_llm::Message::text).collect()
    }
}

const PLAN: &str = "NEEDS_MEMORY: YES\nQUERIES:\n- lamp brand\n- usual shop";
const NEED: &str =
    "CURRENT_OBSERVATION: a shop\nNEED_MEMORY: YES\nQUERY_DETAIL: lamp brand\nREASON: which lamp is open";
const NO_NEED: &str = "CURRENT_OBSERVATION: a shop\nNEED_MEMORY: NO\nQUERY_DETAIL: NONE\nREASON: it is known";

#[test]
fn before_the_first_turn_the_task_is_said_anew() {
    for kind in BROWSING {
        let click = click_of(kind);
        let replies = [PLAN, "They buy Lumen lamps.", "Buy the Lumen lamp.", click, click];
        let mut scene = Scene::of(kind, HistoryScheme::PreExecution, &replies);
        assert_eq!(scene.turn().expect("a click").action.to_string(), "click [1]", "{kind:?}");
        let shown = scene.last_asked();
        assert!(
            shown.contains("Buy the Lumen lamp.") && !shown.contains("I always buy"),
            "{kind:?}: {shown}"
        );
        // The second query brought nothing up that may be shown: it is written down, and nobody is asked about it.
        let accesses = scene.accesses();
        let told: Vec<_> =
            accesses.iter().map(|one| (one.step, one.query.as_str(), one.answer.as_deref())).collect();
        assert_eq!(told, [(0, "lamp brand", Some("They buy Lumen lamps.")), (0, "usual shop", None)]);
        assert_eq!(accesses[1].hits.len(), 1);
        scene.turn().expect("a click");
        assert_eq!(scene.accesses().len(), 2, "it looks once");
    }
}

#[test]
fn on_demand_what_was_learned_is_shown_and_not_asked_twice() {
    for kind in BROWSING {
        let click = click_of(kind);
        let replies = [NEED, "Lumen, three times.", click, NEED, click, NO_NEED, click];
        let mut scene = Scene::of(kind, HistoryScheme::OnDemand, &replies);
        for step in 1..=3 {
            scene.turn().expect("a click");
            let shown = scene.last_asked();
            assert!(shown.contains("lamp brand: Lumen, three times."), "{kind:?} step {step}: {shown}");
        }
        let accesses = scene.accesses();
        assert_eq!(accesses.len(), 1, "{kind:?}");
        assert_eq!((accesses[0].step, accesses[0].reason.as_deref()), (1, Some("which lamp is open")));
    }
}

#[test]
fn what_was_looked_up_in_vain_is_known_to_be_and_not_asked_again() {
    let vain = NEED.replace("lamp brand", "usual shop");
    let click = click_of(ModelKind::Occam);
    // The second look brings entries up, and the model makes no answer of them.
    let replies = [vain.as_str(), click, vain.as_str(), click, NEED, " ", click, NEED, click];
    let mut scene = Scene::of(ModelKind::Occam, HistoryScheme::OnDemand, &replies);
    for asked in [1, 1, 2, 2] {
        scene.turn().expect("a click");
        assert_eq!(scene.accesses().len(), asked);
    }
    let shown = scene.last_asked();
    for query in ["usual shop", "lamp brand"] {
        assert!(shown.contains(&format!("{query}: nothing was found")), "{shown}");
    }
}

#[test]
fn an_answer_that_the_model_did_not_make_is_none_and_said_to_be() {
    for (scheme, plan) in [(HistoryScheme::PreExecution, PLAN), (HistoryScheme::OnDemand, NEED)] {
        let click = click_of(ModelKind::Occam);
        let mut scene = Scene::of(ModelKind::Occam, scheme, &[plan, " ", click]);
        scene.turn().expect("a click");
        let access = &scene.accesses()[0];
        assert_eq!((access.hits.len(), access.answer.as_deref()), (1, None), "{scheme:?}");
        assert_eq!(access.error.as_deref(), Some("the model made no answer of it"), "{scheme:?}");
    }
}

#[test]
fn an_access_too_many_is_refused_written_down_and_the_last() {
    let need = |what: &str| NEED.replace("lamp brand", what);
    let (second, third) = (need("lamp colour"), need("lamp shop"));
    let click = click_of(ModelKind::Occam);
    let replies = [NEED, "Lumen.", click, &second, "Blue.", click, &third, click, click];
    let mut scene = Scene::of(ModelKind::Occam, HistoryScheme::OnDemand, &replies);
    for _ in 0..4 {
        scene.turn().expect("a click");
    }
    let accesses = scene.accesses();
    assert_eq!(accesses.len(), 3);
    assert!(accesses[2].error.as_deref().is_some_and(|error| error.contains("2 times")));
    assert_eq!(
        scene.model.asked.lock().expect("asked").len(),
        replies.len(),
        "nobody plans in the last turn"
    );
}

#[test]
fn a_plan_that_cannot_be_read_changes_nothing() {
    let click = click_of(ModelKind::Occam);
    for plan in ["NEEDS_MEMORY: NO", "I would rather not.", "   "] {
        let mut scene = Scene::of(ModelKind::Occam, HistoryScheme::PreExecution, &[plan, click]);
        scene.turn().expect("a click");
        assert!(scene.last_asked().contains("Buy the lamp I always buy."), "{plan}");
        assert_eq!(scene.accesses(), []);
    }
}

#[test]
fn what_is_broken_is_the_harness_and_is_written_down() {
    let need = NEED.replace("lamp brand", "broken");
    let mut scene = Scene::of(ModelKind::Occam, HistoryScheme::OnDemand, &[&need]);
    assert!(matches!(scene.turn(), Err(NoDecision::Infra(reason)) if reason.contains("no index")));
    assert!(scene.accesses()[0].error.is_some());
    let mut scene = Scene::of(ModelKind::Occam, HistoryScheme::OnDemand, &[NEED]);
    *scene.model.replies.lock().expect("replies") =
        [said(NEED), Err(AskError::Unavailable("gone".to_owned()))].into();
    assert!(matches!(scene.turn(), Err(NoDecision::Infra(_))));
    assert_eq!(scene.accesses()[0].hits.len(), 1, "what was found before is kept");
}

#[test]
fn with_a_profile_nothing_is_looked_up() {
    let mut scene = Scene::of(ModelKind::Voyager, HistoryScheme::Profile, &[click_of(ModelKind::Voyager)]);
    scene.turn().expect("a click");
    assert!(scene.last_asked().contains("- brand: Lumen"));
    assert_eq!(scene.accesses(), []);
}
