//! Actions that one reply asked for, carried out one a turn as long as the page they were meant for is there.

use std::collections::VecDeque;

use umpire_browser::{NodeRef, Observation};
use umpire_model::{Action, Target};

use super::actions::Move;

#[derive(Default)]
pub(super) struct Queue {
    moves: VecDeque<(Move, Option<NodeRef>)>,
    /// Where they were meant for.
    url: String,
    /// The first of them is carried out on the page it was meant for.
    is_fresh: bool,
}

/// What comes next.
#[derive(Debug, PartialEq)]
pub(super) enum Next {
    Act(Action),
    /// A question about the page.
    Read(String),
    /// Something to be told.
    Tell(String),
    /// The page is another one: so many actions no longer fit.
    Dropped(usize),
    Empty,
}

impl Queue {
    /// Takes the moves of a reply to what is seen.
    pub fn fill(&mut self, moves: Vec<Move>, seen: &Observation) {
        let node = |one: &Move| match one {
            Move::Act(action) => match action.target() {
                Some(Target::Mark(mark)) => seen.element(*mark).map(|element| element.node.clone()),
                _ => None,
            },
            Move::Extract(_) | Move::Found(_) => None,
        };
        self.moves = moves
            .into_iter()
            .map(|one| {
                let node = node(&one);
                (one, node)
            })
            .collect();
        self.url.clone_from(&seen.url);
        self.is_fresh = true;
    }

    /// The next move, with its mark as the element is marked now. After a failure, or on another page, the rest is dropped.
    pub fn next(&mut self, seen: &Observation, last_failed: bool) -> Next {
        let is_fresh = std::mem::take(&mut self.is_fresh);
        if self.moves.is_empty() {
            return Next::Empty;
        }
        if !is_fresh && (last_failed || seen.url != self.url) {
            return self.drop_all();
        }
        let Some((one, node)) = self.moves.pop_front() else { return Next::Empty };
        match (one, node) {
            (Move::Extract(goal), _) => self.still_fresh(is_fresh, Next::Read(goal)),
            (Move::Found(found), _) => self.still_fresh(is_fresh, Next::Tell(found)),
            (Move::Act(action), None) => Next::Act(action),
            (Move::Act(action), Some(node)) => {
                if let Some(element) = seen.elements.iter().find(|element| element.node == node) {
                    return Next::Act(action.aimed_at(Target::Mark(element.mark)));
                }
                self.moves.push_front((Move::Act(action), Some(node)));
                self.drop_all()
            }
        }
    }

    /// A question changes nothing on the page.
    fn still_fresh(&mut self, is_fresh: bool, next: Next) -> Next {
        self.is_fresh = is_fresh;
        next
    }

    fn drop_all(&mut self) -> Next {
        let number = self.moves.len();
        self.moves.clear();
        Next::Dropped(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Page;

    fn click(mark: u32) -> Move {
        Move::Act(Action::Click(Target::Mark(mark)))
    }

    fn page(names: &[&str]) -> Observation {
        let page = Page::at("http://shop.localhost/");
        let mut seen = names.iter().fold(page, |page, name| page.with("button", name)).seen();
        // An element is the same as long as its node is, whatever its place in the list.
        for element in &mut seen.elements {
            element.node.backend_node_id = element.name.bytes().map(i64::from).sum();
        }
        seen
    }

    #[test]
    fn elements_are_followed_to_their_new_marks() {
        let mut queue = Queue::default();
        queue.fill(vec![click(1), Move::Found("f".into()), click(2)], &page(&["a", "b"]));
        assert_eq!(queue.next(&page(&["a", "b"]), false), Next::Act(Action::Click(Target::Mark(1))));
        let grown = page(&["new", "a", "b"]);
        assert_eq!(queue.next(&grown, false), Next::Tell("f".into()));
        assert_eq!(queue.next(&grown, false), Next::Act(Action::Click(Target::Mark(3))));
        assert_eq!(queue.next(&grown, false), Next::Empty);
    }

    #[test]
    fn the_rest_is_dropped_when_it_no_longer_fits() {
        let moves = || vec![click(1), click(2), click(1)];
        let here = page(&["a", "b"]);
        let elsewhere = Observation { url: "http://shop.localhost/cart".into(), ..here.clone() };
        for (seen, failed) in [(&here, true), (&elsewhere, false), (&page(&["a"]), false)] {
            let mut queue = Queue::default();
            queue.fill(moves(), &here);
            assert!(
                matches!(queue.next(&here, true), Next::Act(_)),
                "the first is for the page that was seen"
            );
            assert_eq!(queue.next(seen, failed), Next::Dropped(2));
            assert_eq!(queue.next(seen, failed), Next::Empty);
        }
    }
}
