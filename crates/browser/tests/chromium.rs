//! Launching, watching and ending a real Chromium.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::json;
use umpire_browser::chromium::{Chromium, LaunchError, LaunchOptions};
use umpire_model::Deadline;

fn soon() -> Deadline {
    Deadline::after(Duration::from_mins(1))
}

/// Living processes of a group; renderers are in the group of the process that started them.
fn members(group: i32) -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").expect("/proc");
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
        .filter(|pid| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
            fields.first().is_some_and(|state| *state != "Z")
                && fields.get(2) == Some(&group.to_string().as_str())
        })
        .collect()
}

async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let give_up = Instant::now() + Duration::from_mins(1);
    while !holds() {
        assert!(Instant::now() < give_up, "{what} did not come true");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn closing_leaves_no_process_and_no_profile() {
    let mut chromium = Chromium::launch(&LaunchOptions::default(), soon()).await.expect("launched");
    assert!(chromium.version().contains("Chrome/"), "{}", chromium.version());
    assert!(chromium.is_alive());
    let (group, profile) = (chromium.pid(), chromium.profile().to_owned());
    assert!(members(group).len() > 2, "browser, zygotes and renderers are one group");
    chromium.close().await;
    until("all processes are gone", || members(group).is_empty()).await;
    assert!(!profile.exists());
}

#[tokio::test]
async fn dropping_leaves_no_process_and_no_profile() {
    let chromium = Chromium::launch(&LaunchOptions::default(), soon()).await.expect("launched");
    let (group, profile) = (chromium.pid(), chromium.profile().to_owned());
    drop(chromium);
    until("all processes are gone", || members(group).is_empty()).await;
    until("the profile is gone", || !profile.exists()).await;
}

#[tokio::test]
async fn a_crashed_browser_is_noticed() {
    let mut chromium = Chromium::launch(&LaunchOptions::default(), soon()).await.expect("launched");
    let answer = chromium.connection().root().run("Browser.crash", json!({}), soon()).await;
    assert!(answer.is_err());
    until("death is seen", || !chromium.is_alive()).await;
}

#[tokio::test]
async fn a_program_that_is_no_browser_is_reported_with_its_words() {
    let temp = tempfile::tempdir().expect("temp dir");
    let fake = temp.path().join("fake");
    std::fs::write(
        &fake,
        "#!/bin/sh\necho 'error while loading shared libraries: libnss3.so' >&2\nexit 127\n",
    )
    .expect("written");
    let mut mode = std::fs::metadata(&fake).expect("there").permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
    std::fs::set_permissions(&fake, mode).expect("executable");
    let options = LaunchOptions { chromium: Some(fake), ..LaunchOptions::default() };
    let error = Chromium::launch(&options, soon()).await.err().expect("no browser");
    assert!(error.to_string().contains("libnss3.so"), "{error}");
    let nowhere = LaunchOptions { chromium: Some(PathBuf::from("/nowhere")), ..LaunchOptions::default() };
    assert!(matches!(Chromium::launch(&nowhere, soon()).await.err(), Some(LaunchError::NotFound(_))));
}
