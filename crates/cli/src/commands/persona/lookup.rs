use std::sync::Arc;

use serde_json::json;
use umpire_llm::Gateway;
use umpire_recall::{Bank, Cut, Hit, Index, Keys};

use crate::args::{HistoryArgs, IndexArgs, RetrieveArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::grid::count;
use crate::histories::method;

pub fn index(args: &IndexArgs, gateway: &Arc<Gateway>, as_json: bool) -> Result<Exit, Failure> {
    let bank = Bank::read(&args.history).map_err(|error| Failure::new(error.to_string()))?;
    let index = built(&bank, &args.how, gateway)?;
    index.save(&args.out).map_err(|error| Failure::new(error.to_string()))?;
    let entries = bank.entries().len();
    if as_json {
        say!("{}", json!({ "entries": entries, "history": bank.digest(), "out": args.out }));
    } else {
        say!("{} entries in {}", count(entries), args.out.display());
    }
    Ok(Exit::Ok)
}

pub fn retrieve(args: &RetrieveArgs, gateway: &Arc<Gateway>, as_json: bool) -> Result<Exit, Failure> {
    let bank = Bank::read(&args.history).map_err(|error| Failure::new(error.to_string()))?;
    let index = match &args.index {
        None => built(&bank, &args.how, gateway)?,
        Some(file) => Index::load(file, &bank, keys(&args.how)?, &method(&args.how, gateway)?)
            .map_err(|error| Failure::new(error.to_string()).help("`umpire persona index` makes it anew"))?,
    };
    let cut = Cut { most: args.how.history_most, least: args.how.history_threshold };
    let hits = index.search(&args.query, cut).map_err(|error| Failure::new(error.to_string()))?;
    let entry = |hit: &Hit| bank.entries().get(hit.id).cloned().unwrap_or_default();
    if as_json {
        let found: Vec<_> =
            hits.iter().map(|hit| json!({ "id": hit.id, "score": hit.score, "entry": entry(hit) })).collect();
        say!("{}", json!({ "query": args.query, "hits": found }));
    } else if hits.is_empty() {
        say!("nothing in the history is like that");
    } else {
        for hit in &hits {
            let entry = entry(hit);
            say!(
                "{:>5}  {:.3}  {}  {:<15}  {}  {}",
                hit.id,
                hit.score,
                entry.timestamp,
                entry.kind,
                entry.object,
                entry.website
            );
        }
    }
    Ok(Exit::Ok)
}

fn keys(how: &HistoryArgs) -> Result<Keys, Failure> {
    how.history_keys.parse().map_err(Failure::new)
}

fn built(bank: &Bank, how: &HistoryArgs, gateway: &Arc<Gateway>) -> Result<Index, Failure> {
    Index::build(bank, keys(how)?, &method(how, gateway)?).map_err(|error| Failure::new(error.to_string()))
}
