//! Writes the report of a made-up run, to look at: `cargo run -p umpire-report --example synthetic_report -- DIR`.

#[path = "../tests/synthetic/mod.rs"]
mod synthetic;

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out: PathBuf = std::env::args_os().nth(1).ok_or("name a folder to write to")?.into();
    let root = tempfile::tempdir()?;
    let run = synthetic::write(root.path());
    print!("{}", umpire_report::console_table(&umpire_report::summary(&run)?, true));
    let begun = std::time::Instant::now();
    let index = umpire_report::write_html(&run, &out)?;
    println!("{} in {} ms", index.display(), begun.elapsed().as_millis());
    let summary = umpire_report::summary(&run)?;
    let rows = umpire_report::rows(&run, &summary)?;
    std::fs::write(out.join("page.html"), umpire_report::page(&summary, &rows)?)?;
    std::fs::write(out.join("attempts.parquet"), umpire_report::parquet(&summary, &rows)?)?;
    std::fs::write(out.join("report.md"), umpire_report::markdown(&summary))?;
    Ok(())
}
