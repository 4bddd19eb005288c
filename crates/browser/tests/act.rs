//! Actions on real pages, checked by what the page itself noticed.

use umpire_browser::act::ActError;

use crate::support;
use crate::support::Lab;

/// Notes trusted events as `type target`, the target by its id.
const NOTE: &str = "<script>
    window.log = [];
    const note = (...types) => types.forEach(type => document.addEventListener(type, event =>
        log.push(`${type} ${event.composedPath()[0].id ?? ''}${event.isTrusted ? '' : ' untrusted'}`), true));
</script>";

#[tokio::test]
async fn clicks_reach_elements_below_the_fold_in_shadow_roots_and_through_slots() {
    let lab = Lab::page(&format!(
        "{NOTE}<div style='height:3000px'></div><button id=plain>Far below</button>
         <x-box>Slotted</x-box><y-box>Closed</y-box>
         <script>note('click');
         for (const [name, mode] of [['x-box', 'open'], ['y-box', 'closed']])
           customElements.define(name, class extends HTMLElement {{ constructor() {{ super();
             const root = this.attachShadow({{ mode }}); root.innerHTML = '<button><slot></slot></button>';
             root.firstChild.addEventListener('click', event => log.push(name + event.isTrusted)) }} }});
         </script>"
    ))
    .await;
    lab.act("click button \"Far below\"").await.expect("clicked");
    lab.act("click button \"Slotted\"").await.expect("clicked");
    lab.act("click button \"Closed\"").await.expect("clicked");
    assert_eq!(lab.js("log.join()").await, "click plain,click ,x-boxtrue,click ,y-boxtrue");
}

#[tokio::test]
async fn frames_of_both_kinds_take_clicks_and_text() {
    let form = "<body style='height:2000px'><div style='height:700px'></div><input aria-label='Name'><button onclick='document.title = \"clicked \" + event.isTrusted'>Send</button>";
    let lab = Lab::open(&[
        ("/", "<div style='height:900px'></div><iframe name=near src=/near></iframe><iframe src=http://pay.localhost/far style='border:9px solid'></iframe>"),
        ("/near", &form.replace("Name", "Near name").replace("Send", "Near send")),
        ("/far", &form.replace("Name", "Far name").replace("Send", "Far send")),
    ])
    .await;
    for place in ["Near", "Far"] {
        lab.act(&format!("click button \"{place} send\"")).await.expect("clicked");
        lab.act(&format!("type textbox \"{place} name\" \"Zoë 😀\"")).await.expect("typed");
    }
    assert_eq!(
        lab.js("frames[0].document.title + frames[0].document.querySelector('input').value").await,
        "clicked trueZoë 😀"
    );
    assert_eq!(
        lab.js_in_frame("document.title + document.querySelector('input').value").await,
        "clicked trueZoë 😀"
    );
    let seen = lab.observe().await;
    assert!(
        seen.element_list().contains("textbox \"Far name\" = \"Zoë 😀\" (focused)"),
        "{}",
        seen.element_list()
    );
}

#[tokio::test]
async fn what_cannot_be_clicked_says_why() {
    let lab = Lab::page(
        "<button style='position:absolute;top:100px'>Covered</button><button disabled>Disabled</button><button>Vanishing</button>
         <button id=late disabled>Late</button>
         <div role=dialog aria-label='Cookie consent' style='position:fixed;inset:80px 0 0 0;background:#fff;z-index:9'><p>We value you</p></div>
         <script>document.querySelectorAll('button')[3].onclick = () => document.title = 'late'; setTimeout(() => late.disabled = false, 300)</script>",
    )
    .await;
    let covered = lab.act("click button \"Covered\"").await.expect_err("covered").to_string();
    assert!(
        covered.starts_with("button \"Covered\" is covered by <div role=\"dialog\"> \"Cookie consent\""),
        "{covered}"
    );
    assert!(matches!(lab.act("click button \"Disabled\"").await, Err(ActError::Disabled { .. })));
    lab.act("click button \"Late\"").await.expect("enabled in time");
    assert_eq!(lab.js("document.title").await, "late");
    let seen = lab.observe().await;
    lab.js("document.querySelectorAll('button')[2].remove()").await;
    let action = "click button \"Vanishing\"".parse().expect("an action");
    let gone =
        umpire_browser::act::perform(&lab.tab(), &action, &seen, lab.uploads.path(), support::soon()).await;
    assert!(matches!(gone, Err(ActError::Gone { .. })), "{gone:?}");
    let unknown = lab.act("click button \"Cover\"").await.expect_err("no such name").to_string();
    assert!(unknown.contains("closest are button \"Covered\""), "{unknown}");
}

#[tokio::test]
async fn partly_covered_and_moving_elements_are_hit_where_they_can_be() {
    let lab = Lab::page(
        "<style>@keyframes slide { from { left: 0 } to { left: 500px } } #m { position: absolute; top: 200px; animation: slide .6s linear forwards }</style>
         <button style='position:absolute;left:0;top:100px;width:300px;height:40px' onclick='document.title += \"partly,\"'>Partly</button>
         <div style='position:absolute;left:50px;top:90px;width:250px;height:60px;background:#ddd'>over</div>
         <button id=m onclick='document.title += \"moving,\"'>Moving</button>
         <label><input type=checkbox style='position:absolute;opacity:0' id=box><span style='position:relative;padding:9px;background:#ddd'>Toggle</span></label>
         <p style='width:90px'>Words and words and <a href='#hit'>a link over lines</a></p>",
    )
    .await;
    lab.js("m.style.animation = 'none'; m.offsetWidth; m.style.animation = ''").await;
    lab.act("click button \"Moving\"").await.expect("clicked");
    lab.act("click button \"Partly\"").await.expect("clicked");
    lab.act("click checkbox \"Toggle\"").await.expect("clicked");
    lab.act("click link \"a link over lines\"").await.expect("clicked");
    assert_eq!(lab.js("document.title + box.checked + location.hash").await, "moving,partly,true#hit");
}

#[tokio::test]
async fn a_link_that_is_stretched_over_its_card_is_hit_on_its_pseudo_element() {
    let lab = Lab::page(
        "<style>.card { position: relative; height: 200px } a::after { content: ''; position: absolute; inset: 0 }</style>
         <div class=card><p>About it</p><a href='#there'>Read more</a></div>",
    )
    .await;
    lab.act("click link \"Read more\"").await.expect("clicked");
    assert_eq!(lab.js("location.hash").await, "#there");
}

#[tokio::test]
async fn typing_replaces_the_text_key_by_key_and_presses_no_enter() {
    let lab = Lab::page(&format!(
        "{NOTE}<form onsubmit='log.push(\"submitted\"); return false'><input id=i aria-label=Field value=old><input id=n type=number aria-label=Number>
         <textarea id=t aria-label=Area>old</textarea></form><div id=ce contenteditable aria-label=Editor><b>old</b> text</div>
         <input id=d type=date aria-label=Day><input id=ro readonly aria-label=Fixed value=x><input id=cap aria-label=Capped maxlength=3>
         <script>note('keydown', 'input'); i.addEventListener('keydown', e => {{ if (e.key === 'Enter') log.push('enter') }})</script>"
    ))
    .await;
    lab.act("type textbox \"Field\" \"aB\"").await.expect("typed");
    assert_eq!(
        lab.js("log.join()").await,
        "keydown i,keydown i,input i,keydown i,input i,keydown i,input i",
        "select all, delete, a, B"
    );
    for (target, text, read, expected) in [
        ("textbox \"Field\"", "Łódź 日本 😀 {x}", "i.value", "Łódź 日本 😀 {x}"),
        ("textbox \"Field\"", "", "i.value", ""),
        ("spinbutton \"Number\"", "-12.5", "n.value", "-12.5"),
        ("textbox \"Area\"", "one\ntwo", "t.value", "one\ntwo"),
        ("textbox \"Editor\"", "fresh é", "ce.innerText.trim()", "fresh é"),
        ("textbox \"Day\"", "2026-11-15", "d.value", "2026-11-15"),
        ("textbox \"Capped\"", "abcdef", "cap.value", "abc"),
    ] {
        lab.act(&format!("type {target} {}", serde_json::json!(text)))
            .await
            .unwrap_or_else(|error| panic!("{target}: {error}"));
        assert_eq!(lab.js(read).await, expected, "{target}");
    }
    let letter = "word ".repeat(100);
    lab.act(&format!("type textbox \"Area\" {}", serde_json::json!(letter))).await.expect("typed");
    assert_eq!(lab.js("t.value").await, letter);
    assert!(matches!(lab.act("type textbox \"Fixed\" \"y\"").await, Err(ActError::NotEditable { .. })));
    assert!(matches!(lab.act("type textbox \"Day\" \"tomorrow\"").await, Err(ActError::NotAccepted { .. })));
    let log = lab.js("log.join()").await.to_string();
    assert!(!log.contains("submitted") && !log.contains("enter"), "{log}");
}

#[tokio::test]
async fn keys_and_chords_do_what_they_do_for_people() {
    let lab = Lab::page(
        "<form onsubmit='document.title = \"sent \" + q.value; return false'><input id=q aria-label=Query><input id=next><button>Go</button></form>
         <script>document.addEventListener('keydown', e => { if (e.ctrlKey && e.shiftKey) document.title = e.code + e.key })</script>",
    )
    .await;
    lab.act("type textbox \"Query\" \"lamps\"").await.expect("typed");
    lab.act("press \"Enter\"").await.expect("pressed");
    assert_eq!(lab.js("document.title").await, "sent lamps");
    lab.act("press \"Control+a\"").await.expect("pressed");
    lab.act("press \"x\"").await.expect("pressed");
    lab.act("press \"Shift+Y\"").await.expect("pressed");
    lab.act("press \"ArrowLeft\"").await.expect("pressed");
    lab.act("press \"Backspace\"").await.expect("pressed");
    assert_eq!(lab.js("q.value").await, "Y");
    lab.act("press \"Tab\"").await.expect("pressed");
    assert_eq!(lab.js("document.activeElement.id").await, "next");
    lab.act("press \"Control+Shift+K\"").await.expect("pressed");
    assert_eq!(lab.js("document.title").await, "KeyKK");
    assert!(matches!(lab.act("press \"Hyper+x\"").await, Err(ActError::NotAKey(_))));
}

#[tokio::test]
async fn options_are_chosen_in_native_selects_with_one_trusted_change() {
    let lab = Lab::page(&format!(
        "{NOTE}<select id=s aria-label=Size><option>Small<option selected>Medium<optgroup label=Big><option disabled>Large<option>Extra large</optgroup><option>Huge</select>
         <select id=m aria-label=Toppings multiple size=4><option>Cheese<option selected>Olives<option>Ham</select>
         <select id=h aria-label=Odd><option>A<option hidden>B<option>C</select>
         <script>note('input', 'change')</script>"
    ))
    .await;
    lab.act("select combobox \"Size\" \"Extra large\"").await.expect("chosen");
    assert_eq!(lab.js("s.value + ' ' + log.splice(0).join()").await, "Extra large input s,change s");
    lab.act("select combobox \"Size\" \"small\"").await.expect("chosen");
    assert_eq!(lab.js("s.value + ' ' + log.splice(0).join()").await, "Small input s,change s");
    lab.act("select combobox \"Size\" \"Small\"").await.expect("was chosen already");
    assert_eq!(lab.js("log.join()").await, "");
    lab.act("select listbox \"Toppings\" \"Ham\"").await.expect("chosen");
    assert_eq!(lab.js("[...m.selectedOptions].map(o => o.label).join()").await, "Olives,Ham");
    lab.act("select combobox \"Odd\" \"C\"").await.expect("chosen");
    assert_eq!(lab.js("h.value").await, "C");
    assert!(matches!(lab.act("select combobox \"Size\" \"Large\"").await, Err(ActError::Disabled { .. })));
    let missing = lab.act("select combobox \"Size\" \"Tiny\"").await.expect_err("no such option").to_string();
    assert_eq!(
        missing,
        "combobox \"Size\" has no option \"Tiny\"; it has \"Small\", \"Medium\", \"Large\", \"Extra large\", \"Huge\""
    );
}

#[tokio::test]
async fn options_are_chosen_in_lists_the_page_built() {
    let lab = Lab::page(
        "<div id=box role=combobox tabindex=0 aria-label=Fruit aria-expanded=false style='width:100px'>None</div>
         <ul role=listbox id=list hidden><li role=option>Apple</li><li role=option>Pear</li></ul>
         <input role=combobox id=city aria-label=City><ul role=listbox id=cities></ul>
         <script>
         box.onclick = () => setTimeout(() => { list.hidden = false; box.ariaExpanded = 'true' }, 150);
         list.onclick = event => { box.textContent = event.target.textContent; list.hidden = true };
         city.oninput = () => cities.innerHTML = ['Rome', 'Lyon'].filter(c => city.value && c.startsWith(city.value)).map(c => `<li role=option>${c}</li>`).join('');
         cities.onclick = event => { city.value = event.target.textContent.toUpperCase(); cities.innerHTML = '' };
         </script>",
    )
    .await;
    lab.act("select combobox \"Fruit\" \"Pear\"").await.expect("chosen");
    assert_eq!(lab.js("box.textContent").await, "Pear");
    lab.act("select combobox \"City\" \"Lyon\"").await.expect("chosen");
    assert_eq!(lab.js("city.value").await, "LYON");
    let missing =
        lab.act("select combobox \"Fruit\" \"Plum\"").await.expect_err("no such option").to_string();
    assert!(missing.contains("\"Apple\", \"Pear\""), "{missing}");
}

#[tokio::test]
async fn hover_drag_and_upload_reach_the_page() {
    let lab = Lab::page(
        "<style>#menu { display: none } #top:hover #menu { display: block } .d { width: 90px; height: 60px; background: #ddd; margin: 5px }</style>
         <div id=top><button>Menu</button><div id=menu><button>Item</button></div></div>
         <div class=d id=a draggable=true tabindex=0 role=button>A</div><div class=d id=b tabindex=0 role=button>B</div>
         <input type=range id=r aria-label=Volume min=0 max=100 value=50 style='width:200px'>
         <label for=f style='background:#ddd'>Attach</label><input type=file id=f style='display:none' multiple>
         <script>window.log = [];
         for (const type of ['dragstart', 'dragover', 'drop']) document.addEventListener(type, event => {
           if (type === 'dragover') return event.preventDefault();
           if (type === 'dragstart') event.dataTransfer.setData('text/plain', event.target.id);
           log.push(`${type} ${event.target.id} ${event.dataTransfer.getData('text/plain')} ${event.isTrusted}`);
         });
         f.onchange = () => log.push([...f.files].map(file => file.name).join('+'));</script>",
    )
    .await;
    lab.act("hover button \"Menu\"").await.expect("hovered");
    lab.act("click button \"Item\"").await.expect("shown while the pointer is over it");
    lab.act("drag button \"A\" to button \"B\"").await.expect("dragged");
    assert_eq!(lab.js("log.splice(0).join()").await, "dragstart a a true,drop b a true");
    let rect = lab.observe().await.elements.iter().find(|e| e.name == "Volume").expect("a slider").rect;
    let (x, y) = (rect.x + rect.width - 2.0, rect.y + rect.height / 2.0);
    lab.act(&format!("drag slider \"Volume\" to ({x},{y})")).await.expect("dragged");
    assert_eq!(lab.js("r.value").await, "100");
    std::fs::write(lab.uploads.path().join("cv.pdf"), b"cv").expect("written");
    std::fs::write(lab.uploads.path().join("photo.png"), b"png").expect("written");
    lab.act("upload button \"Attach\" \"cv.pdf\" \"photo.png\"").await.expect("uploaded");
    assert_eq!(lab.js("log.join()").await, "cv.pdf+photo.png");
    assert!(matches!(
        lab.act("upload button \"Attach\" \"../../etc/passwd\"").await,
        Err(ActError::File { .. })
    ));
    assert!(matches!(lab.act("upload slider \"Volume\" \"nothing.txt\"").await, Err(ActError::File { .. })));
}
