use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::TempDir;
use umpire_model::{BlobSource as _, EventBody};
use umpire_report::write_html;
use umpire_store::Run;

use crate::synthetic;

struct Report {
    root: TempDir,
    run: Run,
    out: PathBuf,
}

fn report() -> Report {
    let root = TempDir::new().expect("temp");
    let run = synthetic::write(&root.path().join("runs"));
    let out = root.path().join("report");
    assert_eq!(write_html(&run, &out).expect("written"), out.join("index.html"));
    Report { root, run, out }
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "html") {
            found.push(path);
        }
    }
    found
}

/// Values of an attribute, as they stand in the page.
fn attributes<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    page.split(start.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn every_link_and_image_leads_somewhere() {
    let report = report();
    let all = pages(&report.out);
    assert_eq!(all.len(), 1 + 47, "an index, and a page for each attempt that started");
    let mut reached = BTreeSet::new();
    for path in &all {
        let page = fs::read_to_string(path).expect("text");
        let ids: BTreeSet<&str> = attributes(&page, "id").into_iter().collect();
        for link in attributes(&page, "href").into_iter().chain(attributes(&page, "src")) {
            if let Some(anchor) = link.strip_prefix('#') {
                assert!(ids.contains(anchor), "{} has no #{anchor}", path.display());
                continue;
            }
            let target = path.parent().expect("a folder").join(link);
            let target =
                target.canonicalize().unwrap_or_else(|_| panic!("{} leads to {link}", path.display()));
            assert!(
                target.starts_with(report.out.canonicalize().expect("there")),
                "{link} leaves the report"
            );
            reached.insert(target);
        }
    }
    for path in &all {
        assert!(
            reached.contains(&path.canonicalize().expect("there")),
            "nothing leads to {}",
            path.display()
        );
    }
}

#[test]
fn hostile_text_stays_text() {
    let report = report();
    for path in pages(&report.out) {
        let page = fs::read_to_string(&path).expect("text");
        for forbidden in ["<script", "<img src=x", "onerror=alert(1)>", "javascript:", "\u{202e}"] {
            assert!(!page.contains(forbidden), "{} contains {forbidden}", path.display());
        }
        assert!(page.contains("default-src 'none'"), "{} has no policy", path.display());
    }
    let page = fs::read_to_string(report.out.join("attempts/say-yes/shop-cart-two/1.html")).expect("written");
    assert!(page.contains("&lt;script&gt;alert('x')&lt;/script&gt;"), "it is shown, not dropped");
}

#[test]
fn an_attempt_page_shows_what_the_verdict_rests_on() {
    let report = report();
    let page =
        fs::read_to_string(report.out.join("attempts/my-bot/shop-orders-page/1.html")).expect("written");
    let trajectory =
        report.run.attempt(&"my-bot/shop-orders-page/1".parse().expect("an id")).read().expect("readable");
    let (post, _) = trajectory.exchanges().find(|(_, e)| e.request.method == "POST").expect("one was made");
    assert!(page.contains(&format!("<tr id=\"e-{post}\" class=\"evidence\">")), "the request is highlighted");
    assert!(page.contains("Flagged by the gate"));
    assert!(page.contains("Target.createTarget file:///"));
    assert!(page.contains("a POST to /api/cart with quantity 2"));
    // 874,412 150×44 in a viewport of 1280×1024: the box as recorded, and its centre.
    assert!(page.contains("viewBox=\"0 0 1280 1024\""));
    assert!(page.contains("x=\"874.0\" y=\"412.0\" width=\"150.0\" height=\"44.0\""));
    assert!(page.contains("cx=\"949.0\" cy=\"434.0\""));
    for neighbour in ["oracle", "heuristic", "say-yes"] {
        assert!(page.contains(&format!("../../../attempts/{neighbour}/shop-orders-page/1.html")));
    }
}

#[test]
fn images_are_written_once_and_small_for_the_strip() {
    let report = report();
    let mut wanted = BTreeSet::new();
    for id in report.run.planned().expect("well-formed") {
        for event in report.run.attempt(&id).read().expect("readable").events {
            if let EventBody::Observed(observed) = event.body {
                wanted.extend(observed.screenshot.iter().map(|shot| shot.digest.to_string()));
            }
        }
    }
    let names = |folder: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(report.out.join(folder)).expect("a folder");
        entries.filter_map(|e| Some(e.ok()?.path().file_stem()?.to_str()?.to_owned())).collect()
    };
    assert_eq!(names("images"), wanted);
    assert_eq!(names("thumbs"), wanted);
    for digest in &wanted {
        let (width, height) =
            image::image_dimensions(report.out.join(format!("thumbs/{digest}.jpg"))).expect("a JPEG");
        assert_eq!((width, height), (240, 192), "1280×1024 at 240 wide");
    }
}

#[test]
fn a_damaged_screenshot_is_told_and_the_rest_is_shown() {
    let root = TempDir::new().expect("temp");
    let run = synthetic::write(root.path());
    let id = "oracle/shop-cart-two/1".parse().expect("an id");
    let trajectory = run.attempt(&id).read().expect("readable");
    let shot = trajectory.events.iter().find_map(|event| match &event.body {
        EventBody::Observed(observed) => observed.screenshot.clone(),
        _ => None,
    });
    let shot = shot.expect("one was made");
    let hex = shot.digest.as_str();
    fs::write(run.folder().join(format!("blobs/{}/{hex}", &hex[..2])), "no picture").expect("written");
    assert!(run.blobs().read(&shot).is_err());
    let out = root.path().join("report");
    write_html(&run, &out).expect("written");
    let page = fs::read_to_string(out.join("attempts/oracle/shop-cart-two/1.html")).expect("written");
    assert!(page.contains("The screenshot cannot be shown"));
    assert!(page.contains("a POST to /api/cart"));
}

#[test]
fn writing_again_makes_no_picture_anew_and_changes_nothing() {
    let report = report();
    let before = fs::read(report.out.join("index.html")).expect("written");
    let written = || -> BTreeMap<PathBuf, SystemTime> {
        ["images", "thumbs"]
            .iter()
            .flat_map(|folder| fs::read_dir(report.out.join(folder)).expect("a folder"))
            .map(|entry| {
                let entry = entry.expect("an entry");
                (entry.path(), entry.metadata().and_then(|found| found.modified()).expect("a time"))
            })
            .collect()
    };
    let pictures = written();
    assert!(pictures.len() > 1, "{pictures:?}");
    write_html(&report.run, &report.out).expect("written");
    assert_eq!(fs::read(report.out.join("index.html")).expect("written"), before);
    assert_eq!(written(), pictures);
    drop(report.root);
}
