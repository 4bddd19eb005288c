use std::collections::BTreeMap;
use std::sync::Arc;

use umpire_model::Redactor;

use crate::asker::Asker;
use crate::call::{Endpoint, HttpClient, Line};
use crate::caller::Caller;
use crate::price::{BadPrices, Price, Prices};
use crate::secret::{Secret, expand};
use crate::spec::{BadModel, ModelSpec};
use crate::tape::{TapeError, TapeOptions, Tapes};

/// What a gateway is built with beside the models.
#[derive(Clone, Debug)]
pub struct GatewayOptions {
    pub prices: Prices,
    pub tapes: TapeOptions,
    /// Further values that must not be written into cache and cassettes.
    pub secrets: Vec<String>,
}

impl Default for GatewayOptions {
    fn default() -> Self {
        Self { prices: Prices::built_in(), tapes: TapeOptions::default(), secrets: Vec::new() }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    #[error("there is no model `{name}`; {}", known_models(known))]
    UnknownModel { name: String, known: Vec<String> },
    #[error(transparent)]
    BadModel(#[from] BadModel),
    #[error("model `{model}`: {problem}")]
    BadPrice { model: String, problem: BadPrices },
    #[error("model `{model}`: the variable {variable} is not set")]
    Unset { model: String, variable: String },
    #[error("model `{model}`: {what} holds a character that cannot be sent")]
    Unsendable { model: String, what: String },
    #[error(
        "model `{model}`: nobody knows what it costs, so a budget in money cannot bind; \
         give it a price (`[models.{model}] price = {{ input = 1.0, output = 2.0 }}`, or `price = \"free\"`), \
         or limit tokens or calls instead"
    )]
    UnknownPrice { model: String },
    #[error(transparent)]
    Tape(#[from] TapeError),
}

fn known_models(known: &[String]) -> String {
    if known.is_empty() {
        "the configuration has none: [models.NAME] makes one".to_owned()
    } else {
        format!("configured are {}", known.join(", "))
    }
}

/// All configured models. One gateway serves a whole run, so that circuits, concurrency and tapes are the run's.
pub struct Gateway {
    models: BTreeMap<String, Arc<Model>>,
    tapes: Tapes,
    secrets: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) name: String,
    pub(crate) spec: ModelSpec,
    /// None if it is not known.
    pub(crate) price: Option<Price>,
    line: Result<Line, NoLine>,
}

/// Why a model that is configured cannot be used; it matters only when it is.
#[derive(Clone, Debug)]
enum NoLine {
    Unset(String),
    Unsendable(String),
}

impl Gateway {
    /// `variable` reads the environment, usually `|name| std::env::var(name).ok()`.
    pub fn new(
        specs: BTreeMap<String, ModelSpec>,
        options: &GatewayOptions,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Arc<Self>, GatewayError> {
        let client = HttpClient::new();
        let mut secrets = Vec::new();
        let mut models = BTreeMap::new();
        for (name, spec) in specs {
            spec.check(&name)?;
            let price = match spec.price {
                Some(own) => {
                    let bad = |problem| GatewayError::BadPrice { model: name.clone(), problem };
                    Some(own.price().map_err(bad)?)
                }
                None => options.prices.of(&spec.model),
            };
            let line = line(&spec, &client, variable, &mut secrets);
            models.insert(name.clone(), Arc::new(Model { name, spec, price, line }));
        }
        let redactor = Redactor::new(secrets.iter().chain(&options.secrets));
        let tapes = Tapes::open(&options.tapes, redactor)?;
        Ok(Arc::new(Self { models, tapes, secrets }))
    }

    /// The right to ask a model on somebody's behalf.
    pub fn asker(self: &Arc<Self>, model: &str, caller: Caller) -> Result<Asker, GatewayError> {
        let model = self.usable(model, caller.is_limited_in_money())?;
        Ok(Asker::new(Arc::clone(self), model, caller))
    }

    /// What would keep a model from being used, so that a run can say so before it starts. `in_money` tells whether a
    /// budget in money has to bind.
    pub fn check(&self, model: &str, in_money: bool) -> Result<(), GatewayError> {
        self.usable(model, in_money).map(drop)
    }

    pub(crate) fn usable(&self, name: &str, in_money: bool) -> Result<Arc<Model>, GatewayError> {
        let model = self.models.get(name).ok_or_else(|| GatewayError::UnknownModel {
            name: name.to_owned(),
            known: self.models.keys().cloned().collect(),
        })?;
        let named = || model.name.clone();
        match &model.line {
            // What is only replayed needs no key.
            Err(NoLine::Unset(_)) if self.tapes.never_calls() => {}
            Err(NoLine::Unset(variable)) => {
                return Err(GatewayError::Unset { model: named(), variable: variable.clone() });
            }
            Err(NoLine::Unsendable(what)) => {
                return Err(GatewayError::Unsendable { model: named(), what: what.clone() });
            }
            Ok(_) => {}
        }
        if in_money && model.price.is_none() {
            return Err(GatewayError::UnknownPrice { model: named() });
        }
        Ok(Arc::clone(model))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.models.keys().map(String::as_str)
    }

    /// What the configuration says about a model.
    pub fn spec(&self, model: &str) -> Option<&ModelSpec> {
        self.models.get(model).map(|model| &model.spec)
    }

    /// None if nobody knows.
    pub fn price(&self, model: &str) -> Option<Price> {
        self.models.get(model).and_then(|model| model.price)
    }

    /// Keys and headers from the environment, which the journal's writer must not let through either.
    pub fn secret_values(&self) -> &[String] {
        &self.secrets
    }

    /// What cache and cassette could not read or keep, to be said where a person sees it. None of it ends an attempt.
    pub fn tape_problems(&self) -> Vec<String> {
        self.tapes.problems()
    }

    pub(crate) fn tapes(&self) -> &Tapes {
        &self.tapes
    }
}

/// Names alone: the rest knows secrets.
impl std::fmt::Debug for Gateway {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.models.keys()).finish()
    }
}

impl Model {
    /// None if it can only be replayed.
    pub(crate) fn line(&self) -> Option<&Line> {
        self.line.as_ref().ok()
    }
}

fn line(
    spec: &ModelSpec,
    client: &HttpClient,
    variable: &dyn Fn(&str) -> Option<String>,
    secrets: &mut Vec<String>,
) -> Result<Line, NoLine> {
    let key = match &spec.key {
        None => None,
        Some(name) => {
            let value = variable(name).filter(|value| !value.trim().is_empty());
            Some(Secret::new(value.ok_or_else(|| NoLine::Unset(name.clone()))?.trim()))
        }
    };
    let mut headers = Vec::new();
    for (header, value) in &spec.headers {
        let (value, secret) = expand(value, variable).map_err(NoLine::Unset)?;
        secrets.extend(secret.map(|secret| secret.reveal().to_owned()));
        headers.push((header.clone(), value));
    }
    secrets.extend(key.as_ref().map(|key| key.reveal().to_owned()));
    let base = spec.base().ok_or_else(|| NoLine::Unsendable("base_url".to_owned()))?;
    let endpoint = Endpoint::new(spec, base, key, &headers).map_err(|header| NoLine::Unsendable(header.0))?;
    Ok(Line::new(spec, endpoint, client.clone()))
}

#[cfg(test)]
mod tests {
    use umpire_model::{BlobRef, Digest, EventBody, Evidence, Media, UsdMicros};

    use super::*;
    use crate::budget::{Budget, Limits};
    use crate::price::{PriceSpec, PriceWord};
    use crate::spec::Provider;

    struct Nowhere;

    impl Evidence for Nowhere {
        fn event(&self, _: EventBody) -> u64 {
            0
        }

        fn blob(&self, content: &[u8], media: Media) -> BlobRef {
            BlobRef { digest: Digest::of(content), media, bytes: content.len() as u64 }
        }
    }

    fn gateway(spec: ModelSpec) -> Result<Arc<Gateway>, GatewayError> {
        let variable = |name: &str| (name == "SET").then(|| "sk-secret".to_owned());
        Gateway::new([("mine".to_owned(), spec)].into(), &GatewayOptions::default(), &variable)
    }

    fn caller(limits: Limits) -> Caller {
        Caller::new("a", vec![Budget::new("attempt", limits)], Arc::new(Nowhere))
    }

    #[test]
    fn a_key_that_is_not_set_matters_when_it_is_used() {
        let keyed = |variable: &str| ModelSpec {
            key: Some(variable.to_owned()),
            ..ModelSpec::new(Provider::OpenAi, "gpt-4o")
        };
        let built = gateway(keyed("MISSING")).expect("not an error by itself");
        let error = built.asker("mine", caller(Limits::default())).map(drop).expect_err("used");
        assert_eq!(error.to_string(), "model `mine`: the variable MISSING is not set");
        let built = gateway(keyed("SET")).expect("built");
        assert!(built.asker("mine", caller(Limits::default())).is_ok());
        assert_eq!(built.secret_values(), ["sk-secret"]);
        assert!(!format!("{built:?}").contains("sk-secret"), "a key is never printed");
    }

    #[test]
    fn a_budget_in_money_takes_no_model_of_unknown_price() {
        let money = Limits { money: Some(UsdMicros(1)), ..Limits::default() };
        let tokens = Limits { tokens: Some(1), ..Limits::default() };
        let strange = ModelSpec::new(Provider::OpenAi, "nobody-knows-me");
        let built = gateway(strange.clone()).expect("built");
        let error = built.asker("mine", caller(money)).map(drop).expect_err("unknown price");
        assert!(error.to_string().contains("nobody knows what it costs"), "{error}");
        assert!(built.asker("mine", caller(tokens)).is_ok());
        let free = ModelSpec { price: Some(PriceSpec::Word(PriceWord::Free)), ..strange };
        assert!(gateway(free).expect("built").asker("mine", caller(money)).is_ok());
        let listed = ModelSpec::new(Provider::OpenAi, "gpt-4o");
        assert!(gateway(listed).expect("built").asker("mine", caller(money)).is_ok());
    }

    #[test]
    fn an_unknown_model_names_those_there_are() {
        let built = gateway(ModelSpec::new(Provider::OpenAi, "gpt-4o")).expect("built");
        let error = built.check("yours", false).expect_err("unknown");
        assert_eq!(error.to_string(), "there is no model `yours`; configured are mine");
    }
}
