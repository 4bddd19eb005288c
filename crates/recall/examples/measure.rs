//! Our side of `cargo xtask bench recall`: search among a million vectors, and the index of a bank with the local model.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;
use serde_json::json;
use umpire_model::Random;
use umpire_recall::{Bank, Cut, Encoder, Entry, Flat, Hit, Index, Keys, Method, Vectors};

const DIMENSIONS: usize = 384;
const HITS: usize = 20;
const REPEATS: usize = 5;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result =
        match words.as_slice() {
            ["write", vectors, seed, file] => write(vectors, seed, file),
            ["search", vectors, queries] => search(vectors, queries),
            ["index", entries, model, file] => index(entries, model, file),
            _ => Err("usage: write VECTORS SEED FILE | search VECTORS QUERIES | index ENTRIES MODEL FILE"
                .to_owned()),
        };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// CPU time of this process, user and system.
fn cpu_ms() -> f64 {
    getrusage(UsageWho::RUSAGE_SELF).map_or(0.0, |usage| {
        (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64 / 1000.0
    })
}

/// Writes seeded vectors that both sides search among, as raw single floats.
fn write(vectors: &str, seed: &str, path: &str) -> Result<(), String> {
    let vectors: usize = vectors.parse().map_err(|_| "the number of vectors is no number")?;
    let mut random = Random::new(seed.parse().map_err(|_| "the seed is no number")?);
    let mut bytes = Vec::with_capacity(vectors * DIMENSIONS * 4);
    for _ in 0..vectors * DIMENSIONS {
        // Sums of uniform numbers: about as embeddings are spread, and the same on every machine.
        let bits = random.next_u64();
        let parts = [bits & 0xffff, bits >> 16 & 0xffff, bits >> 32 & 0xffff, bits >> 48];
        let value = parts.iter().sum::<u64>() as f32 / 65_535.0 - 2.0;
        bytes.extend(value.to_le_bytes());
    }
    std::fs::write(path, bytes).map_err(|error| format!("{path}: {error}"))
}

fn search(vectors: &str, queries: &str) -> Result<(), String> {
    let flat = Flat::new(read(vectors)?);
    let queries = read(queries)?;
    let first = Vectors::new(DIMENSIONS, queries.row(0).to_vec()).map_err(|error| error.to_string())?;
    let single = timed(|| flat.search_on(1, &first, HITS))?;
    let together = timed(|| flat.search_on(1, &queries, HITS))?;
    let on_two = timed(|| flat.search_on(2, &queries, HITS))?;
    println!(
        "{}",
        json!({
            "vectors": flat.vectors().len(), "queries": queries.len(),
            "single": single.figures(), "batch": together.figures(), "batch_on_two": on_two.figures(),
            "ids": together.hits.iter().map(|hits| hits.iter().map(|hit| hit.id).collect::<Vec<_>>()).collect::<Vec<_>>(),
        })
    );
    Ok(())
}

struct Timed {
    hits: Vec<Vec<Hit>>,
    cpu: Vec<f64>,
    wall: Vec<f64>,
}

impl Timed {
    fn figures(&self) -> serde_json::Value {
        let middle = |times: &[f64]| {
            let mut times = times.to_vec();
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        };
        json!({"cpu_ms": middle(&self.cpu), "wall_ms": middle(&self.wall)})
    }
}

fn timed<E: ToString>(mut search: impl FnMut() -> Result<Vec<Vec<Hit>>, E>) -> Result<Timed, String> {
    let mut found = Timed { hits: Vec::new(), cpu: Vec::new(), wall: Vec::new() };
    for _ in 0..REPEATS {
        let (cpu, wall) = (cpu_ms(), Instant::now());
        found.hits = search().map_err(|error| error.to_string())?;
        found.wall.push(wall.elapsed().as_secs_f64() * 1e3);
        found.cpu.push(cpu_ms() - cpu);
    }
    Ok(found)
}

fn read(path: &str) -> Result<Vectors, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let values = bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    Vectors::new(DIMENSIONS, values).map_err(|error| format!("{path}: {error}"))
}

/// Builds, saves and loads the index of a history of so many entries with the model of a folder.
fn index(entries: &str, model: &str, file: &str) -> Result<(), String> {
    let entries: usize = entries.parse().map_err(|_| "the number of entries is no number")?;
    let bank = history(entries);
    let file = Path::new(file);
    let opened = Instant::now();
    let encoder = Encoder::open(Path::new(model)).map_err(|error| error.to_string())?;
    let open_ms = opened.elapsed().as_secs_f64() * 1e3;
    let digest = encoder.weights_digest().to_string();
    let method = Method::Dense(Arc::new(encoder));
    let (cpu, wall) = (cpu_ms(), Instant::now());
    let built = Index::build(&bank, Keys::TypeObject, &method).map_err(|error| error.to_string())?;
    let (build_cpu_ms, build_ms) = (cpu_ms() - cpu, wall.elapsed().as_secs_f64() * 1e3);
    built.save(file).map_err(|error| error.to_string())?;
    let mut loads = Vec::new();
    for _ in 0..REPEATS {
        let started = Instant::now();
        let loaded =
            Index::load(file, &bank, Keys::TypeObject, &method).map_err(|error| error.to_string())?;
        loads.push(started.elapsed().as_secs_f64() * 1e3);
        let query = "where does this person buy milk";
        let hits = |index: &Index| index.search(query, Cut::default()).map_err(|error| error.to_string());
        if hits(&loaded)? != hits(&built)? {
            return Err(
                "the index that was loaded finds something else than the one that was saved".to_owned()
            );
        }
    }
    loads.sort_by(f64::total_cmp);
    println!(
        "{}",
        json!({
            "entries": entries, "weights": digest, "open_ms": open_ms,
            "build_ms": build_ms, "build_cpu_ms": build_cpu_ms, "load_ms": loads[REPEATS / 2],
        })
    );
    Ok(())
}

/// Entries as long as those of real histories.
fn history(entries: usize) -> Bank {
    const KINDS: [&str; 5] = ["web search", "web visit", "purchase", "booking", "review & rating"];
    const DEEDS: [&str; 6] = ["compared", "looked for", "read reviews of", "ordered", "saved", "asked about"];
    const THINGS: [&str; 8] = [
        "oat milk",
        "a laptop sleeve",
        "concert tickets",
        "a window seat",
        "running shoes",
        "a rental car",
        "a table for two",
        "noise-cancelling headphones",
    ];
    const WHICH: [&str; 6] = [
        "under $60",
        "with free returns",
        "near Alder Street",
        "for next Saturday",
        "4.5 stars or better",
        "in size 42",
    ];
    let mut random = Random::new(7);
    let mut pick = |words: &[&'static str]| random.pick(words).copied().unwrap_or_default();
    let entry = |place: usize| Entry {
        timestamp: format!("2025-{:02}-{:02} 12:00:00", place % 12 + 1, place % 28 + 1),
        kind: pick(&KINDS).to_owned(),
        object: format!("{} {}, {}, {}", pick(&DEEDS), pick(&THINGS), pick(&WHICH), place),
        website: "basketway.com".to_owned(),
    };
    Bank::new((0..entries).map(entry).collect())
}
