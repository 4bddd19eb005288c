//! The task files of WebSP-Eval as a suite, with the counts that its paper gives (`specs/websp-eval.md` §1).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use umpire_model::{Instance, Suite};
use umpire_stage::websp::{DatasetFiles, session_file, suite};

fn dataset() -> Option<PathBuf> {
    let shared = std::env::var_os("UMPIRE_SHARED").map(PathBuf::from);
    let shared = shared.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"));
    let dataset = shared.join("data/websp-eval");
    if !dataset.exists() {
        println!("no dataset in {}: nothing compared", dataset.display());
        return None;
    }
    Some(dataset)
}

fn files(dataset: &Path) -> DatasetFiles {
    let read = |name: &str| fs::read_to_string(dataset.join(name)).ok();
    DatasetFiles {
        with_navigation: read("tasks_with_navigation.jsonl").expect("task file"),
        without_navigation: read("tasks_without_navigation.jsonl").expect("task file"),
        categories: read("task_categorization.csv"),
        ui_elements: read("ground_truth_ui_elements.csv"),
        actions: read("ground_truth_actions.json"),
        logins: read("login_files.csv"),
    }
}

#[test]
fn the_suite_has_what_the_paper_counts() {
    let Some(dataset) = dataset() else { return };
    // Most traces are not here: one that was made up stands for them, so that the counts can be compared.
    let stand_in = r#"{"startUrl": "https://a.example/", "events": []}"#;
    let real = |path: &str| fs::read_to_string(dataset.join(path.strip_prefix("dataset/")?)).ok();
    let mut trace = |path: &str| real(path).or_else(|| Some(stand_in.to_owned()));
    let made = suite(&files(&dataset), &mut trace).expect("a suite");
    // 138 tasks make 200 instances: 62 twins, 2 with `on` alone, 74 with one state; each in two wordings.
    assert_eq!(made.tasks.len(), 138);
    let states: Vec<usize> = made.tasks.iter().map(|task| task.states.len()).collect();
    let twins = made.tasks.iter().filter(|task| task.states.contains_key("off")).count();
    assert_eq!((twins, states.iter().filter(|count| **count == 2).count()), (62, 62));
    let text: String =
        made.tasks.iter().map(|task| serde_json::to_string(task).expect("JSON") + "\n").collect();
    let toml = toml::to_string(&made.file).expect("TOML");
    let sessions: Vec<(PathBuf, String)> =
        made.sessions.iter().map(|(name, session)| (session_file(name).into(), session.write())).collect();
    let tasks = [("tasks.jsonl".into(), text)];
    let parsed = Suite::parse(Path::new("suite.toml"), &toml, &tasks, &sessions).expect("it fits together");
    let instances = parsed.instances();
    assert_eq!(instances.len(), 400);
    let plain: Vec<&Instance> = instances.iter().filter(|instance| !instance.with_hint).collect();
    assert_eq!(plain.len(), 200);
    // 148 instances are set by traces, 11 of them by two; 137 records need a login.
    let replays: Vec<usize> =
        plain.iter().map(|instance| instance.replay.len()).filter(|count| *count > 0).collect();
    assert_eq!((replays.len(), replays.iter().filter(|count| **count == 2).count()), (148, 11));
    assert_eq!(plain.iter().filter(|instance| instance.account.is_some()).count(), 137);
    assert_eq!((parsed.file.accounts.len(), plain.iter().filter(|i| i.extra_sessions == 5).count()), (18, 3));
    // 20 instances are to have no cookies, 6 are set by interfaces, of which one cannot be; nobody says how 2 histories come about.
    let ordered = plain.iter().filter(|instance| !instance.orders.is_empty());
    assert_eq!(ordered.clone().count(), 5);
    assert_eq!(ordered.map(|instance| instance.orders.len()).sum::<usize>(), 6);
    for said in ["20 instances begin without cookies", "5 instances are set by calls"] {
        assert!(made.notes.iter().any(|note| note.starts_with(said)), "{:#?}", made.notes);
    }
    let unset: Vec<&String> =
        made.notes.iter().filter(|note| note.starts_with("nobody can set these states")).collect();
    assert_eq!(unset.len(), 2, "{unset:#?}");
    assert!(unset.iter().any(|note| note.ends_with("HuggingFace_task-116")), "{unset:#?}");
    assert!(
        unset.iter().any(|note| note.ends_with("GoogleAdCenter_task-139, GoogleAdCenter_task-140")),
        "{unset:#?}"
    );
    // Categories as in the paper's table 5, by how many instances they have.
    let mut categories: BTreeMap<&str, usize> = BTreeMap::new();
    for instance in &plain {
        *categories.entry(&instance.category).or_default() += 1;
    }
    let mut counts: Vec<usize> = categories.values().copied().collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(counts, [51, 31, 24, 22, 22, 20, 19, 6, 5]);
    // Elements as in its table 6, each counted once an instance.
    let mut elements: BTreeMap<String, usize> = BTreeMap::new();
    for task in &made.tasks {
        let by_instance =
            task.origin.as_ref().expect("its origin")["ui_elements"].as_object().expect("a table").clone();
        for kind in by_instance.values().flat_map(|kinds| kinds.as_array().expect("a list").clone()) {
            *elements.entry(kind.as_str().expect("text").to_owned()).or_default() += 1;
        }
    }
    for (kind, count) in [
        ("Link", 172),
        ("Button", 111),
        ("Toggle", 98),
        ("Dropdown", 93),
        ("Option", 77),
        ("Icon", 52),
        ("Checkbox", 40),
        ("Radio Button", 20),
        ("Text Input", 14),
        ("Menu", 7),
    ] {
        assert_eq!(elements.get(kind), Some(&count), "{kind}");
    }
    // The wordings differ where the files differ, and only there.
    let both = plain.iter().filter(|plain| {
        instances
            .iter()
            .any(|other| other.id == format!("{}.nav", plain.id) || other.id == format!("{}@nav", plain.id))
    });
    assert_eq!(both.count(), 200);
    // 13 instances are worded otherwise in the categorization; 75 traces are named.
    assert!(made.notes.iter().any(|note| note.starts_with("13 instances")), "{:#?}", made.notes);
    assert_eq!(made.sessions.len(), 75);
    // Without stand-ins, states that nobody can set are undecidable, and said to be.
    let made = suite(&files(&dataset), &mut |path| real(path)).expect("a suite");
    let here = made.sessions.len();
    let said = format!("{} traces are not there", 75 - here);
    assert!(made.notes.iter().any(|note| note.starts_with(&said)), "{:#?}", made.notes);
    let unset =
        made.tasks.iter().flat_map(|task| task.states.values()).filter(|state| state.checks.is_some());
    assert!(unset.clone().count() > 0 && unset.clone().all(|state| state.replay.len() < 2));
    println!("{} tasks, {} instances, {here} sessions", made.tasks.len(), instances.len());
}

#[test]
fn bad_files_are_refused_with_their_line() {
    let files = |with: &str, without: &str| DatasetFiles {
        with_navigation: with.to_owned(),
        without_navigation: without.to_owned(),
        categories: None,
        ui_elements: None,
        actions: None,
        logins: None,
    };
    let line =
        r#"{"id": "A_task-1", "web": "http://a.example", "web_name": "A", "ques": "Do.", "login": false}"#;
    let refused = |files: &DatasetFiles| suite(files, &mut |_| None).err().expect("refused").to_string();
    let bad = refused(&files(&format!("{line}\n{{\"id\": 3}}\n"), line));
    assert!(bad.starts_with("tasks_with_navigation.jsonl:2: "), "{bad}");
    assert!(refused(&files(line, "")).contains("lacks `A_task-1`"));
    let made = suite(&files(line, line), &mut |_| None).expect("a suite");
    assert_eq!(made.tasks.len(), 1);
}
