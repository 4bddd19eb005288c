//! Where the vectors of texts come from: a model in this process, or one behind the gateway.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use umpire_llm::{Asker, Caller, Gateway};
use umpire_model::{Deadline, Digest, Unrecorded};
use umpire_recall::{Embed, EmbedError, Encoder, Vectors};

use crate::failure::Failure;

/// Texts in one request; what providers take at least.
const BATCH: usize = 96;
/// For all the texts of a history: an attempt waits for it, and other attempts wait for that one.
const PATIENCE: Duration = Duration::from_mins(5);

/// An embedding model that is there.
pub enum Embedder {
    Here(Arc<Encoder>),
    Behind { gateway: Arc<Gateway>, name: String, identity: Digest, runtime: Handle },
}

impl Embedder {
    /// The model in a folder, or else the one of `[models]` that is called so. Where money is limited, its price has to be
    /// known.
    pub fn find(named: &str, gateway: &Arc<Gateway>, in_money: bool) -> Result<Self, Failure> {
        let folder = Path::new(named);
        if folder.is_dir() {
            let encoder = Encoder::open(folder).map_err(|error| Failure::new(error.to_string()))?;
            return Ok(Self::Here(Arc::new(encoder)));
        }
        gateway.check(named, in_money).map_err(|error| {
            Failure::new(format!("`{named}` is no folder, and {error}"))
                .help("--embedder takes a folder of all-MiniLM-L6-v2 or a model of umpire.toml")
        })?;
        Ok(Self::Behind {
            gateway: Arc::clone(gateway),
            name: named.to_owned(),
            identity: Digest::of(format!("{:?}", gateway.spec(named)).as_bytes()),
            runtime: Handle::current(),
        })
    }

    /// The same, asked on behalf of somebody who pays for it and keeps the record, as far as it costs anything.
    pub fn on_behalf_of(&self, caller: Caller) -> Result<Arc<dyn Embed>, String> {
        Ok(match self {
            Self::Here(encoder) => Arc::<Encoder>::clone(encoder),
            Self::Behind { gateway, name, identity, runtime } => {
                let asker = gateway.asker(name, caller).map_err(|error| error.to_string())?;
                Arc::new(Elsewhere { asker, identity: identity.clone(), runtime: runtime.clone() })
            }
        })
    }
}

/// For a command that is no run, and so has neither a budget nor a record.
pub fn embedder(named: &str, gateway: &Arc<Gateway>) -> Result<Arc<dyn Embed>, Failure> {
    let nobody = Caller::new("embedder", Vec::new(), Arc::new(Unrecorded));
    Embedder::find(named, gateway, false)?.on_behalf_of(nobody).map_err(Failure::new)
}

/// A model that is asked over the network. Whoever embeds waits for it, on a thread that may wait.
struct Elsewhere {
    asker: Asker,
    identity: Digest,
    runtime: Handle,
}

impl Embed for Elsewhere {
    fn identity(&self) -> Digest {
        self.identity.clone()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vectors, EmbedError> {
        in_batches(texts, Deadline::after(PATIENCE), |batch, deadline| {
            let asking = self.asker.embed(batch, deadline);
            tokio::task::block_in_place(|| self.runtime.block_on(asking)).map_err(|error| error.to_string())
        })
        .map_err(EmbedError)
    }
}

/// Vectors of all texts by one deadline, as many at a time as providers take.
fn in_batches(
    texts: &[&str],
    deadline: Deadline,
    ask: impl Fn(&[&str], Deadline) -> Result<Vec<Vec<f32>>, String>,
) -> Result<Vectors, String> {
    let mut values = Vec::new();
    let mut dimensions = 0;
    for batch in texts.chunks(BATCH) {
        for vector in ask(batch, deadline)? {
            if dimensions == 0 {
                dimensions = vector.len();
            }
            if vector.len() != dimensions {
                return Err(format!("vectors of {dimensions} and of {} numbers", vector.len()));
            }
            values.extend(vector);
        }
    }
    Vectors::new(dimensions.max(1), values).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn a_long_history_has_no_more_time_than_a_short_one() {
        let (texts, deadline) = (vec!["oat milk"; 2 * BATCH + 8], Deadline::after(PATIENCE));
        let asked = RefCell::new(Vec::new());
        let vectors = in_batches(&texts, deadline, |batch, deadline| {
            asked.borrow_mut().push((batch.len(), deadline));
            Ok(vec![vec![1.0, 0.0]; batch.len()])
        });
        assert_eq!(vectors.map(|vectors| vectors.row(2 * BATCH + 7).to_vec()), Ok(vec![1.0, 0.0]));
        assert_eq!(asked.into_inner(), [(BATCH, deadline), (BATCH, deadline), (8, deadline)]);
        let uneven = in_batches(&texts, deadline, |batch, _| Ok(vec![vec![1.0; batch.len()]]));
        assert_eq!(uneven.map(|_| ()), Err("vectors of 96 and of 8 numbers".to_owned()));
    }
}
