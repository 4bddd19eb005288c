//! What Umpire writes for WebArena Verified, read by the released evaluator.
//!
//! First every recorded attempt of the shared vectors is taken in as a run and written out again: the evaluator has to say
//! of the copy what it says of the original. Then Umpire itself runs three tasks of a shop, rightly and nearly so, and
//! the evaluator has to agree with Umpire's own verdicts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::bench_rules::{ensure_peer, read, write, write_attempts};
use crate::setup::{Done, cargo, ensure_chromium, root, run, target_dir};

/// Verdicts by task; `success`, `failure` or `error`, as the evaluator calls them.
type Verdicts = BTreeMap<String, String>;

pub fn webarena_export() -> Done {
    ensure_chromium()?;
    run(cargo().args(["build", "--quiet", "--package", "umpire"]))?;
    let peer = ensure_peer()?;
    let folder = target_dir().join("webarena-export");
    let _ = fs::remove_dir_all(&folder);
    let copied = of_recorded_attempts(&folder.join("recorded"), &peer)?;
    let ran = of_a_run(&folder.join("run"), &peer)?;
    if copied + ran > 0 { Err(format!("{} verdicts differ", copied + ran)) } else { Ok(()) }
}

/// Prints and counts the differences between two evaluations.
fn differences(title: &str, here: &Verdicts, there: &Verdicts) -> usize {
    let mut differing = 0;
    for (task, verdict) in here {
        let other = there.get(task).map_or("nothing", String::as_str);
        if verdict != other {
            differing += 1;
            println!("  {task}: {verdict}, and the other says {other}");
        }
    }
    let passed = here.values().filter(|verdict| *verdict == "success").count();
    println!("{title}: {} compared, {passed} of them passed, {differing} differ", here.len());
    differing
}

fn of_recorded_attempts(folder: &Path, peer: &Path) -> Result<usize, String> {
    let shared = std::env::var_os("UMPIRE_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from);
    let vectors = shared.join("vectors/webarena-verified");
    let tasks = shared.join("data/webarena-verified/webarena-verified.json");
    if !vectors.is_dir() || !tasks.is_file() {
        println!("{} is not there, so no recorded attempts are compared", shared.display());
        return Ok(0);
    }
    let count = write_attempts(&vectors, folder)?;
    let (config, attempts, again) =
        (folder.join("config.json"), folder.join("attempts"), folder.join("again"));
    run(umpire(folder)
        .args(["suite", "import"])
        .arg(&tasks)
        .arg("--sites")
        .arg(&config)
        .args(["--out", "suite"]))?;
    // What cannot be read or written is named there, and missed in the comparison.
    let _ = umpire(folder)
        .args(["import", "webarena-verified", "attempts", "--suite", "suite", "--agent", "recorded"])
        .status();
    let _ =
        umpire(folder).args(["export", "webarena-verified", "webarena-verified", "--out", "again"]).status();
    let mut original = released_verdicts(peer, &attempts, &config)?;
    let secret = looking_at_cookies(&tasks)?;
    original.retain(|task, _| !secret.contains(task));
    println!(
        "{} tasks look at the value of a cookie, which is never written, and are left out",
        secret.len()
    );
    let copy = released_verdicts(peer, &again, &config)?;
    println!("{count} recorded attempts");
    Ok(differences("original and copy, by the released evaluator", &original, &copy))
}

/// Numbers of the tasks that want a cookie to have a value.
fn looking_at_cookies(tasks: &Path) -> Result<BTreeSet<String>, String> {
    let tasks: Vec<Value> = serde_json::from_str(&read(tasks)?).map_err(|error| error.to_string())?;
    let looking = tasks.iter().filter(|task| task["eval"].to_string().contains("\"response_cookies\""));
    Ok(looking.map(|task| task["task_id"].to_string()).collect())
}

/// The sites of a run that other harnesses could use as well; they end with this.
struct Shop(Child);

impl Drop for Shop {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn of_a_run(folder: &Path, peer: &Path) -> Result<usize, String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut serve = umpire(folder);
    serve.args(["--json", "worlds", "serve", "--port", "0", "--sites", "shop"]).stdout(Stdio::piped());
    let mut shop = Shop(serve.spawn().map_err(|error| format!("umpire worlds: {error}"))?);
    let mut line = String::new();
    let stdout = shop.0.stdout.take().ok_or("the shop has no output")?;
    BufReader::new(stdout).read_line(&mut line).map_err(|error| error.to_string())?;
    let told: Value = serde_json::from_str(&line).map_err(|_| format!("the shop said {line}"))?;
    let address = told["sites"]["shop"][0].as_str().ok_or("the shop has no address")?.trim_end_matches('/');

    let tasks = root().join("xtask/webarena/tasks.json");
    let config = folder.join("config.json");
    let environments = json!({ "__SHOPPING__": { "urls": [address] } });
    let known = folder.join("tasks.json");
    write(&known, &among_the_released(&read(&tasks)?, peer)?)?;
    write(&config, &json!({ "environments": environments, "test_data_file": known }).to_string())?;
    let agents: String = ["right", "nearly"].iter().map(|how| agent(how)).collect();
    write(&folder.join("umpire.toml"), &agents)?;
    run(umpire(folder)
        .args(["suite", "import"])
        .arg(&tasks)
        .arg("--sites")
        .arg(&config)
        .args(["--out", "suite"]))?;
    let mut go = umpire(folder);
    go.args(["run", "--suite", "suite", "--agent", "right,nearly", "--json", "--jobs", "1"])
        .stderr(Stdio::inherit());
    let output = go.output().map_err(|error| format!("umpire run: {error}"))?;
    let mut ours: BTreeMap<String, Verdicts> = BTreeMap::new();
    for event in
        String::from_utf8_lossy(&output.stdout).lines().filter_map(|line| serde_json::from_str(line).ok())
    {
        let event: Value = event;
        let attempt: Vec<&str> = event["attempt"].as_str().unwrap_or_default().split('/').collect();
        if let ("finished", [agent, task, _]) =
            (event["event"].as_str().unwrap_or_default(), attempt.as_slice())
        {
            let verdict = if event["outcome"] == "pass" { "success" } else { "failure" };
            ours.entry((*agent).to_owned()).or_default().insert((*task).to_owned(), verdict.to_owned());
        }
    }
    if ours.values().map(BTreeMap::len).sum::<usize>() != 6 {
        return Err(format!("six attempts were expected: {}", String::from_utf8_lossy(&output.stdout)));
    }
    let run_id = only_entry(&folder.join("runs"))?;
    run(umpire(folder).args(["export", "webarena-verified", &run_id, "--out", "out"]))?;
    let mut differing = 0;
    for (agent, verdicts) in &ours {
        let theirs = released_verdicts(peer, &folder.join("out").join(agent), &config)?;
        differing += differences(
            &format!("Umpire's verdicts and the released evaluator's, agent {agent}"),
            verdicts,
            &theirs,
        );
    }
    Ok(differing)
}

/// The evaluator takes no file with fewer tasks than its own has, so ours stand in the place of those with their numbers.
fn among_the_released(ours: &str, peer: &Path) -> Result<String, String> {
    let parsed = |text: &str| serde_json::from_str::<Vec<Value>>(text).map_err(|error| error.to_string());
    let asked = "from webarena_verified.utils import get_package_assets_path as path; print(path() / 'dataset/webarena-verified.json')";
    let told = Command::new(peer.join("bin/python")).args(["-c", asked]).output();
    let told = told.map_err(|error| format!("the evaluator's Python: {error}"))?;
    let mut all = parsed(&read(Path::new(String::from_utf8_lossy(&told.stdout).trim()))?)?;
    for task in parsed(ours)? {
        let place = all.iter_mut().find(|known| known["task_id"] == task["task_id"]);
        let place = place.ok_or_else(|| format!("there is no task {} to replace", task["task_id"]))?;
        *place = task;
    }
    Ok(Value::from(all).to_string())
}

fn agent(how: &str) -> String {
    let script = root().join("xtask/webarena/agent.py").display().to_string();
    format!(
        "[agents.{how}]\nkind = \"command\"\ninterface = \"steps\"\ncommand = [\"python3\", {script:?}, \"{how}\"]\n"
    )
}

fn umpire(folder: &Path) -> Command {
    let mut command = Command::new(target_dir().join("debug/umpire"));
    command.current_dir(folder);
    command
}

fn only_entry(folder: &Path) -> Result<String, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    match names.as_slice() {
        [only] => Ok(only.clone()),
        _ => Err(format!("one run was expected in {}: {names:?}", folder.display())),
    }
}

/// Lets the released evaluator judge a folder of attempts.
fn released_verdicts(peer: &Path, attempts: &Path, config: &Path) -> Result<Verdicts, String> {
    let mut evaluate = Command::new(peer.join("bin/webarena-verified"));
    evaluate.args(["eval-tasks", "--output-dir"]).arg(attempts).arg("--config").arg(config);
    let output = evaluate.output().map_err(|error| format!("{evaluate:?}: {error}"))?;
    let mut verdicts = Verdicts::new();
    let entries = fs::read_dir(attempts).map_err(|error| format!("{}: {error}", attempts.display()))?;
    for entry in entries.flatten() {
        let file = entry.path().join("eval_result.json");
        let (Ok(task), true) = (entry.file_name().into_string(), file.is_file()) else { continue };
        let result: Value = serde_json::from_str(&read(&file)?).map_err(|error| error.to_string())?;
        verdicts.insert(task, result["status"].as_str().unwrap_or("no status").to_owned());
    }
    if verdicts.is_empty() {
        return Err(format!("{evaluate:?} judged nothing: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(verdicts)
}
