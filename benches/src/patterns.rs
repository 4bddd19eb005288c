//! Patterns and texts made to be slow, on every engine a pattern can run on: what the slowest of them costs.

use serde_json::json;
use umpire_rules::{BacktrackingPattern, LinearPattern, PatternFlags};
use umpire_webarena::python::Pattern;

use crate::cpu_ms;

/// Way of compiling and applying a pattern, as strict or reference evaluation does.
type Engine = (&'static str, fn(&str, &str) -> Option<bool>);

const IGNORING_CASE: PatternFlags = PatternFlags { ignore_case: true, dot_matches_newline: true };

const ENGINES: [Engine; 3] = [
    ("automata", |pattern, text| Some(LinearPattern::compile(pattern, IGNORING_CASE).ok()?.is_match(text))),
    ("backtracking", |pattern, text| {
        Some(BacktrackingPattern::compile(pattern, IGNORING_CASE).ok()?.is_match(text))
    }),
    ("reference", |pattern, text| Some(Pattern::matching_whole(pattern, IGNORING_CASE).ok()?.is_match(text))),
];

/// Prints the slowest compilation and match of every engine.
pub fn measure() -> Result<(), String> {
    let texts = texts();
    let mut slowest = Vec::new();
    for (engine, apply) in ENGINES {
        let (mut worst, mut tried) = ((0.0, String::new()), 0);
        for (name, pattern) in patterns() {
            for (text_name, text) in &texts {
                let before = cpu_ms();
                tried += usize::from(apply(&pattern, text).is_some());
                let took = cpu_ms() - before;
                if took > worst.0 {
                    worst = (took, format!("{name} on {text_name}"));
                }
            }
        }
        if tried == 0 {
            return Err(format!("{engine} could not read a single pattern"));
        }
        slowest.push(json!({"engine": engine, "matches": tried, "ms": worst.0, "input": worst.1}));
    }
    println!("{}", json!({"slowest": slowest}));
    Ok(())
}

/// By name, as some are too long to print.
fn patterns() -> Vec<(String, String)> {
    let many = |pieces: usize| (0..pieces).map(|piece| format!("a{piece}b")).collect::<Vec<_>>().join("|");
    let written = [
        "^(.+)+@$",
        "^(a+)+$",
        "^(a|aa)+b$",
        "^(a*)*b$",
        "^((a+)+)+((b+)+)+$",
        "^(.*)*(.*)*(.*)*x$",
        r"^(\w+\s?)*!$",
        r"^([a-zA-Z0-9]+\.?)*@$",
        r"^a[ab]{200}c$",
        r"^.*a.{300}b.*$",
        r"^.*[^a]\w{20}\b.*$",
        r"^\w{2000}$",
        r"^((\w{50}){50}){50}$",
        r"^(a{1,99}){1,99}$",
        r"^(?=.*x)(?=.*y)(?=.*z).*$",
        r"^(?!.*x.*y).*z$",
        r"^(a+)+\1b$",
        r"^(.*)*\1@$",
        r"^(.*)(.*)(.*)\1\2\3x$",
        r"^(?=(.*)*x)(?=.*(.*)*y)z$",
        r"^(?<!a)(a|a)*(?=b)$",
        r"^(?:a?){500}a{500}$",
    ]
    .map(|pattern| (pattern.to_owned(), pattern.to_owned()));
    let made = [
        ("500 nested groups", format!("^{}a{}$", "(".repeat(500), ")+".repeat(500))),
        ("200 nested groups", format!("^{}a{}$", "(?:".repeat(200), ")+".repeat(200))),
        ("300 alternatives", format!("^(?:{})*$", many(250))),
        ("10,000 alternatives", format!("^(?:{})*$", many(10_000))),
        ("500 classes", format!("^{}$", r"[\w]".repeat(500))),
        ("100 ranges", format!("^{}$", "[\u{80}-\u{10ffff}]".repeat(100))),
        ("500 dots", format!("^{}$", ".*".repeat(500))),
        ("a megabyte", format!("^{}$", "a".repeat(1 << 20))),
        ("100 looks ahead", format!("^{}.*$", "(?=.*a)".repeat(100))),
        ("100 references", format!("^(.*){}$", r"\1".repeat(100))),
    ];
    written.into_iter().chain(made.map(|(name, pattern)| (name.to_owned(), pattern))).collect()
}

fn texts() -> Vec<(String, String)> {
    let mut texts = vec![("nothing".to_owned(), String::new())];
    for length in [30, 200, 2_000, 20_000, 200_000, 1 << 20, 4 << 20, 16 << 20] {
        let mixed = (0..length as u32).map(|at| if at.count_ones() % 2 == 0 { 'a' } else { 'b' });
        texts.push((format!("{length} a"), "a".repeat(length)));
        texts.push((format!("{length} a and b"), mixed.collect()));
        texts.push((format!("{length} bytes of é"), "é".repeat(length / 2)));
    }
    texts
}
