use umpire_model::{Usage, UsdMicros};

/// What a model said.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// Without the model's own reasoning, which is not part of what it says.
    pub text: String,
    pub finish: Finish,
    /// Unknown if the provider did not say.
    pub usage: Option<Usage>,
    /// Unknown without usage or without a price; never zero for that reason.
    pub cost: Option<UsdMicros>,
}

/// Why the reply ends where it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    Complete,
    /// Cut off at the limit of tokens.
    Length,
    /// The model or its provider declined to answer.
    Refused,
    Other(String),
}
