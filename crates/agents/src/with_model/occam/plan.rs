//! The tree of plans. One node is active; what is done counts towards it, and only its branch is told again.

use std::fmt;
use std::fmt::Write as _;

/// Steps of the active branch that are told again, the newest ones.
const TOLD: usize = 12;
/// Of a step's pivotal lines.
const LONGEST_PIVOTS: usize = 600;
const MOST_NODES: usize = 40;

pub(super) struct Plan {
    nodes: Vec<Node>,
    active: usize,
}

struct Node {
    parent: Option<usize>,
    goal: String,
    given_up: Option<String>,
    steps: Vec<Step>,
}

enum Step {
    Did { action: String, summary: String, pivots: String },
    Note(String),
}

impl Plan {
    pub fn new(goal: &str) -> Self {
        let root = Node { parent: None, goal: goal.to_owned(), given_up: None, steps: Vec::new() };
        Self { nodes: vec![root], active: 0 }
    }

    pub fn did(&mut self, action: String, summary: String, mut pivots: String) {
        pivots.truncate(pivots.floor_char_boundary(LONGEST_PIVOTS));
        self.nodes[self.active].steps.push(Step::Did { action, summary, pivots });
    }

    pub fn note(&mut self, text: String) {
        self.nodes[self.active].steps.push(Step::Note(text));
    }

    /// Adds a goal below a node and turns to it.
    pub fn branch(&mut self, parent: usize, goal: String) -> Result<(), String> {
        self.check(parent)?;
        if self.nodes.len() == MOST_NODES {
            return Err("there are enough plans; follow one".to_owned());
        }
        self.nodes.push(Node { parent: Some(parent), goal, given_up: None, steps: Vec::new() });
        self.active = self.nodes.len() - 1;
        Ok(())
    }

    /// Gives up everything below a node and goes on from it.
    pub fn prune(&mut self, node: usize, reason: &str) -> Result<(), String> {
        self.check(node)?;
        let below: Vec<usize> =
            (0..self.nodes.len()).filter(|other| *other != node && self.is_below(*other, node)).collect();
        for other in below {
            self.nodes[other].given_up.get_or_insert_with(|| reason.to_owned());
        }
        self.active = node;
        Ok(())
    }

    fn check(&self, node: usize) -> Result<(), String> {
        match self.nodes.get(node) {
            None => Err(format!("there is no plan {node}; the plans are 0 to {}", self.nodes.len() - 1)),
            Some(Node { given_up: Some(_), .. }) => Err(format!("plan {node} was given up")),
            Some(_) => Ok(()),
        }
    }

    fn is_below(&self, node: usize, above: usize) -> bool {
        let mut at = Some(node);
        while let Some(number) = at {
            if number == above {
                return true;
            }
            at = self.nodes[number].parent;
        }
        false
    }

    /// What was done and noted on the way to the active node and there, oldest first.
    pub fn history(&self) -> String {
        let mut path = Vec::new();
        let mut at = Some(self.active);
        while let Some(number) = at {
            path.push(number);
            at = self.nodes[number].parent;
        }
        let steps: Vec<&Step> = path.iter().rev().flat_map(|number| &self.nodes[*number].steps).collect();
        let mut text = String::new();
        for step in &steps[steps.len().saturating_sub(TOLD)..] {
            match step {
                Step::Note(note) => {
                    let _ = writeln!(text, "- noted: {note}");
                }
                Step::Did { action, summary, pivots } => {
                    let _ = writeln!(text, "- {action} ({summary})");
                    for line in pivots.lines() {
                        let _ = writeln!(text, "    {line}");
                    }
                }
            }
        }
        text
    }

    fn tell(&self, node: usize, depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Node { goal, given_up, .. } = &self.nodes[node];
        write!(f, "{}[{node}] {goal}", "  ".repeat(depth))?;
        match given_up {
            Some(reason) => writeln!(f, " (given up: {reason})")?,
            None if node == self.active => writeln!(f, " (active)")?,
            None => writeln!(f)?,
        }
        let children = (0..self.nodes.len()).filter(|child| self.nodes[*child].parent == Some(node));
        children.into_iter().try_for_each(|child| self.tell(child, depth + 1, f))
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tell(0, 0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pruned_way_is_not_told_again_but_stays_in_the_tree() {
        let mut plan = Plan::new("Buy a lamp");
        plan.did("click [1]".to_owned(), "on the front page".to_owned(), "link [1] \"Lamps\"\n".to_owned());
        plan.branch(0, "search for it".to_owned()).expect("root");
        plan.did("type [2]".to_owned(), "searching".to_owned(), String::new());
        plan.branch(1, "sort".to_owned()).expect("node 1");
        assert!(plan.history().contains("type [2]"));
        plan.prune(0, "the search is broken").expect("root");
        assert_eq!(
            plan.to_string(),
            "[0] Buy a lamp (active)\n  [1] search for it (given up: the search is broken)\n    [2] sort (given up: the search is broken)\n"
        );
        assert_eq!(plan.history(), "- click [1] (on the front page)\n    link [1] \"Lamps\"\n");
        assert!(plan.branch(1, "again".to_owned()).expect_err("given up").contains("was given up"));
        assert!(plan.prune(7, "x").expect_err("unknown").contains("there is no plan 7"));
    }

    #[test]
    fn plans_do_not_grow_without_end() {
        let mut plan = Plan::new("x");
        let refused = (0..100).filter(|at| plan.branch(*at, "deeper".to_owned()).is_err()).count();
        assert_eq!(refused, 100 - (MOST_NODES - 1));
    }
}
