//! Euros for dollars: an amount keeps its number and changes its sign, `$1,234.50` becomes `1.234,50 €`.
//!
//! Nothing is converted. A task that is told of the change, as [`super::in_its_words`] tells it, stays as right as it was.

use super::locale::{german, number, rewritten};

/// Names of the currency, and what they become.
const NAMES: [(&str, &str); 4] =
    [("US dollars", "euros"), ("US dollar", "euro"), ("dollar sign", "euro sign"), ("USD", "EUR")];

/// The text in the other currency; none if it names none.
pub fn relabelled(text: &str) -> Option<String> {
    rewritten(text, mention)
}

/// A mention of the currency that the rest of a text begins with: its length, and what it becomes.
pub fn mention(before: char, rest: &str) -> Option<(usize, String)> {
    if before.is_alphanumeric() || before == '$' {
        return None;
    }
    amount(rest).or_else(|| sign(rest)).or_else(|| name(rest))
}

/// The text, if it is an amount and nothing else.
pub fn whole_amount(text: &str) -> Option<String> {
    amount(text).filter(|(length, _)| *length == text.len()).map(|(_, written)| written)
}

fn amount(text: &str) -> Option<(usize, String)> {
    let digits = number(text.strip_prefix('$')?);
    let mut written = german(digits)?;
    let mut length = 1 + digits.len();
    // Thousands and millions in short.
    if let [short @ (b'k' | b'M'), ..] = text.as_bytes()[length..] {
        written.push(char::from(short));
        length += 1;
    }
    Some((length, format!("{written} €")))
}

/// `$` by itself, or several of them for how dear something is.
fn sign(text: &str) -> Option<(usize, String)> {
    let count = text.bytes().take_while(|byte| *byte == b'$').count();
    let follows = text[count..].chars().next();
    let is_alone = !follows.is_some_and(|next| next.is_alphanumeric() || matches!(next, '{' | '(' | '_'));
    (count > 0 && is_alone).then(|| (count, "€".repeat(count)))
}

fn name(text: &str) -> Option<(usize, String)> {
    let is_whole = |name: &str| {
        text.strip_prefix(name).is_some_and(|after| !after.starts_with(|next: char| next.is_alphanumeric()))
    };
    let (name, other) = NAMES.into_iter().find(|(name, _)| is_whole(name))?;
    Some((name.len(), other.to_owned()))
}

/// Fields of a form or a query whose value is an amount as Germany writes it, as the site reads amounts; none if there is
/// none. A localized site would understand them, too.
pub fn read_back(fields: &[u8]) -> Option<String> {
    let mut is_any = false;
    let fields: Vec<(String, String)> = url::form_urlencoded::parse(fields)
        .into_owned()
        .map(|(name, value)| match english(&value) {
            Some(value) => {
                is_any = true;
                (name, value)
            }
            None => (name, value),
        })
        .collect();
    is_any.then(|| url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish())
}

/// `1.234,50 €` and `44,50` as `1234.50` and `44.50`. Without the sign, only a comma before cents says what is meant.
fn english(text: &str) -> Option<String> {
    let text = text.trim();
    let unsigned = text.strip_suffix('€').or_else(|| text.strip_prefix('€')).map(str::trim);
    let amount = unsigned.unwrap_or(text);
    let (whole, cents) = amount.split_once(',').map_or((amount, None), |(whole, cents)| (whole, Some(cents)));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let groups: Vec<&str> = whole.split('.').collect();
    let well_grouped = groups.len() == 1 || groups[0].len() <= 3 && groups[1..].iter().all(|g| g.len() == 3);
    let has_cents = cents.is_some_and(|cents| is_digits(cents) && cents.len() <= 2);
    if !groups.iter().all(|group| is_digits(group)) || !well_grouped {
        return None;
    }
    match cents {
        Some(cents) if has_cents => Some(format!("{}.{cents}", groups.concat())),
        None if unsigned.is_some() => Some(groups.concat()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_currency_changes_and_the_number_stays() {
        for (text, expected) in [
            ("$19.99", "19,99 €"),
            ("now $1,234.50, was $2,000.", "now 1.234,50 €, was 2.000 €."),
            ("from -$5 to +$10", "from -5 € to +10 €"),
            ("$5-$10/$20", "5 €-10 €/20 €"),
            ("$1.2k", "1,2k €"),
            ("Price in $", "Price in €"),
            ("$$ · Thai", "€€ · Thai"),
            ("($$$)", "(€€€)"),
            ("with the dollar sign", "with the euro sign"),
            ("Prices in US dollars, taxes included", "Prices in euros, taxes included"),
            ("20 USD", "20 EUR"),
            ("the text \"It costs $105.99.\"", "the text \"It costs 105,99 €.\""),
        ] {
            assert_eq!(relabelled(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "12,345 stars", "March 3, 2026", "a$5", "$x", "${name}", "$(ls)", "USDA", "$_"] {
            assert_eq!(relabelled(text), None, "{text}");
        }
    }

    #[test]
    fn amounts_that_are_typed_come_back() {
        for (typed, read) in [
            ("44,50", Some("44.50")),
            ("44,5 €", Some("44.5")),
            ("1.234,50 €", Some("1234.50")),
            ("€ 1.234", Some("1234")),
            ("150 €", Some("150")),
            ("150", None),
            ("44.50", None),
            ("1.234", None),
            ("1,234", None),
            ("12,34,56", None),
            ("costs 44,50 €", None),
            ("€", None),
            ("1.23,50", None),
        ] {
            assert_eq!(english(typed).as_deref(), read, "{typed}");
        }
        assert_eq!(read_back(b"q=lamp&max=99%2C50+%E2%82%AC").as_deref(), Some("q=lamp&max=99.50"));
        assert_eq!(read_back(b"q=a%2Cb&max=99"), None);
    }
}
