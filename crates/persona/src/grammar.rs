//! Phrases with choices and blanks: `[hourly|weekend] forecast, {city}`.

use serde::Deserialize;
use umpire_model::Random;

/// A phrase that can be said in several ways.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Grammar(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Blank(String),
    Choice(Vec<Vec<Piece>>),
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{phrase}`: {problem}")]
pub struct BadPhrase {
    phrase: String,
    problem: &'static str,
}

impl TryFrom<String> for Grammar {
    type Error = BadPhrase;

    fn try_from(phrase: String) -> Result<Self, BadPhrase> {
        match pieces(&phrase) {
            Ok(pieces) => Ok(Self(pieces)),
            Err(problem) => Err(BadPhrase { phrase, problem }),
        }
    }
}

fn pieces(text: &str) -> Result<Vec<Piece>, &'static str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '[', ']', '}']) {
        if at > 0 {
            pieces.push(Piece::Text(rest[..at].to_owned()));
        }
        let (close, inside) = match rest.as_bytes()[at] {
            b'{' => ('}', &rest[at + 1..]),
            b'[' => (']', &rest[at + 1..]),
            _ => return Err("a bracket closes that was never opened"),
        };
        let end = inside.find(close).ok_or("a bracket opens and never closes")?;
        let inner = &inside[..end];
        pieces.push(if close == '}' {
            let is_name = !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
            if !is_name {
                return Err("`{}` holds the name of a blank");
            }
            Piece::Blank(inner.to_owned())
        } else {
            Piece::Choice(inner.split('|').map(self::pieces).collect::<Result<_, _>>()?)
        });
        rest = &inside[end + 1..];
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    Ok(pieces)
}

impl Grammar {
    /// One way to say it; `fill` gives the text of a blank.
    pub fn say(&self, random: &mut Random, fill: &mut dyn FnMut(&mut Random, &str) -> String) -> String {
        let mut said = String::new();
        say(&self.0, random, fill, &mut said);
        said
    }

    pub fn has_blank(&self, name: &str) -> bool {
        self.blanks().contains(&name)
    }

    pub fn blanks(&self) -> Vec<&str> {
        fn blanks(pieces: &[Piece]) -> Vec<&str> {
            let of = |piece| match piece {
                &Piece::Text(_) => Vec::new(),
                Piece::Blank(name) => vec![name.as_str()],
                Piece::Choice(ways) => ways.iter().flat_map(|way| blanks(way)).collect(),
            };
            pieces.iter().flat_map(of).collect()
        }
        blanks(&self.0)
    }
}

fn say(
    pieces: &[Piece],
    random: &mut Random,
    fill: &mut dyn FnMut(&mut Random, &str) -> String,
    said: &mut String,
) {
    for piece in pieces {
        match piece {
            Piece::Text(text) => said.push_str(text),
            Piece::Blank(name) => said.push_str(&fill(random, name)),
            Piece::Choice(ways) => {
                if let Some(way) = random.pick(ways) {
                    say(way, random, fill, said);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Grammar, BadPhrase> {
        Grammar::try_from(text.to_owned())
    }

    #[test]
    fn every_choice_is_said_sooner_or_later() {
        let grammar = parse("[a|b {x}|] c {y}").expect("a phrase");
        let mut random = Random::new(1);
        let mut said: Vec<String> =
            (0..50).map(|_| grammar.say(&mut random, &mut |_, name| name.to_uppercase())).collect();
        said.sort();
        said.dedup();
        assert_eq!(said, [" c Y", "a c Y", "b X c Y"]);
        assert!(grammar.has_blank("x") && !grammar.has_blank("z"));
    }

    #[test]
    fn broken_phrases_are_refused() {
        for (text, problem) in [
            ("a [b", "never closes"),
            ("a b]", "never opened"),
            ("{", "never closes"),
            ("{A b}", "name of a blank"),
            ("[{x]", "closes"),
        ] {
            let error = parse(text).expect_err(text).to_string();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
