//! The text of a path and its parts.
//!
//! The library behind the reference takes a mistake in a token for something else than a mistake in the order of
//! tokens: the first ends the evaluation with an error, the second means that nothing was found.

/// A path, read inside out: each step is applied to what the steps before it found.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Path {
    Root,
    This,
    /// Members by name; `*` among the names means all members.
    Fields(Vec<String>),
    Index(i64),
    Slice {
        start: Option<i64>,
        end: Option<i64>,
        step: Option<i64>,
    },
    Filter(Vec<Condition>),
    Child(Box<Path>, Box<Path>),
    Descendants(Box<Path>, Box<Path>),
    Union(Box<Path>, Box<Path>),
}

/// One condition of a filter: the path finds something, and, if compared, something that compares.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Condition {
    pub target: Path,
    pub comparison: Option<(Operator, Operand)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Matches,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Operand {
    Text(String),
    Whole(i64),
    Float(f64),
    Bool(bool),
}

/// Why a text is no path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    #[error("unexpected character or unclosed quote at {at}")]
    Token { at: usize },
    #[error("the path does not make sense as a whole")]
    Grammar,
    #[error("arithmetic, sorting and named operators are not part of this evaluation")]
    Unsupported,
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    /// An identifier, quoted or not.
    Name(String),
    Whole(i64),
    Float(f64),
    Bool(bool),
    Compare(Operator),
    DoubleDot,
    Punctuation(char),
}

pub(super) fn parse(text: &str) -> Result<Path, PathError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, nesting: 0 };
    let path = parser.path()?;
    if parser.at == tokens.len() { Ok(path) } else { Err(PathError::Grammar) }
}

fn tokens(text: &str) -> Result<Vec<Token>, PathError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n']);
        let Some(first) = rest.chars().next() else { return Ok(tokens) };
        let (token, length) = next_token(rest, first, text.len() - rest.len())?;
        tokens.push(token);
        rest = &rest[length..];
    }
}

fn next_token(rest: &str, first: char, at: usize) -> Result<(Token, usize), PathError> {
    for word in ["true", "false"] {
        if rest.starts_with(word) {
            return Ok((Token::Bool(word == "true"), word.len()));
        }
    }
    let unadorned = rest.strip_prefix('@').unwrap_or(rest);
    if unadorned.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '@' | '-');
        let name_length = unadorned.find(|c| !is_inside(c)).unwrap_or(unadorned.len());
        let length = rest.len() - unadorned.len() + name_length;
        return match &rest[..length] {
            "where" | "wherenot" => Err(PathError::Unsupported),
            name => Ok((Token::Name(name.to_owned()), length)),
        };
    }
    if rest.strip_prefix('-').unwrap_or(rest).starts_with(|c: char| c.is_ascii_digit()) {
        return number(rest).ok_or(PathError::Token { at });
    }
    for (text, operator) in [
        ("=~", Operator::Matches),
        ("==", Operator::Equal),
        ("=", Operator::Equal),
        ("<=", Operator::LessOrEqual),
        (">=", Operator::GreaterOrEqual),
        ("!=", Operator::NotEqual),
        ("<", Operator::Less),
        (">", Operator::Greater),
    ] {
        if rest.starts_with(text) {
            return Ok((Token::Compare(operator), text.len()));
        }
    }
    match first {
        '\'' | '"' => quoted(rest, first).ok_or(PathError::Token { at }),
        '.' if rest.starts_with("..") => Ok((Token::DoubleDot, 2)),
        '`' if rest.starts_with("`this`") => Ok((Token::Punctuation('@'), "`this`".len())),
        '`' | '/' | '\\' | '+' | '-' | '~' => Err(PathError::Unsupported),
        '*' | '.' | '[' | ']' | '(' | ')' | '$' | ',' | ':' | '|' | '&' | '?' | '@' => {
            Ok((Token::Punctuation(first), first.len_utf8()))
        }
        _ => Err(PathError::Token { at }),
    }
}

/// The number a text starts with and its length; `None` if it is too large to count with.
fn number(rest: &str) -> Option<(Token, usize)> {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let sign = usize::from(rest.starts_with('-'));
    let end = sign + digits(&rest[sign..]);
    let fraction = rest[end..].strip_prefix('.').map_or(0, digits);
    if fraction > 0 {
        let end = end + 1 + fraction;
        return Some((Token::Float(rest[..end].parse().ok()?), end));
    }
    Some((Token::Whole(rest[..end].parse().ok()?), end))
}

/// A quoted name and its length; a backslash stands for the character after it.
fn quoted(rest: &str, quote: char) -> Option<(Token, usize)> {
    let mut name = String::new();
    let mut characters = rest.char_indices().skip(1);
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => {
                name.push(characters.next().map(|(_, escaped)| escaped).filter(|&escaped| escaped != '\n')?);
            }
            c if c == quote => return Some((Token::Name(name), at + quote.len_utf8())),
            c => name.push(c),
        }
    }
    None
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    nesting: usize,
}

impl Parser<'_> {
    const DEEPEST_NESTING: usize = 100;

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn eat(&mut self, punctuation: char) -> bool {
        let found = self.peek() == Some(&Token::Punctuation(punctuation));
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, punctuation: char) -> Result<(), PathError> {
        if self.eat(punctuation) { Ok(()) } else { Err(PathError::Grammar) }
    }

    /// `..` binds loosest, then `.`, then `|`; brackets bind tightest.
    fn path(&mut self) -> Result<Path, PathError> {
        self.nesting += 1;
        if self.nesting > Self::DEEPEST_NESTING {
            return Err(PathError::Grammar);
        }
        let mut path = self.children()?;
        while self.peek() == Some(&Token::DoubleDot) {
            self.at += 1;
            path = Path::Descendants(Box::new(path), Box::new(self.children()?));
        }
        self.nesting -= 1;
        Ok(path)
    }

    fn children(&mut self) -> Result<Path, PathError> {
        let mut path = self.union()?;
        while self.eat('.') {
            path = Path::Child(Box::new(path), Box::new(self.union()?));
        }
        Ok(path)
    }

    fn union(&mut self) -> Result<Path, PathError> {
        let mut path = self.bracketed()?;
        while self.eat('|') {
            path = Path::Union(Box::new(path), Box::new(self.bracketed()?));
        }
        Ok(path)
    }

    fn bracketed(&mut self) -> Result<Path, PathError> {
        let mut path = self.step()?;
        while self.eat('[') {
            let inner = if self.eat('?') { Path::Filter(self.conditions()?) } else { self.selection()? };
            self.expect(']')?;
            path = Path::Child(Box::new(path), Box::new(inner));
        }
        Ok(path)
    }

    fn step(&mut self) -> Result<Path, PathError> {
        let token = self.peek().ok_or(PathError::Grammar)?.clone();
        self.at += 1;
        match token {
            Token::Punctuation('$') => Ok(Path::Root),
            Token::Punctuation('@') => Ok(Path::This),
            Token::Punctuation('*') => Ok(Path::Fields(vec!["*".to_owned()])),
            Token::Name(name) => self.more_fields(name),
            // A bare number is taken apart into its characters, each of them a field.
            Token::Whole(number) => Ok(Path::Fields(number.to_string().chars().map(String::from).collect())),
            Token::Punctuation('(') => {
                let path = self.path()?;
                self.expect(')')?;
                Ok(path)
            }
            Token::Punctuation('[') => {
                let selection = self.selection()?;
                self.expect(']')?;
                Ok(selection)
            }
            _ => Err(PathError::Grammar),
        }
    }

    fn more_fields(&mut self, first: String) -> Result<Path, PathError> {
        let mut fields = vec![first];
        while self.eat(',') {
            match self.peek() {
                Some(Token::Name(name)) => fields.push(name.clone()),
                _ => return Err(PathError::Grammar),
            }
            self.at += 1;
        }
        Ok(Path::Fields(fields))
    }

    fn selection(&mut self) -> Result<Path, PathError> {
        if self.eat('*') {
            return Ok(Path::Slice { start: None, end: None, step: None });
        }
        if let Some(Token::Name(name)) = self.peek() {
            let name = name.clone();
            self.at += 1;
            return self.more_fields(name);
        }
        let start = self.whole();
        if !self.eat(':') {
            return start.map(Path::Index).ok_or(PathError::Grammar);
        }
        let end = self.whole();
        let step = if self.eat(':') { self.whole() } else { None };
        Ok(Path::Slice { start, end, step })
    }

    fn whole(&mut self) -> Option<i64> {
        let Some(&Token::Whole(number)) = self.peek() else { return None };
        self.at += 1;
        Some(number)
    }

    fn conditions(&mut self) -> Result<Vec<Condition>, PathError> {
        self.nesting += 1;
        if self.nesting > Self::DEEPEST_NESTING {
            return Err(PathError::Grammar);
        }
        let mut conditions = if self.eat('(') {
            let inner = self.conditions()?;
            self.expect(')')?;
            inner
        } else {
            vec![self.condition()?]
        };
        if self.eat('&') {
            conditions.extend(self.conditions()?);
        }
        self.nesting -= 1;
        Ok(conditions)
    }

    fn condition(&mut self) -> Result<Condition, PathError> {
        let target = self.path()?;
        let Some(&Token::Compare(operator)) = self.peek() else {
            return Ok(Condition { target, comparison: None });
        };
        self.at += 1;
        let operand = match self.peek() {
            Some(Token::Name(text)) => Operand::Text(text.clone()),
            Some(&Token::Whole(number)) => Operand::Whole(number),
            Some(&Token::Float(number)) => Operand::Float(number),
            Some(&Token::Bool(truth)) => Operand::Bool(truth),
            _ => return Err(PathError::Grammar),
        };
        self.at += 1;
        Ok(Condition { target, comparison: Some((operator, operand)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_in_tokens_and_in_their_order_are_told_apart() {
        for path in ["$.bad[", "$.", "$.a b", "$[?(@.a == )]", "$.true_story", "", "$.a[1.5]", "$..", "$.a[]"]
        {
            assert_eq!(parse(path), Err(PathError::Grammar), "{path}");
        }
        for path in ["$.a{", "$['open", "$.a^", "$.é"] {
            assert!(matches!(parse(path), Err(PathError::Token { .. })), "{path}");
        }
        for path in ["$.a where b", "$.`len`", "$.a + $.b"] {
            assert_eq!(parse(path), Err(PathError::Unsupported), "{path}");
        }
    }

    #[test]
    fn dots_bind_tighter_than_double_dots() {
        let field = |name: &str| Box::new(Path::Fields(vec![name.to_owned()]));
        let descendants =
            Path::Descendants(Box::new(Path::Root), Box::new(Path::Child(field("a"), field("b"))));
        assert_eq!(parse("$..a.b"), Ok(descendants));
        let quoted = Path::Child(Box::new(Path::Root), Box::new(Path::Fields(vec!["a-b c'd".to_owned()])));
        assert_eq!(parse(r"$['a-b c\'d']"), Ok(quoted));
    }

    #[test]
    fn deep_nesting_ends_in_an_error() {
        assert_eq!(parse(&"(".repeat(100_000)), Err(PathError::Grammar));
        assert_eq!(parse(&format!("$[?{}", "(".repeat(100_000))), Err(PathError::Grammar));
    }
}
