use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use umpire_llm::Ask;
use umpire_model::{HistoryScheme, TaskBrief, UsdMicros};

use super::asking::Model;
use super::indexed::Indexed;
use super::knowledge::Knowledge;
use super::occam::Occam;
use super::personal::{Memory, Personal};
use super::prompts::{BadPrompts, Prompts};
use super::search::Search;
use super::voyager::Voyager;
use crate::Agent;

/// How an agent puts its questions to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelKind {
    Voyager,
    Occam,
    Indexed,
    Search,
    Knowledge,
}

impl ModelKind {
    pub const ALL: [Self; 5] = [Self::Voyager, Self::Occam, Self::Indexed, Self::Search, Self::Knowledge];

    pub fn name(self) -> &'static str {
        match self {
            Self::Voyager => "voyager",
            Self::Occam => "occam",
            Self::Indexed => "indexed",
            Self::Search => "search",
            Self::Knowledge => "knowledge",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A model agent as configured. What is absent is the kind's own default.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelAgentSpec {
    pub kind: ModelKind,
    /// Name of a model in the configuration; the run's default model if absent.
    pub model: Option<String>,
    /// What that model is, for the manifest; known once the configuration is.
    pub identity: Option<String>,
    pub options: ModelOptions,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelOptions {
    /// Folder with template files that replace those of the kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompts: Option<PathBuf>,
    /// Screenshots (or, for a model that cannot see, pages) that stay in the conversation, the newest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_pages: Option<usize>,
    /// Bytes of page text shown in one turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_bytes: Option<usize>,
    /// Characters of each thought in a reply that is held to a form; what an action says may be four times as long. Small
    /// models lose their way in long replies, and one that is cut off is of no use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thought_chars: Option<usize>,
    /// Actions that one reply of `indexed` may hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actions_per_reply: Option<usize>,
    /// Account to log in with where a site asks for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// Where searching starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// When to look into the history of the person a task is for; never if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<HistoryScheme>,
    /// What one attempt may spend on models.
    #[serde(skip_serializing_if = "Option::is_none", with = "money")]
    pub budget: Option<UsdMicros>,
}

/// As people write it: `"0.10usd"`.
mod money {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};
    use umpire_model::UsdMicros;

    #[expect(clippy::ref_option, reason = "serde hands over a reference to the field")]
    pub fn serialize<S: Serializer>(money: &Option<UsdMicros>, to: S) -> Result<S::Ok, S::Error> {
        match money {
            Some(money) => to.collect_str(money),
            None => to.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<UsdMicros>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
    }
}

impl ModelAgentSpec {
    pub fn new(kind: ModelKind) -> Self {
        Self { kind, model: None, identity: None, options: ModelOptions::default() }
    }

    /// Takes the folder of prompts as relative to `base`, the folder of the configuration.
    #[must_use]
    pub fn anchored(mut self, base: &Path) -> Self {
        self.options.prompts = self.options.prompts.map(|folder| base.join(folder));
        self
    }

    /// The templates this agent will use.
    pub fn prompts(&self) -> Result<Prompts, BadPrompts> {
        let looks_up = self.options.history.is_some();
        Prompts::load(self.kind, looks_up, self.options.prompts.as_deref())
    }

    /// A fresh agent for one attempt. One that looks into histories does so where there is a `memory` of the person; a
    /// task that is nobody's leaves it as it is.
    pub fn create(
        &self,
        task: &TaskBrief,
        prompts: Prompts,
        ask: Arc<dyn Ask>,
        memory: Option<Arc<dyn Memory>>,
    ) -> Box<dyn Agent> {
        let (Some(scheme), Some(memory)) = (self.options.history, memory) else {
            return self.acting(task, prompts, ask);
        };
        let model = Model::new(Arc::clone(&ask), self.options.temperature);
        let acting = self.clone();
        let own_prompts = prompts.clone();
        let create = Box::new(move |task: &TaskBrief| acting.acting(task, own_prompts, ask));
        Box::new(Personal::new(scheme, self, model, prompts, memory, create))
    }

    fn acting(&self, task: &TaskBrief, prompts: Prompts, ask: Arc<dyn Ask>) -> Box<dyn Agent> {
        let model = Model::new(ask, self.options.temperature);
        let options = &self.options;
        match self.kind {
            ModelKind::Voyager => Box::new(Voyager::new(model, prompts, options)),
            ModelKind::Occam => Box::new(Occam::new(model, prompts, options, task)),
            ModelKind::Indexed => Box::new(Indexed::new(model, prompts, options)),
            ModelKind::Search => Box::new(Search::new(model, prompts, options)),
            ModelKind::Knowledge => Box::new(Knowledge::new(model, prompts)),
        }
    }
}
