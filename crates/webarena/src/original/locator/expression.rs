//! The grammar of locators.
//!
//! ```text
//! sum     = or { "+" or }            or    = chain { "||" chain }
//! chain   = primary { "." name | "?." name | "(" arguments ")" | "[" number "]" }
//! primary = "document" | name | string | "(" sum ")" | "[..." sum "]"
//! argument = name "=>" sum | sum
//! ```

/// A parsed locator.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expression {
    Document,
    Name(String),
    Text(String),
    Member { object: Box<Expression>, name: String, optional: bool },
    Call { callee: Box<Expression>, arguments: Vec<Expression> },
    Index { object: Box<Expression>, index: usize },
    Spread(Box<Expression>),
    Arrow { parameter: String, body: Box<Expression> },
    Or(Box<Expression>, Box<Expression>),
    Sum(Box<Expression>, Box<Expression>),
}

/// Longer and deeper than any locator is, and less than the stack holds.
const LONGEST: usize = 300;
const DEEPEST: usize = 30;

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Name(String),
    Text(String),
    Number(usize),
    Mark(&'static str),
}

const MARKS: [&str; 11] = ["...", "=>", "?.", "||", ".", "(", ")", "[", "]", "+", ","];

/// Reads a locator; an error says what was not understood.
pub(super) fn parse(text: &str) -> Result<Expression, String> {
    let tokens = tokens(text)?;
    if tokens.len() > LONGEST {
        return Err("it is too long".to_owned());
    }
    let mut parser = Parser { tokens: &tokens, depth: 0 };
    let expression = parser.sum()?;
    match parser.tokens.first() {
        None => Ok(expression),
        Some(token) => Err(format!("{token:?} is not expected")),
    }
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            tokens.push(Token::Mark(mark));
            mark.len()
        } else if first == '\'' || first == '"' {
            let content = &rest[1..];
            let end = content.find(first).ok_or("a text is not closed")?;
            if content[..end].contains('\\') {
                return Err("escapes in texts are not read".to_owned());
            }
            tokens.push(Token::Text(content[..end].to_owned()));
            end + 2
        } else {
            let word = rest
                .find(|character: char| {
                    !character.is_ascii_alphanumeric() && character != '_' && character != '$'
                })
                .unwrap_or(rest.len());
            match &rest[..word] {
                "" => return Err(format!("{first:?} is not read")),
                digits if first.is_ascii_digit() => {
                    tokens.push(Token::Number(digits.parse().map_err(|_| format!("{digits} is not read"))?));
                }
                name => tokens.push(Token::Name(name.to_owned())),
            }
            word
        };
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

struct Parser<'a> {
    tokens: &'a [Token],
    depth: usize,
}

impl Parser<'_> {
    fn sum(&mut self) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("it is nested too deeply".to_owned());
        }
        let mut sum = self.or()?;
        while self.takes("+") {
            sum = Expression::Sum(Box::new(sum), Box::new(self.or()?));
        }
        self.depth -= 1;
        Ok(sum)
    }

    fn or(&mut self) -> Result<Expression, String> {
        let mut or = self.chain()?;
        while self.takes("||") {
            or = Expression::Or(Box::new(or), Box::new(self.chain()?));
        }
        Ok(or)
    }

    fn chain(&mut self) -> Result<Expression, String> {
        let mut chain = self.primary()?;
        loop {
            let object = Box::new(chain);
            chain = if self.takes(".") {
                Expression::Member { object, name: self.name()?, optional: false }
            } else if self.takes("?.") {
                Expression::Member { object, name: self.name()?, optional: true }
            } else if self.takes("(") {
                Expression::Call { callee: object, arguments: self.arguments()? }
            } else if self.takes("[") {
                Expression::Index { object, index: self.index()? }
            } else {
                return Ok(*object);
            };
        }
    }

    fn primary(&mut self) -> Result<Expression, String> {
        if self.takes("(") {
            let inner = self.sum()?;
            return self.expects(")").map(|()| inner);
        }
        if self.takes("[") {
            self.expects("...")?;
            let inner = self.sum()?;
            return self.expects("]").map(|()| Expression::Spread(Box::new(inner)));
        }
        match self.next() {
            Some(Token::Text(text)) => Ok(Expression::Text(text.clone())),
            Some(Token::Name(name)) if name == "document" => Ok(Expression::Document),
            Some(Token::Name(name)) => Ok(Expression::Name(name.clone())),
            other => Err(other.map_or_else(
                || "it ends too early".to_owned(),
                |token| format!("{token:?} is not expected"),
            )),
        }
    }

    fn arguments(&mut self) -> Result<Vec<Expression>, String> {
        let mut arguments = Vec::new();
        if self.takes(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(match self.tokens {
                [Token::Name(parameter), Token::Mark("=>"), rest @ ..] => {
                    self.tokens = rest;
                    Expression::Arrow { parameter: parameter.clone(), body: Box::new(self.sum()?) }
                }
                _ => self.sum()?,
            });
            if !self.takes(",") {
                return self.expects(")").map(|()| arguments);
            }
        }
    }

    fn name(&mut self) -> Result<String, String> {
        match self.next() {
            Some(Token::Name(name)) => Ok(name.clone()),
            _ => Err("a name is missing after a dot".to_owned()),
        }
    }

    fn index(&mut self) -> Result<usize, String> {
        match self.next() {
            Some(Token::Number(index)) => {
                let index = *index;
                self.expects("]").map(|()| index)
            }
            _ => Err("only a number is read as an index".to_owned()),
        }
    }

    fn next(&mut self) -> Option<&Token> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(first)
    }

    fn takes(&mut self, mark: &str) -> bool {
        match self.tokens {
            [Token::Mark(first), rest @ ..] if *first == mark => {
                self.tokens = rest;
                true
            }
            _ => false,
        }
    }

    fn expects(&mut self, mark: &str) -> Result<(), String> {
        if self.takes(mark) { Ok(()) } else { Err(format!("{mark} is missing")) }
    }
}
