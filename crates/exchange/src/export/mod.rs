//! Runs and attempts as files that others can open.

mod story;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use image::RgbImage;
use umpire_model::{AttemptId, Instance, Trajectory};
use umpire_store::{Run, Status};

pub(crate) use self::story::{Did, Story, StoryAct, StoryStep};
use crate::{ExportError, UnknownFormat, film, inspect, online_mind2web, playwright, webarena_verified};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    OnlineMind2Web,
    WebArenaVerified,
    Har,
    PlaywrightTrace,
    Inspect,
    Gif,
    Webm,
}

/// What to export, and where to.
pub struct Export<'a> {
    pub format: ExportFormat,
    pub run: &'a Run,
    /// One attempt; all finished ones if none is named.
    pub attempt: Option<&'a AttemptId>,
    pub out: &'a Path,
    /// Who compresses the pictures of a WebM film; nobody else is asked to.
    pub encoder: Option<&'a dyn StillEncoder>,
}

/// Makes lossy WebP images, whose frames a WebM film is made of.
pub trait StillEncoder {
    fn webp(&self, picture: &RgbImage) -> Result<Vec<u8>, String>;
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Exported {
    /// Attempts with the folder or file each is in.
    pub written: Vec<(AttemptId, PathBuf)>,
    /// Attempts the format cannot hold, and why.
    pub left_out: Vec<(AttemptId, String)>,
}

/// One attempt on its way out.
pub(crate) struct Outgoing<'a> {
    pub run: &'a Run,
    pub id: &'a AttemptId,
    pub instance: &'a Instance,
    pub trajectory: &'a Trajectory,
}

/// Why one attempt cannot be written: because of what it is, or because nothing can.
pub(crate) enum Refusal {
    Unfit(String),
    Failed(ExportError),
}

impl From<ExportError> for Refusal {
    fn from(error: ExportError) -> Self {
        Self::Failed(error)
    }
}

impl ExportFormat {
    pub const ALL: [Self; 7] = [
        Self::OnlineMind2Web,
        Self::WebArenaVerified,
        Self::Har,
        Self::PlaywrightTrace,
        Self::Inspect,
        Self::Gif,
        Self::Webm,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::OnlineMind2Web => "online-mind2web",
            Self::WebArenaVerified => "webarena-verified",
            Self::Har => "har",
            Self::PlaywrightTrace => "playwright-trace",
            Self::Inspect => "inspect",
            Self::Gif => "gif",
            Self::Webm => "webm",
        }
    }

    /// Ending of the file an attempt becomes; none if it becomes a folder.
    fn extension(self) -> Option<&'static str> {
        match self {
            Self::OnlineMind2Web | Self::WebArenaVerified => None,
            Self::Har => Some("har"),
            Self::PlaywrightTrace => Some("zip"),
            Self::Inspect => Some("eval"),
            Self::Gif => Some("gif"),
            Self::Webm => Some("webm"),
        }
    }
}

impl FromStr for ExportFormat {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| UnknownFormat {
            name: name.to_owned(),
            known: Self::ALL.map(Self::name).join(", "),
        })
    }
}

pub fn export(request: &Export<'_>) -> Result<Exported, ExportError> {
    let run = request.run;
    let chosen = chosen(request)?;
    let instances: BTreeMap<String, Instance> =
        run.expectations()?.into_iter().map(|instance| (instance.id.clone(), instance)).collect();
    let layout = Layout::of(request, &chosen)?;
    if request.format == ExportFormat::Inspect {
        return logs(run, chosen, &instances, &layout);
    }
    let mut exported = Exported::default();
    for id in chosen {
        let Some(instance) = instances.get(&id.instance) else {
            exported.left_out.push((id, "the run does not list its instance".to_owned()));
            continue;
        };
        let trajectory = run.attempt(&id).read()?;
        let place = layout.place(&id);
        let outgoing = Outgoing { run, id: &id, instance, trajectory: &trajectory };
        let written = match request.format {
            ExportFormat::OnlineMind2Web => online_mind2web::write(&outgoing, &place),
            ExportFormat::WebArenaVerified => webarena_verified::write(&outgoing, &place),
            ExportFormat::Har => write_har(&outgoing, &place).map_err(Refusal::from),
            ExportFormat::PlaywrightTrace => playwright::write(&outgoing, &place),
            ExportFormat::Gif => film::write_gif(&outgoing, &place).map_err(Refusal::from),
            ExportFormat::Webm => film::write_webm(&outgoing, &place, request.encoder).map_err(Refusal::from),
            // One log holds all attempts of an agent; they are written above.
            ExportFormat::Inspect => continue,
        };
        match written {
            Ok(()) => exported.written.push((id, place)),
            Err(Refusal::Unfit(why)) => exported.left_out.push((id, why)),
            Err(Refusal::Failed(error)) => return Err(error),
        }
    }
    Ok(exported)
}

/// Inspect's logs: one per agent, with all its attempts in it.
fn logs(
    run: &Run,
    chosen: Vec<AttemptId>,
    instances: &BTreeMap<String, Instance>,
    layout: &Layout<'_>,
) -> Result<Exported, ExportError> {
    let mut by_agent: BTreeMap<&str, Vec<&AttemptId>> = BTreeMap::new();
    for id in &chosen {
        by_agent.entry(&id.agent).or_default().push(id);
    }
    let mut places = BTreeMap::new();
    for (agent, attempts) in by_agent {
        let place = layout.log_of(agent);
        inspect::write(run, &attempts, instances, &place)?;
        places.insert(agent.to_owned(), place);
    }
    let place = |id: AttemptId| {
        let place = places.get(&id.agent).cloned().unwrap_or_default();
        (id, place)
    };
    Ok(Exported { written: chosen.into_iter().map(place).collect(), left_out: Vec::new() })
}

/// The finished attempts that were asked for.
fn chosen(request: &Export<'_>) -> Result<Vec<AttemptId>, ExportError> {
    let mut chosen = Vec::new();
    for id in request.run.planned()? {
        let is_wanted = request.attempt.is_none_or(|wanted| *wanted == id);
        if is_wanted && matches!(request.run.attempt(&id).status()?, Status::Ended { .. }) {
            chosen.push(id);
        }
    }
    if chosen.is_empty() { Err(ExportError::Nothing) } else { Ok(chosen) }
}

/// Where attempts go. A single attempt that becomes a file is the file the user named.
struct Layout<'a> {
    out: &'a Path,
    extension: Option<&'static str>,
    is_one_file: bool,
    /// Folders between, where the run has several agents or trials.
    by_agent: bool,
    by_trial: bool,
}

impl<'a> Layout<'a> {
    fn of(request: &Export<'a>, chosen: &[AttemptId]) -> Result<Self, ExportError> {
        let extension = request.format.extension();
        let out = request.out;
        let by_agent = chosen.iter().any(|id| chosen.first().is_some_and(|first| first.agent != id.agent));
        let is_log = request.format == ExportFormat::Inspect && !by_agent;
        let is_one_file = extension.is_some() && (request.attempt.is_some() || is_log);
        let is_taken = if is_one_file {
            out.exists()
        } else {
            out.exists() && fs::read_dir(out).map_err(ExportError::write(out))?.next().is_some()
        };
        if is_taken {
            return Err(ExportError::Exists(out.to_owned()));
        }
        Ok(Self { out, extension, is_one_file, by_agent, by_trial: chosen.iter().any(|id| id.trial != 1) })
    }

    /// Where the log of all attempts of an agent goes.
    fn log_of(&self, agent: &str) -> PathBuf {
        if self.is_one_file { self.out.to_owned() } else { self.out.join(format!("{agent}.eval")) }
    }

    fn place(&self, id: &AttemptId) -> PathBuf {
        if self.is_one_file {
            return self.out.to_owned();
        }
        let mut place = self.out.to_owned();
        if self.by_agent {
            place.push(&id.agent);
        }
        if self.by_trial {
            place.push(format!("trial-{}", id.trial));
        }
        place.push(match self.extension {
            Some(extension) => format!("{}.{extension}", id.instance),
            None => id.instance.clone(),
        });
        place
    }
}

fn write_har(outgoing: &Outgoing<'_>, file: &Path) -> Result<(), ExportError> {
    let har = umpire_report::har(outgoing.trajectory, &outgoing.run.blobs());
    write_file(file, har.to_string().as_bytes())
}

/// Writes a file and the folders it is in.
pub(crate) fn write_file(file: &Path, content: &[u8]) -> Result<(), ExportError> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(ExportError::write(folder))?;
    }
    fs::write(file, content).map_err(ExportError::write(file))
}
