//! What a judge who read the whole attempt says of it, and how far that counts beside the rules.

use serde::{Deserialize, Serialize};
use umpire_model::Persona;

use super::by_rule::{Applied, Decided, Flags};
use super::errors::{Error, ErrorKind, Part};
use super::rubric::{Pair, Rubric};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    pub rubric: Rubric,
    /// It asked again for what it had asked for.
    #[serde(default)]
    pub redundant: bool,
    /// Values it took for the person's without a reason in the wish or the history.
    #[serde(default)]
    pub invented: Vec<Applied>,
}

impl Judged {
    /// The kinds of error that this comes to.
    pub fn errors(&self, persona: &Persona) -> Vec<Error> {
        let again = self.redundant.then(|| Error {
            kind: ErrorKind::RedundantAccess,
            part: None,
            why: "the judge: it asked again for what it had asked for".to_owned(),
        });
        let parts = parts(&self.rubric, persona);
        let errors = parts.iter().flat_map(|(part, pair, hidden)| self.errors_of(part, *pair, *hidden));
        again.into_iter().chain(errors).collect()
    }

    fn errors_of(&self, part: &Part, pair: Pair, is_hidden: bool) -> Vec<Error> {
        let error =
            |kind, why: String| Error { kind, part: Some(part.clone()), why: format!("the judge: {why}") };
        let invented = match part {
            Part::Preference(key) => self.invented.iter().find(|one| one.key == *key),
            Part::Website | Part::Location => None,
        };
        let mut errors = Vec::new();
        if is_hidden && !pair.retrieval {
            errors.push(error(ErrorKind::RetrievalFailure, "it did not come back".to_owned()));
        }
        if let Some(invented) = invented.filter(|_| !pair.utilization) {
            let why = format!("nothing gave it reason for `{}`", invented.value);
            errors.push(error(ErrorKind::HallucinatedPreference, why));
        } else if is_hidden && pair.retrieval && !pair.utilization {
            errors.push(error(ErrorKind::UtilizationFailure, "it came back and was not used".to_owned()));
        }
        errors
    }
}

/// The parts of a rubric, with whether the wish leaves them unsaid.
fn parts(rubric: &Rubric, persona: &Persona) -> Vec<(Part, Pair, bool)> {
    let hidden = rubric.hidden;
    let mut parts = vec![(Part::Website, rubric.website, hidden.website)];
    for (preference, pair) in persona.preferences.iter().zip(&rubric.preferences) {
        parts.push((Part::Preference(preference.key.clone()), *pair, hidden.preferences));
    }
    parts.extend(rubric.location.map(|pair| (Part::Location, pair, hidden.location)));
    parts
}

impl Decided {
    /// Takes from a judge what the evidence leaves open, and nothing else: what a rule decided stays decided.
    pub fn settle(&mut self, judged: &Judged, persona: &Persona) {
        let settle = |flags: &mut Flags, pair: Pair| {
            flags.retrieval.get_or_insert(pair.retrieval);
            flags.utilization.get_or_insert(pair.utilization);
        };
        settle(&mut self.website, judged.rubric.website);
        for (flags, pair) in self.preferences.iter_mut().zip(&judged.rubric.preferences) {
            settle(flags, *pair);
        }
        if let (Some(flags), Some(pair)) = (&mut self.location, judged.rubric.location) {
            settle(flags, pair);
        }
        self.intent.get_or_insert(judged.rubric.intent);
        // Blame follows from what is settled: the judge may have seen otherwise what a rule had decided.
        let settled = Judged { rubric: self.rubric_if(false), ..judged.clone() };
        let open = std::mem::take(&mut self.undecided);
        let blamed: Vec<(ErrorKind, Option<Part>)> =
            self.errors.iter().map(|error| (error.kind, error.part.clone())).collect();
        let is_news = |error: &Error| {
            error.part.as_ref().is_some_and(|part| open.contains(part))
                && !blamed.contains(&(error.kind, error.part.clone()))
        };
        self.errors.extend(settled.errors(persona).into_iter().filter(is_news));
    }
}
