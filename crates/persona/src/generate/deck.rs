//! Chance with a memory, so that a year of few events still shows what it must show.

use umpire_model::Random;

/// Says no exactly once in so many draws, at a random one of them.
#[derive(Clone, Debug)]
pub struct Deck {
    size: usize,
    left: usize,
    odd: usize,
}

impl Deck {
    pub fn new(size: usize) -> Self {
        Self { size, left: 0, odd: 0 }
    }

    pub fn draw(&mut self, random: &mut Random) -> bool {
        if self.left == 0 {
            self.left = self.size;
            self.odd = 1 + random.below(self.size);
        }
        let is_odd = self.left == self.odd;
        self.left -= 1;
        !is_odd
    }
}

/// One of the items, by weight; none where all weigh nothing.
pub fn weighted<'a, T>(random: &mut Random, items: &'a [T], weight: impl Fn(&T) -> u32) -> Option<&'a T> {
    let total: u32 = items.iter().map(&weight).sum();
    let mut at = random.below(total as usize) as u32;
    items.iter().find(|item| {
        let here = weight(item);
        let found = at < here;
        at = at.saturating_sub(here);
        found
    })
}

/// So many of each item as its weight asks for, in random order.
pub fn in_proportion<T: Clone>(random: &mut Random, items: &[(T, u32)], count: usize) -> Vec<T> {
    let total: u32 = items.iter().map(|(_, weight)| weight).sum();
    let mut drawn = Vec::with_capacity(count);
    let mut owed = vec![0_usize; items.len()];
    for _ in 0..count {
        for (debt, (_, weight)) in owed.iter_mut().zip(items) {
            *debt += *weight as usize;
        }
        let Some(most) = (0..owed.len()).max_by_key(|&at| (owed[at], std::cmp::Reverse(at))) else { break };
        owed[most] = owed[most].saturating_sub(total as usize);
        drawn.push(items[most].0.clone());
    }
    random.shuffle(&mut drawn);
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deck_says_no_once_a_round() {
        let mut random = Random::new(3);
        let mut deck = Deck::new(6);
        for _ in 0..20 {
            assert_eq!((0..6).filter(|_| !deck.draw(&mut random)).count(), 1);
        }
    }

    #[test]
    fn proportions_hold_for_few_draws() {
        let mut random = Random::new(3);
        let drawn = in_proportion(&mut random, &[('a', 3), ('b', 2), ('c', 1)], 12);
        let count = |wanted| drawn.iter().filter(|drawn| **drawn == wanted).count();
        assert_eq!([count('a'), count('b'), count('c')], [6, 4, 2]);
    }

    #[test]
    fn weights_decide() {
        let mut random = Random::new(3);
        assert!(
            (0..50)
                .all(|_| weighted(&mut random, &[("a", 0), ("b", 4)], |x| x.1).is_some_and(|x| x.0 == "b"))
        );
        assert_eq!(weighted(&mut random, &[("a", 0)], |x| x.1), None);
    }
}
