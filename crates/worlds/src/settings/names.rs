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
