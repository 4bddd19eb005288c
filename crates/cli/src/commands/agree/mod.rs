//! `umpire agree`: how far verdicts agree with people's labels, and what that means for success rates.
//!
//! Files come in as tables, are brought together by attempt, and counted; the card that results is printed or written as
//! JSON. All estimators are in `umpire_stats::agreement`.

mod attempts;
mod card;
mod columns;
mod correction;
mod difficulty;
mod figures;
mod opinion;
mod panel;
mod policy;
mod run_tables;
mod scores;
mod show;

use umpire_stats::Bootstrap;
use umpire_store::Run;

use crate::args::AgreeArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::table::Table;
use attempts::{Condition, filter, gather};
use card::{Request, card};
use columns::Columns;
use policy::Policies;

pub fn agree(args: &AgreeArgs, run: Option<&Run>, as_json: bool) -> Result<Exit, Failure> {
    let conditions: Vec<Condition> =
        args.conditions.iter().map(|text| Condition::parse(text)).collect::<Result<_, _>>()?;
    if let Some(file) = &args.scores {
        let mut table = Table::read(file)?;
        filter(&mut [&mut table], &conditions)?;
        return scores::scores(args, &table, as_json);
    }
    let mut labels = match (args.labels.as_ref().or(args.file.as_ref()), run) {
        (Some(file), _) => Table::read(file)?,
        (None, Some(run)) => run_tables::labels(run)?,
        (None, None) => {
            return Err(
                Failure::new("no labels are named").help("--labels FILE, or --run RUN if it has labels")
            );
        }
    };
    let mut judgments = match (args.judgments.as_ref().or(args.file.as_ref()), run) {
        (Some(file), _) => Some(Table::read(file)?),
        (None, Some(run)) => Some(run_tables::verdicts(run)?),
        (None, None) => None,
    };
    let mut further: Vec<Table> =
        args.second.iter().map(|file| Table::read(file)).collect::<Result<_, _>>()?;
    let mut filtered: Vec<&mut Table> =
        [Some(&mut labels), judgments.as_mut()].into_iter().flatten().chain(&mut further).collect();
    filter(&mut filtered, &conditions)?;

    let columns = Columns::find(&labels, judgments.as_ref(), &args.columns, &args.by)?;
    let gathered = gather(&labels, judgments.as_ref(), &further, &columns, &args.columns)?;
    let card = card(
        &gathered,
        Request {
            labels: labels.file,
            judgments: judgments.map(|table| table.file),
            columns: &columns,
            policies: Policies::from(args),
            bootstrap: Bootstrap { draws: args.draws, seed: args.seed },
        },
    )?;
    if as_json {
        let text = serde_json::to_string(&card)
            .map_err(|error| Failure::new(format!("the card could not be written: {error}")))?;
        say!("{text}");
    } else {
        say!("{}", show::show(&card).trim_end());
    }
    Ok(Exit::Ok)
}
