//! Labelling from the queue to the file that `umpire agree` reads.

use std::collections::BTreeMap;

use crate::support::{RUN, Served, Visitor};
use umpire_model::{StepVerdict, Success};
use umpire_store::{Run, Runs};

fn run_of(served: &Served) -> Run {
    Runs::new(served.folder.path().join("runs")).open(RUN).expect("a run")
}

/// Makes a queue and returns its path.
async fn queue(operator: &mut Visitor, filter: &str, most: &str, overlap: &str) -> String {
    operator.get("/label").await;
    let fields =
        [("run", RUN), ("title", "A queue"), ("filter", filter), ("most", most), ("overlap", overlap)];
    let made = operator.post("/label", &fields).await;
    assert_eq!(made.status, 303, "{}", made.body);
    made.header("location").expect("the queue").to_owned()
}

/// Takes the next attempt and returns its path and page.
async fn next(visitor: &mut Visitor, queue: &str) -> (String, String) {
    visitor.get(queue).await;
    let taken = visitor.post(&format!("{queue}/next"), &[]).await;
    let place = taken.header("location").expect("a place").to_owned();
    let page = visitor.get(&place).await.body;
    (place, page)
}

#[tokio::test]
async fn labels_are_blind_until_saved_and_end_in_the_runs_own_file() {
    let served = Served::start().await;
    let mut operator = served.operator().await;
    let mut ann = served.annotator(&mut operator, "ann").await;
    let mut ben = served.annotator(&mut operator, "ben").await;
    let queue = queue(&mut operator, "agent=say-yes and id=shop-cheapest-lamp", "5", "2").await;

    assert!(
        operator.get(&queue).await.body.contains("agent=say-yes"),
        "the operator sees what it is made of"
    );
    assert!(!ann.get(&queue).await.body.contains("say-yes"), "who labels does not");
    let (place, page) = next(&mut ann, &queue).await;
    for told in ["say-yes", "Verdict", "badge", "every check", "expected 19.99"] {
        assert!(!page.contains(told), "`{told}` is told to somebody who labels");
    }
    assert!(page.contains("What does the cheapest desk lamp cost?"));
    let evidence = "/runs/core-7f3a91c2/attempts/say-yes/shop-cheapest-lamp/1";
    assert_eq!(ann.get(evidence).await.status, 403, "nor may they look it up");
    for path in [format!("/runs/{RUN}"), format!("/compare?before={RUN}&after={RUN}&before_agent=oracle")] {
        assert_eq!(ann.get(&path).await.status, 403, "not even in a table: {path}");
    }

    ann.get(&place).await;
    let fields = [
        ("success", "failure"),
        ("failures", "websp-eval/hallucinated-success"),
        ("failures", "browserarena/execution-errors"),
        ("step-3", "wrong"),
        ("why-3", "<b>covered</b>"),
        ("step-1", "ok"),
        ("text", "never looked"),
    ];
    let saved = ann.post(&place, &fields).await;
    assert_eq!(saved.status, 303, "{}", saved.body);
    let after = ann.get(&place).await.body;
    assert!(after.contains("What others say") && after.contains("expected 19.99"), "now it is told");
    assert_eq!(ann.get(evidence).await.status, 200);

    let labels = run_of(&served).labels().expect("readable");
    let [label] = labels.as_slice() else { panic!("{labels:?}") };
    assert_eq!((label.annotator.as_str(), label.success), ("ann", Some(Success::Failure)));
    assert_eq!(label.failures.len(), 2);
    let steps: BTreeMap<u32, (StepVerdict, &str)> =
        label.steps.iter().map(|step| (step.step, (step.verdict, step.text.as_str()))).collect();
    assert_eq!(steps[&3], (StepVerdict::Wrong, "<b>covered</b>"));
    assert_eq!(steps[&1], (StepVerdict::Ok, ""));
    assert_eq!(label.task, "What does the cheapest desk lamp cost?");

    // The second person sees nothing of the first, and disagrees.
    let (place, page) = next(&mut ben, &queue).await;
    assert!(!page.contains("never looked") && !page.contains("<b>ann</b>"));
    assert_eq!(ben.post(&place, &[("success", "success")]).await.status, 303);
    let overview = operator.get(&queue).await.body;
    assert!(overview.contains("disputed: settle"), "{overview}");
    assert!(overview.contains("0/1"), "they agree on none of one");

    let settle = place.replace(&queue, &format!("{queue}/adjudicate"));
    assert!(operator.get(&settle).await.body.contains("&lt;b&gt;covered"));
    assert_eq!(operator.post(&settle, &[("success", "failure"), ("text", "seen")]).await.status, 303);
    let export = operator.get(&format!("{queue}/export")).await;
    let lines: Vec<umpire_model::HumanLabel> =
        export.body.lines().map(|line| serde_json::from_str(line).expect("a label")).collect();
    assert_eq!(lines, run_of(&served).labels().expect("readable"));
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[2].annotator, "adjudicator:op");
}

#[tokio::test]
async fn a_label_is_ones_own_to_give_and_is_given_once() {
    let served = Served::start().await;
    let mut operator = served.operator().await;
    let mut ann = served.annotator(&mut operator, "ann").await;
    let mut eve = served.annotator(&mut operator, "eve").await;
    let queue = queue(&mut operator, "agent=oracle", "2", "1").await;
    let (place, _) = next(&mut ann, &queue).await;

    eve.get(&queue).await;
    assert_eq!(eve.get(&place).await.status, 404, "what was given to ann is not there for eve");
    eve.get(&queue).await;
    assert_eq!(eve.post(&place, &[("success", "success")]).await.status, 404);
    let mut stranger = served.visitor();
    stranger.get("/sign-in").await;
    assert_eq!(stranger.post(&place, &[("success", "success")]).await.status, 401);
    assert_eq!(
        eve.get(&format!("{queue}/export")).await.status,
        403,
        "others' labels are not for annotators"
    );
    assert!(!eve.get(&queue).await.body.contains("disputed"));
    assert!(run_of(&served).labels().expect("readable").is_empty());

    ann.get(&place).await;
    assert_eq!(ann.post(&place, &[("success", "")]).await.status, 400, "nothing was said");
    assert_eq!(ann.post(&place, &[("success", "success"), ("failures", "made/up")]).await.status, 400);
    assert_eq!(ann.post(&place, &[("success", "success"), ("step-99", "wrong")]).await.status, 303);
    ann.get(&place).await;
    assert_eq!(
        ann.post(&place, &[("success", "failure")]).await.status,
        403,
        "after seeing, nothing is changed"
    );
    let labels = run_of(&served).labels().expect("readable");
    assert_eq!(labels.len(), 1);
    assert!(labels[0].steps.is_empty(), "there is no step 99");
}

#[tokio::test]
async fn a_queue_is_drawn_from_what_ended_and_refuses_a_filter_it_cannot_read() {
    let served = Served::start().await;
    let mut operator = served.operator().await;
    let all = queue(&mut operator, "agent=my-bot", "100", "1").await;
    let page = operator.get(&all).await.body;
    // Of twelve attempts one never began and one was interrupted.
    assert!(page.contains("10 attempts of"), "{page}");
    operator.get("/label").await;
    let fields = [("run", RUN), ("title", "x"), ("filter", "colour=red"), ("most", "1"), ("overlap", "1")];
    let refused = operator.post("/label", &fields).await;
    assert!(refused.body.contains("the filter is not understood"));
    operator.get("/label").await;
    let nothing = [("run", RUN), ("title", "x"), ("filter", "agent=none"), ("most", "1"), ("overlap", "1")];
    assert!(operator.post("/label", &nothing).await.body.contains("No attempt that ended"));
}
