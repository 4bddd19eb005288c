//! Which known word was probably meant.

/// The known word that differs least, of those the one on most pages; none if all differ too much.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = (&'a str, usize)>) -> Option<&'a str> {
    let letters: Vec<char> = word.chars().collect();
    let most = match letters.len() {
        ..3 => return None,
        3 => 1,
        // Two letters that changed places count as two changes.
        _ => 2,
    };
    known
        .filter(|(candidate, _)| candidate.chars().next() == letters.first().copied())
        .filter_map(|(candidate, pages)| {
            let distance = distance(&letters, &candidate.chars().collect::<Vec<_>>(), most)?;
            Some((distance, std::cmp::Reverse(pages), candidate))
        })
        .min()
        .map(|(_, _, candidate)| candidate)
}

/// Letters to add, remove or replace; none if more than `most`.
fn distance(a: &[char], b: &[char], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_letters() {
        let count =
            |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>(), 3);
        for (a, b, expected) in [
            ("lamp", "lamp", Some(0)),
            ("lamp", "lump", Some(1)),
            ("lamp", "lamps", Some(1)),
            ("", "abcd", None),
            ("kitten", "sitting", Some(3)),
        ] {
            assert_eq!(count(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn the_common_word_is_meant() {
        let known = [("harbour", 9), ("harbor", 2), ("arbour", 50)];
        assert_eq!(nearest("harbuur", known.into_iter()), Some("harbour"));
        assert_eq!(nearest("ha", known.into_iter()), None);
        assert_eq!(nearest("zebra", known.into_iter()), None);
    }
}
