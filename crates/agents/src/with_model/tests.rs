//! What each agent makes of replies, good and bad, without a browser and without a model.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use umpire_browser::Observation;
use umpire_llm::{Ask, AskError, Asking, Finish, Prompt, Reply, Role};
use umpire_model::{Action, Deadline, TaskBrief, TaskKind};

use super::{ModelAgentSpec, ModelKind};
use crate::sample::{Page, decide, task};
use crate::{Agent, NoDecision};

/// A model that says what it was told to say, and keeps what it was asked.
#[derive(Default)]
pub(super) struct Parrot {
    pub replies: Mutex<VecDeque<Result<Reply, AskError>>>,
    pub asked: Mutex<Vec<Prompt>>,
    pub sees: bool,
}

impl Ask for Parrot {
    fn ask<'a>(&'a self, prompt: &'a Prompt, _: Deadline) -> Asking<'a> {
        self.asked.lock().expect("asked").push(prompt.clone());
        let reply = self.replies.lock().expect("replies").pop_front();
        Box::pin(std::future::ready(
            reply.unwrap_or(Err(AskError::Unavailable("nothing left to say".to_owned()))),
        ))
    }

    fn sees_images(&self) -> bool {
        self.sees
    }
}

#[expect(clippy::unnecessary_wraps, reason = "as it comes from a model")]
pub(super) fn said(text: &str) -> Result<Reply, AskError> {
    Ok(finished(text, Finish::Complete))
}

fn finished(text: &str, finish: Finish) -> Reply {
    Reply { text: text.to_owned(), finish, usage: None, cost: None }
}

struct Play {
    model: Arc<Parrot>,
    agent: Box<dyn Agent>,
    task: TaskBrief,
    step: u32,
}

impl Play {
    fn of(kind: ModelKind, replies: impl IntoIterator<Item = Result<Reply, AskError>>) -> Self {
        let task = task(TaskKind::Retrieve, "How much is the desk lamp?");
        let model =
            Arc::new(Parrot { replies: Mutex::new(replies.into_iter().collect()), ..Parrot::default() });
        let spec = ModelAgentSpec::new(kind);
        let agent = spec.create(&task, spec.prompts().expect("own prompts"), Arc::clone(&model) as _, None);
        Self { model, agent, task, step: 0 }
    }

    fn turn(&mut self, seen: &Observation, last_error: Option<&str>) -> Result<Action, NoDecision> {
        self.step += 1;
        decide(self.agent.as_mut(), &self.task, seen, self.step, last_error).map(|decision| decision.action)
    }

    fn asked(&self) -> Vec<Prompt> {
        self.model.asked.lock().expect("asked").clone()
    }
}

pub(super) fn shop() -> Observation {
    Page::at("http://shop.localhost/")
        .titled("Lumen & Oak")
        .with("link", "Desk lamp")
        .with("textbox", "Search")
        .outline("- link \"Desk lamp\"\n- textbox \"Search\"\n- text \"24.99 EUR\"\n")
        .seen()
}

pub(super) fn click_of(kind: ModelKind) -> &'static str {
    match kind {
        ModelKind::Voyager => "Thought: there it is\nAction: Click [1]",
        ModelKind::Occam => "Summary: s\nReason: there it is\nHighlight: 1\nAction: click [1]",
        _ => {
            r#"{"current_state": {"evaluation_previous_goal": "", "memory": "", "next_goal": "open it"}, "action": [{"click_element_by_index": {"index": 1}}]}"#
        }
    }
}

fn answer_of(kind: ModelKind) -> &'static str {
    match kind {
        ModelKind::Voyager => "Thought: done\nAction: ANSWER; [24.99]",
        ModelKind::Occam => "Summary: s\nReason: done\nHighlight: none\nAction: stop [24.99]",
        _ => r#"{"action": [{"done": {"text": "24.99", "success": true}}]}"#,
    }
}

pub(super) const BROWSING: [ModelKind; 3] = [ModelKind::Voyager, ModelKind::Occam, ModelKind::Indexed];
const ANSWER: &str =
    r#"answer "{\"action\":\"retrieve\",\"status\":\"SUCCESS\",\"results\":[24.99],\"error_details\":null}""#;

#[test]
fn agents_act_and_answer() {
    for kind in BROWSING {
        let mut play = Play::of(kind, [said(click_of(kind)), said(answer_of(kind))]);
        assert_eq!(play.turn(&shop(), None).expect("a click").to_string(), "click [1]", "{kind:?}");
        assert_eq!(play.turn(&shop(), None).expect("an answer").to_string(), ANSWER, "{kind:?}");
        let first = &play.asked()[0];
        assert!(first.messages[0].text().contains("How much is the desk lamp?"), "{kind:?}");
        assert!(first.messages[0].text().contains("[1]"), "{kind:?} is shown the marks");
        assert!(first.system.as_deref().unwrap_or_default().contains("NOT_FOUND_ERROR"), "{kind:?}");
    }
}

#[test]
fn a_model_that_is_done_at_once_is_taken_at_its_word() {
    for kind in BROWSING {
        let mut play = Play::of(kind, [said(answer_of(kind))]);
        assert_eq!(play.turn(&shop(), None).expect("an answer").to_string(), ANSWER, "{kind:?}");
    }
}

#[test]
fn replies_of_no_use_cost_a_turn_and_are_told_why() {
    let garbage = [
        ("", Finish::Complete, "empty"),
        ("Je ne sais pas quoi faire.", Finish::Complete, ""),
        ("I can't help with that.", Finish::Refused, "declined"),
        ("Thought: the page is very lo", Finish::Length, "cut off"),
    ];
    for kind in [ModelKind::Voyager, ModelKind::Occam] {
        for (text, finish, reason) in garbage.clone() {
            let mut play = Play::of(kind, [Ok(finished(text, finish)), said(answer_of(kind))]);
            let lost = play.turn(&shop(), None).expect_err(text);
            let NoDecision::Lost(told) = &lost else { panic!("{kind:?} on {text:?}: {lost:?}") };
            assert!(told.contains(reason), "{kind:?} on {text:?}: {told}");
            let told = told.clone();
            play.turn(&shop(), Some(&told)).expect("it goes on");
            let again = play.asked().pop().expect("asked again");
            let shown = again.messages.last().map(umpire_llm::Message::text).unwrap_or_default();
            assert!(shown.contains(&told), "{kind:?} is not told: {shown}");
            let says_the_task =
                |message: &umpire_llm::Message| message.text().contains("How much is the desk lamp?");
            assert!(again.messages.iter().any(says_the_task), "{kind:?} after {text:?} has no task");
        }
    }
}

#[test]
fn three_useless_replies_in_a_row_end_the_indexed_agent() {
    let mut play = Play::of(ModelKind::Indexed, [said("no"), said(""), Ok(finished("{}", Finish::Length))]);
    for _ in 0..2 {
        assert!(matches!(play.turn(&shop(), None), Err(NoDecision::Lost(_))));
    }
    assert!(matches!(play.turn(&shop(), None), Err(NoDecision::Stopped(_))));
    let wrong_index = r#"{"action": [{"click_element_by_index": {"index": 99}}]}"#;
    let mut play = Play::of(ModelKind::Indexed, [said(wrong_index), said(click_of(ModelKind::Indexed))]);
    let lost = play.turn(&shop(), None).expect_err("no such element");
    assert!(lost.to_string().contains("no element 99"), "{lost}");
    assert_eq!(play.turn(&shop(), None).expect("better").to_string(), "click [1]");
}

#[test]
fn an_index_that_does_not_exist_is_left_to_the_page_to_refuse() {
    for (kind, reply) in [
        (ModelKind::Voyager, "Thought: t\nAction: Click [99]"),
        (ModelKind::Occam, "Reason: r\nAction: click [99]"),
    ] {
        let mut play = Play::of(kind, [said(reply)]);
        assert_eq!(play.turn(&shop(), None).expect("an action").to_string(), "click [99]");
    }
}

#[test]
fn what_fails_outside_is_not_the_agents_failure() {
    for kind in ModelKind::ALL {
        for (error, is_right) in [
            (AskError::Unavailable("500".into()), |none: &NoDecision| matches!(none, NoDecision::Infra(_))),
            (AskError::Rejected("401".into()), |none: &NoDecision| matches!(none, NoDecision::Infra(_))),
            (AskError::Budget("$0.10".into()), |none: &NoDecision| matches!(none, NoDecision::Money(_))),
        ] as [(_, fn(&NoDecision) -> bool); 3]
        {
            let mut play = Play::of(kind, [Err(error.clone())]);
            let none = play.turn(&shop(), None).expect_err("no reply");
            assert!(is_right(&none), "{kind:?} on {error:?}: {none:?}");
        }
    }
}

#[test]
fn a_page_that_is_too_long_is_cut_until_it_fits() {
    for kind in BROWSING {
        let too_long = || Err(AskError::TooLong("9000 tokens of 8192".into()));
        let mut play = Play::of(kind, [too_long(), too_long(), said(click_of(kind))]);
        let mut seen = shop();
        seen.outline = format!("- link \"Desk lamp\"\n{}", "- text \"word\"\n".repeat(5_000));
        for mark in 3..1500 {
            let mut more = seen.elements[0].clone();
            more.mark = mark;
            seen.elements.push(more);
        }
        assert_eq!(play.turn(&seen, None).expect("it fits").to_string(), "click [1]", "{kind:?}");
        let sizes: Vec<usize> = play.asked().iter().map(|prompt| prompt.messages[0].text().len()).collect();
        assert!(sizes[1] < sizes[0] && sizes[2] < sizes[1], "{kind:?}: {sizes:?}");
        let mut hopeless = Play::of(kind, std::iter::repeat_with(too_long).take(40));
        assert!(matches!(hopeless.turn(&seen, None), Err(NoDecision::Stopped(_))), "{kind:?}");
    }
}

#[test]
fn voyager_keeps_replies_and_forgets_pages() {
    let replies = std::iter::repeat_with(|| said(click_of(ModelKind::Voyager))).take(6);
    let mut play = Play::of(ModelKind::Voyager, replies);
    for _ in 0..6 {
        play.turn(&shop(), None).expect("a click");
    }
    let last = play.asked().pop().expect("asked");
    let shown =
        |message: &&umpire_llm::Message| message.role == Role::User && message.text().contains("Elements:");
    assert_eq!(last.messages.len(), 11);
    assert_eq!(last.messages.iter().filter(shown).count(), 3);
    assert!(last.messages[0].text().contains("How much is the desk lamp?"));
}

#[test]
fn several_actions_of_one_reply_are_carried_out_one_a_turn() {
    let form =
        r#"{"action": [{"input_text": {"index": 2, "text": "lamp"}}, {"send_keys": {"keys": "Enter"}}]}"#;
    let mut play = Play::of(ModelKind::Indexed, [said(form), said(answer_of(ModelKind::Indexed))]);
    assert_eq!(play.turn(&shop(), None).expect("first").to_string(), "type [2] \"lamp\"");
    assert_eq!(play.turn(&shop(), None).expect("second").to_string(), "press \"Enter\"");
    assert_eq!(play.asked().len(), 1);
    assert_eq!(play.turn(&shop(), None).expect("third").to_string(), ANSWER);
}

#[test]
fn indexed_extracts_and_goes_on_in_the_same_turn() {
    let extract = r#"{"action": [{"extract_content": {"goal": "the price"}}]}"#;
    let replies = [said(extract), said("The lamp costs 24.99 EUR."), said(answer_of(ModelKind::Indexed))];
    let mut play = Play::of(ModelKind::Indexed, replies);
    assert_eq!(play.turn(&shop(), None).expect("an answer").to_string(), ANSWER);
    let last = play.asked().pop().expect("asked").messages[0].text();
    assert!(last.contains("The lamp costs 24.99 EUR."), "{last}");
}

#[test]
fn occam_plans_on_paper_and_presses_enter_after_typing() {
    let replies = [
        said("Reason: big\nAction: branch [0] [find the lamp]"),
        said("Reason: type\nHighlight: 2\nAction: type [2] [lamp] [1]"),
        said(answer_of(ModelKind::Occam)),
    ];
    let mut play = Play::of(ModelKind::Occam, replies);
    assert_eq!(play.turn(&shop(), None).expect("typing").to_string(), "type [2] \"lamp\"");
    assert_eq!(play.turn(&shop(), None).expect("enter").to_string(), "press \"Enter\"");
    assert_eq!(play.turn(&shop(), None).expect("answer").to_string(), ANSWER);
    let last = play.asked().pop().expect("asked").messages[0].text();
    assert!(last.contains("[1] find the lamp (active)"), "{last}");
    assert!(last.contains("textbox [2] \"Search\""), "the pivotal line stays: {last}");
    let paper = std::iter::repeat_with(|| said("Action: note [hm]")).take(10);
    let mut undecided = Play::of(ModelKind::Occam, paper);
    assert!(matches!(undecided.turn(&shop(), None), Err(NoDecision::Lost(_))));
}

#[test]
fn search_asks_once_opens_once_and_answers() {
    let replies = [said("\"desk lamp price\"\n"), said("Result 2 looks right."), said("24.99")];
    let mut play = Play::of(ModelKind::Search, replies);
    let first = play.turn(&shop(), None).expect("a query").to_string();
    assert_eq!(first, "goto \"http://search.localhost/search?q=desk+lamp+price\"");
    let link = |href: &'static str| {
        move |element: &mut umpire_browser::Element| element.href = Some(href.to_owned())
    };
    let results = Page::at("http://search.localhost/search?q=x")
        .with_element("link", "Settings", link("/settings"))
        .with_element("link", "Desk lamp", link("http://shop.localhost/p/1"))
        .seen();
    assert_eq!(play.turn(&results, None).expect("a result").to_string(), "click [2]");
    assert_eq!(play.turn(&shop(), None).expect("an answer").to_string(), ANSWER);
    let long = format!("{}\"lamp\"", "desk ".repeat(33));
    let mut unlucky = Play::of(ModelKind::Search, [said(&long), said("2")]);
    let first = unlucky.turn(&shop(), None).expect("a query").to_string();
    assert!(first.contains("desk+%22lamp"), "all of it, in one line: {first}");
    let again = unlucky.turn(&shop(), Some("it does not answer")).expect("the same query").to_string();
    assert_eq!((again, unlucky.asked().len()), (first, 1), "the page before has no results");
    assert_eq!(unlucky.turn(&results, None).expect("a result").to_string(), "click [2]");
    let mut none = Play::of(ModelKind::Search, [said("x")]);
    none.turn(&shop(), None).expect("a query");
    let empty = Page::at("http://search.localhost/search?q=x").seen();
    assert!(none.turn(&empty, None).expect("an answer").to_string().contains("NOT_FOUND_ERROR"));
}

#[test]
fn knowledge_answers_without_a_page() {
    let mut play = Play::of(ModelKind::Knowledge, [said("24.99")]);
    assert!(!play.agent.needs_page());
    assert_eq!(play.turn(&crate::unseen(), None).expect("an answer").to_string(), ANSWER);
}

#[test]
fn a_model_that_sees_is_shown_a_picture() {
    for kind in [ModelKind::Voyager, ModelKind::Indexed] {
        let model = Arc::new(Parrot {
            replies: Mutex::new([said(click_of(kind))].into()),
            sees: true,
            ..Parrot::default()
        });
        let (spec, task) = (ModelAgentSpec::new(kind), task(TaskKind::Retrieve, "x"));
        let mut agent = spec.create(&task, spec.prompts().expect("own"), Arc::clone(&model) as _, None);
        let mut seen = shop();
        seen.screenshot = vec![0xff, 0xd8];
        decide(agent.as_mut(), &task, &seen, 1, None).expect("a click");
        let asked = model.asked.lock().expect("asked");
        let images = asked[0].messages.iter().flat_map(|message| &message.parts);
        let is_image = |part: &&umpire_llm::Part| matches!(part, umpire_llm::Part::Image { .. });
        assert_eq!(images.filter(is_image).count(), 1, "{kind:?}");
    }
}
