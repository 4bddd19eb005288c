//! The pages in a real browser: no complaints, nothing fetched from elsewhere, readable, and reachable by key.

use crate::chromium::Page;
use crate::contests;
use crate::support::{ATTEMPT, OPERATOR, PASSWORD, RUN, Served, Visitor};
use serde_json::Value;

fn all_pages() -> Vec<(&'static str, String)> {
    let side = |agent: &str| format!("{RUN}/{agent}/shop-cart-two/1");
    vec![
        ("runs", "/".to_owned()),
        ("run", format!("/runs/{RUN}")),
        ("run-attempts", format!("/runs/{RUN}#attempts")),
        ("attempt", format!("{ATTEMPT}?step=3")),
        ("attempt-network", format!("{ATTEMPT}#network")),
        ("compare", format!("/compare?before={RUN}&after={RUN}&before_agent=oracle&after_agent=heuristic")),
        ("side-by-side", format!("/compare/attempts?left={}&right={}", side("oracle"), side("my-bot"))),
        ("label", "/label".to_owned()),
        ("accounts", "/accounts".to_owned()),
    ]
}

async fn sign_in(page: &Page, origin: &str) {
    page.sign_in(origin, OPERATOR, PASSWORD).await;
    let signed_in = page.js("document.body.innerText.includes('Sign out')").await;
    assert_eq!(signed_in, true, "the cookie came back over plain HTTP on this machine");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_quiet_self_contained_and_readable_in_light_and_dark() {
    let mut strings = None;
    let served = Served::start_with(|options| strings = Some(crate::scripted::open(options, |_| {}))).await;
    let origin = format!("http://{}", served.server.address());
    let page = Page::open().await;
    look_at(&page, &origin, vec![("sign-in", "/sign-in".to_owned())]).await;
    sign_in(&page, &origin).await;
    // First what shows attempts by name: one that is to be labelled or voted on is not shown until that is done.
    look_at(&page, &origin, all_pages()).await;
    let mut operator = served.operator().await;
    operator.get("/label").await;
    let fields =
        [("run", RUN), ("title", "Lamps"), ("filter", "agent=say-yes"), ("most", "5"), ("overlap", "2")];
    let queue = operator.post("/label", &fields).await.header("location").expect("a queue").to_owned();
    operator.get(&queue).await;
    let item = operator.post(&format!("{queue}/next"), &[]).await.header("location").expect("one").to_owned();
    let (study, battle) = battle_for(&page, &origin, &mut operator).await;
    let mut pages = vec![("study", study), ("battle", battle)];
    let running = contests::battle(&mut operator, "Let both of them hang about the lamps").await;
    contests::until(&mut operator, &running, "has ended after").await;
    let waiting = contests::battle(&mut operator, "And then buy the cheapest").await;
    let off = contests::battle(&mut operator, "Never mind").await;
    operator.get(&off).await;
    operator.post(&format!("{off}/cancel"), &[]).await;
    pages.extend([("battle-running", running), ("battle-waiting", waiting), ("battle-off", off)]);
    for (name, path) in [
        ("arena", "/arena"),
        ("leaderboard", "/leaderboard"),
        ("voters", "/leaderboard/voters"),
        ("failures", "/failures"),
    ] {
        pages.push((name, path.to_owned()));
    }
    pages.extend([("queue", queue), ("label-one", item), ("not-found", "/nowhere".to_owned())]);
    look_at(&page, &origin, pages).await;
    let heard = page.heard();
    // The page that is not there says so, and that is all there is to say.
    let complaints: Vec<&String> =
        heard.complaints.iter().filter(|said| !said.contains("/nowhere")).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
    strings.expect("opened").let_go();
    let is_foreign = |url: &&String| !url.starts_with(&origin) && *url != "about:blank";
    let foreign: Vec<&String> = heard.requests.iter().filter(is_foreign).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
    page.close().await;
}

/// Each page in light and dark: a picture is kept, its words stand out, and nothing runs over the edge.
async fn look_at(page: &Page, origin: &str, pages: Vec<(&str, String)>) {
    for (name, path) in pages {
        for is_dark in [false, true] {
            page.dark(is_dark).await;
            page.goto(&format!("{origin}{path}")).await;
            page.keep_picture(&format!("{name}-{}", if is_dark { "dark" } else { "light" })).await;
            let faint = page.js(include_str!("chromium/contrast.js")).await;
            assert_eq!(faint.as_array().map(Vec::len), Some(0), "{name}, dark {is_dark}: {faint:#}");
            let wide = page.js("document.documentElement.scrollWidth - innerWidth").await;
            assert!(wide.as_i64().unwrap_or(99) <= 0, "{name} is {wide} pixels wider than the window");
        }
    }
}

/// A study with some votes of others, and a battle of it that was given to whoever sits at the browser.
async fn battle_for(page: &Page, origin: &str, operator: &mut Visitor) -> (String, String) {
    let study = crate::arena::study(operator, &[("voters", "3"), ("most", "40")]).await;
    for choice in ["left", "right", "left", "tie", "both-bad", "left", "right", "left"] {
        let mut voter = operator.clone();
        voter.cookies.clear();
        let battle = crate::arena::next(&mut voter, &study).await.expect("a battle");
        voter.get(&battle).await;
        assert_eq!(voter.post(&battle, &[("choice", choice)]).await.status, 303);
    }
    page.goto(&format!("{origin}/arena")).await;
    let before = page.loads();
    page.js("document.querySelector('form[action$=\"/next\"] button').click()").await;
    page.loaded(before).await;
    let battle = page.js("location.pathname").await.as_str().expect("a path").to_owned();
    (study, battle)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_vote_is_cast_by_keys_alone_and_then_the_names_are_told() {
    let served = Served::start().await;
    let origin = format!("http://{}", served.server.address());
    let mut operator = served.operator().await;
    crate::arena::study(&mut operator, &[("agent", "oracle"), ("other_agent", "say-yes")]).await;
    let page = Page::open().await;
    page.goto(&format!("{origin}/arena")).await;
    let before = page.loads();
    page.js("document.querySelector('form[action$=\"/next\"] button').focus()").await;
    page.press("Enter").await;
    page.loaded(before).await;
    assert_eq!(shown(&page).await, serde_json::json!([1]));
    page.press("j").await;
    assert_eq!(shown(&page).await, serde_json::json!([2]), "both sides step together");
    let sides = "document.querySelectorAll('.step.chosen section h3').length";
    assert_eq!(page.js(sides).await, 2);
    page.press("b").await;
    for (key, choice) in [("1", "left"), ("2", "right"), ("3", "tie"), ("4", "both-bad")] {
        page.press(key).await;
        assert_eq!(page.js("document.querySelector('input[name=choice]:checked').value").await, choice);
    }
    let told = "/oracle|say-yes/.test(document.documentElement.outerHTML)";
    assert_eq!(page.js(told).await, false);
    let before = page.loads();
    page.press("s").await;
    page.loaded(before).await;
    assert_eq!(page.js(told).await, true);
    page.keep_picture("battle-revealed-light").await;
    assert!(page.heard().complaints.is_empty(), "{:#?}", page.heard().complaints);
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_link_and_control_is_reached_by_the_tab_key_and_seen_when_it_is() {
    let served = Served::start().await;
    let origin = format!("http://{}", served.server.address());
    let page = Page::open().await;
    let (_, battle) = battle_for(&page, &origin, &mut served.operator().await).await;
    for path in [battle, "/leaderboard".to_owned()] {
        tab_through(&page, &origin, &path).await;
    }
    page.close().await;
    let page = Page::open().await;
    for path in [ATTEMPT.to_owned(), format!("/runs/{RUN}?filter=agent=oracle")] {
        tab_through(&page, &origin, &path).await;
    }
    for path in ["/", "/arena", "/compare", "/sign-in"] {
        tab_through(&page, &origin, path).await;
    }
    let mut operator = served.operator().await;
    operator.get("/label").await;
    let fields =
        [("run", RUN), ("title", "Tabs"), ("filter", "agent=oracle"), ("most", "2"), ("overlap", "1")];
    let queue = operator.post("/label", &fields).await.header("location").expect("a queue").to_owned();
    operator.get(&queue).await;
    let item = operator.post(&format!("{queue}/next"), &[]).await.header("location").expect("one").to_owned();
    sign_in(&page, &origin).await;
    for path in ["/label", &item, "/leaderboard/voters", "/failures", "/accounts"] {
        tab_through(&page, &origin, path).await;
    }
    page.close().await;
}

async fn tab_through(page: &Page, origin: &str, path: &str) {
    page.goto(&format!("{origin}{path}")).await;
    let wanted = page
        .js("[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex=\"0\"]')]\
             .filter((e) => e.tabIndex >= 0 && e.checkVisibility())\
             .filter((e) => e.type !== 'radio' || document.getElementsByName(e.name)[0] === e).map((e, i) => (e.dataset.seen = '', i)).length")
        .await
        .as_u64()
        .expect("a count");
    let mut unseen = Vec::new();
    for _ in 0..wanted + 20 {
        page.press("Tab").await;
        let found = page
            .js("(() => { const e = document.activeElement; if (!e || e === document.body) return null; \
                 e.dataset.seen = 'yes'; const s = getComputedStyle(e); \
                 return s.outlineStyle === 'none' && s.boxShadow === 'none' ? e.outerHTML.slice(0, 120) : ''; })()")
            .await;
        if found.as_str().is_some_and(|html| !html.is_empty()) {
            unseen.push(found);
        }
    }
    let missed = page
        .js("[...document.querySelectorAll('[data-seen=\"\"]')].map((e) => e.outerHTML.slice(0, 120))")
        .await;
    assert_eq!(missed.as_array().map(Vec::len), Some(0), "{path}: not reached: {missed:#}");
    assert!(unseen.is_empty(), "{path}: focus does not show on {unseen:#?}");
}

async fn shown(page: &Page) -> Value {
    let script = "[...document.querySelectorAll('article.step')].filter((e) => e.checkVisibility())\
                  .map((e) => Number(e.dataset.number))";
    page.js(script).await
}

#[tokio::test(flavor = "multi_thread")]
async fn steps_follow_links_keys_and_playing() {
    let served = Served::start().await;
    let origin = format!("http://{}", served.server.address());
    let page = Page::open().await;
    page.goto(&format!("{origin}{ATTEMPT}#step-3")).await;
    assert_eq!(shown(&page).await, serde_json::json!([3]), "a deep link leads to its step");
    page.press("j").await;
    assert_eq!(shown(&page).await, serde_json::json!([4]));
    page.press("k").await;
    page.press("ArrowLeft").await;
    assert_eq!(shown(&page).await, serde_json::json!([2]));
    assert_eq!(page.js("location.hash").await, "#step-2", "the address says where one is");
    page.js("document.querySelector('.strip a[data-step=\"1\"]').click()").await;
    assert_eq!(shown(&page).await, serde_json::json!([1]));
    let picture = "document.querySelector('.step.chosen .before').checkVisibility()";
    assert_eq!(page.js(picture).await, true);
    page.press("b").await;
    assert_eq!(page.js(picture).await, false, "after instead of before");
    page.press("b").await;
    page.press("p").await;
    page.until("document.querySelector('#step-4').checkVisibility()").await;
    assert_eq!(shown(&page).await, serde_json::json!([4]), "it played to the end");
    page.js("document.querySelector('.step.chosen details').open = true").await;
    page.until("document.querySelector('.step.chosen details pre').textContent === 'heading \"shop 4\"'")
        .await;

    page.without_script(true).await;
    page.goto(&format!("{origin}{ATTEMPT}?step=2")).await;
    assert_eq!(shown(&page).await, serde_json::json!([2]), "without a script the step asked for is shown");
    page.goto(&format!("{origin}{ATTEMPT}?step=2#step-4")).await;
    assert_eq!(shown(&page).await, serde_json::json!([4]), "and links lead to steps");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_list_is_a_window_that_fetches_what_is_scrolled_to_and_pages_without_a_script() {
    let served =
        Served::start_with(|options| drop(crate::large::write(&options.runs, "large-1", 4, 250))).await;
    let url = format!("http://{}/runs/large-1?filter=agent~agent", served.server.address());
    let page = Page::open().await;
    page.goto(&url).await;
    let rows = "document.querySelectorAll('.window [data-row]').length";
    let drawn = page.js(rows).await.as_u64().expect("a count");
    assert!((10..100).contains(&drawn), "{drawn} of a thousand rows are there");
    assert_eq!(
        page.js("document.querySelector('.window table').getAttribute('aria-rowcount')").await,
        "1001"
    );
    assert_eq!(page.js("document.querySelector('.pages')").await, Value::Null);
    page.js("document.querySelector('#attempts').scrollIntoView()").await;
    page.keep_picture("run-window-light").await;

    // Far down, rows come that were not there, in the order of the list, each where it belongs.
    page.js("document.querySelector('.window').scrollTop = 32 * 700").await;
    let at = |index: u32| {
        format!("document.querySelector('.window tr[aria-rowindex=\"{}\"] a')?.textContent", index + 2)
    };
    page.until(&at(705)).await;
    let found = page.js(&at(705)).await;
    let wanted = "fetch(`${document.querySelector('[data-list]').dataset.list}&from=705&count=1`).then((a) => a.text())";
    let wanted = page.js(wanted).await;
    let shown = found.as_str().expect("a row");
    assert!(wanted.as_str().expect("rows").contains(&format!(">{shown}</a>")), "{shown} in {wanted}");
    assert_eq!(page.js("Math.round(document.querySelector('.window tr[aria-rowindex=\"707\"]').getBoundingClientRect().height)").await, 32);

    // Keys walk its rows, past those that were there at first.
    page.goto(&url).await;
    for _ in 0..120 {
        page.press("j").await;
    }
    let focused = "Number(document.activeElement.closest('tr')?.getAttribute('aria-rowindex')) - 2";
    page.until(&format!("{focused} === 119")).await;
    page.press("k").await;
    page.until(&format!("{focused} === 118")).await;
    assert!(page.heard().complaints.is_empty(), "{:#?}", page.heard().complaints);

    page.without_script(true).await;
    page.goto(&format!("{url}&page=3")).await;
    assert_eq!(page.js("document.querySelectorAll('[data-row]').length").await, 100);
    assert_eq!(page.js("document.querySelectorAll('.pages a').length").await, 2);
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_label_is_given_by_keys_alone() {
    let served = Served::start().await;
    let origin = format!("http://{}", served.server.address());
    let mut operator = served.operator().await;
    operator.get("/label").await;
    let fields =
        [("run", RUN), ("title", "Keys"), ("filter", "agent=oracle"), ("most", "2"), ("overlap", "1")];
    let queue = operator.post("/label", &fields).await.header("location").expect("a queue").to_owned();
    let page = Page::open().await;
    sign_in(&page, &origin).await;
    page.goto(&format!("{origin}{queue}")).await;
    let before = page.loads();
    page.js("document.querySelector('form[action$=\"/next\"] button').focus()").await;
    page.press("Enter").await;
    page.loaded(before).await;
    page.press("j").await;
    page.press("2").await;
    assert_eq!(page.js("document.querySelector('input[name=success]:checked').value").await, "failure");
    page.press("1").await;
    let before = page.loads();
    page.press("s").await;
    page.loaded(before).await;
    assert_eq!(page.js("document.body.innerText.includes('What others say')").await, true);
    let run = umpire_store::Runs::new(served.folder.path().join("runs")).open(RUN).expect("a run");
    let labels = run.labels().expect("readable");
    assert_eq!(labels.len(), 1);
    assert_eq!(labels[0].success, Some(umpire_model::Success::Success));
    page.close().await;
}
