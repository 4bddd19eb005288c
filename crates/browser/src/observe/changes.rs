//! What changed between two outlines, so that an agent need not read a page twice.

/// Comparing more cells than this costs more than it tells.
const MOST_CELLS: usize = 4_000_000;

/// Lines that went (`-`) and came (`+`), in the order of the page.
pub(crate) fn changes(before: &str, after: &str) -> String {
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same_start = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let (old, new) = (&before[same_start..], &after[same_start..]);
    let same_end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[..old.len() - same_end], &new[..new.len() - same_end]);
    let mut told = String::new();
    let mut tell = |sign: char, line: &str| {
        let indent = line.len() - line.trim_start().len();
        told.push(sign);
        told.push_str(&line[..indent]);
        told.push_str(line[indent..].strip_prefix("- ").unwrap_or(&line[indent..]));
        told.push('\n');
    };
    if old.len() * new.len() > MOST_CELLS {
        for line in old {
            tell('-', line);
        }
        for line in new {
            tell('+', line);
        }
        return told;
    }
    let kept = kept_lengths(old, new);
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || i < old.len() && kept[i + 1][j] >= kept[i][j + 1] {
            tell('-', old[i]);
            i += 1;
        } else {
            tell('+', new[j]);
            j += 1;
        }
    }
    told
}

/// `kept[i][j]`: how many lines of `old[i..]` and `new[j..]` can stay.
fn kept_lengths(old: &[&str], new: &[&str]) -> Vec<Vec<u32>> {
    let mut kept = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            kept[i][j] =
                if old[i] == new[j] { kept[i + 1][j + 1] + 1 } else { kept[i + 1][j].max(kept[i][j + 1]) };
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_what_differs_is_told() {
        assert_eq!(changes("- a\n- b\n  - c\n- d", "- a\n  - c\n- e\n- d"), "-b\n+e\n");
        assert_eq!(changes("- a", "- a"), "");
        assert_eq!(changes("", "- a"), "+a\n");
    }

    proptest! {
        #[test]
        fn applying_the_changes_to_the_old_lines_gives_the_new_ones(
            old in prop::collection::vec("[abc]", 0..12),
            new in prop::collection::vec("[abc]", 0..12),
        ) {
            let told = changes(&old.join("\n"), &new.join("\n"));
            let mut rest: Vec<&str> = old.iter().map(String::as_str).collect();
            let mut counts = std::collections::HashMap::<&str, i32>::new();
            rest.drain(..).for_each(|line| *counts.entry(line).or_default() += 1);
            for line in told.lines() {
                *counts.entry(&line[1..]).or_default() += if line.starts_with('+') { 1 } else { -1 };
            }
            for line in &new {
                *counts.entry(line).or_default() -= 1;
            }
            prop_assert!(counts.values().all(|&count| count == 0));
        }
    }
}
