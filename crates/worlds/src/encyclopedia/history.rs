//! How an article came to be. Earlier versions are the beginnings of the present text, so that sizes and differences
//! are those of real texts.

use umpire_model::Random;

use super::library::Article;
use crate::kit::moment::Moment;
use crate::kit::text::choose;

pub struct Version {
    /// From 1, without gaps.
    pub number: u32,
    pub author: String,
    pub at: Moment,
    pub summary: String,
    pub minor: bool,
    pub text: String,
}

const EDITORS: &[&str] = &[
    "Brackwater",
    "Old Cartographer",
    "Fernandine",
    "Tollkeeper",
    "Marginal Note",
    "Quillon",
    "Sheepfold",
    "Ninepins",
    "Ada of the Fens",
    "Cordwainer",
    "Half Moon",
    "Lamplight",
    "Footnote",
    "Pell Mell",
    "Saltbox",
    "Threadneedle",
];
const ADDITIONS: &[&str] = &[
    "more from the register",
    "new section",
    "expanded",
    "added with source",
    "from the parish book",
    "as discussed on the talk page",
];
const NONSENSE: &[&str] = &[
    "My cousin says this is all wrong.",
    "Hello to everybody in class 4b!",
    "THIS IS THE BEST ARTICLE EVER.",
    "Pudding.",
];

/// Oldest first; the last one is the article as it stands.
pub fn versions(seed: u64, article: &Article) -> Vec<Version> {
    let mut random = Random::stream(seed, &format!("quire history {}", article.slug));
    let blocks: Vec<&str> = article.body.split("\n\n").collect();
    let mut texts: Vec<(String, String, bool)> = Vec::new();
    let mut shown = 1 + random.below(2).min(blocks.len() - 1);
    texts.push((blocks[..shown].join("\n\n"), "new article".to_owned(), false));
    while shown < blocks.len() {
        if random.chance(18) {
            let whole = blocks[..shown].join("\n\n");
            let nonsense = choose(&mut random, NONSENSE);
            texts.push((format!("{whole}\n\n{nonsense}"), String::new(), false));
            texts.push((whole, "took back the last edit".to_owned(), true));
        }
        // A heading comes with what stands under it.
        let more = if blocks[shown].starts_with("## ") { 2 } else { 1 };
        shown = (shown + more).min(blocks.len());
        texts.push((
            blocks[..shown].join("\n\n"),
            choose(&mut random, ADDITIONS).to_owned(),
            random.chance(15),
        ));
    }
    let mut minutes = 40_000 + random.below(900_000) as u32;
    let gap = minutes / (texts.len() as u32 + 1);
    let mut versions = Vec::with_capacity(texts.len());
    for (at, (text, summary, minor)) in texts.into_iter().enumerate() {
        versions.push(Version {
            number: at as u32 + 1,
            author: choose(&mut random, EDITORS).to_owned(),
            at: Moment::minutes_ago(minutes),
            summary,
            minor,
            text,
        });
        minutes -= (gap / 2 + random.below(gap as usize / 2 + 1) as u32).min(minutes);
    }
    versions
}

/// Blocks of two texts as they differ: taken away, added, or the same.
pub enum Change<'a> {
    Same(&'a str),
    Removed(&'a str),
    Added(&'a str),
}

/// Differences by paragraph: what both texts begin and end with is the same, what lies between has changed.
pub fn difference<'a>(old: &'a str, new: &'a str) -> Vec<Change<'a>> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split("\n\n").collect(), new.split("\n\n").collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = (old.len() - start).min(new.len() - start);
    let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let same = old[..start].iter().map(|block| Change::Same(block));
    let removed = old[start..old.len() - end].iter().map(|block| Change::Removed(block));
    let added = new[start..new.len() - end].iter().map(|block| Change::Added(block));
    let tail = old[old.len() - end..].iter().map(|block| Change::Same(block));
    same.chain(removed).chain(added).chain(tail).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_what_changed() {
        let shown = |old, new| {
            let changes = difference(old, new);
            changes
                .iter()
                .map(|change| match change {
                    Change::Same(text) => format!("={text}"),
                    Change::Removed(text) => format!("-{text}"),
                    Change::Added(text) => format!("+{text}"),
                })
                .collect::<Vec<_>>()
                .join(" ")
        };
        for (old, new, expected) in [
            ("a\n\nb", "a\n\nb", "=a =b"),
            ("a\n\nb", "a\n\nx\n\nb", "=a +x =b"),
            ("a\n\nb\n\nc", "a\n\nc", "=a -b =c"),
            ("a", "b", "-a +b"),
            ("a\n\na", "a", "=a -a"),
        ] {
            assert_eq!(shown(old, new), expected, "{old:?} {new:?}");
        }
    }
}
