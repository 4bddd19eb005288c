//! Battles that visitors ask for: let in or refused, queued, run, called off, voted on; and nobody else's business.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::Value;
use umpire_arena::{QueueLimits, TaskRules};
use umpire_server::ArenaOptions;

use crate::scripted::{AGENTS, BREAKS, HANGS, RUN, Says, Strings, open};
use crate::support::{Answer, Served, Visitor};

async fn served(change: impl FnOnce(&mut ArenaOptions)) -> (Served, Strings) {
    let mut strings = None;
    let served = Served::start_with(|options| {
        options.secret = Some("s".to_owned());
        strings = Some(open(options, change));
    })
    .await;
    (served, strings.expect("opened"))
}

pub async fn ask(visitor: &mut Visitor, task: &str) -> Answer {
    visitor.get("/arena").await;
    visitor
        .post("/arena/battles", &[("what", "own"), ("work", "mutate"), ("task", task), ("site", "shop")])
        .await
}

pub async fn battle(visitor: &mut Visitor, task: &str) -> String {
    let asked = ask(visitor, task).await;
    assert_eq!(asked.status, 303, "{}", asked.body);
    asked.header("location").expect("the battle").to_owned()
}

/// The battle's page as soon as it says this.
pub async fn until(visitor: &mut Visitor, path: &str, says: &str) -> String {
    visitor.get_until(path, |page| page.contains(says)).await
}

const VOTE: &str = "name=\"choice\"";

#[tokio::test]
async fn a_battle_is_asked_for_watched_voted_on_and_then_everybodys() {
    let (served, strings) = served(|_| {}).await;
    let (mut ann, mut eve) = (served.visitor(), served.visitor());
    let mut operator = served.operator().await;
    let path = battle(&mut ann, "Let it hang <script>alert(1)</script>, please").await;
    let page = until(&mut ann, &path, "has ended after 4 steps").await;
    assert!(page.contains("Both work at the same time") && !page.contains(VOTE), "{page}");
    assert!(page.contains("http-equiv=\"refresh\""), "without a script it loads itself again");
    assert!(page.contains("&lt;script&gt;alert(1)") && !page.contains("<script>alert"), "{page}");
    assert_eq!(ann.get(&format!("{path}/left/1")).await.status, 200);

    // Neither the asker nor anybody else learns who it is, nor do others learn of it at all.
    let run = format!("{RUN}0000");
    let attempt = format!("/runs/{run}/attempts/{}/shop-cheapest-lamp/1", AGENTS[0]);
    eve.get("/arena").await;
    for who in [&mut ann, &mut eve] {
        for path in [
            format!("/runs/{run}"),
            format!("/runs/{run}/events"),
            "/runs/%61rena-feed0000".to_owned(),
            attempt.clone(),
            format!("{attempt}/download/har"),
            format!("{attempt}/outline/1"),
            format!("/compare?before={run}&after={run}"),
        ] {
            assert_eq!(who.get(&path).await.status, 404, "{path}");
        }
        for list in ["/", "/compare"] {
            let list = who.get(list).await.body;
            assert!(!list.contains(RUN), "{list}");
        }
        let arena = who.get("/arena").await.body;
        assert!(!AGENTS.iter().any(|agent| arena.contains(agent)), "{arena}");
    }
    assert!(operator.get("/compare").await.body.contains(RUN), "operators have to see runs");
    for path in [path.clone(), format!("{path}/left/1"), format!("{path}/events")] {
        assert_eq!(eve.get(&path).await.status, 404, "{path}");
    }
    eve.get("/arena").await;
    assert_eq!(eve.post(&format!("{path}/cancel"), &[]).await.status, 404);
    assert_eq!(eve.post(&path, &[("choice", "left")]).await.status, 404);
    assert_eq!(ann.post(&path, &[("choice", "left")]).await.status, 403, "it has not ended");

    strings.let_go();
    let page = until(&mut ann, &path, VOTE).await;
    let page = ann.told_on(&page, &path);
    for told in AGENTS.iter().chain(&[RUN, "gpt"]) {
        assert!(!page.contains(told), "`{told}` is told before the vote");
    }
    assert_eq!(ann.get(&format!("/runs/{run}")).await.status, 404, "not before the vote");
    eve.get("/arena").await;
    assert_eq!(eve.post(&path, &[("choice", "left")]).await.status, 404);
    ann.get(&path).await;
    assert_eq!(ann.post(&path, &[("choice", "right"), ("step-left-2", "wrong")]).await.status, 303);
    let page = ann.get(&path).await.body;
    assert!(AGENTS.iter().all(|agent| page.contains(agent)), "{page}");
    // Now it is as every other run; whoever looked into the database a moment before the vote says so a moment later.
    eve.get_until(&format!("/runs/{run}"), |page| page.contains("2 attempts planned")).await;
    assert_eq!(eve.get(&path).await.status, 404, "the battle's page is still hers");
    assert!(!eve.get("/").await.body.contains(RUN), "battles do not crowd the list of runs");
    let told: Value = serde_json::from_str(&eve.get("/api/v1/battles").await.body).expect("JSON");
    assert_eq!(told["battles"].as_array().map(Vec::len), Some(1), "{told}");
    eve.get_until("/api/v1/leaderboard?kind=own", |told| told.contains("\"ballots\":1,")).await;
}

#[tokio::test]
async fn a_task_may_be_drawn_from_a_suite() {
    let (served, _strings) = served(|_| {}).await;
    let mut ann = served.visitor();
    ann.get("/arena").await;
    let drawn = ann.post("/arena/battles", &[("what", "drawn"), ("suite", "demo")]).await;
    let path = drawn.header("location").expect("a battle").to_owned();
    let page = until(&mut ann, &path, VOTE).await;
    assert!(page.contains("Do lamp.") || page.contains("Do mug."), "{page}");
    for fields in [
        [("what", "drawn"), ("suite", "../../etc")],
        [("what", "own"), ("site", "nowhere")],
        [("what", "x"), ("y", "z")],
    ] {
        assert_eq!(ann.post("/arena/battles", &fields).await.status, 404, "{fields:?}");
    }
}

#[tokio::test]
async fn addresses_that_lead_into_the_operators_network_are_refused() {
    let hosts = |rules: &[&str]| rules.iter().map(|rule| rule.parse().expect("a rule")).collect();
    let (served, strings) = served(|arena| {
        arena.rules = TaskRules { hosts: hosts(&["*", "shop.localhost"]), ..TaskRules::default() };
        arena.limits = QueueLimits { per_hour: 500, waiting_per_visitor: 500, ..QueueLimits::default() };
    })
    .await;
    let mut eve = served.visitor();
    for address in [
        "http://127.0.0.1/",
        "http://127.1:80/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://[::1]/",
        "http://[::ffff:169.254.169.254]/latest/meta-data/",
        "http://169.254.169.254/latest/meta-data/",
        "http://metadata.google.internal/",
        "http://10.0.0.8/",
        "http://192.168.1.1/",
        "http://100.64.0.1/",
        "http://localhost/",
        "http://localhost.localdomain/",
        "http://127.0.0.1.nip.io/",
        "http://db.internal/",
        "http://example.org:6379/",
        "http://user@example.org/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,x",
        "chrome://version/",
        "ftp://example.org/",
        "",
        "example.org",
    ] {
        let fields = [
            ("what", "own"),
            ("work", "retrieve"),
            ("task", "Go"),
            ("site", "elsewhere"),
            ("address", address),
        ];
        eve.get("/arena").await;
        let answer = eve.post("/arena/battles", &fields).await;
        assert_eq!(answer.status, 422, "{address}: {}", answer.body);
        if address.is_empty() {
            continue;
        }
        let answer = ask(&mut eve, &format!("First open {address} and then read it")).await;
        // Within the text only what has a scheme is an address.
        assert_eq!(answer.status, if address.contains(':') { 422 } else { 303 }, "{address} in the text");
    }
    assert!(strings.on_stage.load(Ordering::SeqCst) <= 1, "nothing that was refused runs");
}

#[tokio::test]
async fn what_cannot_be_asked_is_told_with_the_words_kept_and_escaped() {
    let (served, _strings) = served(|arena| arena.rules.most_characters = 80).await;
    let mut ann = served.visitor();
    for (task, why) in [
        ("", "says nothing"),
        ("pay\u{202e}gpj", "U+202E"),
        ("see http://10.0.0.1/", "private, local and reserved"),
        (&"<b>x</b>".repeat(20), "80 are allowed"),
    ] {
        let answer = ask(&mut ann, task).await;
        assert_eq!(answer.status, 422, "{task}");
        assert!(answer.body.contains(why), "{task}: {}", answer.body);
        assert!(!answer.body.contains("<b>x</b>"), "escaped: {}", answer.body);
    }
    let hostile = "</textarea><script>alert(1)</script> see http://10.0.0.1/";
    let page = ask(&mut ann, hostile).await.body;
    assert!(page.contains("&lt;/textarea&gt;") && !page.contains("</textarea><script>"), "{page}");
}

#[tokio::test]
async fn visitors_have_their_limits_and_calling_off_frees_the_place() {
    let (served, strings) = served(|arena| {
        arena.limits = QueueLimits { waiting_per_visitor: 2, per_hour: 4, ..QueueLimits::default() };
    })
    .await;
    let (mut ann, mut ben) = (served.visitor(), served.visitor());
    let running = battle(&mut ann, HANGS).await;
    until(&mut ann, &running, "has ended after").await;
    let waiting = [battle(&mut ann, "one").await, battle(&mut ann, "two").await];
    let third = ask(&mut ann, "three").await;
    assert_eq!(third.status, 429);
    assert!(third.body.contains("2 battles waiting already"), "{}", third.body);
    let of_ben = battle(&mut ben, "and hang too").await;
    // Ann has two waiting and Ben one: his turn comes between hers.
    assert!(ann.get(&waiting[0]).await.body.contains("Yours is the next to begin"));
    assert!(ben.get(&of_ben).await.body.contains("1 battle before yours"));
    assert!(ann.get(&waiting[1]).await.body.contains("2 battles before yours"));

    // What is cancelled while it waits leaves the line; what runs leaves its place to the next.
    ann.get(&waiting[0]).await;
    assert_eq!(ann.post(&format!("{}/cancel", waiting[0]), &[]).await.status, 303);
    let page = ann.get(&waiting[0]).await.body;
    assert!(page.contains("You called it off.") && page.contains("Ask again"), "{page}");
    assert!(ann.get(&waiting[1]).await.body.contains("Yours is the next to begin"), "it moves up");
    assert!(ben.get(&of_ben).await.body.contains("1 battle before yours"));
    ann.get(&running).await;
    assert_eq!(ann.post(&format!("{running}/cancel"), &[]).await.status, 303);
    until(&mut ann, &running, "You called it off.").await;
    until(&mut ben, &of_ben, "has ended after").await;
    // The first one has left the stage.
    strings.until_on_stage(1).await;
    // One that was cancelled while it waited does not count for the hour; one that ran does.
    let later = [battle(&mut ann, "four").await, battle(&mut ann, "five").await];
    assert!(ask(&mut ann, "six").await.body.contains("2 battles waiting already"));
    strings.let_go();
    until(&mut ann, &later[1], VOTE).await;
    let sixth = ask(&mut ann, "six").await;
    assert!(sixth.status == 429 && sixth.body.contains("4 battles within the hour"), "{}", sixth.body);
    assert!(!ask(&mut ann, "six").await.body.contains("wait_ms"));
}

#[tokio::test]
async fn a_battle_is_called_off_at_whatever_moment_of_its_beginning() {
    let (served, strings) = served(|arena| {
        arena.limits = QueueLimits { running: 20, running_per_visitor: 20, per_hour: 50, ..arena.limits };
    })
    .await;
    let mut ann = served.visitor();
    for pause in 0..12 {
        let path = battle(&mut ann, HANGS).await;
        tokio::time::sleep(Duration::from_millis(pause)).await;
        assert_eq!(ann.post(&format!("{path}/cancel"), &[]).await.status, 303);
        until(&mut ann, &path, "You called it off.").await;
    }
    strings.until_on_stage(0).await;
    for number in 0..12 {
        let run = format!("/runs/{RUN}{number:04x}");
        assert_eq!(ann.get(&run).await.status, 404, "nobody is told who it was: {run}");
    }
}

#[tokio::test]
async fn a_moderator_that_is_dead_late_or_against_it_refuses() {
    for (says, limit_ms, status, told) in [
        (Says(Some(Ok(r#"{"allow": true}"#))), 5000, 303, ""),
        (Says(Some(Ok(r#"{"allow": false, "reason": "no <i>lamps</i>"}"#))), 5000, 422, "no &lt;i&gt;lamps"),
        (Says(Some(Ok("yes"))), 5000, 422, "could not be looked at"),
        (Says(Some(Err("/etc/hook: no such file"))), 5000, 422, "could not be looked at"),
        (Says(None), 200, 422, "could not be looked at"),
    ] {
        let case = format!("{says:?}");
        let (served, _strings) =
            served(|arena| arena.moderator = Some((Arc::new(says), Duration::from_millis(limit_ms)))).await;
        let answer = ask(&mut served.visitor(), "Buy a lamp").await;
        assert_eq!(answer.status, status, "{case}");
        assert!(answer.body.contains(told), "{case}: {}", answer.body);
        assert!(!answer.body.contains("/etc/hook"), "what broke is for the operator");
    }
}

#[tokio::test]
async fn a_battle_that_runs_too_long_is_over_and_says_why() {
    let (served, strings) = served(|arena| {
        arena.limits = QueueLimits { run_at_most_ms: 1500, ..QueueLimits::default() };
    })
    .await;
    let mut ann = served.visitor();
    let long = battle(&mut ann, HANGS).await;
    until(&mut ann, &long, "It ran too long.").await;
    strings.until_on_stage(0).await;
}

#[tokio::test]
async fn a_battle_that_waits_too_long_is_over_and_says_why() {
    // Long enough that the first one begins before its own time is up.
    let (served, _strings) = served(|arena| {
        arena.limits = QueueLimits { wait_at_most_ms: 5000, ..QueueLimits::default() };
    })
    .await;
    let (mut ann, mut ben) = (served.visitor(), served.visitor());
    let running = battle(&mut ann, HANGS).await;
    until(&mut ann, &running, "has ended after").await;
    let late = battle(&mut ben, "x").await;
    until(&mut ben, &late, "It waited too long").await;
}

#[tokio::test]
async fn a_battle_that_breaks_is_over_and_neither_agent_is_to_blame() {
    let (served, _strings) = served(|_| {}).await;
    let mut ben = served.visitor();
    let broken = battle(&mut ben, BREAKS).await;
    let page = until(&mut ben, &broken, "neither agent is to blame").await;
    assert!(!page.contains("/secret/place"), "{page}");
    assert_eq!(ben.get(&format!("/runs/{RUN}0000")).await.status, 404, "nobody is told who it was");
}

#[tokio::test]
async fn after_a_restart_what_waited_waits_and_what_ran_is_called_off() {
    let (served, _strings) = served(|_| {}).await;
    let mut ann = served.visitor();
    let running = battle(&mut ann, HANGS).await;
    until(&mut ann, &running, "has ended after").await;
    let waiting = battle(&mut ann, "and this waits").await;
    let mut strings = None;
    let served = served
        .restarted(|options| {
            options.secret = Some("s".to_owned());
            strings = Some(open(options, |_| {}));
        })
        .await;
    ann.address = served.server.address();
    let page = ann.get(&running).await.body;
    assert!(page.contains("The server was stopped while it ran.") && page.contains("Ask again"), "{page}");
    until(&mut ann, &waiting, VOTE).await;

    // A second server beside this one neither runs battles nor calls off those of this one.
    let beside = Served::try_start(|options| {
        options.database = served.database();
        drop(open(options, |_| {}));
    });
    let refused = beside.await.err().expect("one runs them");
    assert!(refused.to_string().contains("another server runs the battles"), "{refused}");
    let held = battle(&mut ann, HANGS).await;
    let reader =
        Served::try_start(|options| options.database = served.database()).await.expect("it only reads");
    until(&mut ann, &held, "has ended after").await;
    reader.server.stop().await;
    ann.post(&format!("{held}/cancel"), &[]).await;
    until(&mut ann, &held, "Ask again").await;

    // Without a secret nobody can be who they were: what waits for them is called off, and their pages say so.
    let blocking = battle(&mut ann, HANGS).await;
    until(&mut ann, &blocking, "has ended after").await;
    let lost = battle(&mut ann, "lost").await;
    let served = served.restarted(|options| drop(open(options, |_| {}))).await;
    let mut stranger = ann.clone();
    stranger.address = served.server.address();
    let page = stranger.get(&lost).await;
    assert_eq!(page.status, 404);
    assert!(page.body.contains("started anew"), "{}", page.body);
    let mut operator = served.operator().await;
    assert!(operator.get("/arena").await.body.contains("0 waiting or running"));

    // And where the arena is closed, nobody waits for it.
    let served = served.restarted(|options| options.secret = Some("s".to_owned())).await;
    ann.address = served.server.address();
    assert!(ann.get(&lost).await.body.contains("no longer knows its visitors"));
    assert!(!ann.get("/arena").await.body.contains("Ask for a battle"));
    assert_eq!(ask(&mut ann, "x").await.status, 404);
}

#[tokio::test]
async fn what_happens_at_one_server_is_known_at_another_over_the_same_database() {
    let (served, strings) = served(|_| {}).await;
    let beside = Served::try_start(|options| {
        options.database = served.database();
        options.runs = served.folder.path().join("runs");
        options.secret = Some("s".to_owned());
    });
    let beside = beside.await.expect("it only reads");
    let mut eve = beside.visitor();
    let mut ann = served.visitor();
    let path = battle(&mut ann, HANGS).await;
    until(&mut ann, &path, "has ended after").await;
    let run = format!("/runs/{RUN}0000");
    assert_eq!(beside.operator().await.get(&run).await.status, 200, "it is there");
    eve.get_until(&run, |page| page.contains("There is nothing at this address")).await;
    assert!(!eve.get("/compare").await.body.contains(RUN));

    strings.let_go();
    until(&mut ann, &path, VOTE).await;
    assert_eq!(ann.post(&path, &[("choice", "left")]).await.status, 303);
    eve.get_until("/api/v1/leaderboard", |told| told.contains("\"ballots\":1,")).await;
    eve.get_until(&run, |page| page.contains("2 attempts planned")).await;
    let mut operator = served.operator().await;
    let page = operator.get("/leaderboard/voters").await.body;
    let voter = page.split("name=\"voter\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
    let fields = [("voter", voter.expect("a voter")), ("why", "a machine")];
    assert_eq!(operator.post("/leaderboard/voters/leave-out", &fields).await.status, 303);
    eve.get_until("/api/v1/leaderboard", |told| told.contains("\"left_out\":1,")).await;
    beside.server.stop().await;
}

#[tokio::test]
async fn the_first_vote_is_held_against_what_most_people_say_later() {
    let (served, _strings) = served(|_| {}).await;
    let mut ann = served.visitor();
    let path = battle(&mut ann, "Buy a lamp").await;
    until(&mut ann, &path, VOTE).await;
    let mut operator = served.operator().await;
    let run = format!("{RUN}0000");
    operator.get("/arena").await;
    let early = [("run", run.as_str()), ("title", "Too early"), ("most", "5"), ("voters", "1")];
    assert_eq!(operator.post("/arena/studies", &early).await.status, 400, "nobody is told before the asker");
    ann.get(&path).await;
    assert_eq!(ann.post(&path, &[("choice", "tie")]).await.status, 303);
    let study = crate::arena::study(&mut operator, &[("run", &run), ("voters", "1")]).await;
    assert!(operator.get(&study).await.body.contains("0/0"), "nobody has voted again");
    let mut ben = served.visitor();
    let again = crate::arena::next(&mut ben, &study).await.expect("the same attempts");
    ben.get(&again).await;
    assert_eq!(ben.post(&again, &[("choice", "tie")]).await.status, 303);
    let page = operator.get(&study).await.body;
    let first = page.split("The first vote").nth(1).expect("a section");
    assert!(first.contains("1/1"), "{first}");
}

#[tokio::test]
async fn whoever_comes_as_many_visitors_has_no_more_battles_waiting_than_a_place_may() {
    let (served, strings) = served(|arena| {
        arena.limits = QueueLimits { waiting_per_visitor: 1, ..QueueLimits::default() };
    })
    .await;
    let running = battle(&mut served.visitor(), HANGS).await;
    strings.until_on_stage(1).await;
    assert!(running.starts_with("/arena/battles/"));
    let mut refused = None;
    for asked in 0..9 {
        let answer = ask(&mut served.visitor(), "One more").await;
        if answer.status != 303 {
            refused = Some((asked, answer));
            break;
        }
    }
    let (asked, answer) = refused.expect("one is too many");
    assert_eq!((asked, answer.status), (5, 429), "{}", answer.body);
    assert!(answer.body.contains("5 battles wait already"), "{}", answer.body);
    // Whoever has an account is known by it.
    assert_eq!(ask(&mut served.operator().await, "One more").await.status, 303);
}

#[tokio::test]
async fn an_operator_calls_off_anybodys_battle() {
    let (served, strings) = served(|_| {}).await;
    let mut ann = served.visitor();
    let path = battle(&mut ann, HANGS).await;
    until(&mut ann, &path, "has ended after").await;
    let mut operator = served.operator().await;
    assert!(operator.get("/arena").await.body.contains("1 waiting or running"));
    assert_eq!(operator.post(&format!("{path}/cancel"), &[]).await.status, 303);
    until(&mut ann, &path, "An operator called it off.").await;
    strings.until_on_stage(0).await;
    assert!(operator.get("/accounts").await.body.contains("battle called off"));
}
