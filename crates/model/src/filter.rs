//! What to look at: `site=shop and kind!=navigate and not id~cart`.
//!
//! Instances have the fields `id`, `task`, `template`, `site`, `kind`, `category`, `state`, `difficulty`, `hint`, `level`,
//! `perturb` (`none` for a plain instance); whoever filters something else brings its own. Operators: `=`, `!=`
//! and `~` (contains). `and`, `or`, `not` and parentheses combine; `and` binds stronger than `or`.

use std::fmt;

use crate::Instance;

/// What an instance can be chosen by.
pub const INSTANCE_FIELDS: [&str; 11] =
    ["id", "task", "template", "site", "kind", "category", "state", "difficulty", "hint", "level", "perturb"];

#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    text: String,
    expression: Expression,
}

#[derive(Clone, Debug, PartialEq)]
enum Expression {
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    Not(Box<Self>),
    Compare { field: String, operator: Operator, value: String },
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Operator {
    Equal,
    NotEqual,
    Contains,
}

/// A filter that does not parse, with the place where it stopped making sense.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("the filter is not understood: {problem}\n  {text}\n  {:>caret$}", "^", caret = at + 1)]
pub struct FilterError {
    pub text: String,
    pub at: usize,
    pub problem: String,
}

impl Filter {
    /// A filter on instances.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        Self::parse_with(text, &INSTANCE_FIELDS)
    }

    /// A filter on whatever has these fields.
    pub fn parse_with(text: &str, fields: &[&str]) -> Result<Self, FilterError> {
        let tokens = tokenize(text)?;
        let mut parser = Parser { text, fields, tokens: &tokens, next: 0 };
        let expression = parser.either()?;
        match parser.peek() {
            None => Ok(Self { text: text.to_owned(), expression }),
            Some(_) => Err(parser.error("expected `and`, `or` or the end")),
        }
    }

    pub fn keeps(&self, instance: &Instance) -> bool {
        self.holds(&|field| instance_values(instance, field))
    }

    /// Whether it keeps what has these values; a field may have several.
    pub fn holds(&self, values_of: &dyn Fn(&str) -> Vec<String>) -> bool {
        self.expression.holds(values_of)
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Expression {
    fn holds(&self, values_of: &dyn Fn(&str) -> Vec<String>) -> bool {
        match self {
            Self::And(a, b) => a.holds(values_of) && b.holds(values_of),
            Self::Or(a, b) => a.holds(values_of) || b.holds(values_of),
            Self::Not(inner) => !inner.holds(values_of),
            Self::Compare { field, operator, value } => {
                let values = values_of(field);
                match operator {
                    Operator::Equal => values.iter().any(|v| v == value),
                    Operator::NotEqual => values.iter().all(|v| v != value),
                    Operator::Contains => values.iter().any(|v| v.contains(value.as_str())),
                }
            }
        }
    }
}

fn instance_values(instance: &Instance, field: &str) -> Vec<String> {
    match field {
        // A perturbed instance goes with its plain one wherever that is named.
        "id" => vec![instance.id.clone(), instance.plain_id().to_owned()],
        "task" => vec![instance.task.clone()],
        "template" => vec![instance.template.clone()],
        "site" => instance.sites.clone(),
        "kind" => vec![instance.kind.as_str().to_owned()],
        "category" => vec![instance.category.clone()],
        "state" => vec![instance.state.clone().unwrap_or_else(|| "default".to_owned())],
        "difficulty" => vec![instance.difficulty.as_str().to_owned()],
        "hint" => vec![if instance.with_hint { "yes" } else { "no" }.to_owned()],
        "level" => instance.level.iter().map(ToString::to_string).collect(),
        "perturb" => match &instance.perturbation {
            Some(perturbed) => vec![perturbed.by.to_string()],
            None => vec!["none".to_owned()],
        },
        _ => Vec::new(),
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Token {
    at: usize,
    kind: TokenKind,
}

#[derive(Clone, Debug, PartialEq)]
enum TokenKind {
    Word(String),
    Operator(Operator),
    Open,
    Close,
}

fn tokenize(text: &str) -> Result<Vec<Token>, FilterError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let at = text.len() - rest.len();
        let (kind, length) = match first {
            c if c.is_whitespace() => {
                rest = &rest[c.len_utf8()..];
                continue;
            }
            '(' => (TokenKind::Open, 1),
            ')' => (TokenKind::Close, 1),
            '=' => (TokenKind::Operator(Operator::Equal), 1),
            '~' => (TokenKind::Operator(Operator::Contains), 1),
            '!' if rest.starts_with("!=") => (TokenKind::Operator(Operator::NotEqual), 2),
            quote @ ('"' | '\'') => {
                let Some(end) = rest[1..].find(quote) else {
                    return Err(FilterError {
                        text: text.into(),
                        at,
                        problem: "this quote is not closed".into(),
                    });
                };
                (TokenKind::Word(rest[1..=end].to_owned()), end + 2)
            }
            _ => {
                let end =
                    rest.find(|c: char| c.is_whitespace() || "()=~!\"'".contains(c)).unwrap_or(rest.len());
                if end == 0 {
                    let problem = format!("`{first}` means nothing here");
                    return Err(FilterError { text: text.into(), at, problem });
                }
                (TokenKind::Word(rest[..end].to_owned()), end)
            }
        };
        tokens.push(Token { at, kind });
        rest = &rest[length..];
    }
    Ok(tokens)
}

struct Parser<'a> {
    text: &'a str,
    fields: &'a [&'a str],
    tokens: &'a [Token],
    next: usize,
}

impl Parser<'_> {
    fn either(&mut self) -> Result<Expression, FilterError> {
        let mut left = self.both()?;
        while self.take_word("or") {
            left = Expression::Or(Box::new(left), Box::new(self.both()?));
        }
        Ok(left)
    }

    fn both(&mut self) -> Result<Expression, FilterError> {
        let mut left = self.one()?;
        while self.take_word("and") {
            left = Expression::And(Box::new(left), Box::new(self.one()?));
        }
        Ok(left)
    }

    fn one(&mut self) -> Result<Expression, FilterError> {
        // Each `not` and `(` recurses; a line that nests deeper than this was not typed by a person.
        if self.next > 500 {
            return Err(self.error("the expression is too long"));
        }
        if self.take_word("not") {
            return Ok(Expression::Not(Box::new(self.one()?)));
        }
        if self.peek() == Some(&TokenKind::Open) {
            self.next += 1;
            let inner = self.either()?;
            if self.peek() != Some(&TokenKind::Close) {
                return Err(self.error("expected `)`"));
            }
            self.next += 1;
            return Ok(inner);
        }
        self.compare()
    }

    fn compare(&mut self) -> Result<Expression, FilterError> {
        let field = match self.peek() {
            Some(TokenKind::Word(word)) if self.fields.contains(&word.as_str()) => word.clone(),
            _ => return Err(self.error(&format!("expected one of {}", self.fields.join(", ")))),
        };
        self.next += 1;
        let operator = match self.peek() {
            Some(TokenKind::Operator(operator)) => *operator,
            _ => return Err(self.error("expected `=`, `!=` or `~`")),
        };
        self.next += 1;
        let value = match self.peek() {
            Some(TokenKind::Word(word)) => word.clone(),
            _ => return Err(self.error("expected a value")),
        };
        self.next += 1;
        Ok(Expression::Compare { field, operator, value })
    }

    fn peek(&self) -> Option<&TokenKind> {
        self.tokens.get(self.next).map(|token| &token.kind)
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(TokenKind::Word(w)) if w == word);
        self.next += usize::from(found);
        found
    }

    fn error(&self, problem: &str) -> FilterError {
        let at = self.tokens.get(self.next).map_or(self.text.len(), |token| token.at);
        FilterError { text: self.text.to_owned(), at, problem: problem.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TaskKind;
    use proptest::prelude::*;

    fn instance() -> Instance {
        Instance {
            task: "cart-1".into(),
            template: "cart".into(),
            state: Some("on".into()),
            level: Some(2),
            sites: vec!["shop".into(), "hub".into()],
            category: "Home office".into(),
            ..Instance::bare("cart-1@on", TaskKind::Mutate)
        }
    }

    #[test]
    fn filters_select() {
        for (text, kept) in [
            ("site=shop", true),
            ("site!=hub", false),
            ("id~cart and state=on", true),
            ("not id~cart or kind=mutate", true),
            ("not (id~cart or kind=mutate)", false),
            ("category='Home office'", true),
            ("site=forum or site=hub and hint=no", true),
            ("difficulty=hard", false),
            ("level=2", true),
            ("level=0", false),
        ] {
            assert_eq!(Filter::parse(text).expect(text).keeps(&instance()), kept, "{text}");
        }
    }

    #[test]
    fn a_perturbed_instance_is_named_by_its_own_id_and_the_plain_one() {
        let perturbed = instance().perturbed(&"popups+dark".parse().expect("known"), 1);
        for (text, plain, kept) in [
            ("id=cart-1@on", true, true),
            ("id='cart-1@on+popups+dark'", false, true),
            ("perturb=popups+dark", false, true),
            ("perturb~dark", false, true),
            ("perturb=none", true, false),
        ] {
            let filter = Filter::parse(text).expect(text);
            assert_eq!((filter.keeps(&instance()), filter.keeps(&perturbed)), (plain, kept), "{text}");
        }
    }

    #[test]
    fn errors_point_at_the_place() {
        for (text, at) in [
            ("sight=shop", 0),
            ("site shop", 5),
            ("site=", 5),
            ("(site=a", 7),
            ("site=a site=b", 7),
            ("id='x", 3),
        ] {
            assert_eq!(Filter::parse(text).expect_err(text).at, at, "{text}");
        }
    }

    #[test]
    fn other_things_are_filtered_by_fields_of_their_own() {
        let filter =
            Filter::parse_with("outcome=fail and tag=loop", &["outcome", "tag"]).expect("known fields");
        let values = |tags: &[&str]| {
            let tags: Vec<String> = tags.iter().map(|&tag| tag.to_owned()).collect();
            filter.holds(&|field| if field == "tag" { tags.clone() } else { vec!["fail".to_owned()] })
        };
        assert!(values(&["late", "loop"]));
        assert!(!values(&["late"]));
        assert!(Filter::parse("outcome=fail").is_err(), "an instance has no outcome");
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_or_refused(text in any::<String>()) {
            if let Err(error) = Filter::parse(&text) {
                let _ = error.to_string();
            }
        }
    }
}
