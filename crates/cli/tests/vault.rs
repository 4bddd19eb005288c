//! Secrets go in by standard input and come out only when asked for aloud; recordings become sessions.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::support::{Ran, folder, run, umpire};

const CANARY: &str = "CANARY-s3cret & so on";

fn vault(folder: &Path, passphrase: &str, arguments: &[&str], input: &str) -> Ran {
    let mut command = umpire(folder);
    command.arg("vault").args(arguments).env("UMPIRE_VAULT_PASSPHRASE", passphrase);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("umpire starts");
    let mut stdin = child.stdin.take().expect("its input");
    // A command that reads nothing closes its end first.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    Ran::of(&child.wait_with_output().expect("umpire ends"))
}

#[test]
fn a_secret_is_kept_named_and_revealed_only_on_demand() {
    let dir = folder();
    let dir = dir.path();
    assert_eq!(vault(dir, "p", &["init"], "").code, Some(0));
    let set = vault(dir, "p", &["set", "accounts/shop/password"], &format!("{CANARY}\n"));
    assert_eq!(set.code, Some(0), "{}", set.stderr);
    let list = vault(dir, "p", &["list"], "");
    assert_eq!(list.stdout, "accounts/shop/password\n");
    let get = vault(dir, "p", &["get", "accounts/shop/password"], "");
    assert_eq!(get.stdout, "accounts/shop/password is there; --reveal prints it\n");
    let revealed = vault(dir, "p", &["get", "accounts/shop/password", "--reveal"], "");
    assert_eq!(revealed.stdout, format!("{CANARY}\n"));
    for ran in [&set, &list, &get] {
        assert!(!ran.stdout.contains("CANARY") && !ran.stderr.contains("CANARY"));
    }
    assert_eq!(vault(dir, "p", &["remove", "accounts/shop/password"], "").code, Some(0));
    assert_eq!(vault(dir, "p", &["get", "accounts/shop/password"], "").code, Some(1));
}

#[test]
fn what_goes_wrong_is_said_with_what_to_do() {
    let dir = folder();
    let dir = dir.path();
    let missing = vault(dir, "p", &["list"], "");
    assert!(missing.code == Some(1) && missing.stderr.contains("umpire vault init"), "{}", missing.stderr);
    assert_eq!(vault(dir, "p", &["init"], "").code, Some(0));
    let wrong = vault(dir, "q", &["list"], "");
    assert!(wrong.code == Some(1) && wrong.stderr.contains("the passphrase is wrong"), "{}", wrong.stderr);
    let again = vault(dir, "p", &["init"], "");
    assert!(again.code == Some(1) && again.stderr.contains("exists already"), "{}", again.stderr);
    let nothing = vault(dir, "p", &["set", "a/b"], "\n");
    assert!(nothing.stderr.contains("nothing came in"), "{}", nothing.stderr);
    let name = vault(dir, "p", &["set", "a b"], "x");
    assert!(name.stderr.contains("no name of a secret"), "{}", name.stderr);
    // A value on the command line would be in every process list.
    assert_eq!(vault(dir, "p", &["set", "a/b", "value"], "").code, Some(1));
    // Without a passphrase and a terminal there is nobody to ask.
    let mut unattended = umpire(dir);
    let output = unattended.args(["vault", "list"]).stdin(Stdio::null()).output().expect("umpire starts");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn an_identity_file_is_made_where_there_is_none() {
    let dir = folder();
    let dir = dir.path();
    fs::write(dir.join("umpire.toml"), "[vault]\nfile = \"v\"\nidentity = \"id.txt\"\n").expect("written");
    let made = run(dir, &["vault", "init"]);
    assert!(made.code == Some(0) && made.stdout.contains("new identity"), "{}{}", made.stdout, made.stderr);
    assert_eq!(vault(dir, "", &["set", "a/b"], "1").code, Some(0));
    assert_eq!(run(dir, &["--json", "vault", "list"]).stdout, "[\"a/b\"]\n");
}

#[test]
fn a_recording_becomes_a_session_that_can_be_listed() {
    let dir = folder();
    let dir = dir.path();
    let recording = r##"{"title": "Turn ads off", "steps": [
        {"type": "navigate", "url": "http://hub.localhost/ads"},
        {"type": "click", "selectors": [["aria/Ads[role=\"switch\"]"], ["#ads"]], "offsetX": 1, "offsetY": 1}]}"##;
    fs::write(dir.join("r.json"), recording).expect("written");
    let imported = run(dir, &["sessions", "import", "r.json"]);
    assert_eq!(imported.code, Some(0), "{}", imported.stderr);
    assert!(
        imported.stdout.starts_with("r.json: 1 steps in sessions/Turn-ads-off.session.json\n"),
        "{}",
        imported.stdout
    );
    assert!(imported.stdout.contains("`offsetX`"), "{}", imported.stdout);
    let shown = run(dir, &["sessions", "show", "sessions/Turn-ads-off.session.json"]);
    assert!(shown.stdout.contains("1  state  click      switch “Ads”"), "{}", shown.stdout);
    // The same again changes nothing; another recording of that name is not written over.
    assert_eq!(run(dir, &["sessions", "import", "r.json"]).code, Some(0));
    fs::write(dir.join("r.json"), recording.replace("#ads", "#other")).expect("written");
    let refused = run(dir, &["sessions", "import", "r.json"]);
    assert!(refused.code == Some(1) && refused.stderr.contains("is there already"), "{}", refused.stderr);
    fs::write(dir.join("bad.json"), "{\n\"title\": ,}").expect("written");
    let bad = run(dir, &["sessions", "import", "bad.json"]);
    assert!(bad.code == Some(1) && bad.stderr.contains("bad.json:2: "), "{}", bad.stderr);
}
