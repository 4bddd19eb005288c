//! The same pages on PostgreSQL: accounts, index, queues, labels, the log.

#[path = "../../../backend/tests/backends/servers.rs"]
#[allow(dead_code, reason = "of the servers there only one is wanted here")]
mod servers;

use crate::support::{RUN, Served};
use crate::{contests, scripted};

#[tokio::test(flavor = "multi_thread")]
async fn a_shared_database_serves_as_well() {
    let Some(postgres) = servers::Server::postgres() else { return };
    let url = postgres.url("postgres", "umpire@127.0.0.1", "postgres");
    let served = Served::start_with(|options| {
        options.database.clone_from(&url);
        options.secret = Some("s".to_owned());
        drop(scripted::open(options, |_| {}));
    })
    .await;
    let mut operator = served.operator().await;
    assert!(operator.get(&format!("/runs/{RUN}?filter=outcome=pass")).await.body.contains("18 of 48"));
    let mut ann = served.annotator(&mut operator, "ann").await;
    operator.get("/label").await;
    let fields =
        [("run", RUN), ("title", "Shared"), ("filter", "agent=oracle"), ("most", "2"), ("overlap", "2")];
    let queue = operator.post("/label", &fields).await.header("location").expect("a queue").to_owned();
    for visitor in [&mut operator, &mut ann] {
        visitor.get(&queue).await;
        let next = visitor.post(&format!("{queue}/next"), &[]).await;
        let place = next.header("location").expect("a place").to_owned();
        visitor.get(&place).await;
        assert_eq!(visitor.post(&place, &[("success", "success")]).await.status, 303);
    }
    assert!(ann.get(&queue).await.body.contains("1/1"), "both said the same of the same attempt");
    assert!(operator.get("/accounts").await.body.contains("label saved"));

    // Votes on finished attempts, and a battle that somebody asks for.
    let study = crate::arena::study(&mut operator, &[("most", "2"), ("voters", "1")]).await;
    let mut ben = served.visitor();
    let mut votes = 0;
    while let Some(battle) = crate::arena::next(&mut ben, &study).await {
        ben.get(&battle).await;
        let fields =
            [("choice", "left"), ("step-left-1", "wrong"), ("why-left-1", "looked at the wrong lamp")];
        assert_eq!(ben.post(&battle, &fields).await.status, 303);
        votes += 1;
    }
    assert_eq!(votes, 2);
    let path = contests::battle(&mut ben, "Find the lamp").await;
    contests::until(&mut ben, &path, "name=\"choice\"").await;
    assert_eq!(ben.post(&path, &[("choice", "both-bad")]).await.status, 303);
    let hanging = contests::battle(&mut ben, scripted::HANGS).await;
    contests::until(&mut ben, &hanging, "has ended after").await;
    let lines = operator.get("/leaderboard/files/ballots.jsonl").await.body;
    let ballots: Vec<umpire_arena::Ballot> =
        lines.lines().map(|line| serde_json::from_str(line).expect("a ballot")).collect();
    assert_eq!(ballots.len(), 3);
    let said = ballots.iter().flat_map(umpire_failures::reasons_of_ballot);
    assert_eq!(said.filter(|reason| reason.text.contains("wrong lamp")).count(), 2);
    assert_eq!(ben.get("/leaderboard/files/ballots.jsonl").await.status, 401);

    // Two servers do not run battles of the same database.
    let second = Served::try_start(|options| {
        options.database.clone_from(&url);
        options.account = None;
        drop(scripted::open(options, |_| {}));
    });
    let refused = second.await.err().expect("the first runs them");
    assert!(refused.to_string().contains("another server runs the battles"), "{refused}");

    // One that follows on the same database finds what the first left, and brings nothing up to date twice.
    let again = |options: &mut umpire_server::ServerOptions| {
        options.database = url;
        options.account = None;
        options.secret = Some("s".to_owned());
        drop(scripted::open(options, |_| {}));
    };
    let served = served.restarted(again).await;
    let mut operator = served.operator().await;
    assert!(operator.get(&queue).await.body.contains("1/1"));
    ben.address = served.server.address();
    assert!(ben.get(&hanging).await.body.contains("The server was stopped while it ran."));
    let told = ben.get("/api/v1/leaderboard").await.body;
    assert!(told.contains("\"ballots\":3"), "{told}");
}
