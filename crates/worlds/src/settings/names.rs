//! Names of people, for authors, channels and acquaintances.

use umpire_model::Random;

const FIRST: [&str; 40] = [
    "Amara", "Anders", "Beatriz", "Bram", "Cosima", "Dario", "Edda", "Emil", "Farah", "Finn", "Greta",
    "Hugo", "Ilse", "Imani", "Jonas", "Kaja", "Laszlo", "Leila", "Malik", "Mirela", "Nadia", "Nils", "Odile",
    "Oskar", "Petra", "Quentin", "Rosa", "Ruben", "Saskia", "Silvio", "Tamsin", "Teo", "Ulla", "Viktor",
    "Wanda", "Xenia", "Yara", "Yusuf", "Zelda", "Zoran",
];

const LAST: [&str; 40] = [
    "Aldous",
    "Bakker",
    "Cardoso",
    "Dragan",
    "Eklund",
    "Ferreira",
    "Grunwald",
    "Haddad",
    "Ivarsen",
    "Jansen",
    "Kowal",
    "Lindqvist",
    "Marchetti",
    "Novak",
    "Okafor",
    "Pellegrin",
    "Quist",
    "Rahimi",
    "Sandoval",
    "Tanaka",
    "Ueda",
    "Vasquez",
    "Winterbourne",
    "Xavier",
    "Yilmaz",
    "Zeller",
    "Ashby",
    "Brandt",
    "Castellan",
    "Duval",
    "Esposito",
    "Fontaine",
    "Giordano",
    "Holm",
    "Iyer",
    "Juhasz",
    "Kessler",
    "Laurent",
    "Moreau",
    "Nyberg",
];

/// `count` different people, at most as many as there are pairs of names.
pub(crate) fn people(random: &mut Random, count: usize) -> Vec<String> {
    let mut pairs: Vec<(usize, usize)> =
        (0..FIRST.len()).flat_map(|first| (0..LAST.len()).map(move |last| (first, last))).collect();
    random.shuffle(&mut pairs);
    pairs.into_iter().take(count).map(|(first, last)| format!("{} {}", FIRST[first], LAST[last])).collect()
}

/// `Amara Okafor` as `amara-okafor`, for addresses and ids.
pub(crate) fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

/// One of the items; the empty text if there are none.
pub(crate) fn one_of<'a>(random: &mut Random, items: &[&'a str]) -> &'a str {
    random.pick(items).copied().unwrap_or_default()
}
