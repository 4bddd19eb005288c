//! What we write opens in the readers others released: Inspect's, browser-use's, and any GIF decoder.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use umpire_exchange::ExportFormat;
use umpire_model::AttemptId;

use crate::support::{exported, skipped, write};
use crate::synthetic;

/// A Python with a released package in it, or `None` with a notice.
fn python(environment: &str) -> Option<PathBuf> {
    let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.join("target"), PathBuf::from);
    let program = target.join("clients").join(environment).join("bin/python3");
    if program.exists() {
        return Some(program);
    }
    skipped(&format!("{} is not there; cargo xtask test installs it", program.display()));
    None
}

fn ask(program: &Path, script: &str, arguments: &[&Path]) -> Value {
    let answer = Command::new(program).arg("-c").arg(script).args(arguments).output().expect("Python runs");
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    let said = String::from_utf8_lossy(&answer.stdout);
    serde_json::from_str(said.lines().last().unwrap_or_default())
        .unwrap_or_else(|error| panic!("{error}: {said}"))
}

#[test]
fn inspect_reads_our_log() {
    let Some(program) = python("readers") else { return };
    let place = tempfile::tempdir().expect("a folder");
    let run = synthetic::write(&place.path().join("runs"));
    let out = place.path().join("logs");
    let done = exported(ExportFormat::Inspect, &run, None, &out);
    assert!(done.left_out.is_empty());
    let script = r#"
import json, sys
from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries, resolve_sample_attachments
log = read_eval_log(sys.argv[1])
header = read_eval_log(sys.argv[1], header_only=True)
summaries = read_eval_log_sample_summaries(sys.argv[1])
by_id = {sample.id: sample for sample in log.samples}
cart = resolve_sample_attachments(by_id["shop-cart-two"], "full")
images = [part.image for message in cart.messages if isinstance(message.content, list)
          for part in message.content if part.type == "image"]
print(json.dumps({
    "status": header.status, "samples": len(log.samples), "summaries": len(summaries), "model": log.eval.model,
    "accuracy": log.results.scores[0].metrics["accuracy"].value,
    "scores": {sample.id: sample.scores["umpire"].value for sample in log.samples if sample.scores},
    "errors": {sample.id: sample.error.message for sample in log.samples if sample.error},
    "roles": [message.role for message in cart.messages],
    "calls": [call.arguments["action"] for message in cart.messages for call in (getattr(message, "tool_calls", None) or [])],
    "images": len(images), "first": images[0][:23], "answer": cart.output.completion,
}))
"#;
    let told = ask(&program, script, &[&out.join("oracle.eval")]);
    // Of the oracle's twelve made-up attempts eleven passed and one was lost by the harness.
    assert_eq!(
        (&told["status"], &told["samples"], &told["summaries"]),
        (&"success".into(), &12.into(), &12.into())
    );
    assert_eq!(told["accuracy"].as_f64(), Some(11.0 / 12.0));
    assert_eq!(told["scores"].as_object().map(serde_json::Map::len), Some(11));
    assert_eq!(told["errors"].as_object().map(serde_json::Map::len), Some(1));
    assert_eq!((&told["images"], &told["first"]), (&4.into(), &"data:image/jpeg;base64,".into()));
    assert_eq!(told["calls"][2], "click button \"Add to cart\"");
    let story =
        run.attempt(&AttemptId::new("oracle", "shop-cart-two", 1).expect("a name")).read().expect("read");
    assert_eq!(told["answer"].as_str(), story.response().map(|(_, answer)| answer));

    // A timeout is a limit, and an attempt that never ended is not in the log.
    let script = r#"
import json, sys
from inspect_ai.log import read_eval_log
log = read_eval_log(sys.argv[1])
print(json.dumps({sample.id: [sample.scores["umpire"].value if sample.scores else None,
                              sample.limit.type if sample.limit else None] for sample in log.samples}))
"#;
    let told = ask(&program, script, &[&out.join("heuristic.eval")]);
    let values: Vec<&Value> = told.as_object().expect("samples").values().collect();
    assert!(values.contains(&&serde_json::json!(["I", "time"])), "{told}");
    assert!(values.contains(&&serde_json::json!(["C", null])), "{told}");
}

#[test]
fn browser_use_reads_the_history_we_read() {
    let Some(program) = python("venv-browser-use") else { return };
    let place = tempfile::tempdir().expect("a folder");
    let file = place.path().join("agent_history.json");
    write(&file, include_str!("../../../examples/trajectories/browser-use/lamp/agent_history.json"));
    let script = r#"
import json, sys
from pathlib import Path
from browser_use.agent.views import AgentHistoryList, AgentOutput
from browser_use.tools.service import Tools
model = AgentOutput.type_with_custom_actions(Tools().registry.create_action_model())
history = AgentHistoryList.load_from_file(Path(sys.argv[1]), model)
print(json.dumps({"answer": history.final_result(), "done": history.is_done(), "steps": len(history.history),
                  "actions": history.action_names(), "errors": [error for error in history.errors() if error]}))
"#;
    let told = ask(&program, script, &[&file]);
    assert_eq!(told["answer"], "The cheapest desk lamp costs $19.99.");
    assert_eq!((&told["done"], &told["steps"]), (&true.into(), &3.into()));
    assert_eq!(told["errors"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_film_shows_every_step_between_two_cards() {
    let place = tempfile::tempdir().expect("a folder");
    let run = synthetic::write(&place.path().join("runs"));
    let id = AttemptId::new("heuristic", "shop-cart-two", 1).expect("a name");
    let file = place.path().join("film.gif");
    exported(ExportFormat::Gif, &run, Some(&id), &file);
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(File::open(&file).expect("written")).expect("a GIF");
    // The pictures are 640 × 512; the bar below takes 38 more.
    assert_eq!((decoder.width(), decoder.height()), (640, 550));
    let mut delays = Vec::new();
    let mut marked = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        delays.push(frame.delay);
        // The box around the button the third step clicked: at (437, 206) in the picture, in red as it failed.
        let pixel = ((206 * 640) + 437 + 20) * 4;
        let [red, green] = [frame.buffer[pixel], frame.buffer[pixel + 1]];
        marked.push(red > 150 && green < 120);
    }
    assert_eq!(delays, [250, 150, 150, 150, 150, 250]);
    assert_eq!(marked, [false, false, false, true, false, false]);
}
