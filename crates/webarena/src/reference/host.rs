//! Host names in their ASCII form, as the reference's URL library writes them.
//!
//! Each label goes through IDNA 2008 with the UTS 46 mapping. If a single one is refused (an underscore is enough),
//! the whole host goes through IDNA 2003 instead, which accepts any ASCII but no empty label.

use idna::punycode;
use idna::uts46::{AsciiDenyList, Hyphens, Uts46};
use stringprep::tables;
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization;

const ACE_PREFIX: &str = "xn--";
const LONGEST_LABEL: usize = 63;

/// A host that neither edition of IDNA accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the host name has a label that is empty, too long or not allowed")]
pub struct HostError;

/// The host in lower case and ASCII, without dots at its ends.
pub fn to_ascii(host: &str) -> Result<String, HostError> {
    let host = host.to_lowercase();
    let host = host.trim_matches('.');
    let labels: Option<Vec<String>> = host.split('.').filter(|l| !l.is_empty()).map(idna_2008).collect();
    match labels {
        Some(labels) => Ok(labels.join(".")),
        None => idna_2003(host),
    }
}

/// One label (or several, if it hides a full stop of another script) by the rules of IDNA 2008.
fn idna_2008(label: &str) -> Option<String> {
    let (mapped, valid) = Uts46::new().to_unicode(label.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Check);
    if label.is_ascii() {
        let accepted = is_ldh(label) && (valid.is_ok() || !label.starts_with(ACE_PREFIX));
        return accepted.then(|| label.to_owned());
    }
    valid.ok()?;
    let (mapped, root_dot) = match mapped.strip_suffix('.') {
        Some(without) => (without, "."),
        None => (mapped.as_ref(), ""),
    };
    let labels: Option<Vec<String>> = mapped.split('.').map(encode_2008).collect();
    Some(labels?.join(".") + root_dot)
}

fn encode_2008(label: &str) -> Option<String> {
    if label.is_ascii() {
        return is_ldh(label).then(|| label.to_owned());
    }
    if !label.chars().all(is_valid_in_2008) {
        return None;
    }
    with_ace_prefix(label).ok()
}

fn is_ldh(label: &str) -> bool {
    let inner_hyphens = label.get(2..4) != Some("--") || label.starts_with(ACE_PREFIX);
    (1..=LONGEST_LABEL).contains(&label.len())
        && label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
        && inner_hyphens
}

/// RFC 5892: letters, marks and decimal digits, with the exceptions that document lists. The mapping that comes
/// before has already replaced every character that is not stable under normalisation.
fn is_valid_in_2008(c: char) -> bool {
    use GeneralCategory::{
        DecimalNumber, LowercaseLetter, ModifierLetter, NonspacingMark, OtherLetter, SpacingMark,
        UppercaseLetter,
    };
    match c {
        'a'..='z'
        | '0'..='9'
        | '-'
        | '\u{b7}'
        | '\u{375}'
        | '\u{5f3}'
        | '\u{5f4}'
        | '\u{6fd}'
        | '\u{6fe}'
        | '\u{f0b}'
        | '\u{3007}'
        | '\u{30fb}' => true,
        // Tatweel, tone and repetition marks, single jamo (Hangul syllables are composed), and all other ASCII.
        '\u{640}'
        | '\u{7fa}'
        | '\u{302e}'
        | '\u{302f}'
        | '\u{3031}'..='\u{3035}'
        | '\u{303b}'
        | '\u{1100}'..='\u{11ff}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{d7b0}'..='\u{d7ff}'
        | '\0'..='\u{7f}' => false,
        c => matches!(
            get_general_category(c),
            LowercaseLetter
                | UppercaseLetter
                | OtherLetter
                | DecimalNumber
                | ModifierLetter
                | NonspacingMark
                | SpacingMark
        ),
    }
}

fn idna_2003(host: &str) -> Result<String, HostError> {
    const FULL_STOPS: [char; 4] = ['.', '\u{3002}', '\u{ff0e}', '\u{ff61}'];
    if host.is_ascii() {
        let fits = host.split('.').all(|label| (1..=LONGEST_LABEL).contains(&label.len()));
        return if fits { Ok(host.to_owned()) } else { Err(HostError) };
    }
    let (host, trailing_dot) = match host.strip_suffix(FULL_STOPS) {
        Some(without) => (without, "."),
        None => (host, ""),
    };
    let labels: Result<Vec<String>, HostError> = host.split(FULL_STOPS).map(encode_2003).collect();
    Ok(labels?.join(".") + trailing_dot)
}

fn encode_2003(label: &str) -> Result<String, HostError> {
    let prepared = if label.is_ascii() { label.to_owned() } else { name_prepared(label)? };
    if prepared.is_ascii() {
        return if (1..=LONGEST_LABEL).contains(&prepared.len()) { Ok(prepared) } else { Err(HostError) };
    }
    if prepared.starts_with(ACE_PREFIX) {
        return Err(HostError);
    }
    with_ace_prefix(&prepared)
}

/// Nameprep (RFC 3491) that lets code points through which were not assigned when the RFC was written.
fn name_prepared(label: &str) -> Result<String, HostError> {
    let prepared: String = label
        .chars()
        .filter(|&c| !tables::commonly_mapped_to_nothing(c))
        .flat_map(tables::case_fold_for_nfkc)
        .nfkc()
        .collect();
    let prohibited = |c: char| {
        tables::non_ascii_space_character(c)
            || tables::non_ascii_control_character(c)
            || tables::private_use(c)
            || tables::non_character_code_point(c)
            || tables::inappropriate_for_plain_text(c)
            || tables::inappropriate_for_canonical_representation(c)
            || tables::change_display_properties_or_deprecated(c)
            || tables::tagging_character(c)
    };
    if prepared.chars().any(prohibited) || mixes_directions(&prepared) {
        return Err(HostError);
    }
    Ok(prepared)
}

/// A label with right-to-left characters must start and end with one and have none that runs left to right.
fn mixes_directions(label: &str) -> bool {
    let runs_left = |c: Option<char>| c.is_some_and(tables::bidi_r_or_al);
    label.chars().any(tables::bidi_r_or_al)
        && !(runs_left(label.chars().next())
            && runs_left(label.chars().next_back())
            && !label.chars().any(tables::bidi_l))
}

fn with_ace_prefix(label: &str) -> Result<String, HostError> {
    let encoded = punycode::encode_str(label).ok_or(HostError)?;
    let label = format!("{ACE_PREFIX}{encoded}");
    if label.len() <= LONGEST_LABEL { Ok(label) } else { Err(HostError) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_become_ascii() {
        for (host, expected) in [
            ("LocalHost", "localhost"),
            (".a..b.", "a.b"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("faß.de", "xn--fa-hia.de"),
            ("fa\u{df}_.de", "fass_.de"),
            ("e ample.com", "e ample.com"),
            ("例え。jp", "xn--r8jz45g.jp"),
            ("z。.css", "z..css"),
            ("__ssh_host__", "__ssh_host__"),
            ("", ""),
        ] {
            assert_eq!(to_ascii(host).as_deref(), Ok(expected), "{host}");
        }
    }

    #[test]
    fn labels_that_are_too_long_or_empty_are_refused() {
        for host in ["a".repeat(64).as_str(), "a_..b", &format!("x_.{}", "b".repeat(64))] {
            assert_eq!(to_ascii(host), Err(HostError), "{host}");
        }
    }
}
