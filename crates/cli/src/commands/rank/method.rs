//! How to rank, once the arguments are known to fit together.

use std::collections::BTreeMap;

use serde::Serialize;
use umpire_stats::ratings::{Anchor, Models};

use super::ranking::Notice;
use crate::args::{IntervalsBy, RankArgs, RatingMethod, TiesAs};
use crate::failure::Failure;

#[derive(Debug, Serialize)]
pub struct Method {
    #[serde(rename = "method")]
    pub rating: RatingMethod,
    pub ties: TiesAs,
    pub intervals: Option<IntervalsBy>,
    #[serde(skip)]
    pub rounds: usize,
    #[serde(skip)]
    pub seed: u64,
    anchor: Option<NamedAnchor>,
    pub reweight: bool,
    pub style: Vec<String>,
    #[serde(skip)]
    pub matrix: bool,
}

#[derive(Debug, Serialize)]
struct NamedAnchor {
    model: String,
    rating: f64,
}

impl Method {
    pub fn of(args: &RankArgs) -> Result<Self, Failure> {
        let is_elo = args.method == RatingMethod::Elo;
        let intervals = args.intervals.or_else(|| (!is_elo).then_some(IntervalsBy::Sandwich));
        let by_formula = intervals == Some(IntervalsBy::Sandwich);
        if is_elo && by_formula {
            return Err(Failure::new("Elo has no likelihood, so there is no sandwich at its maximum")
                .help("--intervals bootstrap, or --method mle"));
        }
        if is_elo && (args.reweight || !args.style.is_empty()) {
            return Err(Failure::new("--reweight and --style need a likelihood, which Elo has not")
                .help("leave out --method elo"));
        }
        if !by_formula && (args.reweight || !args.style.is_empty()) {
            return Err(Failure::new("with --reweight or --style intervals are found by formula only")
                .help("leave out --intervals bootstrap"));
        }
        if intervals == Some(IntervalsBy::Bootstrap) && args.rounds < 2 {
            return Err(Failure::new("an interval needs at least 2 rounds").help("--rounds 1000 is usual"));
        }
        Ok(Self {
            rating: args.method,
            ties: args.ties,
            intervals,
            rounds: args.rounds,
            seed: args.seed,
            anchor: args.anchor.as_deref().map(anchor).transpose()?,
            reweight: args.reweight,
            style: args.style.clone(),
            matrix: args.matrix,
        })
    }

    pub fn anchor(&self, models: &Models) -> Option<Anchor> {
        let anchor = self.anchor.as_ref()?;
        Some(Anchor { model: models.id(&anchor.model)?, rating: anchor.rating })
    }

    /// A group may lack the anchor: then its mean is 1000, and the reader must know.
    pub fn absent_anchor(&self, models: &Models) -> Option<Notice> {
        let anchor = self.anchor.as_ref().filter(|anchor| models.id(&anchor.model).is_none())?;
        Some(Notice {
            kind: "no-anchor",
            message: format!("`{}` is in no battle, so nothing is anchored: the mean is 1000", anchor.model),
            models: BTreeMap::new(),
        })
    }
}

/// `MODEL=RATING`; a name may itself contain `=`.
fn anchor(text: &str) -> Result<NamedAnchor, Failure> {
    let named = text.rsplit_once('=').and_then(|(model, rating)| {
        let rating = rating.trim().parse::<f64>().ok().filter(|rating| rating.is_finite())?;
        (!model.is_empty()).then(|| NamedAnchor { model: model.to_owned(), rating })
    });
    named.ok_or_else(|| {
        Failure::new(format!("--anchor {text}: not a model and its rating")).help("--anchor MODEL=1000")
    })
}
