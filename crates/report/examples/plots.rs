//! Draws every plot with made-up numbers, to look at: `cargo run -p umpire-report --example plots -- DIR`.

#[path = "../tests/drawings/mod.rs"]
mod drawings;

use std::fs;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out: PathBuf = std::env::args_os().nth(1).ok_or("name a folder to write to")?.into();
    fs::create_dir_all(&out)?;
    for (name, plot) in drawings::all(20) {
        fs::write(out.join(format!("{name}.svg")), plot)?;
    }
    Ok(())
}
