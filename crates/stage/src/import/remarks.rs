use indexmap::IndexMap;

/// A hostile file must not make a session that is mostly remarks.
const MAX_LINES: usize = 400;

/// What was not carried over, and why. The same remark about many steps becomes one line.
#[derive(Default)]
pub(super) struct Remarks {
    /// Steps of the source, from 1, by field and reason; none for what is said of the whole file.
    places: IndexMap<(String, String), Vec<usize>>,
    unsaid: usize,
}

impl Remarks {
    pub fn add(&mut self, step: Option<usize>, field: &str, why: &str) {
        let key = (clipped(field), clipped(why));
        if self.places.len() >= MAX_LINES && !self.places.contains_key(&key) {
            self.unsaid += 1;
            return;
        }
        let places = self.places.entry(key).or_default();
        if let Some(step) = step
            && places.last() != Some(&step)
        {
            places.push(step);
        }
    }

    pub fn lines(self) -> Vec<String> {
        let mut lines: Vec<String> = self
            .places
            .into_iter()
            .map(|((field, why), places)| match places.as_slice() {
                [] => format!("`{field}`: {why}"),
                [one] => format!("step {one} of the source, `{field}`: {why}"),
                several => format!("steps {} of the source, `{field}`: {why}", ranges(several)),
            })
            .collect();
        if self.unsaid > 0 {
            lines.push(format!("{} more remarks are left out", self.unsaid));
        }
        lines
    }
}

/// `1–3, 7`. The numbers come in ascending order.
fn ranges(numbers: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, end)) if *end + 1 == number => *end = number,
            _ => runs.push((number, number)),
        }
    }
    let words: Vec<String> = runs
        .into_iter()
        .map(|(from, to)| if from == to { from.to_string() } else { format!("{from}–{to}") })
        .collect();
    words.join(", ")
}

fn clipped(text: &str) -> String {
    text.chars().take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_reason_is_one_line() {
        let mut remarks = Remarks::default();
        for step in [1, 2, 3, 7] {
            remarks.add(Some(step), "innerHTML", "left out");
        }
        remarks.add(Some(7), "innerHTML", "left out");
        remarks.add(None, "domain", "contradicts `startUrl`");
        assert_eq!(
            remarks.lines(),
            ["steps 1–3, 7 of the source, `innerHTML`: left out", "`domain`: contradicts `startUrl`"]
        );
    }

    #[test]
    fn a_flood_of_unknown_fields_is_counted() {
        let mut remarks = Remarks::default();
        for field in 0..1_000 {
            remarks.add(None, &field.to_string(), "not known");
        }
        let lines = remarks.lines();
        assert_eq!((lines.len(), lines[400].as_str()), (401, "600 more remarks are left out"));
    }
}
