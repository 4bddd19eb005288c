use serde::{Deserialize, Serialize};
use unicode_general_category::{GeneralCategory, get_general_category};

use super::address::check_address;
use super::{HostRule, Moderate, Refusal, Review, TaskRequest};

/// What every task must keep to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TaskRules {
    pub most_characters: usize,
    /// Where agents may go. Empty: an address may not be given at all.
    pub hosts: Vec<HostRule>,
}

impl Default for TaskRules {
    fn default() -> Self {
        Self { most_characters: 2000, hosts: Vec::new() }
    }
}

impl Moderate for TaskRules {
    fn review(&self, request: &TaskRequest<'_>) -> Review {
        let mut refusals = Vec::new();
        if request.text.trim().is_empty() {
            refusals.push(Refusal::Empty);
        }
        let characters = request.text.chars().count();
        if characters > self.most_characters {
            refusals.push(Refusal::TooLong { characters, most: self.most_characters });
        }
        if let Some((at, c)) = request.text.chars().enumerate().find(|(_, c)| !may_be_written(*c)) {
            refusals.push(Refusal::Character { code: c.into(), at: at + 1 });
        }
        let addresses = addresses_in(request.text).into_iter().chain(request.start_url.map(str::to_owned));
        for address in addresses {
            if let Err(problem) = check_address(&address, &self.hosts) {
                refusals.push(Refusal::Address { address, problem });
            }
        }
        Review { refusals }
    }
}

/// Line breaks and tabs are; other controls are not, nor what is invisible or turns the order of text round, nor what is
/// not assigned. Joiners inside words of several scripts and emoji are.
fn may_be_written(c: char) -> bool {
    match get_general_category(c) {
        GeneralCategory::Control => matches!(c, '\n' | '\r' | '\t'),
        GeneralCategory::Format => matches!(c, '\u{200c}' | '\u{200d}'),
        GeneralCategory::PrivateUse
        | GeneralCategory::Surrogate
        | GeneralCategory::Unassigned
        | GeneralCategory::LineSeparator
        | GeneralCategory::ParagraphSeparator => false,
        _ => true,
    }
}

/// All that a reader, or an agent, would take for an address: whatever has a scheme in front.
fn addresses_in(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '“' | '”' | '`'))
    {
        let lower = word.to_ascii_lowercase();
        let Some(at) = ["://", "javascript:", "data:", "view-source:", "file:", "about:", "chrome:"]
            .iter()
            .filter_map(|sign| {
                lower.find(sign).map(|at| if *sign == "://" { start_of_scheme(word, at) } else { at })
            })
            .min()
        else {
            continue;
        };
        let ends = ['.', ',', ';', ':', '!', '?', ')', ']', '}', '\'', '’'];
        let mut address = &word[at..];
        // A closing bracket that was opened within belongs to the address: [::1].
        while let Some(last) = address.chars().last().filter(|last| ends.contains(last)) {
            if last == ']' && address.contains('[') {
                break;
            }
            address = &address[..address.len() - last.len_utf8()];
        }
        found.push(address.to_owned());
    }
    found
}

fn start_of_scheme(word: &str, colon: usize) -> usize {
    let before = &word[..colon];
    before
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.' | ':'))
        .last()
        .map_or(colon, |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::super::AddressProblem;
    use super::*;

    fn said(text: &str) -> Vec<Refusal> {
        let rules = TaskRules { most_characters: 60, hosts: vec!["example.org".parse().expect("a rule")] };
        rules.review(&TaskRequest { text, start_url: None }).refusals
    }

    #[test]
    fn ordinary_tasks_pass() {
        for text in [
            "Find the cheapest lamp.",
            "Price: 3:1 ratio, see (https://example.org/a).",
            "Zeige mir\nalle Züge 🚆👩‍💻",
            "نمی‌خواهم",
        ] {
            assert_eq!(said(text), [], "{text}");
        }
    }

    #[test]
    fn what_is_refused_says_why() {
        assert_eq!(said(" \n "), [Refusal::Empty]);
        assert_eq!(said(&"a".repeat(61)), [Refusal::TooLong { characters: 61, most: 60 }]);
        for (text, code, at) in
            [("a\0b", 0, 2), ("pay\u{202e}gpj", 0x202e, 4), ("x\u{200b}", 0x200b, 2), ("\u{1b}[2J", 0x1b, 1)]
        {
            assert_eq!(said(text), [Refusal::Character { code, at }], "{text:?}");
        }
        let address = |address: &str, problem| vec![Refusal::Address { address: address.into(), problem }];
        for (text, wanted) in [
            (
                "Open http://169.254.169.254/x.",
                address("http://169.254.169.254/x", AddressProblem::NotPublic),
            ),
            ("see (http://[::1])", address("http://[::1]", AddressProblem::NotPublic)),
            ("go to FILE:///etc/passwd", address("FILE:///etc/passwd", AddressProblem::Scheme)),
            ("run javascript:alert(1)", address("javascript:alert(1", AddressProblem::Scheme)),
            ("<https://evil.com>", address("https://evil.com", AddressProblem::HostNotAllowed)),
            ("url=http://evil.com", address("http://evil.com", AddressProblem::HostNotAllowed)),
        ] {
            assert_eq!(said(text), wanted, "{text}");
        }
    }

    #[test]
    fn the_start_address_is_looked_at_too() {
        let rules = TaskRules::default();
        let request = TaskRequest { text: "Buy a lamp", start_url: Some("https://example.org/") };
        assert!(!rules.review(&request).is_allowed(), "no host is allowed until the operator names one");
    }
}
