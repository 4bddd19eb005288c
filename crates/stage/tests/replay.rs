//! Replays in a real browser, on the built-in sites: the world's own state is the truth.

mod support;

use std::sync::Arc;

use serde_json::{Value, json};
use support::recording::record;
use support::{instances, pool, seat, seat_in, soon, world};
use umpire_browser::{Handler, Pool};
use umpire_model::Instance;
use umpire_stage::Session;
use umpire_stage::replay::{Outcome, ReplayError, ReplayOptions, Replayed, Replayer, Wanted};
use umpire_worlds::World;

async fn replay(
    pool: &Pool,
    world: &Arc<World>,
    session: &Session,
    options: ReplayOptions<'_>,
) -> Result<Replayed, ReplayError> {
    let seat = seat_in(pool, world).await;
    let result = Replayer::new(&seat, options).replay(session, soon()).await;
    seat.close(soon()).await;
    result
}

/// Records a task in the state in which its reference changes something.
async fn recorded(pool: &Pool, file: &str, task: &str) -> (Instance, Session) {
    let instances = instances(file, task);
    let instance = instances.into_iter().max_by_key(|one| one.reference.len()).expect("an instance");
    let world = world(&instance.sites, &instance.world);
    let seat = seat_in(pool, &world).await;
    let session = record(&seat, &instance).await;
    seat.close(soon()).await;
    (instance, session)
}

fn birthday(on: bool) -> Arc<World> {
    world(&["hub".to_owned()], &json!({ "hub": { "privacy": { "show_birthday": on } } }))
}

fn shown(world: &World) -> Value {
    world.state()["hub"]["privacy"]["show_birthday"].clone()
}

#[tokio::test]
async fn a_box_behind_a_save_button_is_set_both_ways_and_read_back() {
    let pool = pool(1).await;
    let (_, session) = recorded(&pool, "hub", "hub-p-birthday").await;
    for (start, wanted, outcome) in [
        (true, true, Outcome::Already),
        (true, false, Outcome::Changed),
        (false, true, Outcome::Changed),
        (false, false, Outcome::Already),
    ] {
        let world = birthday(start);
        let state = if wanted { Wanted::On } else { Wanted::Off };
        let replayed = replay(&pool, &world, &session, ReplayOptions::new(state)).await.expect("replayed");
        assert_eq!(shown(&world), wanted, "{start} {wanted}");
        assert_eq!(replayed.steps[1].outcome, outcome, "{start} {wanted} {replayed:#?}");
        assert_eq!(replayed.verified.len(), 1);
        assert_eq!(replayed.healed().count(), 0, "{replayed:#?}");
    }
}

#[tokio::test]
async fn looking_only_changes_nothing_and_says_what_differs() {
    let pool = pool(1).await;
    let (_, session) = recorded(&pool, "hub", "hub-p-birthday").await;
    let looking = |wanted| ReplayOptions { verify_only: true, ..ReplayOptions::new(wanted) };
    let world = birthday(true);
    let before = world.state();
    let seen = replay(&pool, &world, &session, looking(Wanted::On)).await.expect("it is on");
    assert_eq!((seen.steps.len(), seen.verified.len()), (0, 1));
    let error = replay(&pool, &world, &session, looking(Wanted::Off)).await.expect_err("it is on");
    assert_eq!(
        error.to_string(),
        "step 2, click checkbox \"Show my birthday to contacts\": it was to be off and is on"
    );
    assert_eq!(world.state(), before);
}

#[tokio::test]
async fn a_site_that_forgets_is_no_silent_pass() {
    let pool = pool(1).await;
    let (_, session) = recorded(&pool, "hub", "hub-p-birthday").await;
    let world = birthday(true);
    let serving: Handler = {
        let world = Arc::clone(&world);
        Arc::new(move |mut request| {
            // Every form is taken, and nothing is kept.
            if request.method() == http::Method::POST {
                *request.method_mut() = http::Method::GET;
            }
            world.serve(request)
        })
    };
    let seat = seat(&pool, &world.hosts(), serving).await;
    let options = ReplayOptions::new(Wanted::Off);
    let error = Replayer::new(&seat, options).replay(&session, soon()).await.expect_err("nothing was kept");
    let ReplayError::Failed(failure) = error else { panic!("{error}") };
    assert_eq!((failure.step, failure.steps.len()), (2, 3));
    assert!(failure.problem.ends_with("is on after the page was loaded again"), "{failure}");
    assert!(failure.screenshot.is_some_and(|jpeg| jpeg.starts_with(&[0xff, 0xd8])));
    seat.close(soon()).await;
}
