//! A recorder that is killed loses nothing that was done before.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use umpire_stage::Session;

use crate::studio::Studio;

const BOX: &str = "<label><input type=checkbox id=box>Box</label>";

/// Clicks for ever and says how many clicks are on the disk. Started by the other test, and killed by it.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "the other test starts this one"]
async fn clicks_without_end() {
    let studio = Studio::open(&[("http://a.localhost/", BOX)]).await;
    println!("\nFOLDER {}", studio.out.path().display());
    for count in 1.. {
        studio.click("#box").await;
        studio.steps(count).await;
        println!("\nSTEPS {count}");
    }
}

#[test]
fn what_was_done_before_a_kill_is_there() {
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "record_kill::clicks_without_end", "--ignored", "--nocapture"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let mut folder = None;
    for line in BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok) {
        if let Some(path) = line.strip_prefix("FOLDER ") {
            folder = Some(PathBuf::from(path));
        }
        if line == "STEPS 3" {
            child.kill().expect("killed");
            break;
        }
    }
    child.wait().expect("gone");
    let folder = folder.expect("it recorded");
    let text = std::fs::read_to_string(folder.join("test.session.json")).expect("a file");
    let session = Session::read(&text).expect("a whole session");
    assert!(session.steps.len() >= 3, "{} steps", session.steps.len());
    for step in session.steps.iter().take(3) {
        let picture = step.screenshot.as_ref().expect("a picture");
        let content = std::fs::read(folder.join(picture)).expect("a file");
        assert!(content.starts_with(&[0xff, 0xd8]) && content.ends_with(&[0xff, 0xd9]), "a whole JPEG");
    }
    std::fs::remove_dir_all(folder).expect("cleared");
}
