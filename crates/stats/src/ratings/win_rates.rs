use super::Pairs;

/// What votes with an unknown label count as in win rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownLabels {
    /// Nothing, as ties.
    LeftOut,
    /// A battle that neither side won: how Chatbot Arena's scripts count them.
    NobodyWon,
}

/// Who beats whom how often, ties left out. What never happened is `None`, never 0.
#[derive(Clone, Debug, PartialEq)]
pub struct WinRates {
    models: usize,
    wins: Vec<f64>,
    battles: Vec<f64>,
}

impl WinRates {
    pub fn of(pairs: &Pairs, unknown: UnknownLabels) -> Self {
        let models = pairs.models;
        let mut rates =
            Self { models, wins: vec![0.0; models * models], battles: vec![0.0; models * models] };
        let extra = |count: f64| if unknown == UnknownLabels::NobodyWon { count } else { 0.0 };
        for pair in &pairs.pairs {
            let (first, second) = (pair.first as usize, pair.second as usize);
            let battles = pair.first_wins + pair.second_wins + extra(pair.unknown);
            rates.wins[first * models + second] = pair.first_wins;
            rates.wins[second * models + first] = pair.second_wins;
            rates.battles[first * models + second] = battles;
            rates.battles[second * models + first] = battles;
        }
        for own in &pairs.self_play {
            // Either side's win is the model's own win and its own loss.
            let at = own.model as usize * (models + 1);
            rates.wins[at] = own.decided;
            rates.battles[at] = 2.0 * (own.decided + extra(own.unknown));
        }
        rates
    }

    /// The share of decided battles that `row` won against `column`.
    pub fn fraction(&self, row: usize, column: usize) -> Option<f64> {
        let battles = self.battles(row, column);
        (battles > 0.0).then(|| self.wins[row * self.models + column] / battles)
    }

    /// Decided battles of two models; those of a model against itself count for both sides.
    pub fn battles(&self, row: usize, column: usize) -> f64 {
        self.battles[row * self.models + column]
    }

    /// The mean over opponents, however often they met: the chance to beat one drawn at random.
    pub fn average(&self, model: usize) -> Option<f64> {
        self.average_against(model, 0..self.models)
    }

    /// The same over some opponents, as in a table that shows only those.
    pub fn average_against(&self, model: usize, opponents: impl IntoIterator<Item = usize>) -> Option<f64> {
        let fractions: Vec<f64> =
            opponents.into_iter().filter_map(|other| self.fraction(model, other)).collect();
        (!fractions.is_empty()).then(|| fractions.iter().sum::<f64>() / fractions.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Battles, Winner};
    use super::*;

    #[test]
    fn a_model_seen_on_one_side_only_has_its_rates() {
        let battles: Battles = [
            ("solo", "p", Winner::A),
            ("solo", "p", Winner::A),
            ("solo", "p", Winner::B),
            ("solo", "q", Winner::A),
            ("p", "q", Winner::Tie),
            ("p", "p", Winner::A),
            ("solo", "q", Winner::Unknown),
        ]
        .into_iter()
        .collect();
        let pairs = Pairs::count(&battles);
        let rates = WinRates::of(&pairs, UnknownLabels::LeftOut);
        assert_eq!(rates.fraction(0, 1), Some(2.0 / 3.0));
        assert_eq!(rates.fraction(2, 0), Some(0.0));
        assert_eq!(rates.fraction(1, 2), None, "only tied");
        assert_eq!((rates.fraction(1, 1), rates.battles(1, 1)), (Some(0.5), 2.0));
        let average = rates.average(0).expect("opponents");
        assert!((average - 5.0 / 6.0).abs() < 1e-15, "{average}");
        let theirs = WinRates::of(&pairs, UnknownLabels::NobodyWon);
        assert_eq!((theirs.fraction(0, 2), theirs.fraction(2, 0)), (Some(0.5), Some(0.0)));
    }
}
