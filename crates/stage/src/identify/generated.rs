//! Ids that a framework made up and makes up anew with each build or load: they say nothing.

/// What frameworks begin their ids with.
const PREFIXES: [&str; 14] = [
    "radix-",
    "react-aria",
    "headlessui-",
    "mui-",
    "ember",
    "ext-gen",
    "yui_",
    "mat-",
    "cdk-",
    "ng-",
    "tw-",
    "uid-",
    "__bv",
    "chakra-",
];

pub fn looks_generated(id: &str) -> bool {
    let lower = id.to_ascii_lowercase();
    id.contains(':')
        || id.contains('«')
        || PREFIXES.iter().any(|prefix| lower.starts_with(prefix))
        || lower.split(['-', '_', '.']).any(is_random)
}

/// A long number, or letters and digits in turns: `x7f3k9`, `4f2a9c01`.
fn is_random(part: &str) -> bool {
    const LONG_NUMBER: usize = 5;
    const LONG: usize = 6;
    const TURNS: usize = 2;
    let kinds: Vec<bool> = part.chars().map(|c| c.is_ascii_digit()).collect();
    let digits = kinds.iter().filter(|&&digit| digit).count();
    let turns = kinds.windows(2).filter(|pair| pair[0] != pair[1]).count();
    digits >= LONG_NUMBER || kinds.len() >= LONG && turns >= TURNS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_people_write_are_told_from_ids_programs_make() {
        for made in [
            ":r4:",
            "radix-:r1:",
            "radix-3",
            "react-aria8273-:r2:",
            "headlessui-switch-12",
            "ember472",
            "input-4f2a9c01",
            "field_1700000000",
            "x7f3k9",
            "550e8400-e29b-41d4-a716-446655440000",
        ] {
            assert!(looks_generated(made), "{made}");
        }
        for written in
            ["save", "show-birthday", "two_factor", "step2", "q1-2024", "opt-3", "newsletter", "h264"]
        {
            assert!(!looks_generated(written), "{written}");
        }
    }
}
