use serde::Deserialize;

use super::Winner;

/// A vote as Chatbot Arena's servers log it, and `BrowserArena`'s fork of them.
#[derive(Clone, Debug, Deserialize)]
pub struct LoggedVote {
    pub tstamp: f64,
    #[serde(rename = "type")]
    pub kind: String,
    /// What the page showed above the two sides: nothing while the models are hidden.
    pub models: [Option<String>; 2],
    pub states: [LogState; 2],
    pub ip: String,
}

/// One side of the page.
#[derive(Clone, Debug, Deserialize)]
pub struct LogState {
    /// Who said what; what a model never said is null.
    pub messages: Vec<(String, Option<String>)>,
    /// Where the conversation begins: before it are examples.
    pub offset: usize,
    #[serde(default)]
    pub conv_id: String,
    #[serde(default)]
    pub model_name: Option<String>,
}

impl LogState {
    fn said(&self) -> &[(String, Option<String>)] {
        self.messages.get(self.offset..).unwrap_or_default()
    }
}

/// What a battle must not contain.
#[derive(Clone, Debug, Default)]
pub struct CleaningRules {
    pub excluded_models: Vec<String>,
    pub banned_addresses: Vec<String>,
    /// Texts of failed requests, in lower case: what stands there is no answer of a model.
    pub error_texts: Vec<String>,
    /// Words by which a model gives itself away, in lower case; the first that occurs is told, and the vote is kept.
    pub identity_words: Vec<String>,
}

/// A battle made of a logged vote.
#[derive(Clone, Debug, PartialEq)]
pub struct Cleaned {
    pub question_id: String,
    pub models: [String; 2],
    pub winner: Winner,
    pub judge: String,
    /// Questions asked, each with its answer.
    pub turns: usize,
    /// The models were hidden from the voter.
    pub is_anonymous: bool,
    pub tstamp: f64,
    pub leaked: Option<String>,
}

/// Why a logged vote is no battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotKept {
    /// A line of the log that is no vote on two sides, or has no names at all.
    NoVote,
    /// What the page showed contradicts what was run, or nothing was said.
    Invalid,
    /// A request failed.
    Error,
    ExcludedModel,
    Banned,
}

/// Makes a battle of a line of a log, or says why not.
pub fn clean_vote(vote: &LoggedVote, rules: &CleaningRules) -> Result<Cleaned, NotKept> {
    let winner = winner_of(&vote.kind).ok_or(NotKept::NoVote)?;
    let [Some(shown_a), Some(shown_b)] = &vote.models else { return Err(NotKept::NoVote) };
    let shown = [without_markup(shown_a), without_markup(shown_b)];
    let run = match [&vote.states[0].model_name, &vote.states[1].model_name] {
        [Some(a), Some(b)] => [a.as_str(), b.as_str()],
        _ => shown,
    };
    if shown[0].is_empty() != shown[1].is_empty() {
        return Err(NotKept::Invalid);
    }
    let is_anonymous = shown[0].is_empty() || shown[0] == "Model A";
    // A shown name may have a label around it.
    let agrees = shown[0].contains(run[0]) && shown[1].contains(run[1]);
    if !is_anonymous && !agrees {
        return Err(NotKept::Invalid);
    }
    if vote.states[0].said().is_empty() {
        return Err(NotKept::Invalid);
    }
    let said: String = vote
        .states
        .iter()
        .flat_map(LogState::said)
        .filter_map(|(_, text)| text.as_deref())
        .map(str::to_lowercase)
        .collect();
    if rules.error_texts.iter().any(|text| said.contains(text.as_str())) {
        return Err(NotKept::Error);
    }
    let models = if is_anonymous { run } else { shown }.map(|name| current_model_name(name, vote.tstamp));
    if models.iter().any(|model| rules.excluded_models.contains(model)) {
        return Err(NotKept::ExcludedModel);
    }
    if rules.banned_addresses.contains(&vote.ip) {
        return Err(NotKept::Banned);
    }
    Ok(Cleaned {
        question_id: vote.states[0].conv_id.clone(),
        models,
        winner,
        judge: format!("arena_user_{}", vote.ip),
        turns: vote.states[0].said().len() / 2,
        is_anonymous,
        tstamp: vote.tstamp,
        leaked: rules.identity_words.iter().find(|word| said.contains(word.as_str())).cloned(),
    })
}

fn winner_of(kind: &str) -> Option<Winner> {
    match kind {
        "leftvote" => Some(Winner::A),
        "rightvote" => Some(Winner::B),
        "tievote" => Some(Winner::Tie),
        "bothbad_vote" => Some(Winner::BothBad),
        _ => None,
    }
}

/// The name in `<h3>Model A: NAME</h3>`, which old pages showed.
fn without_markup(shown: &str) -> &str {
    let Some(heading) = shown.strip_prefix("<h3>") else { return shown };
    let heading = heading.trim_end().strip_suffix("</h3>").unwrap_or(heading);
    heading.split_once(": ").map_or(heading, |(_, name)| name)
}

/// The model that a name in old logs stands for today.
pub fn current_model_name(name: &str, tstamp: f64) -> String {
    /// 2023-06-27, 07:00 UTC: from then on the unnumbered names of OpenAI's models meant other models.
    const JUNE_MODELS: f64 = 1_687_849_200.0;
    match name {
        "gpt-4" | "gpt-3.5-turbo" if tstamp > JUNE_MODELS => format!("{name}-0613"),
        "gpt-4" | "gpt-3.5-turbo" => format!("{name}-0314"),
        "bard" => "palm-2".to_owned(),
        "claude-v1" => "claude-1".to_owned(),
        "claude-instant-v1" => "claude-instant-1".to_owned(),
        "oasst-sft-1-pythia-12b" => "oasst-pythia-12b".to_owned(),
        "claude-2" => "claude-2.0".to_owned(),
        "StripedHyena-Nous-7B" => "stripedhyena-nous-7b".to_owned(),
        "gpt-4-turbo" => "gpt-4-1106-preview".to_owned(),
        "gpt-4-0125-assistants-api" => "gpt-4-turbo-browsing".to_owned(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vote(shown: [Option<&str>; 2], answer: &str) -> LoggedVote {
        let state = |model: &str| LogState {
            messages: vec![
                ("Human".to_owned(), Some("example".to_owned())),
                ("Human".to_owned(), Some("q".to_owned())),
                ("Assistant".to_owned(), Some(answer.to_owned())),
            ],
            offset: 1,
            conv_id: "c".to_owned(),
            model_name: Some(model.to_owned()),
        };
        LoggedVote {
            tstamp: 5.0,
            kind: "rightvote".to_owned(),
            models: shown.map(|name| name.map(str::to_owned)),
            states: [state("p"), state("gpt-4")],
            ip: "10.0.0.1".to_owned(),
        }
    }

    #[test]
    fn hidden_models_are_taken_from_what_ran() {
        let rules = CleaningRules { identity_words: vec!["i am p".to_owned()], ..CleaningRules::default() };
        let kept = clean_vote(&vote([Some(""), Some("")], "I am P"), &rules).expect("kept");
        assert_eq!(kept.models, ["p", "gpt-4-0314"]);
        assert_eq!((kept.winner, kept.turns, kept.is_anonymous), (Winner::B, 1, true));
        assert_eq!(kept.leaked.as_deref(), Some("i am p"), "kept, and told");
    }

    #[test]
    fn what_is_dropped_has_a_reason() {
        let rules = CleaningRules {
            excluded_models: vec!["gpt-4-0314".to_owned()],
            banned_addresses: vec!["10.0.0.1".to_owned()],
            error_texts: vec!["api request error".to_owned()],
            identity_words: Vec::new(),
        };
        let none = CleaningRules::default();
        for (vote, rules, reason) in [
            (vote([None, Some("")], "x"), &none, NotKept::NoVote),
            (vote([Some(""), Some("gpt-4")], "x"), &none, NotKept::Invalid),
            (vote([Some("q"), Some("gpt-4")], "x"), &none, NotKept::Invalid),
            (vote([Some(""), Some("")], "**API REQUEST ERROR**"), &rules, NotKept::Error),
            (vote([Some(""), Some("")], "x"), &rules, NotKept::ExcludedModel),
        ] {
            assert_eq!(clean_vote(&vote, rules), Err(reason));
        }
        let mut silent = vote([Some(""), Some("")], "x");
        silent.states[0].offset = 9;
        assert_eq!(clean_vote(&silent, &none), Err(NotKept::Invalid));
        let banned = CleaningRules { excluded_models: Vec::new(), ..rules };
        assert_eq!(clean_vote(&vote([Some(""), Some("")], "x"), &banned), Err(NotKept::Banned));
    }

    #[test]
    fn old_pages_had_headings() {
        assert_eq!(without_markup("<h3>Model A: m1</h3>\n"), "m1");
        assert_eq!(without_markup("m1"), "m1");
    }
}
