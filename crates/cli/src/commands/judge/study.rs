//! Models vote on the battles of a study as people do: without names. Each pair is shown in both orders.

mod brought;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::{StreamExt as _, stream};
use serde_json::json;
use umpire_arena::{Agreement, Ballot, Battle, BattleId, Choice, ReVotes, Seen, Time, VoterId, VoterKind};
use umpire_judges::asking::{Asking, Ledger, NoOpinion};
use umpire_judges::frames::{Darkroom, Frames};
use umpire_judges::judge::{Bench, Judge, Opinion, Side};
use umpire_judges::panel::PanelOptions;
use umpire_llm::{AskError, Budget, Caller, Gateway, Limits};
use umpire_model::{Deadline, Redactor, Unrecorded};
use umpire_server::{Database, DatabaseError};
use umpire_store::Runs;

use self::brought::{Archive, Brought};
use super::{gateway, judges, options};
use crate::args::{Global, JudgeArgs};
use crate::commands::conduct::say_tape_problems;
use crate::commands::serve::DATABASE;
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;

/// A vote takes no longer than this, retries included.
const LONGEST_VOTE: Duration = Duration::from_mins(20);
const JUDGE: &str = "pairwise";
/// Studies named when the one that was asked for is not there.
const NAMED: usize = 8;

/// All that votes on a study need.
struct Booth {
    judge: Judge,
    gateway: Arc<Gateway>,
    budget: Arc<Budget>,
    darkroom: Arc<Darkroom>,
    options: PanelOptions,
    database: Database,
    archive: Arc<Archive>,
}

/// One vote to be had.
struct Wanted {
    battle: Battle,
    model: String,
    sample: u32,
}

#[derive(Default)]
struct Polled {
    cast: usize,
    unpaid: usize,
    /// What kept votes from being cast.
    problems: Vec<String>,
}

pub async fn judge_study(
    args: &JudgeArgs,
    global: &Global,
    config: &Config,
    runs: &Runs,
) -> Result<Exit, Failure> {
    let study = args.study.as_deref().unwrap_or_default();
    let database = open(args, runs).await?;
    let Some(battles) = database.battles_to_judge(study).await.map_err(told)? else {
        return Err(no_such_study(&database, study).await?);
    };
    let options = options(args, global, config)?;
    if options.models.is_empty() {
        return Err(super::explain(umpire_judges::panel::PanelError::NoModel));
    }
    let budget = Budget::new("judge", Limits { money: args.spending.money()?, ..Limits::default() });
    let gateway = gateway(args, global, config, None)?;
    for model in &options.models {
        let checked = gateway.check(model, budget.limits().money.is_some());
        checked.map_err(|error| Failure::new(error.to_string()))?;
    }
    let archive = Arc::new(Archive::new(runs.clone()));
    let mut worst = Exit::Ok;
    for name in judges(args, JUDGE) {
        let judge = Judge::new(config.judge(&name)?);
        if !judge.compares() {
            return Err(Failure::new(format!("the judge `{name}` does not compare two attempts"))
                .help(format!("a study is for judges such as `{JUDGE}`")));
        }
        let booth = Booth {
            judge,
            gateway: Arc::clone(&gateway),
            budget: Arc::clone(&budget),
            darkroom: Arc::default(),
            options: options.clone(),
            database: database.clone(),
            archive: Arc::clone(&archive),
        };
        let exit = booth.poll(study, &battles, args.estimate, global.json).await?;
        worst = if worst == Exit::Ok { exit } else { worst };
    }
    say_tape_problems(&gateway);
    database.close().await;
    Ok(worst)
}

/// The server's own database. A file that is not there is not made.
async fn open(args: &JudgeArgs, runs: &Runs) -> Result<Database, Failure> {
    let url = if let Some(url) = &args.database {
        url.clone()
    } else {
        let file = runs.root().join(DATABASE);
        if !file.exists() {
            let help = "`umpire serve` makes one; --database says where another is";
            return Err(Failure::new(format!("there is no database at {}", file.display())).help(help));
        }
        format!("sqlite:{}", file.display())
    };
    Database::open(&url).await.map_err(told)
}

async fn no_such_study(database: &Database, study: &str) -> Result<Failure, Failure> {
    let titles = database.study_titles().await.map_err(told)?;
    let failure = Failure::new(format!("there is no study `{study}`"));
    let named: Vec<String> = titles.iter().take(NAMED).map(|(id, title)| format!("{id} ({title})")).collect();
    Ok(if named.is_empty() {
        failure.help("an operator makes one on the Arena page of `umpire serve`")
    } else {
        failure.help(format!("there are {}", named.join(", ")))
    })
}

#[expect(clippy::needless_pass_by_value, reason = "the shape `map_err` wants")]
fn told(error: DatabaseError) -> Failure {
    Failure::new(error.to_string())
}

impl Booth {
    /// Under which name votes of a model are kept: another judge of the same model is another voter.
    fn voter_name(&self, model: &str) -> String {
        format!("{}/{model}", self.judge.name())
    }

    async fn poll(
        &self,
        study: &str,
        battles: &[Battle],
        only_estimate: bool,
        as_json: bool,
    ) -> Result<Exit, Failure> {
        let battles = &battles[..battles.len().min(self.options.at_most.unwrap_or(usize::MAX))];
        let earlier = self.database.ballots_of_study(study).await.map_err(told)?;
        let is_cast: BTreeSet<(&BattleId, &VoterId)> =
            earlier.iter().map(|ballot| (&ballot.battle, &ballot.voter)).collect();
        let all = battles.len() * self.options.models.len() * self.options.samples as usize;
        let wanted: Vec<Wanted> = battles
            .iter()
            .flat_map(|battle| {
                let models = self.options.models.iter();
                models.flat_map(move |model| {
                    (1..=self.options.samples).map(move |sample| (battle, model, sample))
                })
            })
            .filter(|(battle, model, sample)| {
                let voter = Battle::model_voter(&self.voter_name(model), *sample);
                !is_cast.contains(&(&battle.id, &voter))
            })
            .map(|(battle, model, sample)| Wanted { battle: battle.clone(), model: model.clone(), sample })
            .collect();
        let kept = all - wanted.len();
        if !as_json {
            let (name, models) = (self.judge.name(), self.options.models.join(", "));
            say!(
                "{name} with {models} on {} battles: {all} votes, {kept} of them cast before",
                battles.len()
            );
        }
        if only_estimate {
            let calls = 2 * wanted.len();
            if as_json {
                say!("{}", json!({ "event": "estimate", "votes": all, "kept": kept, "calls": calls }));
            } else {
                say!("  {calls} calls, if every answer can be read");
            }
            return Ok(Exit::Ok);
        }
        let polled = self.cast_all(wanted, as_json).await?;
        self.tell(study, kept, &polled, as_json).await?;
        Ok(match polled {
            _ if all == 0 => Exit::NothingRan,
            Polled { unpaid: 1.., .. } => Exit::BudgetReached,
            Polled { problems, .. } if !problems.is_empty() => Exit::Incomplete,
            _ => Exit::Ok,
        })
    }

    async fn cast_all(&self, wanted: Vec<Wanted>, as_json: bool) -> Result<Polled, Failure> {
        let mut polled = Polled::default();
        let votes = stream::iter(wanted).map(|wanted| async move { (self.vote(&wanted).await, wanted) });
        let mut votes = votes.buffer_unordered(self.options.jobs.max(1));
        while let Some((vote, wanted)) = votes.next().await {
            match vote {
                Ok(ballot) => {
                    // On the disk before the next is asked, so that nothing is paid for twice.
                    self.database.add_model_ballot(&ballot).await.map_err(told)?;
                    polled.cast += 1;
                    if as_json {
                        say!("{}", json!({ "event": "ballot", "ballot": ballot }));
                    }
                }
                Err(NoVote::NoOpinion(NoOpinion::Unanswered(AskError::Budget(_)))) => polled.unpaid += 1,
                Err(problem) => {
                    let problem = format!("battle {}, {}: {problem}", wanted.battle.id, wanted.model);
                    eprintln!("{problem}");
                    polled.problems.push(problem);
                }
            }
        }
        Ok(polled)
    }

    async fn vote(&self, wanted: &Wanted) -> Result<Ballot, NoVote> {
        let brought = self.bring(&wanted.battle).await?;
        let ledger = Ledger::new(Redactor::new(self.gateway.secret_values()));
        let name = format!("{} of battle {}, {}", self.judge.name(), wanted.battle.id, wanted.sample);
        let mut caller = Caller::new(name, vec![Arc::clone(&self.budget)], Arc::new(Unrecorded));
        caller.sample = wanted.sample;
        let asker =
            self.gateway.asker(&wanted.model, caller).map_err(|error| NoVote::Broken(error.to_string()))?;
        let has_eyes = self.gateway.spec(&wanted.model).is_none_or(|spec| spec.images);
        let [left, right] = &brought.sides;
        let unseen = [Frames::unseen(&left.0.case), Frames::unseen(&right.0.case)];
        let side = |at: usize| Side {
            exhibit: &brought.sides[at].0,
            frames: if has_eyes { &brought.sides[at].1 } else { &unseen[at] },
        };
        let bench = Bench {
            side: side(0),
            other: Some(side(1)),
            asking: Asking::new(&asker, &ledger, self.options.parser, Deadline::after(LONGEST_VOTE)),
        };
        let opinion = self.judge.judge(&bench).await.map_err(NoVote::NoOpinion)?;
        let seen = Seen { names_hidden: brought.hidden, ..Seen::default() };
        let model = self.voter_name(&wanted.model);
        let ballot =
            wanted.battle.ballot_of_model((&model, wanted.sample), choice(&opinion)?, seen, Time(now_ms()));
        let mut ballot = ballot.map_err(|error| NoVote::Broken(error.to_string()))?;
        ballot.text = opinion.reason;
        Ok(ballot)
    }

    /// Both attempts, as voters see them; read and made small on a thread that may wait for the disk.
    async fn bring(&self, battle: &Battle) -> Result<Brought, NoVote> {
        let (archive, darkroom) = (Arc::clone(&self.archive), Arc::clone(&self.darkroom));
        let (policy, battle) = (self.judge.evidence().clone(), battle.clone());
        let brought =
            tokio::task::spawn_blocking(move || Brought::read(&archive, &battle, &policy, &darkroom));
        brought.await.map_err(|error| NoVote::Broken(error.to_string()))?
    }

    async fn tell(&self, study: &str, kept: usize, polled: &Polled, as_json: bool) -> Result<(), Failure> {
        let ballots = self.database.ballots_of_study(study).await.map_err(told)?;
        let votes = ReVotes::of(&ballots);
        let own: Vec<String> = self.options.models.iter().map(|model| self.voter_name(model)).collect();
        for name in &own {
            let of_it = ballots.iter().filter(|ballot| ballot.by == VoterKind::Model(name.clone())).count();
            self.database.note_judging(study, name, of_it).await.map_err(told)?;
        }
        let agreement: BTreeMap<&String, Agreement> =
            own.iter().map(|name| (name, votes.model_with_people(name, 1))).collect();
        if as_json {
            let said = json!({
                "event": "study", "study": study, "cast": polled.cast, "kept": kept, "unpaid": polled.unpaid,
                "problems": polled.problems, "agreement": agreement,
            });
            say!("{said}");
            return Ok(());
        }
        say!("votes: {} cast, {kept} kept from before", polled.cast);
        for (name, agreement) in agreement {
            let share = &agreement.share;
            match (share.of, &agreement.kappa) {
                (0, _) => say!("{name}: no battle yet on which most people say the same"),
                (_, Some(kappa)) => say!(
                    "{name} says what most people say on {} of {} battles, κ {:.2}",
                    share.count,
                    share.of,
                    kappa.value
                ),
                (_, None) => {
                    say!("{name} says what most people say on {} of {} battles", share.count, share.of);
                }
            }
        }
        if polled.unpaid > 0 {
            say!(
                "the budget is used up: {} votes were not cast; the same command with more goes on",
                polled.unpaid
            );
        }
        Ok(())
    }
}

/// Why there is no vote.
#[derive(Debug, thiserror::Error)]
enum NoVote {
    #[error("{0}")]
    NoOpinion(NoOpinion),
    #[error("{0}")]
    Broken(String),
}

fn choice(opinion: &Opinion) -> Result<Choice, NoVote> {
    match opinion.findings["better"].as_str() {
        Some("first") => Ok(Choice::Left),
        Some("second") => Ok(Choice::Right),
        Some("tie") => Ok(Choice::Tie),
        _ => Err(NoVote::Broken(format!(
            "the judge says neither which nor that it is a tie: {}",
            opinion.findings
        ))),
    }
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
