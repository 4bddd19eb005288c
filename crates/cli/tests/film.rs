//! A film of an attempt plays in a browser that knows nothing of us.

use std::fs;
use std::path::Path;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use umpire_browser::chromium::{Chromium, LaunchOptions};
use umpire_model::Deadline;

use crate::support::serving::serve;
use crate::support::{folder, run};

/// Duration, size, and at these seconds the colour of the picture and of the place that the second step clicks.
const WATCH: &str = "async (source, times) => {
    const video = document.createElement('video');
    video.muted = true;
    video.src = source;
    const told = name => new Promise((yes, no) => {
        video['on' + name] = yes;
        video.onerror = () => no(new Error(video.error.message));
    });
    await told('loadeddata');
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
    const brush = canvas.getContext('2d');
    const [colours, places] = [[], []];
    const colour = (x, y) => [...brush.getImageData(x, y, 1, 1).data].slice(0, 3);
    for (const time of times) {
        const there = told('seeked');
        video.currentTime = time;
        await there;
        brush.drawImage(video, 0, 0);
        colours.push(colour(100, 90));
        places.push(colour(160, 20));
    }
    return {duration: video.duration, size: [canvas.width, canvas.height], colours, places};
}";

async fn watched(webm: &[u8], times: &[f64]) -> Value {
    let deadline = Deadline::after(Duration::from_mins(1));
    let chromium = std::env::var_os("UMPIRE_CHROMIUM").map(Into::into);
    let options = LaunchOptions { chromium, ..LaunchOptions::default() };
    let chromium = Chromium::launch(&options, deadline).await.expect("Chromium starts");
    let root = chromium.connection().root();
    let target: Value =
        root.call("Target.createTarget", json!({"url": "about:blank"}), deadline).await.expect("a page");
    let attach = json!({"targetId": target["targetId"], "flatten": true});
    let session: Value = root.call("Target.attachToTarget", attach, deadline).await.expect("attached");
    let page = chromium.connection().session(session["sessionId"].as_str().expect("an id").into());
    let source = json!(format!("data:video/webm;base64,{}", STANDARD.encode(webm)));
    let expression = format!("({WATCH})({source}, {})", json!(times));
    let parameters = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
    let answer: Value = page.call("Runtime.evaluate", parameters, deadline).await.expect("evaluated");
    chromium.close().await;
    assert!(answer.get("exceptionDetails").is_none(), "{answer}");
    answer["result"]["value"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webm_film_plays_with_a_picture_a_step() {
    let place = folder();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/trajectories/online-mind2web");
    let import = run(place.path(), &["import", "online-mind2web", source.to_str().expect("text")]);
    assert_eq!(import.code, Some(0), "{}", import.stderr);
    let export = run(place.path(), &["export", "webm", "imported/cheapest-lamp/1", "--out", "film.webm"]);
    assert_eq!(export.code, Some(0), "{}{}", export.stdout, export.stderr);
    let film = fs::read(place.path().join("film.webm")).expect("written");
    // A card of 2.5 s, four steps of 1.5 s, a card of 2.5 s; looked at in the middle of each.
    let told = watched(&film, &[1.0, 3.2, 4.7, 6.2, 7.7, 9.5]).await;
    assert!((told["duration"].as_f64().expect("a number") - 11.0).abs() < 0.1, "{told}");
    assert_eq!(told["size"], json!([320, 158]));
    let red = |place: usize| told["colours"][place][0].as_i64().expect("a colour");
    for (step, expected) in [(1, 40), (2, 90), (3, 140), (4, 190)] {
        assert!((red(step) - expected).abs() < 12, "step {step} shows its own picture: {told}");
    }
    // The box around the place is green, which no picture is.
    let green = |place: usize| told["places"][place][1].as_i64().expect("a colour");
    assert!(green(2) > 130 && [1, 3, 4].iter().all(|step| green(*step) < 110), "{told}");
    // The cards are dark blue.
    assert!(red(0) < 40 && red(5) < 40, "{told}");

    let (pages, _) = serve(place.path(), "", &[]);
    let mut runs = fs::read_dir(place.path().join("runs")).expect("runs").flatten();
    let run = runs.find(|entry| entry.path().is_dir()).expect("the imported one").file_name();
    let attempt = format!("/runs/{}/attempts/imported/cheapest-lamp/1", run.to_str().expect("text"));
    let (status, film) = pages.get(&format!("{attempt}/download/webm"));
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&film));
    let served = watched(&film, &[3.2]).await;
    assert_eq!((&served["duration"], &served["size"]), (&told["duration"], &told["size"]), "{served}");
    assert!((served["colours"][0][0].as_i64().expect("a colour") - 40).abs() < 12, "{served}");
}

#[test]
fn a_gif_needs_no_browser() {
    let place = folder();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/trajectories/online-mind2web");
    run(place.path(), &["import", "online-mind2web", source.to_str().expect("text")]);
    let arguments =
        ["export", "gif", "imported/cheapest-lamp/1", "--out", "film.gif", "--chromium", "/nonexistent"];
    let export = run(place.path(), &arguments);
    assert_eq!(export.code, Some(0), "{}", export.stderr);
    assert!(fs::read(place.path().join("film.gif")).expect("written").starts_with(b"GIF89a"));
    let arguments =
        ["export", "webm", "imported/cheapest-lamp/1", "--out", "film.webm", "--chromium", "/nonexistent"];
    let refused = run(place.path(), &arguments);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("a GIF film needs none"), "{}", refused.stderr);
}
