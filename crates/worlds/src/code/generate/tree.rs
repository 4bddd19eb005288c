//! The files of a project and what stands in them. Texts are made when somebody looks.

use umpire_model::Random;

use crate::code::vocabulary::{Language, ProjectWords};
use crate::kit::text::choose;

/// Paths of all files, sorted.
pub fn files(words: &ProjectWords) -> Vec<String> {
    let mut files: Vec<String> =
        ["README.md", "LICENSE", "CONTRIBUTING.md", "CHANGELOG.md", ".ci/pipeline.yml", "docs/index.md"]
            .map(str::to_owned)
            .into();
    let (manifest, entry) = match words.language {
        Language::Rust => ("Cargo.toml", "src/main.rs"),
        Language::Python => ("pyproject.toml", "src/__main__.py"),
        Language::TypeScript => ("package.json", "src/index.ts"),
        Language::Go => ("go.mod", "main.go"),
    };
    files.extend([manifest.to_owned(), entry.to_owned()]);
    for (at, part) in words.parts.iter().enumerate() {
        let name = snake(part);
        files.push(match words.language {
            Language::Rust => format!("src/{name}.rs"),
            Language::Python => format!("src/{name}.py"),
            Language::TypeScript => format!("src/{name}.ts"),
            Language::Go => format!("internal/{name}.go"),
        });
        if at % 2 == 0 {
            files.push(match words.language {
                Language::Rust => format!("tests/{name}.rs"),
                Language::Python => format!("tests/test_{name}.py"),
                Language::TypeScript => format!("tests/{name}.test.ts"),
                Language::Go => format!("internal/{name}_test.go"),
            });
        }
        if at % 3 == 0 {
            files.push(format!("docs/{}.md", name.replace('_', "-")));
        }
    }
    files.sort();
    files
}

/// The version a project's manifest and change log speak of: same project, same seed, same version.
pub fn version(seed: u64, words: &ProjectWords) -> String {
    let mut random = Random::stream(seed, &format!("code version {}/{}", words.namespace, words.slug));
    format!("1.9.{}", random.between(11, 48))
}

pub fn text(seed: u64, words: &ProjectWords, file: &str) -> String {
    let mut random = Random::stream(seed, &format!("code file {}/{}/{file}", words.namespace, words.slug));
    let name = words.slug;
    let part = words.parts.iter().find(|part| {
        let snake = snake(part);
        file.contains(&snake) || file.contains(&snake.replace('_', "-"))
    });
    match (file, part) {
        ("README.md", _) => readme(seed, words, &mut random),
        ("LICENSE", _) => licence(&mut random),
        ("CONTRIBUTING.md", _) => format!(
            "# Contributing to {name}\n\nOpen an issue before you write more than fifty lines.\nBranches are named \
             after what they change, and every change needs a test.\nReviews take up to {} days; ask again after \
             that.\n",
            random.between(11, 19)
        ),
        ("CHANGELOG.md", _) => changelog(seed, words, &mut random),
        (".ci/pipeline.yml", _) => {
            format!(
                "stages: [check, test, package]\ntimeout: {} minutes\ncache: build\n",
                random.between(11, 58)
            )
        }
        (_, Some(part)) if file.starts_with("docs/") => format!(
            "# The {part}\n\nThe {part} is one of the six parts of {name}. It holds at most {} entries and gives \
             up after {} seconds.\n\n## Configuration\n\nSet `limit` and `timeout` in the configuration file.\n",
            random.between(64, 960),
            random.between(11, 90)
        ),
        (_, Some(part)) => source(words.language, part, &mut random),
        _ => manifest_or_entry(seed, words, file),
    }
}

fn snake(part: &str) -> String {
    part.to_lowercase().replace([' ', '-'], "_")
}

fn readme(seed: u64, words: &ProjectWords, random: &mut Random) -> String {
    let parts = words.parts.join("\n- ");
    format!(
        "# {}\n\n{}\n\n## What is in it\n\n- {parts}\n\n## Getting started\n\nClone the repository and follow \
         `docs/index.md`. The current release is {}.\nThe server listens on port {} unless told otherwise.\n",
        words.slug,
        words.about,
        version(seed, words),
        random.between(3100, 9800)
    )
}

fn licence(random: &mut Random) -> String {
    const LICENCES: &[&str] =
        &["MIT License", "Apache License 2.0", "GNU General Public License v3", "ISC License"];
    format!(
        "{}\n\nCopyright (c) {} the authors, as listed on the contributors page.\n",
        choose(random, LICENCES),
        random.between(2019, 2024)
    )
}

fn changelog(seed: u64, words: &ProjectWords, random: &mut Random) -> String {
    let entry =
        |random: &mut Random| format!("- Better {}\n- Faster {}\n", part(words, random), part(words, random));
    format!("# Changes\n\n## {}\n\n{}\n## 1.8.2\n\n{}", version(seed, words), entry(random), entry(random))
}

fn part(words: &ProjectWords, random: &mut Random) -> &'static str {
    choose(random, &words.parts)
}

fn manifest_or_entry(seed: u64, words: &ProjectWords, file: &str) -> String {
    let (name, version) = (words.slug, version(seed, words));
    match file {
        "Cargo.toml" => {
            format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2024\"\n")
        }
        "pyproject.toml" => format!("[project]\nname = \"{name}\"\nversion = \"{version}\"\n"),
        "package.json" => format!("{{\n  \"name\": \"{name}\",\n  \"version\": \"{version}\"\n}}\n"),
        "go.mod" => format!("module code.localhost/{}/{name}\n\ngo 1.24\n", words.namespace),
        "docs/index.md" => {
            format!(
                "# Handbook of {name}\n\n{}\n\nStart with the chapter on the {}.\n",
                words.about, words.parts[0]
            )
        }
        _ => match words.language {
            Language::Rust => format!("fn main() {{\n    {}::run();\n}}\n", snake(words.parts[0])),
            Language::Python => format!("from {} import run\n\nrun()\n", snake(words.parts[0])),
            Language::TypeScript => {
                format!("import {{ run }} from \"./{}\";\n\nrun();\n", snake(words.parts[0]))
            }
            Language::Go => "package main\n\nfunc main() {\n\trun()\n}\n".to_owned(),
        },
    }
}

fn source(language: Language, part: &str, random: &mut Random) -> String {
    let (limit, seconds, retries) =
        (random.between(128, 4096), random.between(11, 95), random.between(12, 40));
    let name = snake(part);
    match language {
        Language::Rust => format!(
            "//! The {part}.\n\nconst LIMIT: usize = {limit};\nconst TIMEOUT_SECONDS: u64 = {seconds};\n\n\
             pub fn run() {{\n    for attempt in 0..{retries} {{\n        if step(attempt, LIMIT) {{\n            \
             return;\n        }}\n    }}\n}}\n\nfn step(attempt: usize, limit: usize) -> bool {{\n    attempt < limit\n}}\n"
        ),
        Language::Python => format!(
            "\"\"\"The {part}.\"\"\"\n\nLIMIT = {limit}\nTIMEOUT_SECONDS = {seconds}\n\n\ndef run():\n    for attempt \
             in range({retries}):\n        if step(attempt):\n            return attempt\n\n\ndef step(attempt):\n    \
             return attempt < LIMIT\n"
        ),
        Language::TypeScript => format!(
            "// The {part}.\n\nconst limit = {limit};\nconst timeoutSeconds = {seconds};\n\nexport function run(): \
             number {{\n  for (let attempt = 0; attempt < {retries}; attempt++) {{\n    if (step(attempt)) return \
             attempt;\n  }}\n  return timeoutSeconds;\n}}\n\nfunction step(attempt: number): boolean {{\n  return \
             attempt < limit;\n}}\n"
        ),
        Language::Go => format!(
            "// Package {name} is the {part}.\npackage {name}\n\nconst Limit = {limit}\nconst TimeoutSeconds = \
             {seconds}\n\nfunc Run() int {{\n\tfor attempt := 0; attempt < {retries}; attempt++ {{\n\t\tif attempt < \
             Limit {{\n\t\t\treturn attempt\n\t\t}}\n\t}}\n\treturn TimeoutSeconds\n}}\n"
        ),
    }
}
