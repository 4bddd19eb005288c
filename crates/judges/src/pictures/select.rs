use std::cmp::Reverse;

/// Which frames are shown where there are too many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// So many from the end are always among them: the outcome is there.
    pub last: usize,
    pub rest: Rest,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rest {
    /// Evenly over the run, the first one included.
    Spread,
    /// The highest rated, one rating a frame; of equal ones the later.
    ByScore(Vec<u8>),
}

impl Default for Choice {
    fn default() -> Self {
        Self { last: 3, rest: Rest::Spread }
    }
}

/// Indices of at most `most` of `frames` frames, in order. The last one is always shown, even if `most` is 0.
pub fn select(frames: usize, most: usize, choice: &Choice) -> Vec<usize> {
    if frames <= most {
        return (0..frames).collect();
    }
    let most = most.max(1).min(frames);
    let last = choice.last.clamp(1, most);
    let (earlier, wanted) = (frames - last, most - last);
    let mut chosen: Vec<usize> = match &choice.rest {
        Rest::Spread if wanted <= 1 => (0..wanted).collect(),
        Rest::Spread => (0..wanted).map(|index| index * (earlier - 1) / (wanted - 1)).collect(),
        Rest::ByScore(scores) => {
            let mut ranked: Vec<usize> = (0..earlier).collect();
            ranked.sort_by_key(|index| Reverse((scores.get(*index).copied().unwrap_or(0), *index)));
            ranked.truncate(wanted);
            ranked.sort_unstable();
            ranked
        }
    };
    chosen.extend(earlier..frames);
    chosen
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_end_is_never_cut_off() {
        let spread = Choice::default();
        assert_eq!(select(5, 50, &spread), [0, 1, 2, 3, 4]);
        assert_eq!(select(100, 6, &spread), [0, 48, 96, 97, 98, 99]);
        assert_eq!(select(100, 2, &spread), [98, 99]);
        assert_eq!(select(3, 0, &spread), [2]);
        assert!(select(0, 5, &spread).is_empty());
        let rated = Choice { last: 1, rest: Rest::ByScore(vec![1, 5, 2, 5, 5, 1]) };
        assert_eq!(select(6, 3, &rated), [3, 4, 5]);
        assert_eq!(select(6, 5, &rated), [1, 2, 3, 4, 5]);
    }

    proptest! {
        #[test]
        fn as_many_as_asked_for_each_once(frames in 0..300usize, most in 1..80usize, last in 0..90usize, rated: bool) {
            let rest = if rated { Rest::ByScore(vec![3; 10]) } else { Rest::Spread };
            let chosen = select(frames, most, &Choice { last, rest });
            prop_assert_eq!(chosen.len(), frames.min(most));
            prop_assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert_eq!(chosen.last().copied(), frames.checked_sub(1));
        }
    }
}
