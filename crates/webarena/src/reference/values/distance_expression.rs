//! Arithmetic with lengths: `5 km`, `1/2 mile`, `5 km + 10 m`, `(3 ft)`.
//!
//! The reference hands the text to a unit library that reads it with Python's tokenizer and skips what it does not
//! understand, so `~5 km!` is a length. Precedences, and what counts as multiplication, are that library's.

use std::sync::LazyLock;

use regex::Regex;

use super::distance_quantity::{Number, Quantity};
use super::distance_units::metres;
use crate::python::{parse_float, parse_int};

/// The length a text stands for, in metres.
pub(super) fn evaluate(text: &str) -> Option<Number> {
    let tokens = tokenize(&spell_out(text))?;
    let mut evaluation = Evaluation { tokens: &tokens, depth: 0 };
    let (quantity, _) = evaluation.from(0, Before::Nothing)?;
    quantity.in_metres()
}

/// Writes implied operators out.
fn spell_out(text: &str) -> String {
    static REWRITES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        const NAME: &str = "[_a-zA-Z][_a-zA-Z0-9]*";
        [
            (format!("({NAME}) squared"), "$1**2"),
            (format!("({NAME}) cubed"), "$1**3"),
            (format!("cubic ({NAME})"), "$1**3"),
            (format!("square ({NAME})"), "$1**2"),
            (format!("sq ({NAME})"), "$1**2"),
            (r"\b([0-9]+\.?[0-9]*)([e|E][a-zA-Z]|[a-df-zA-DF-Z])".to_owned(), "$1*$2"),
        ]
        .into_iter()
        .map(|(pattern, replacement)| (Regex::new(&pattern).expect("a constant pattern"), replacement))
        .collect()
    });
    let text = text.replace('%', " percent ").replace(',', "").replace(" per ", "/");
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (pattern, replacement) in REWRITES.iter() {
        text = pattern.replace_all(&text, *replacement).into_owned();
    }
    multiply_at_spaces(&text).replace('^', "**")
}

/// A space between two operands multiplies.
fn multiply_at_spaces(text: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let characters: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    for (at, &c) in characters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| characters.get(before));
        let multiplies = c == ' '
            && before.is_some_and(|&c| is_word(c) || matches!(c, '.' | ')'))
            && characters.get(at + 1).is_some_and(|&c| is_word(c) || c == '(');
        out.push(if multiplies { '*' } else { c });
    }
    out
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Value(Quantity),
    Open,
    Close,
    Operator(Operator),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Power,
    Times,
    Over,
    FloorOver,
    Plus,
    Minus,
}

impl Operator {
    fn priority(self) -> i8 {
        match self {
            Self::Power => 3,
            Self::Times | Self::Over | Self::FloorOver => 1,
            Self::Plus | Self::Minus => 0,
        }
    }
}

/// `None` for unknown words and unbalanced brackets.
fn tokenize(text: &str) -> Option<Vec<Token>> {
    static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
        const DIGITS: &str = "[0-9](?:_?[0-9])*";
        let float = format!(
            r"(?:{DIGITS}\.(?:{DIGITS})?|\.{DIGITS})(?:[eE][-+]?{DIGITS})?|{DIGITS}[eE][-+]?{DIGITS}"
        );
        Regex::new(&format!("^(?:{float}|0(?:_?0)*|[1-9](?:_?[0-9])*)")).expect("a constant pattern")
    });
    let mut tokens = Vec::new();
    let mut open = 0_i32;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let mut used = first.len_utf8();
        match first {
            '#' => break,
            '0'..='9' | '.' if NUMBER.is_match(rest) => {
                used = NUMBER.find(rest)?.end();
                tokens.push(Token::Value(Quantity::number(numeral(&rest[..used])?)));
            }
            'a'..='z' | 'A'..='Z' | '_' => {
                used = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
                tokens.push(Token::Value(named(&rest[..used])?));
            }
            // A quoted text is one token, and means nothing; a lone quote too.
            '\'' | '"' => used = rest[1..].find(first).map_or(1, |end| end + 2),
            '(' | '[' | '{' => {
                open += 1;
                if first == '(' {
                    tokens.push(Token::Open);
                }
            }
            ')' | ']' | '}' => {
                open -= 1;
                if first == ')' {
                    tokens.push(Token::Close);
                }
            }
            _ => {
                let (length, operator) = operator(rest);
                used = length.max(used);
                tokens.extend(operator.map(Token::Operator));
            }
        }
        rest = &rest[used..];
    }
    (open == 0).then_some(tokens)
}

fn numeral(text: &str) -> Option<Number> {
    match parse_int(text) {
        Some(int) => {
            Some(int.to_i64().map_or(Number::Float(int.to_f64()?), |int| Number::Int(i128::from(int))))
        }
        None => parse_float(text).map(Number::Float),
    }
}

fn named(name: &str) -> Option<Quantity> {
    match name {
        "dimensionless" => Some(Quantity::number(Number::Int(1))),
        "percent" => Some(Quantity::ratio(0.01)),
        "permille" => Some(Quantity::ratio(0.001)),
        name => metres(name).map(Quantity::length),
    }
}

/// How long the operator at the start of `text` is, and which it is, if it is one that means something here.
fn operator(text: &str) -> (usize, Option<Operator>) {
    const MEANINGLESS: [&str; 21] = [
        "**=", "//=", ">>=", "<<=", "+=", "-=", "*=", "/=", "&=", "|=", "@=", "==", "!=", "<=", ">=", "->",
        ":=", "<<", ">>", "<>", "...",
    ];
    if let Some(skipped) = MEANINGLESS.iter().find(|operator| text.starts_with(**operator)) {
        return (skipped.len(), None);
    }
    let meaningful = [
        ("**", Operator::Power),
        ("//", Operator::FloorOver),
        ("*", Operator::Times),
        ("/", Operator::Over),
        ("+", Operator::Plus),
        ("-", Operator::Minus),
    ];
    match meaningful.into_iter().find(|(sign, _)| text.starts_with(sign)) {
        Some((sign, operator)) => (sign.len(), Some(operator)),
        None => (1, None),
    }
}

/// What stands before the operand that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Open,
    Sign,
    /// Two operands side by side.
    Adjacency,
    Operator(Operator),
}

impl Before {
    fn priority(self) -> i8 {
        match self {
            Self::Nothing | Self::Open => -1,
            Self::Sign => 2,
            Self::Adjacency => Operator::Times.priority(),
            Self::Operator(operator) => operator.priority(),
        }
    }
}

struct Evaluation<'a> {
    tokens: &'a [Token],
    depth: usize,
}

/// Deeper nesting is refused; nobody measures that way.
const DEPTH_LIMIT: usize = 60;

impl Evaluation<'_> {
    /// Evaluates from the token at `at` as far as `before` lets it, and says which token was the last one.
    fn from(&mut self, at: usize, before: Before) -> Option<(Quantity, usize)> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return None;
        }
        let evaluated = self.operations(at, before);
        self.depth -= 1;
        evaluated
    }

    fn operations(&mut self, mut at: usize, before: Before) -> Option<(Quantity, usize)> {
        let mut result: Option<Quantity> = None;
        while let Some(token) = self.tokens.get(at) {
            match token {
                Token::Close => {
                    return match before {
                        Before::Nothing => None,
                        Before::Open => Some((result?, at)),
                        _ => Some((result?, at.checked_sub(1)?)),
                    };
                }
                Token::Open => {
                    let (group, last) = self.from(at + 1, Before::Open)?;
                    if self.tokens.get(last) != Some(&Token::Close) {
                        return None;
                    }
                    at = last;
                    result = Some(match result {
                        Some(left) => left.times(&group),
                        None => group,
                    });
                }
                Token::Operator(operator) => {
                    let Some(left) = result else {
                        let (right, last) = self.from(at + 1, Before::Sign)?;
                        at = last;
                        result = Some(match operator {
                            Operator::Plus => right,
                            Operator::Minus => right.times(&Quantity::number(Number::Int(-1))),
                            _ => return None,
                        });
                        at += 1;
                        continue;
                    };
                    if operator.priority() <= before.priority() && *operator != Operator::Power {
                        return Some((left, at.checked_sub(1)?));
                    }
                    let (right, last) = self.from(at + 1, Before::Operator(*operator))?;
                    at = last;
                    result = Some(apply(*operator, &left, &right)?);
                }
                Token::Value(value) => match result {
                    None => result = Some(value.clone()),
                    Some(left) if Operator::Times.priority() <= before.priority() => {
                        return Some((left, at.checked_sub(1)?));
                    }
                    Some(left) => {
                        let (right, last) = self.from(at, Before::Adjacency)?;
                        at = last;
                        result = Some(left.times(&right));
                    }
                },
            }
            at += 1;
        }
        if before == Before::Open {
            return None;
        }
        Some((result?, at))
    }
}

fn apply(operator: Operator, left: &Quantity, right: &Quantity) -> Option<Quantity> {
    match operator {
        Operator::Times => Some(left.times(right)),
        Operator::Over => left.over(right),
        Operator::FloorOver => left.floor_over(right),
        Operator::Plus => left.plus(right),
        Operator::Minus => left.plus(&right.times(&Quantity::number(Number::Int(-1)))),
        Operator::Power => left.power(right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metres_of(text: &str) -> Option<f64> {
        evaluate(text).map(Number::to_f64)
    }

    #[test]
    fn expressions() {
        for (text, length) in [
            ("5 km", Some(5000.0)),
            ("~5 km!", Some(5000.0)),
            ("km", Some(1000.0)),
            ("5 km 5", Some(25_000.0)),
            ("5 km.", Some(5000.0)),
            ("1/2 mile", Some(804.672)),
            ("5 km + 3 m", Some(5003.0)),
            ("5 km -3 m", Some(4997.0)),
            ("5 m ^2 / m", Some(5.0)),
            ("5 square km / km", Some(5000.0)),
            ("2**3 km", Some(8000.0)),
            ("5 ( km)", Some(5000.0)),
            ("-5 km", Some(-5000.0)),
            ("5 km %", Some(50.0)),
            ("5 km # comment", Some(5000.0)),
            ("007 km", Some(0.0)),
            ("5:30 km", Some(150_000.0)),
            ("914,000 m", Some(914_000.0)),
            ("5 m per 2", Some(2.5)),
            ("0 - 1 m", Some(-1.0)),
            ("5 km away", None),
            ("2 km 500 m", None),
            ("5-6 km", None),
            ("(5 km", None),
            ("5 km)", None),
            ("\"5 km\"", None),
            (". 5 km", None),
            ("5 km *", None),
            ("", None),
        ] {
            assert_eq!(metres_of(text), length, "{text}");
        }
    }

    #[test]
    fn hostile_arithmetic_is_cheap() {
        assert!(metres_of("9**9**9**9**9 m").is_none_or(|length| !length.is_nan()));
        assert_eq!(metres_of(&format!("{}5 km", "(".repeat(10_000))), None);
        assert_eq!(metres_of(&format!("{}5 km", "-".repeat(10_000))), None);
    }
}
