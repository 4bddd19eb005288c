//! The list of everything in a tab: frames, shadow roots, places and the words around, in a real browser.

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;
use umpire_browser::observe::inventory as take_inventory;
use umpire_browser::observe::inventory::{Inventory, Item};

use crate::support::{Lab, VIEWPORT, soon};

async fn inventory(lab: &Lab) -> Inventory {
    take_inventory(&lab.tab(), VIEWPORT, soon()).await.expect("an inventory")
}

fn by_id(page: &Inventory, id: &str) -> usize {
    let is_it = |item: &Item| item.attribute("id") == Some(id);
    page.items.iter().position(is_it).unwrap_or_else(|| panic!("#{id} is missing"))
}

fn parent_of<'p>(page: &'p Inventory, id: &str) -> &'p Item {
    &page.items[page.items[by_id(page, id)].parent.expect("a parent")]
}

#[tokio::test]
async fn elements_stand_where_their_author_put_them() {
    let lab = Lab::page(
        r#"<h2>Visibility</h2>
        <div id=row><p>Shown to <b>all</b></p><label><input id=box type=checkbox style="opacity:0;position:absolute;width:0"> Birthday</label><button id=one>Edit</button><button id=two>Edit</button></div>
        <x-card id=card><span id=slotted>Light</span></x-card>
        <div id=closed></div>
        <script>
        const root = document.getElementById('card').attachShadow({ mode: 'open' });
        root.innerHTML = '<section><slot></slot><x-inner id=inner></x-inner></section>';
        root.getElementById('inner').attachShadow({ mode: 'open' }).innerHTML = '<button id=deep>Deep</button>';
        document.getElementById('closed').attachShadow({ mode: 'closed' }).innerHTML = '<button id=sealed>Sealed</button>';
        </script>"#,
    )
    .await;
    let page = inventory(&lab).await;
    let item = |id: &str| &page.items[by_id(&page, id)];
    assert_eq!((item("one").among_siblings, item("two").among_siblings), ((1, 2), (2, 2)));
    assert_eq!((item("one").among_equals, item("two").among_equals), ((1, 2), (2, 2)));
    assert_eq!(item("two").focus_index, item("one").focus_index.map(|index| index + 1));
    assert_eq!(page.heading_of(by_id(&page, "one")), Some("Visibility"));
    assert_eq!(page.text_around(by_id(&page, "box")).as_deref(), Some("Birthday"));
    assert_eq!(page.previous_text(by_id(&page, "one")), Some("Birthday"));
    assert_eq!(item("box").label.as_deref(), Some("Birthday"));
    // Nobody sees the box; its label stands for it.
    assert_eq!(item("box").name, "Birthday");
    assert!(item("box").handle.as_ref().is_some_and(|handle| *handle != item("box").node));
    // What a slot shows is its host's child; what a shadow root holds, open or closed, stands below the host.
    assert_eq!((parent_of(&page, "slotted").tag.as_str(), item("slotted").enters_shadow), ("x-card", false));
    assert_eq!((parent_of(&page, "deep").tag.as_str(), item("deep").enters_shadow), ("x-inner", true));
    assert_eq!((parent_of(&page, "sealed").tag.as_str(), item("sealed").enters_shadow), ("div", true));
    assert!(["deep", "sealed", "slotted"].iter().all(|id| item(id).is_shown()));
}

#[tokio::test]
async fn frames_of_any_origin_are_listed_with_the_way_to_them() {
    let lab = Lab::open(&[
        ("/", r#"<iframe src="/inner" title=Inner></iframe><iframe src="http://other.localhost/far" name=far></iframe>"#),
        ("/inner", "<button id=near>Near</button>"),
        ("/far", r#"<iframe src="http://shop.localhost/nested"></iframe><button id=away>Away</button>"#),
        ("/nested", "<button id=nested>Nested</button>"),
    ])
    .await;
    let page = inventory(&lab).await;
    let way = |id: &str| -> Vec<(String, u32)> {
        let frames = page.frames_of(by_id(&page, id)).into_iter();
        frames.map(|frame| (frame.url.clone(), frame.index)).collect()
    };
    let frame = |url: &str, index: u32| (url.to_owned(), index);
    assert_eq!(way("near"), [frame("http://shop.localhost/inner", 1)]);
    assert_eq!(way("away"), [frame("http://other.localhost/far", 2)]);
    assert_eq!(
        way("nested"),
        [frame("http://other.localhost/far", 2), frame("http://shop.localhost/nested", 1)]
    );
}

#[tokio::test]
async fn passwords_and_scripts_are_left_out() {
    let lab =
        Lab::page("<input id=p type=password value=hunter2><script>const a = 1</script><style>p{}</style>")
            .await;
    let page = inventory(&lab).await;
    let password = &page.items[by_id(&page, "p")];
    assert_eq!((&password.value, password.attribute("value")), (&None, None));
    assert!(!page.items.iter().any(|item| matches!(item.tag.as_str(), "script" | "style")));
}

#[tokio::test]
async fn five_thousand_elements_are_listed_at_once() {
    let row =
        "<div class=row><p>A row of <b>many</b></p><label><input type=checkbox> Choose it</label></div>";
    let rows = row.repeat(1_000);
    let lab = Lab::page(&format!("<h1>Rows</h1>{rows}")).await;
    let mut times = Vec::new();
    for _ in 0..5 {
        let began = worked_ms();
        let page = inventory(&lab).await;
        times.push(worked_ms() - began);
        assert!(page.items.len() > 5_000, "{}", page.items.len());
    }
    times.sort_unstable();
    println!("5,000 elements: {times:?} ms of work");
    assert!(times[0] < 600, "{times:?}");
}

/// What this thread has computed so far, however busy the machine is with other tests.
fn worked_ms() -> i64 {
    let used = getrusage(UsageWho::RUSAGE_THREAD).expect("told");
    (used.user_time() + used.system_time()).num_milliseconds()
}
