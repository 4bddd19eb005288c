//! What a person did, recorded either way, and done again on a world in another state.

use std::sync::Arc;

use serde_json::{Value, json};
use umpire_browser::NetworkPolicy;
use umpire_stage::Session;
use umpire_stage::replay::{ReplayOptions, Replayer, Wanted};
use umpire_worlds::World;

use crate::studio::Studio;
use crate::support::{pool, seat_in, serving, soon, world};

fn hub(birthday: bool) -> Arc<World> {
    world(&["hub".to_owned()], &json!({ "hub": { "privacy": { "show_birthday": birthday } } }))
}

fn birthday(world: &World) -> Value {
    world.state()["hub"]["privacy"]["show_birthday"].clone()
}

/// From the front page to the box and its save button.
async fn recorded(extension: bool) -> Session {
    let world = hub(false);
    let origins = world.hosts().iter().map(|host| ((*host).to_owned(), serving(&world))).collect();
    let network = NetworkPolicy { origins, ..NetworkPolicy::default() };
    let studio = Studio::open_on("http://hub.localhost/", network, extension).await;
    studio.click("nav a[href='/privacy']").await;
    studio.until("location.pathname == '/privacy' && document.readyState == 'complete'").await;
    studio.steps(1).await;
    studio.js("document.querySelector('[name=show_birthday]').scrollIntoView({ block: 'center' })").await;
    studio.click("[name=show_birthday]").await;
    studio.steps(2).await;
    let save =
        "[...document.querySelectorAll('main button')].find((one) => one.textContent.includes('Save'))";
    studio.js(&format!("{save}.scrollIntoView({{ block: 'center' }})")).await;
    studio.click_element(save).await;
    studio.steps(3).await;
    let (recorded, _out) = studio.finish().await;
    assert_eq!(birthday(&world), true, "it was done while it was recorded");
    recorded.session
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_recorded_is_done_again_to_either_state() {
    let pool = pool(1).await;
    for extension in [false, true] {
        let session = recorded(extension).await;
        for (before, wanted) in [(false, true), (true, false), (true, true), (false, false)] {
            let world = hub(before);
            let seat = seat_in(&pool, &world).await;
            let state = if wanted { Wanted::On } else { Wanted::Off };
            let replayed = Replayer::new(&seat, ReplayOptions::new(state)).replay(&session, soon()).await;
            seat.close(soon()).await;
            let replayed = replayed.unwrap_or_else(|error| panic!("extension {extension}: {error}"));
            assert_eq!(birthday(&world), wanted, "extension {extension}, from {before}");
            assert_eq!(replayed.healed().count(), 0, "nothing has changed since: {replayed:#?}");
        }
    }
}
