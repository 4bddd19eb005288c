//! The four stages of a history that a model may take instead of the seed: tastes, events, actions, entries. Each is a
//! prompt to ask with and a reading of the answer into the types that the generator by seed uses too. Nothing is asked
//! here.

mod prompts;
mod reading;

use crate::tables::Pace;

pub use prompts::{BadPrompt, Prompts, Stage};
pub use reading::{BadReply, read_actions, read_entries, read_events, read_tastes};

/// How many events of a pace a month needs for a year of about so many entries: two thirds of them are of everyday life.
pub fn events_a_month(entries: u32, pace: Pace) -> u32 {
    // What an event leaves behind in the mean, by what the prompt for its actions says of small and large matters.
    let (thirds, of_event) = match pace {
        Pace::High => (2, 3),
        Pace::Low => (1, 6),
    };
    (entries * thirds).div_ceil(3 * 12 * of_event).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_events_of_twelve_months_come_to_the_entries_that_are_wanted() {
        for entries in [200, 2_000, 5_000] {
            let of_year = |pace: Pace, each: u32| 12 * each * events_a_month(entries, pace);
            let all = of_year(Pace::High, 3) + of_year(Pace::Low, 6);
            assert!(all >= entries && all <= entries + 12 * 9, "{all} for {entries}");
        }
        assert_eq!(events_a_month(0, Pace::Low), 1);
    }
}
