//! Scrolling: the window, elements, pop-ups, frames, and lists that grow.

use umpire_browser::act::ActError;

use crate::support::Lab;

#[tokio::test]
async fn the_window_scrolls_two_thirds_in_four_directions_and_says_when_it_does_not() {
    let lab = Lab::page("<body style='margin:0;width:3000px;height:3000px'><div id=inner style='position:fixed;left:30%;top:30%;width:40%;height:40%;overflow:auto;background:#eee'><div style='height:5000px'></div></div>").await;
    lab.act("scroll window down").await.expect("scrolled");
    let (_, room) = (
        lab.js("innerWidth").await,
        lab.js("document.scrollingElement.clientHeight").await.as_f64().expect("a number"),
    );
    let at = lab.js("scrollY").await.as_f64().expect("a number");
    assert!((at - room * 2.0 / 3.0).abs() <= 1.0, "{at} of {room}");
    assert_eq!(lab.js("inner.scrollTop").await, 0, "the box in the middle stays");
    lab.act("scroll window right").await.expect("scrolled");
    assert!(lab.js("scrollX").await.as_f64().expect("a number") > 700.0);
    lab.act("scroll window up").await.expect("scrolled");
    lab.act("scroll window left").await.expect("scrolled");
    assert_eq!(lab.js("scrollX + scrollY").await, 0);
    let error = lab.act("scroll window up").await.expect_err("at the top").to_string();
    assert!(error.starts_with("nothing scrolled up the window"), "{error}");
}

#[tokio::test]
async fn elements_and_pop_ups_scroll_instead_of_the_page() {
    let lab = Lab::page(
        "<body style='height:3000px'><ul id=list style='height:150px;overflow:auto;width:200px'><li><button>First</button></li><li style='height:900px'></li></ul>
         <div id=pop role=dialog aria-label=Terms style='display:none;position:fixed;left:400px;top:100px;width:400px;height:300px;background:#eee'><div id=text style='height:200px;overflow:auto'><p style='height:2000px'>Terms</p></div><button>Accept</button></div>",
    )
    .await;
    lab.act("scroll button \"First\" down").await.expect("scrolled");
    assert_eq!(lab.js("list.scrollTop").await, 100);
    assert!(matches!(lab.act("scroll popup down").await, Err(ActError::NoPopup)));
    lab.js("pop.style.display = 'block'").await;
    lab.act("scroll popup down").await.expect("scrolled");
    lab.act("scroll popup down").await.expect("scrolled");
    let at = lab.js("text.scrollTop").await.as_f64().expect("a number");
    assert!((at - 2.0 * 200.0 * 2.0 / 3.0).abs() <= 2.0, "{at}");
    assert_eq!(lab.js("scrollY").await, 0);
}

#[tokio::test]
async fn a_pop_up_in_a_frame_of_another_process_scrolls() {
    let lab = Lab::open(&[
        ("/", "<body style='height:3000px'><div style='position:fixed;left:100px;top:50px;width:500px;height:400px;z-index:999'><iframe src=http://consent.localhost/c style='width:100%;height:100%'></iframe></div>"),
        ("/c", "<body style='height:4000px'>Purposes<button style='position:absolute;top:3000px'>Reject</button>"),
    ])
    .await;
    lab.act("scroll popup down").await.expect("scrolled");
    assert!(lab.js_in_frame("scrollY").await.as_f64().expect("a number") > 200.0);
    assert_eq!(lab.js("scrollY").await, 0);
    lab.act("click button \"Reject\"").await.expect("clicked");
}

#[tokio::test]
async fn scrolling_to_the_end_goes_on_while_the_page_grows() {
    let lab = Lab::open(&[
        (
            "/",
            "<div id=list></div><div id=end style='height:10px'></div><script>
             let pages = 0, busy = false;
             const add = () => { for (let i = 0; i < 20; i++) list.insertAdjacentHTML('beforeend', `<p style='height:60px'>Item ${pages * 20 + i}</p>`); pages++ };
             add();
             new IntersectionObserver(async ([seen]) => {
               if (!seen.isIntersecting || busy || pages >= 6) return;
               busy = true;
               if (pages % 2) await fetch('/more'); else await new Promise(done => setTimeout(done, 150));
               add(); busy = false;
             }, { rootMargin: '50px' }).observe(end);
             </script>",
        ),
        ("/more", "more"),
    ])
    .await;
    lab.act("scroll end").await.expect("scrolled");
    assert_eq!(lab.js("pages").await, 6);
    assert_eq!(lab.js("scrollY + innerHeight >= document.documentElement.scrollHeight - 1").await, true);
    lab.act("scroll end").await.expect("there already");
}
