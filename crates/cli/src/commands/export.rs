//! `umpire export`: a run, or one attempt of it, in a format that others open.

use serde_json::json;
use umpire_exchange::{Export, ExportFormat, StillEncoder, export as export_run};
use umpire_model::AttemptId;
use umpire_store::Run;

use super::film_encoder::FilmEncoder;
use crate::args::{ExportRunArgs, Global};
use crate::exit::Exit;
use crate::failure::Failure;

pub async fn export(
    args: &ExportRunArgs,
    run: &Run,
    attempt: Option<&AttemptId>,
    global: &Global,
) -> Result<Exit, Failure> {
    let encoder = match args.format {
        ExportFormat::Webm => Some(FilmEncoder::start(global).await?),
        _ => None,
    };
    let exported = export_run(&Export {
        format: args.format,
        run,
        attempt,
        out: &args.out,
        encoder: encoder.as_ref().map(|encoder| encoder as &dyn StillEncoder),
    });
    if let Some(encoder) = encoder {
        encoder.stop().await;
    }
    let exported = exported?;
    if global.json {
        let written: Vec<_> =
            exported.written.iter().map(|(id, path)| json!({"attempt": id, "path": path})).collect();
        let left_out: Vec<_> =
            exported.left_out.iter().map(|(id, why)| json!({"attempt": id, "problem": why})).collect();
        say!("{}", json!({"written": written, "left_out": left_out}));
    } else {
        say!("{} attempts written to {}", exported.written.len(), args.out.display());
        for (id, why) in &exported.left_out {
            say!("    left out {id}: {why}");
        }
    }
    Ok(match (exported.written.is_empty(), exported.left_out.is_empty()) {
        (true, _) => Exit::NothingRan,
        (false, false) => Exit::BadInput,
        (false, true) => Exit::Ok,
    })
}
