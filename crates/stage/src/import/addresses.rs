//! What may be kept of an address, and of what was typed: no token, no password, no session id.

/// Words in the name of a field or parameter whose value opens something.
const SECRET_WORDS: [&str; 22] = [
    "auth",
    "bearer",
    "captcha",
    "code",
    "credential",
    "csrf",
    "hint",
    "jwt",
    "key",
    "nonce",
    "otp",
    "pass",
    "pin",
    "pwd",
    "secret",
    "session",
    "sid",
    "sig",
    "state",
    "ticket",
    "token",
    "xsrf",
];

/// Placeholders of WebSP-Eval's traces and what a session says instead.
const PLACEHOLDERS: [(&str, &str); 3] = [
    ("{{WEBSP_ACCOUNT_EMAIL}}", "{{account.email}}"),
    ("{{WEBSP_ACCOUNT_USERNAME}}", "{{account.user}}"),
    ("{{WEBSP_ACCOUNT_NAME}}", "{{account.name}}"),
];

pub(super) fn with_our_placeholders(text: &str) -> String {
    PLACEHOLDERS.iter().fold(text.to_owned(), |text, (theirs, ours)| text.replace(theirs, ours))
}

/// An address without what could be a secret, and whether anything was taken out. It is cut as text, not parsed:
/// placeholders and relative addresses stay as they are.
pub(super) fn harmless_address(address: &str) -> (String, bool) {
    let (rest, fragment) = split_off(address, '#');
    let (rest, query) = split_off(rest, '?');
    let (rest, mut cut) = without_credentials(rest);
    let mut kept = match rest.to_ascii_lowercase().find(";jsessionid=") {
        Some(at) => {
            cut = true;
            rest[..at].to_owned()
        }
        None => rest,
    };
    if let Some(query) = query {
        let parts: Vec<&str> = query.split('&').collect();
        let harmless: Vec<&str> = parts.iter().copied().filter(|part| is_harmless(part)).collect();
        cut |= harmless.len() < parts.len();
        if !harmless.is_empty() {
            kept = format!("{kept}?{}", harmless.join("&"));
        }
    }
    if let Some(fragment) = fragment {
        if fragment.split('&').all(is_harmless) {
            kept = format!("{kept}#{fragment}");
        } else {
            cut = true;
        }
    }
    (kept, cut)
}

fn split_off(text: &str, mark: char) -> (&str, Option<&str>) {
    match text.split_once(mark) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// `https://user:password@host/` without the part before `@`.
fn without_credentials(address: &str) -> (String, bool) {
    let Some((scheme, rest)) = address.split_once("://") else { return (address.to_owned(), false) };
    let end = rest.find('/').unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => (format!("{scheme}://{}", &rest[at + 1..]), true),
        None => (address.to_owned(), false),
    }
}

fn is_harmless(parameter: &str) -> bool {
    match parameter.split_once('=') {
        Some((name, value)) => value.is_empty() || !(names_a_secret(name) || looks_made_up(value)),
        None => !looks_made_up(parameter),
    }
}

/// Whether a parameter of this name may open something. Every word counts: better a harmless value missing than a
/// token kept.
fn names_a_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_WORDS.iter().any(|word| name.contains(word))
}

/// Whether a field of this name or label takes a password or a code.
pub(super) fn asks_for_a_password(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["passw", "passphrase", "passcode", "pwd", "one-time", "one time code", "otp", "cvv", "cvc", "2fa"]
        .iter()
        .any(|word| name.contains(word))
}

/// Whether a field of this name is filled in by the page itself, to recognize its own forms or people.
pub(super) fn is_filled_by_the_page(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["csrf", "xsrf", "captcha", "authenticity_token", "__requestverification"]
        .iter()
        .any(|word| name.contains(word))
}

/// Long and made of letters and digits as only machines mix them.
fn looks_made_up(value: &str) -> bool {
    let switches = value
        .as_bytes()
        .windows(2)
        .filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit())
        .count();
    value.len() >= 64 || (value.len() >= 20 && switches >= 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lose_what_opens_something_and_nothing_else() {
        for (address, kept) in [
            ("https://shop.example/settings/privacy", "https://shop.example/settings/privacy"),
            ("/settings?tab=privacy&page=2#ads", "/settings?tab=privacy&page=2#ads"),
            ("https://a.example/{{account.user}}/x", "https://a.example/{{account.user}}/x"),
            ("https://a.example/?tab=1&csrf_token=x", "https://a.example/?tab=1"),
            ("https://a.example/cb?state=abc&code=4%2F0A", "https://a.example/cb"),
            ("https://a.example/?q=r5t6y7u8i9o0p1a2s3d4f5", "https://a.example/"),
            ("https://a.example/#access_token=abc", "https://a.example/"),
            ("https://jo:pw@a.example/x", "https://a.example/x"),
            ("https://a.example/x;jsessionid=77", "https://a.example/x"),
            ("https://a.example/?sid=", "https://a.example/?sid="),
            ("", ""),
        ] {
            assert_eq!(harmless_address(address), (kept.to_owned(), kept != address), "{address}");
        }
    }

    #[test]
    fn fields_that_ask_for_passwords_are_known_by_their_names() {
        for name in ["Password", "new_passwd", "#login-pwd", "One-time code", "otp"] {
            assert!(asks_for_a_password(name), "{name}");
        }
        for name in ["Passenger name", "Email", "Compass", "Optional"] {
            assert!(!asks_for_a_password(name), "{name}");
        }
    }

    proptest::proptest! {
        #[test]
        fn a_token_in_any_parameter_is_gone(name in "[a-z]{1,8}", token in "[a-z][0-9][a-z][0-9][a-z][0-9][a-z0-9]{20}") {
            let (kept, cut) = harmless_address(&format!("https://a.example/p?x=1&{name}={token}#y={token}"));
            proptest::prop_assert!(cut && !kept.contains(&token), "{}", kept);
        }

        #[test]
        fn any_text_is_an_address_that_can_be_cut(text in "\\PC{0,80}") {
            let (kept, _) = harmless_address(&text);
            proptest::prop_assert_eq!(harmless_address(&kept), (kept.clone(), false));
        }
    }
}
