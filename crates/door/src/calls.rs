//! Calls written in Python's manner, such as `fill('12', "it's")`: read, never run.

use std::iter::Peekable;
use std::str::CharIndices;

/// Deeper lists are nobody's arguments.
const DEEPEST: usize = 8;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Text(String),
    Number(f64),
    Flag(bool),
    Nothing,
    List(Vec<Value>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub name: String,
    pub arguments: Vec<Value>,
    pub named: Vec<(String, Value)>,
}

/// All calls of functions that `is_known` knows, wherever they stand in the text: models like to wrap them in prose and
/// fences. A known name whose brackets cannot be read is an error, not prose.
pub(crate) fn calls_in(text: &str, is_known: impl Fn(&str) -> bool) -> Result<Vec<Call>, String> {
    let mut calls = Vec::new();
    let mut at = 0;
    while let Some((name, begin)) = next_name(text, at) {
        let after = begin + name.len();
        at = after;
        if is_known(name) && text[after..].trim_start().starts_with('(') {
            let mut reader = Reader::new(text, after);
            let call = reader.call(name).map_err(|problem| format!("`{name}(…)`: {problem}"))?;
            calls.push(call);
            at = reader.position();
        }
    }
    Ok(calls)
}

/// The name of the only call a text seems to be.
pub(crate) fn name_of_call(text: &str) -> Option<&str> {
    let (name, rest) = text.trim().split_once('(')?;
    (rest.contains(')') && !name.is_empty() && name.chars().all(is_name_part)).then_some(name)
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The next identifier from a position on, and where it begins.
fn next_name(text: &str, from: usize) -> Option<(&str, usize)> {
    let rest = text.get(from..)?;
    let begin = from + rest.find(|c: char| c.is_alphabetic() || c == '_')?;
    let end = text[begin..].find(|c| !is_name_part(c)).map_or(text.len(), |length| begin + length);
    Some((&text[begin..end], begin))
}

struct Reader<'t> {
    text: &'t str,
    chars: Peekable<CharIndices<'t>>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, from: usize) -> Self {
        let mut chars = text.char_indices().peekable();
        while chars.next_if(|(at, _)| *at < from).is_some() {}
        Self { text, chars }
    }

    fn position(&mut self) -> usize {
        self.chars.peek().map_or(self.text.len(), |(at, _)| *at)
    }

    fn rest(&mut self) -> &'t str {
        let at = self.position();
        &self.text[at..]
    }

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.chars.next();
        }
    }

    /// White space and comments.
    fn skip_space(&mut self) {
        while let Some((_, c)) = self.chars.peek() {
            match c {
                '#' => while self.chars.next_if(|(_, c)| *c != '\n').is_some() {},
                c if c.is_whitespace() => self.skip(1),
                _ => return,
            }
        }
    }

    fn take(&mut self, wanted: char) -> bool {
        self.skip_space();
        self.chars.next_if(|(_, c)| *c == wanted).is_some()
    }

    fn call(&mut self, name: &str) -> Result<Call, String> {
        let mut call = Call { name: name.to_owned(), arguments: Vec::new(), named: Vec::new() };
        if !self.take('(') {
            return Err("`(` is missing".to_owned());
        }
        while !self.take(')') {
            match self.keyword() {
                Some(key) => call.named.push((key, self.value(0)?)),
                None if call.named.is_empty() => call.arguments.push(self.value(0)?),
                None => return Err("an argument without a name follows one with a name".to_owned()),
            }
            if !self.take(',') {
                self.skip_space();
                if !self.rest().starts_with(')') {
                    return Err("`,` or `)` is missing".to_owned());
                }
            }
        }
        Ok(call)
    }

    /// `name=`, if that is what comes.
    fn keyword(&mut self) -> Option<String> {
        self.skip_space();
        let rest = self.rest();
        let length = rest.find(|c| !is_name_part(c)).filter(|length| *length > 0)?;
        let (name, behind) = rest.split_at(length);
        let space = behind.len() - behind.trim_start().len();
        let is_keyword = behind[space..].starts_with('=') && !behind[space..].starts_with("==");
        is_keyword.then(|| {
            self.skip(name.chars().count() + behind[..space].chars().count() + 1);
            name.to_owned()
        })
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > DEEPEST {
            return Err("lists are nested too deeply".to_owned());
        }
        self.skip_space();
        let rest = self.rest();
        if let Some(close) = [('[', ']'), ('(', ')')].iter().find(|(open, _)| rest.starts_with(*open)) {
            self.skip(1);
            return self.list(close.1, depth);
        }
        let prefix = rest.find(['\'', '"']).map_or("", |at| &rest[..at]);
        if rest.starts_with(['\'', '"']) || matches!(prefix, "r" | "R" | "u" | "U") {
            return self.texts().map(Value::Text);
        }
        let end = rest.find([',', ')', ']', ' ', '\n', '\t', '\r']).unwrap_or(rest.len());
        let word = &rest[..end];
        let value = match word {
            "True" | "true" => Value::Flag(true),
            "False" | "false" => Value::Flag(false),
            "None" | "null" => Value::Nothing,
            _ => match word.replace('_', "").parse::<f64>() {
                Ok(number)
                    if number.is_finite()
                        && word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) =>
                {
                    Value::Number(number)
                }
                _ => return Err(format!("`{}` is not a text, number or list", shortened(word))),
            },
        };
        self.skip(word.chars().count());
        Ok(value)
    }

    fn list(&mut self, close: char, depth: usize) -> Result<Value, String> {
        let mut values = Vec::new();
        while !self.take(close) {
            values.push(self.value(depth + 1)?);
            if !self.take(',') {
                self.skip_space();
                if !self.rest().starts_with(close) {
                    return Err(format!("`,` or `{close}` is missing"));
                }
            }
        }
        Ok(Value::List(values))
    }

    /// One string literal or several side by side, which are one text.
    fn texts(&mut self) -> Result<String, String> {
        let mut whole = String::new();
        loop {
            let is_raw =
                self.chars.next_if(|(_, c)| "rRuU".contains(*c)).is_some_and(|(_, c)| "rR".contains(c));
            whole.push_str(&self.text(is_raw)?);
            self.skip_space();
            if !self.rest().starts_with(['\'', '"']) {
                return Ok(whole);
            }
        }
    }

    fn text(&mut self, is_raw: bool) -> Result<String, String> {
        let rest = self.rest();
        let fence = ["'''", "\"\"\"", "'", "\""].into_iter().find(|fence| rest.starts_with(fence));
        let fence = fence.ok_or("a text was expected")?;
        self.skip(fence.len());
        let mut text = String::new();
        loop {
            if self.rest().starts_with(fence) {
                self.skip(fence.len());
                return Ok(text);
            }
            match self.chars.next() {
                None => return Err("a text has no end".to_owned()),
                Some((_, '\\')) if is_raw => {
                    text.push('\\');
                    text.extend(self.chars.next().map(|(_, c)| c));
                }
                Some((_, '\\')) => self.escape(&mut text)?,
                Some((_, c)) => text.push(c),
            }
        }
    }

    fn escape(&mut self, text: &mut String) -> Result<(), String> {
        let Some((_, c)) = self.chars.next() else { return Err("a text has no end".to_owned()) };
        match c {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'a' => text.push('\u{7}'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            'v' => text.push('\u{b}'),
            '0' => text.push('\0'),
            '\\' | '\'' | '"' => text.push(c),
            '\n' => {}
            'x' => text.push(self.code(2)?),
            'u' => text.push(self.code(4)?),
            'U' => text.push(self.code(8)?),
            other => text.extend(['\\', other]),
        }
        Ok(())
    }

    fn code(&mut self, digits: usize) -> Result<char, String> {
        let written: String = (0..digits).filter_map(|_| self.chars.next()).map(|(_, c)| c).collect();
        let code = u32::from_str_radix(&written, 16).ok().filter(|_| written.len() == digits);
        code.and_then(char::from_u32).ok_or_else(|| format!("`\\{written}` is not a character"))
    }
}

fn shortened(word: &str) -> &str {
    &word[..word.floor_char_boundary(40)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    fn only(source: &str) -> Result<Call, String> {
        let mut calls = calls_in(source, |_| true)?;
        assert_eq!(calls.len(), 1, "{source}: {calls:?}");
        Ok(calls.remove(0))
    }

    /// What Python's own `ast.literal_eval` makes of the same arguments.
    #[test]
    fn arguments_read_as_python_reads_them() {
        for (source, expected) in [
            ("f()", vec![]),
            ("f('12')", vec![text("12")]),
            ("f(\"it's\", 'say \"x\"')", vec![text("it's"), text("say \"x\"")]),
            (r"f('a\'b\n\t\\ \d')", vec![text("a'b\n\t\\ \\d")]),
            (r"f('\x41\u00e9\U0001F600')", vec![text("Aé😀")]),
            (r"f(r'C:\new')", vec![text("C:\\new")]),
            ("f('''two\nlines''')", vec![text("two\nlines")]),
            ("f('a' \"b\")", vec![text("ab")]),
            ("f(0, -2.5, 1e3, 1_000)", [0.0, -2.5, 1000.0, 1000.0].map(Value::Number).to_vec()),
            ("f(True, None)", vec![Value::Flag(true), Value::Nothing]),
            (
                "f(['a', ['b'], ()], 3,)",
                vec![
                    Value::List(vec![text("a"), Value::List(vec![text("b")]), Value::List(vec![])]),
                    Value::Number(3.0),
                ],
            ),
            ("f( # a remark, with 'quotes'\n  1)", vec![Value::Number(1.0)]),
            ("f('ünï (a, b)')", vec![text("ünï (a, b)")]),
        ] {
            assert_eq!(only(source).map(|call| call.arguments), Ok(expected), "{source}");
        }
        let call = only("click('a', button = 'left', modifiers=[])").expect("a call");
        let named = [("button".to_owned(), text("left")), ("modifiers".to_owned(), Value::List(vec![]))];
        assert_eq!((call.arguments.len(), call.named.as_slice()), (1, named.as_slice()));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        for (source, problem) in [
            ("f('a", "no end"),
            ("f('a'", "`,` or `)` is missing"),
            ("f('a' 1)", "`,` or `)` is missing"),
            ("f(x=1, 2)", "follows one with a name"),
            ("f(open('x'))", "is not a text, number or list"),
            ("f(nan)", "is not a text"),
            (r"f('\ud800')", "is not a character"),
            ("f([[[[[[[[[[1]]]]]]]]]])", "too deeply"),
        ] {
            let error = calls_in(source, |name| name == "f").expect_err(source);
            assert!(error.contains(problem), "{source}: {error}");
        }
    }

    #[test]
    fn calls_are_found_among_prose() {
        let known = |name: &str| matches!(name, "click" | "fill");
        let source =
            "I must fill it in.\n```python\nfill('3', 'click(1)')  # then\nclick('4')\n```\nShall I think()?";
        let calls = calls_in(source, known).expect("readable");
        let told: Vec<(&str, usize)> =
            calls.iter().map(|call| (call.name.as_str(), call.arguments.len())).collect();
        assert_eq!(told, [("fill", 2), ("click", 1)]);
        assert_eq!(calls_in("no call at all", known), Ok(Vec::new()));
        assert_eq!(name_of_call(" fly('home') "), Some("fly"));
        assert_eq!(name_of_call("fly home"), None);
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(source in ".{0,80}", call in "[a-z(),'\"\\[\\]\\\\ =1#]{0,40}") {
            let _ = calls_in(&source, |_| true);
            let _ = calls_in(&format!("f({call}"), |_| true);
        }

        /// `json.dumps` of a text is a literal of the same text in Python too, as long as it has no surrogates.
        #[test]
        fn json_strings_without_surrogates_are_python_strings(value in "[^\u{10000}-\u{10ffff}]{0,30}") {
            let source = format!("f({})", serde_json::to_string(&value).expect("JSON"));
            prop_assert_eq!(only(&source).map(|call| call.arguments), Ok(vec![Value::Text(value)]));
        }
    }
}
