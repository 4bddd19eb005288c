//! One format to its place.

use std::borrow::Cow;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use umpire_report::{Summary, csv, github_annotations, json, junit, markdown, page, parquet};
use umpire_stats::AttemptRow;
use umpire_store::Run;

use super::write_html;
use crate::args::ReportFormat;
use crate::failure::Failure;

/// GitHub refuses a step summary of more than a mebibyte as a whole.
const STEP_SUMMARY: usize = 1_000_000;

/// Where `--out` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Folder(PathBuf),
    File(PathBuf),
    Stdout,
}

impl Place {
    pub fn of(out: &Path, formats: &[ReportFormat]) -> Result<Self, Failure> {
        let alone = match formats {
            [ReportFormat::Html] => None,
            [one] => Some(one),
            _ => None,
        };
        if out == Path::new("-") {
            return alone.map(|_| Self::Stdout).ok_or_else(|| {
                Failure::new("standard output takes one format, and none that is a folder of pages")
            });
        }
        let is_file = alone.is_some() && out.extension().is_some() && !out.is_dir();
        Ok(if is_file { Self::File(out.to_owned()) } else { Self::Folder(out.to_owned()) })
    }

    fn file(&self, name: &str) -> Option<PathBuf> {
        match self {
            Self::Folder(folder) => Some(folder.join(name)),
            Self::File(file) => Some(file.clone()),
            Self::Stdout => None,
        }
    }
}

pub struct Report<'a> {
    pub run: &'a Run,
    pub summary: &'a Summary,
    pub rows: &'a [AttemptRow],
    /// Standard output belongs to a machine.
    pub quiet: bool,
}

impl Report<'_> {
    pub fn write(&self, format: ReportFormat, place: &Place) -> Result<(), Failure> {
        let (name, content): (&str, Cow<'_, [u8]>) = match format {
            ReportFormat::Html => return self.pages(place),
            ReportFormat::Github => return self.annotate(),
            ReportFormat::Page => ("report.html", page(self.summary, self.rows)?.into_bytes().into()),
            ReportFormat::Markdown => ("report.md", markdown(self.summary).into_bytes().into()),
            ReportFormat::Csv => ("attempts.csv", csv(self.summary, self.rows)?.into_bytes().into()),
            ReportFormat::Parquet => ("attempts.parquet", parquet(self.summary, self.rows)?.into()),
            ReportFormat::Junit => ("junit.xml", junit(self.summary).into_bytes().into()),
            ReportFormat::Json => ("summary.json", format!("{}\n", json(self.summary)).into_bytes().into()),
        };
        let Some(file) = place.file(name) else {
            // A reader who has seen enough is no reason to fail.
            let _ = std::io::stdout().write_all(&content);
            return Ok(());
        };
        let written = file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&file, &content));
        written.map_err(|error| {
            Failure::new(format!("{} could not be written: {error}", file.display()))
                .help("choose another place with --out")
        })?;
        self.say_place(&file);
        Ok(())
    }

    fn pages(&self, place: &Place) -> Result<(), Failure> {
        if let Place::Folder(folder) = place {
            let index = write_html(self.run, folder)?;
            self.say_place(&index);
        }
        Ok(())
    }

    fn say_place(&self, file: &Path) {
        if !self.quiet {
            say!("  Report {}", file.display());
        }
    }

    /// The runner reads annotations from either stream.
    fn annotate(&self) -> Result<(), Failure> {
        let annotations = github_annotations(self.summary);
        if self.quiet {
            eprint!("{annotations}");
        } else {
            let _ = std::io::stdout().write_all(annotations.as_bytes());
        }
        let Some(file) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|file| !file.is_empty()) else {
            return Ok(());
        };
        let text = markdown(self.summary);
        let appended = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&file)
            .and_then(|mut file| file.write_all(beginning(&text, STEP_SUMMARY).as_bytes()));
        appended.map_err(|error| {
            Failure::new(format!("the step's summary {} could not be written: {error}", file.display()))
        })
    }
}

/// Whole lines, as many as fit.
fn beginning(text: &str, bytes: usize) -> Cow<'_, str> {
    if text.len() <= bytes {
        return text.into();
    }
    let end = text.as_bytes()[..bytes].iter().rposition(|byte| *byte == b'\n').map_or(0, |place| place + 1);
    format!("{}\nThe rest has no room in a step's summary.\n", &text[..end]).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_format_may_be_a_file() {
        use ReportFormat::{Csv, Html, Junit};
        for (out, formats, wanted) in [
            ("report", &[Html][..], Some(Place::Folder("report".into()))),
            ("report.d", &[Html], Some(Place::Folder("report.d".into()))),
            ("out.csv", &[Csv], Some(Place::File("out.csv".into()))),
            ("out", &[Csv], Some(Place::Folder("out".into()))),
            ("out.csv", &[Csv, Junit], Some(Place::Folder("out.csv".into()))),
            ("-", &[Csv], Some(Place::Stdout)),
            ("-", &[Csv, Junit], None),
            ("-", &[Html], None),
        ] {
            assert_eq!(Place::of(Path::new(out), formats).ok(), wanted, "{out} {formats:?}");
        }
    }

    #[test]
    fn a_summary_ends_with_a_whole_line() {
        assert_eq!(beginning("a\nb\n", 10), "a\nb\n");
        assert!(beginning("äöü\nbbb\n", 9).starts_with("äöü\n\nThe rest"));
    }
}
