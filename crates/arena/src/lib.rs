//! The arena: two agents meet blind on one task, a person says which did better, and the counting is honest.
//!
//! Everything here is a value or a function of values. There is no clock, no network, no file and nothing random but what
//! a given seed repeats: whoever serves the arena passes the time in and stores what comes out.
//!
//! | what | where |
//! |---|---|
//! | a battle from queue to vote, and what voters hand in | [`Battle`], [`Ballot`] |
//! | which two agents meet next | [`Pairing`] |
//! | names kept out of what voters see | [`Scrubber`] |
//! | who waits for whom | [`Queue`] |
//! | which tasks may be asked | [`Moderate`], [`TaskRules`] |
//! | ballots that look dishonest | [`suspicions`] |
//! | ratings, ranks, matrices, history | [`Leaderboard`] |
//! | the same battle put to several voters | [`ReVotes`] |

mod abuse;
mod ballot;
mod battle;
mod blindness;
mod leaderboard;
mod moderation;
mod pairing;
mod queue;
mod revotes;
mod time;

pub use abuse::{AbuseRules, Suspicion, SuspicionKind, suspicions};
pub use ballot::{BALLOT_VERSION, Ballot, BallotKey, Choice, Seen, StepAnnotation, VoterKind};
pub use battle::{
    Asked, BATTLE_VERSION, Battle, BattleId, Contestant, IllegalMove, Phase, Revealed, Side, VoterId, Voters,
};
pub use blindness::{Scrubbed, Scrubber};
pub use leaderboard::{
    BallotFilter, DayStanding, LEADERBOARD_VERSION, Leaderboard, Resampling, SideShare, Standing, Standings,
    VotersCounted,
};
pub use moderation::{
    AddressProblem, HookAnswer, HookProblem, HostRule, HostRuleError, Moderate, Refusal, Review, TaskRequest,
    TaskRules,
};
pub use pairing::{DrawnPair, InformationGain, Pairing, PairingError};
pub use queue::{NotInQueue, Order, Position, Queue, QueueLimits, QueueRefusal, StopReason};
pub use revotes::{Agreement, Majority, ReVotes, Verdict};
pub use time::Time;
