//! Non-ASCII characters as ASCII text.
//!
//! The table of the `unidecode` crate and the one the released evaluator uses have a common ancestor and agree on all
//! but a few hundred of 140,000 characters. The differences that matter in names, prices and titles are set right
//! here, by rule where there is one.

/// Appends the ASCII text for one character; nothing if it has none.
pub(super) fn push_ascii(c: char, out: &mut String) {
    if c.is_ascii() {
        out.push(c);
        return;
    }
    if let Some(number) = circled_number(c) {
        out.push_str(&number.to_string());
        return;
    }
    let text = corrected(c).unwrap_or_else(|| unidecode::unidecode_char(c));
    if text.trim_end() != UNMAPPED {
        out.push_str(text);
    }
}

/// How the table marks characters it knows of but has no text for.
const UNMAPPED: &str = "[?]";

/// White on black or doubly circled; plain circled numbers are digits already after composition.
fn circled_number(c: char) -> Option<u32> {
    let code = u32::from(c);
    match c {
        '⓫'..='⓴' => Some(code - u32::from('⓫') + 11),
        '⓵'..='⓾' => Some(code - u32::from('⓵') + 1),
        '⓿' => Some(0),
        _ => None,
    }
}

/// Texts that differ from the crate's table.
#[expect(clippy::match_same_arms, reason = "grouped by script, not by result")]
fn corrected(c: char) -> Option<&'static str> {
    Some(match c {
        // Marks of phonetics and scripts the evaluator's table does not know.
        '\u{2e5}'..='\u{2eb}'
        | '\u{2ef}'..='\u{2ff}'
        | '϶'..='ϸ'
        | 'ϼ'..='Ͽ'
        | 'ۿ'
        | '૰'
        | '૱'
        | 'ૹ'
        | 'Ᏽ'
        | 'ᏸ'..='ᏽ'
        | 'ẜ'
        | 'ẝ'
        | 'ẟ'
        | 'Ỻ'..='ỿ'
        | '◸'..='◿'
        | '﷽' => "",
        // Cyrillic.
        'Є' => "Ie",
        'Ъ' | 'ъ' => "'",
        // Armenian and Hebrew.
        '։' => ":",
        '\u{5b0}' | '\u{5bc}' => "",
        '\u{5ba}' | '\u{5c7}' => "o",
        '־' => "-",
        '׃' => ".",
        '׆' => "n",
        'א' => "a",
        'ח' => "h",
        'ך' | 'כ' => "kh",
        'ק' => "k",
        'ׯ' => "yyy",
        'ײ' => "ey",
        // Japanese, by Hepburn.
        'し' | 'シ' => "shi",
        'ち' | 'チ' => "chi",
        'っ' | 'つ' | 'ッ' | 'ツ' => "tsu",
        '゠' => "=",
        '・' => "*",
        'ー' => "-",
        // Punctuation.
        '⁊' => "&",
        '⁎' | '∗' | '✱' => "*",
        '⁒' => "%",
        '⁓' | '∼' => "~",
        '❘' | '∣' => "|",
        '❜' => "'",
        '❝' | '❞' => "\"",
        '❟' => ",",
        '❠' => ",,",
        '❢' => "!",
        '⟦' => "[",
        '⟨' => "<",
        '⟩' => "> ",
        '⦃' => "{",
        '⦄' => "} ",
        // Currencies.
        '₰' => "Pf",
        '₱' => "P",
        '₲' => "G",
        '₳' => "A",
        '₴' => "UAH",
        '₵' => "C|",
        '₶' | '₺' | '₾' => "L",
        '₷' => "Sm",
        '₸' => "T",
        '₹' => "Rs",
        '₻' | '₼' => "M",
        '₽' => "R",
        '₿' => "BTC",
        // Letter-like and mathematical signs.
        '℗' => "(P)",
        '℟' => "R/",
        '℣' => "V/",
        '℮' => "e",
        'Ⅎ' | 'ⅎ' => "F",
        '⅍' => "A/S",
        '🙰'..='🙳' => "et",
        '🙴' | '🙵' => "&",
        '🙶' | '🙷' => "\"",
        '🙸' => ",,",
        '🙹'..='🙻' => "!?",
        '−' => "-",
        '∕' => "/",
        '∖' => "\\",
        '∶' => ":",
        '≤' | '≦' => "<=",
        '≥' | '≧' => ">=",
        '⌃' => "^",
        '◴'..='◷' | '♯' => "#",
        // Chess and cards.
        '♔' => "white king",
        '♕' => "white queen",
        '♖' => "white rook",
        '♗' => "white bishop",
        '♘' => "white knight",
        '♙' => "white pawn",
        '♚' => "black king",
        '♛' => "black queen",
        '♜' => "black rook",
        '♝' => "black bishop",
        '♞' => "black knight",
        '♟' => "black pawn",
        '♠' | '♤' => "spades",
        '♡' | '♥' => "hearts",
        '♢' | '♦' => "diamonds",
        '♣' | '♧' => "clubs",
        // Latin letters with strokes and hooks that joined Unicode late.
        'Ⱡ' | 'ⱡ' | 'Ɫ' => "l",
        'Ᵽ' | 'ᵽ' => "p",
        'Ɽ' => "r",
        'ⱥ' | 'Ɐ' => "a",
        'ⱦ' => "t",
        'Ⱨ' | 'ⱨ' => "h",
        'Ⱪ' | 'ⱪ' => "k",
        'Ⱬ' | 'ⱬ' => "z",
        'Ɱ' => "m",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_everyday_text() {
        for (c, text) in [
            ('é', "e"),
            ('ß', "ss"),
            ('€', "EUR"),
            ('₹', "Rs"),
            ('—', "--"),
            ('⓬', "12"),
            ('中', "Zhong "),
            ('😀', ""),
            ('し', "shi"),
        ] {
            let mut out = String::new();
            push_ascii(c, &mut out);
            assert_eq!(out, text, "{c}");
        }
    }
}
