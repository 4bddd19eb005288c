//! What a group of texts is about, in its own words.

use std::collections::BTreeMap;

use crate::lexical::words;

/// The terms of each group that are frequent there and rare elsewhere: share of the group's words that are this one, times
/// `ln(1 + words of a mean group / occurrences in all)`, times the share of its
/// occurrences that are here. Each term is shown in the form that occurs most.
pub(crate) fn salient_terms(
    texts: &[&str],
    of_text: &[Option<usize>],
    groups: usize,
    most: usize,
) -> Vec<Vec<String>> {
    let mut counts: Vec<BTreeMap<String, f64>> = vec![BTreeMap::new(); groups];
    let mut all: BTreeMap<String, f64> = BTreeMap::new();
    let mut forms: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    let mut total = 0.0;
    for (text, group) in texts.iter().zip(of_text) {
        let Some(group) = group else { continue };
        for raw in text.split(|c: char| !c.is_alphanumeric()).filter(|raw| !raw.is_empty()) {
            for stem in words(raw) {
                *forms.entry(stem.clone()).or_default().entry(raw.to_lowercase()).or_default() += 1;
                *counts[*group].entry(stem.clone()).or_default() += 1.0;
                *all.entry(stem).or_default() += 1.0;
                total += 1.0;
            }
        }
    }
    let mean = total / groups.max(1) as f64;
    let shown = |stem: &str| {
        let of_stem = forms.get(stem).into_iter().flatten();
        of_stem
            .max_by_key(|(form, count)| (**count, std::cmp::Reverse(form.len())))
            .map_or(stem, |(form, _)| form)
            .to_owned()
    };
    counts
        .iter()
        .map(|own| {
            let size: f64 = own.values().sum();
            let mut scored: Vec<(f64, &String)> = own
                .iter()
                .map(|(stem, count)| (count / size * (1.0 + mean / all[stem]).ln() * count / all[stem], stem))
                .collect();
            scored.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(other.1)));
            scored.into_iter().take(most).map(|(_, stem)| shown(stem)).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_named_by_what_only_it_speaks_of() {
        let texts = [
            "the captcha blocked it",
            "blocked by a captcha page",
            "cookie banner on the page",
            "banner covers the page",
        ];
        let terms = salient_terms(&texts, &[Some(0), Some(0), Some(1), Some(1)], 2, 2);
        assert_eq!(terms, [["blocked", "captcha"], ["banner", "cookie"]], "`page` is everywhere");
    }
}
