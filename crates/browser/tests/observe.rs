//! What an observation finds on real pages: frames, shadow roots, covered and hidden things, states.

use image::GenericImageView;
use umpire_browser::{Element, Observation, marks};

use crate::support;
use crate::support::Lab;

fn find<'o>(seen: &'o Observation, role: &str, name: &str) -> &'o Element {
    let found = seen.elements.iter().find(|element| element.role == role && element.name == name);
    found.unwrap_or_else(|| panic!("no {role} {name:?} in:\n{}", seen.element_list()))
}

fn names(seen: &Observation) -> Vec<&str> {
    seen.elements.iter().map(|element| element.name.as_str()).collect()
}

#[tokio::test]
async fn elements_of_frames_in_both_kinds_of_process_have_their_place_in_the_tab() {
    let lab = Lab::open(&[
        (
            "/",
            "<body style='margin:0'><div style='height:100px'><button>Outside</button></div>
             <iframe src='/near' style='border:5px solid;padding:7px;width:300px;height:100px;display:block'></iframe>
             <iframe src='http://pay.localhost/far' style='border:3px solid;margin-left:50px;width:300px;height:150px'></iframe>
             <button style='position:absolute;left:10px;top:600px'>Last</button>",
        ),
        ("/near", "<body style='margin:0'><div style='height:50px'></div><button id=b style='height:20px'>Near</button><div style='height:500px'></div><script>scrollTo(0,30)</script>"),
        ("/far", "<body style='margin:0'><button style='margin:40px 0 0 20px'>Far</button><iframe src='http://shop.localhost/near' style='border:0;width:200px;height:60px;display:block'></iframe>"),
    ])
    .await;
    let seen = lab.observe().await;
    assert_eq!(lab.tab().frames.len(), 2, "the second frame and the one in it run in other processes");
    let near: Vec<&Element> = seen.elements.iter().filter(|element| element.name == "Near").collect();
    assert_eq!(names(&seen), ["Outside", "Near", "Far", "Near", "Last"]);
    // Below 100 px of page, 5 px of border and 7 px of padding; its own page is scrolled by 30 of 50 px.
    assert_eq!((near[0].rect.x, near[0].rect.y), (12.0, 132.0));
    // The second frame begins at 100 + 124 px, after its border at 53 px.
    let far = find(&seen, "button", "Far");
    assert_eq!((far.rect.x, far.rect.y), (73.0, 267.0));
    assert!(near[1].rect.y > far.rect.y && near[1].rect.x >= 53.0, "{:?}", near[1].rect);
    assert!(seen.elements.iter().all(|element| element.visible), "{}", seen.element_list());
    assert!(seen.outline.contains("- iframe\n  - button \"Near\""), "{}", seen.outline);
    assert_ne!(near[0].node.session, far.node.session);
}

#[tokio::test]
async fn what_cannot_be_seen_is_listed_as_such_or_not_at_all() {
    let lab = Lab::page(
        "<body style='margin:0;height:3000px'>
         <button style='display:none'>Gone</button><button style='visibility:hidden'>Invisible</button>
         <div style='opacity:0'><button>Transparent</button></div><input type=hidden>
         <button style='width:0;height:0;padding:0;border:0;overflow:hidden'>Empty</button>
         <button>Shown</button>
         <button style='position:absolute;top:200px;left:0;width:200px;height:40px'>Covered</button>
         <div style='position:absolute;top:190px;left:0;width:300px;height:60px;background:#eee;z-index:5'>over</div>
         <button style='position:absolute;top:300px;left:0;width:200px;height:40px'>Half covered</button>
         <div style='position:absolute;top:290px;left:0;width:80px;height:60px;background:#eee;z-index:5'>over</div>
         <button style='position:absolute;top:400px;left:0'>Under glass</button>
         <div style='position:absolute;top:390px;left:0;width:300px;height:60px;pointer-events:none;z-index:5'></div>
         <div style='position:absolute;top:500px;height:40px;width:200px;overflow:auto'><div style='height:100px'></div><button>Clipped</button></div>
         <button style='position:absolute;top:2000px'>Below</button><div inert><button>Inert</button></div>",
    )
    .await;
    let seen = lab.observe().await;
    assert_eq!(names(&seen), ["Shown", "Covered", "Half covered", "Under glass", "Clipped", "Below"]);
    for (name, visible) in [
        ("Shown", true),
        ("Covered", false),
        ("Half covered", true),
        ("Under glass", true),
        ("Clipped", false),
        ("Below", false),
    ] {
        assert_eq!(find(&seen, "button", name).visible, visible, "{name}");
    }
}

#[tokio::test]
async fn a_modal_dialog_leaves_only_itself_to_act_on() {
    let lab = Lab::page(
        "<button>Behind</button><dialog id=d><button>Inside</button></dialog><script>d.showModal()</script>",
    )
    .await;
    assert_eq!(names(&lab.observe().await), ["Inside"]);
    lab.js("d.close()").await;
    assert_eq!(names(&lab.observe().await), ["Behind"]);
}

#[tokio::test]
async fn interactive_things_are_found_without_a_role_and_wrappers_are_not() {
    let lab = Lab::page(
        "<style>.card{cursor:pointer;padding:30px;width:200px} .wrap{width:fit-content}</style>
         <div class=card>Card <b>text</b></div>
         <div id=listener style='width:100px'>Listener</div>
         <div id=root style='width:300px'><button>One</button><button>Two</button></div>
         <div class=wrap id=wrap><button>Wrapped</button></div>
         <div tabindex=0 style='width:99px'>Focusable</div><div tabindex=0 role=tabpanel>Panel</div>
         <div contenteditable aria-label=Editable>x</div>
         <button><span id=inner style='cursor:pointer'>Inner</span></button>
         <p>Just text</p>
         <script>for (const e of [listener, root, wrap, inner]) e.addEventListener('click', () => {})</script>",
    )
    .await;
    let seen = lab.observe().await;
    assert_eq!(
        names(&seen),
        ["Card text", "Listener", "One", "Two", "Wrapped", "Focusable", "Editable", "Inner"],
        "{}",
        seen.element_list()
    );
}

#[tokio::test]
async fn states_and_values_are_told_and_passwords_are_not() {
    let lab = Lab::page(
        "<input aria-label=Text value=old><input aria-label=Secret type=password value=hunter2>
         <input aria-label=On type=checkbox checked><input aria-label=Off type=checkbox>
         <button disabled>Disabled</button><fieldset disabled><legend><button>Legend</button></legend><button>Fieldset</button></fieldset>
         <div role=switch tabindex=0 aria-checked=true>Switch</div><button aria-expanded=false>Menu</button>
         <div role=tab tabindex=0 aria-selected=true>Tab</div>
         <select aria-label=Size><option>Small<option selected>Medium</select><input aria-label=Focus id=f autofocus>
         <style>.t input{position:absolute;opacity:0;width:0} .t span{padding:5px}</style>
         <label class=t><input type=checkbox checked><span>Styled toggle</span></label>
         <label><input type=radio style='display:none'>Hidden radio</label>
         <script>document.querySelector('[aria-label=Text]').value = 'typed'; f.focus()</script>",
    )
    .await;
    let seen = lab.observe().await;
    let list = seen.element_list();
    for line in [
        "textbox \"Text\" = \"typed\"",
        "textbox \"Secret\" (password)",
        "checkbox \"On\" (checked)",
        "checkbox \"Off\" (unchecked)",
        "button \"Disabled\" (disabled)",
        "button \"Legend\"",
        "button \"Fieldset\" (disabled)",
        "switch \"Switch\" (checked)",
        "button \"Menu\" (collapsed)",
        "tab \"Tab\" (selected)",
        "combobox \"Size\" = \"Medium\" options: \"Small\", \"Medium\"",
        "textbox \"Focus\" (focused)",
        "checkbox \"Styled toggle\" (checked)",
        "radio \"Hidden radio\" (unchecked)",
    ] {
        assert!(
            list.lines().any(|found| found.split_once("] ").is_some_and(|(_, rest)| rest == line)),
            "{line} in\n{list}"
        );
    }
    assert!(!list.contains("hunter2") && !seen.outline.contains("hunter2"));
    assert!(seen.outline.contains("- combobox \"Size\" = \"Medium\""), "{}", seen.outline);
}

#[tokio::test]
async fn an_observation_leaves_nothing_in_the_page() {
    let lab = Lab::page(
        "<button>Go</button><script>
         window.changes = 0;
         new MutationObserver(list => changes += list.length).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
         </script>",
    )
    .await;
    let before =
        lab.js("document.documentElement.outerHTML + Object.getOwnPropertyNames(window).length").await;
    lab.observe().await;
    let after =
        lab.js("document.documentElement.outerHTML + Object.getOwnPropertyNames(window).length").await;
    assert_eq!(before, after);
    assert_eq!(lab.js("changes").await, 0);
}

#[tokio::test]
async fn marks_are_drawn_where_the_elements_are() {
    let lab = Lab::page(
        "<body style='margin:0;background:#fff'><button style='position:absolute;left:200px;top:150px;width:160px;height:60px;background:#fff;border:0'>A</button>
         <button style='position:absolute;left:0;top:0;width:80px;height:30px;background:#fff;border:0'>Corner</button>",
    )
    .await;
    let seen = lab.observe().await;
    let drawn = image::load_from_memory(&marks::draw(&seen)).expect("a JPEG");
    let plain = image::load_from_memory(&seen.screenshot).expect("a JPEG");
    assert_eq!(drawn.dimensions(), (support::VIEWPORT.width, support::VIEWPORT.height));
    let is_white =
        |image: &image::DynamicImage, x, y| image.get_pixel(x, y).0[..3].iter().all(|&channel| channel > 225);
    let button = find(&seen, "button", "A").rect;
    let (left, top) = (button.x as u32, button.y as u32);
    let (right, bottom) = (left + button.width as u32 - 1, top + button.height as u32 - 1);
    for (x, y) in [(left + 80, bottom), (right, top + 30), (left, top + 30)] {
        assert!(is_white(&plain, x, y) && !is_white(&drawn, x, y), "no edge at {x},{y}");
    }
    // Away from any element nothing is drawn.
    for (x, y) in [(700, 400), (left + 30, bottom + 30), (left + 120, top + 30)] {
        assert!(is_white(&drawn, x, y), "something at {x},{y}");
    }
}

#[tokio::test]
async fn a_page_with_five_thousand_elements_is_listed_within_its_caps() {
    let row =
        |i| format!("<li><a href=/p/{i}>Product {i}</a><button>Add {i}</button><span>{i}.99</span></li>");
    let rows = (0..1250).map(row).collect::<Vec<_>>().concat();
    let lab = Lab::page(&format!("<h1>All</h1><ul>{rows}</ul>")).await;
    let seen = lab.observe().await;
    assert_eq!(seen.elements.len(), 1000);
    assert!(seen.elements.iter().zip(1..).all(|(element, mark)| element.mark == mark));
    assert!(
        seen.outline.len() < 70_000 && seen.outline.trim_end().ends_with("left out"),
        "{}",
        seen.outline.len()
    );
    assert!(seen.element_list().len() < 41_000);
    lab.js("scrollTo(0, 1e6)").await;
    lab.settle().await;
    let end = lab.observe().await;
    assert!(find(&end, "button", "Add 1249").visible, "what is on the screen is never left out");
}

#[tokio::test]
async fn an_outline_tells_what_changed_since_the_last() {
    let lab = Lab::page("<h1>Cart</h1><ul><li>Lamp</li><li>Desk</li></ul><button>Pay</button>").await;
    let before = lab.observe().await;
    assert_eq!(
        before.outline,
        "- heading \"Cart\" (level 1)\n- list\n  - listitem: \"Lamp\"\n  - listitem: \"Desk\"\n- button \"Pay\"\n"
    );
    assert_eq!(before.outline_changes(&before), "");
    lab.js("document.querySelector('li').remove(); document.querySelector('h1').textContent = 'Your cart'")
        .await;
    let after = lab.observe().await;
    assert_eq!(
        after.outline_changes(&before),
        "-heading \"Cart\" (level 1)\n+heading \"Your cart\" (level 1)\n-  listitem: \"Lamp\"\n"
    );
}
