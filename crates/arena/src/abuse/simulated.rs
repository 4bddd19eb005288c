//! Made-up voters for tests: honest ones, and each kind of dishonest one.

use umpire_model::Random;

use crate::{BALLOT_VERSION, Ballot, BattleId, Choice, Seen, Time, VoterId, VoterKind};

pub(crate) fn ballot(voter: &str, left: &str, right: &str, choice: Choice, at: u64) -> Ballot {
    Ballot {
        version: BALLOT_VERSION,
        battle: BattleId::new(format!("{voter}-{at}-{left}-{right}")),
        voter: VoterId::new(voter),
        by: VoterKind::Person,
        choice,
        left: left.to_owned(),
        right: right.to_owned(),
        task: format!("t{at}"),
        task_kind: "retrieve".to_owned(),
        annotations: Vec::new(),
        text: String::new(),
        seen: Seen { looked_ms: Some(40_000), ..Seen::default() },
        at: Time(at),
    }
}

pub(crate) struct Arena {
    pub random: Random,
    pub strengths: Vec<f64>,
    pub ballots: Vec<Ballot>,
}

pub(crate) const HOUR: u64 = 3_600_000;

impl Arena {
    pub fn new(seed: u64) -> Self {
        let mut random = Random::stream(seed, "arena");
        let strengths = (0..8).map(|_| random.below(1000) as f64 / 400.0 - 1.25).collect();
        Self { random, strengths, ballots: Vec::new() }
    }

    pub fn agent(id: usize) -> String {
        format!("agent{id}")
    }

    fn flip(&mut self, chance: f64) -> bool {
        (self.random.below(1 << 30) as f64) < chance * f64::from(1 << 30)
    }

    pub fn pair(&mut self) -> (usize, usize) {
        let one = self.random.below(self.strengths.len());
        let other = (one + 1 + self.random.below(self.strengths.len() - 1)) % self.strengths.len();
        (one, other)
    }

    /// As people vote who see how strong agents are, with the noise of tasks and a tie in seven.
    pub fn honest_choice(&mut self, left: usize, right: usize) -> Choice {
        if self.flip(1.0 / 7.0) {
            return if self.flip(0.5) { Choice::Tie } else { Choice::BothBad };
        }
        let win = 1.0 / (1.0 + (self.strengths[right] - self.strengths[left]).exp());
        if self.flip(win) { Choice::Left } else { Choice::Right }
    }

    pub fn cast(&mut self, voter: &str, left: usize, right: usize, choice: Choice, at: u64) {
        self.ballots.push(ballot(voter, &Self::agent(left), &Self::agent(right), choice, at));
    }

    /// Votes spread over a month.
    pub fn honest(&mut self, voters: usize, each: usize) {
        for voter in 0..voters {
            for _ in 0..each {
                let (left, right) = self.pair();
                let choice = self.honest_choice(left, right);
                let at = self.random.below(30 * 24) as u64 * HOUR + self.random.below(HOUR as usize) as u64;
                self.cast(&format!("honest{voter}"), left, right, choice, at);
            }
        }
    }

    /// Ordinary voters, now and then a pair of whom is shown again with sides exchanged.
    pub fn honest_repeats(&mut self, voters: usize, repeats: usize, keeps_to_it: f64) {
        for voter in 0..voters {
            for n in 0..repeats {
                let (left, right) = self.pair();
                let at = (voter * 100 + n) as u64 * HOUR;
                let choice = self.honest_choice(left, right);
                let again =
                    if self.flip(keeps_to_it) { choice.mirrored() } else { self.honest_choice(right, left) };
                self.cast(&format!("honest{voter}"), left, right, choice, at);
                self.cast(&format!("honest{voter}"), right, left, again, at + HOUR / 2);
                let count = self.ballots.len();
                self.ballots[count - 1].task = self.ballots[count - 2].task.clone();
            }
        }
    }
}
