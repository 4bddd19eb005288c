//! A year of events, each with the steps that lead to it and follow it, told as entries.

use jiff::civil::{Date, DateTime};
use serde::{Deserialize, Serialize};
use umpire_model::{Day, Random};

use super::chance;
use super::deck::in_proportion;
use super::item::{Habit, Item};
use super::people::one;
use super::telling::{Life, Scene};
use super::timing::{Days, plus, soon_after, time_on};
use super::{Extent, Generated};
use crate::audit::{Support, in_domain};
use crate::history::{Entry, EntryKind, History, Timestamp};
use crate::profile::Profile;
use crate::sessions::{Deed, Session, Step, When};
use crate::tables::{Deal, Domain, Pace, Tables};

const YEAR: i64 = 365;
/// One in so many deals is called off, sent back or moved.
const CHANGED: u32 = 10;
/// Searches that are typed into a search engine and not on the site, in percent.
const BY_ENGINE: u32 = 50;
/// Of those, the ones that name the site.
const NAMES_SITE: u32 = 18;
/// Deals added to settle the truths about a domain, at most.
const MOST_SETTLED: usize = 20;
/// How far a history may be from the length asked for, in percent.
const SLACK: i64 = 2;
/// Earlier or later than others, in minutes.
const SHIFT: i64 = 50;

/// Something that happens to a person, in general words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventSeed {
    pub date: Day,
    pub domain: String,
    pub pace: Pace,
    pub description: String,
    #[serde(default)]
    pub cancelled: bool,
}

/// A step of an event, before it is made this person's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedAction {
    pub timestamp: Timestamp,
    #[serde(rename = "type")]
    pub kind: EntryKind,
    pub action: String,
}

pub struct Year<'t> {
    tables: &'t Tables,
    profile: &'t Profile,
    life: Life<'t>,
    first: Date,
    last: Date,
    shift: i64,
    length: usize,
    engine: String,
    random: Random,
    events: Vec<EventSeed>,
    lines: Vec<Line>,
}

/// An entry on its way into the history.
struct Line {
    entry: Entry,
    action: String,
    /// Nobody's taste depends on it.
    is_spare: bool,
}

/// How a deal turns out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Kept,
    Undone,
    Moved,
}

impl<'t> Year<'t> {
    pub fn new(tables: &'t Tables, seed: u64, profile: &'t Profile, extent: Extent) -> Self {
        let mut random = chance(seed, &profile.person, "year");
        let life = Life::new(tables, &mut random, &profile.person);
        let last = extent.until.date();
        let length = i64::from(extent.entries);
        let slack = length * SLACK / 100;
        let length = (length + random.between(-slack, slack)) as usize;
        let engine = profile.domain("Search").map(|search| search.website.host.clone()).unwrap_or_default();
        Self {
            first: plus(last, 1 - YEAR),
            shift: random.between(-SHIFT, SHIFT),
            tables,
            profile,
            life,
            last,
            length,
            engine,
            random,
            events: Vec::new(),
            lines: Vec::new(),
        }
    }

    pub fn live(mut self) -> Generated {
        let profile = self.profile;
        for own in &profile.domains {
            if let Some(domain) = self.tables.domain(&own.domain) {
                let mut habit = Habit::new(domain, own);
                let from = self.lines.len();
                self.domain(&mut habit, own.frequency as usize);
                if !own.preferences.is_empty() {
                    self.settle(&mut habit, from);
                }
            }
        }
        self.fill_up();
        self.lines.sort_by_key(|line| line.entry.timestamp);
        let plan = |line: &Line| PlannedAction {
            timestamp: line.entry.timestamp,
            kind: line.entry.kind,
            action: line.action.clone(),
        };
        self.events.sort_by_key(|event| event.date);
        Generated {
            events: self.events,
            actions: self.lines.iter().map(plan).collect(),
            history: History { entries: self.lines.into_iter().map(|line| line.entry).collect() },
        }
    }

    fn domain(&mut self, habit: &mut Habit<'t>, count: usize) {
        let sessions: Vec<(&Session, u32)> =
            habit.domain.sessions.iter().map(|(session, weight)| (session, *weight)).collect();
        let sessions = in_proportion(&mut self.random, &sessions, count);
        let days = Days::new(habit.domain, self.first, YEAR);
        for session in sessions {
            let date = days.draw(&mut self.random);
            self.event(habit, session, date, false);
        }
    }

    /// Further deals to the person's taste, where chance left the year's deals undecided.
    fn settle(&mut self, habit: &mut Habit<'t>, from: usize) {
        let domain = habit.domain;
        let Some(session) =
            domain.sessions.keys().find(|one| domain.deal.is_some_and(|deal| one.ends_in(deal)))
        else {
            return;
        };
        let days = Days::new(domain, self.first, YEAR);
        for _ in 0..MOST_SETTLED {
            let made = self.lines[from..].iter().map(|line| &line.entry);
            let entries: Vec<&Entry> = made.filter(|entry| entry.kind.is_choice()).collect();
            if in_domain(self.tables, habit.profile, &entries).iter().all(Support::is_inferable) {
                break;
            }
            let date = days.draw(&mut self.random);
            self.event(habit, session, date, true);
        }
    }

    /// More of what people look up every day, or less of it, until the history is as long as it should be.
    fn fill_up(&mut self) {
        let spare: Vec<_> = self
            .profile
            .domains
            .iter()
            .filter_map(|own| self.tables.domain(&own.domain).map(|domain| (domain, own)))
            .filter(|(domain, _)| domain.deal.is_none())
            .collect();
        let mut habits: Vec<Habit<'t>> =
            spare.into_iter().map(|(domain, own)| Habit::new(domain, own)).collect();
        while self.lines.len() < self.length && !habits.is_empty() {
            let at = self.random.below(habits.len());
            self.domain(&mut habits[at], 1);
        }
        while self.lines.len() > self.length {
            let spare: Vec<usize> = (0..self.lines.len()).filter(|&at| self.lines[at].is_spare).collect();
            let Some(&at) = self.random.pick(&spare) else { break };
            self.lines.swap_remove(at);
        }
    }

    fn event(&mut self, habit: &mut Habit<'t>, session: &Session, date: Date, is_settling: bool) {
        let domain = habit.domain;
        let random = &mut self.random;
        let lead = domain.lead.map_or(0, |[from, to]| random.between(from, to));
        let occasion = habit.moved_to_weekday(random, plus(date, lead));
        let ends = domain.deal.is_some_and(|deal| session.ends_in(deal));
        let (site, host) = if is_settling { habit.usual_site() } else { habit.site(random, ends) };
        let scene = Scene::new(&self.life, random, domain, occasion, site);
        let item = match (is_settling, ends) {
            (true, _) => habit.choose_liked(random, occasion),
            (false, true) => habit.choose(random, occasion),
            (false, false) => habit.look_at(random, occasion, None),
        };
        let item = scene.name(random, item);
        let turn = match (session.has_deal() && !is_settling, random.chance(CHANGED)) {
            (true, true) if random.chance(70) => Turn::Undone,
            (true, true) => Turn::Moved,
            _ => Turn::Kept,
        };
        let description = one(random, &domain.occasions);
        self.events.push(EventSeed {
            date: Day::from(occasion),
            domain: domain.name.clone(),
            pace: domain.pace,
            description: description.clone(),
            cancelled: turn == Turn::Undone,
        });
        let mut told =
            Told { habit, scene: &scene, item: &item, host, engine: &self.engine, description, turn };
        let lines = told.session(random, session, date, self.shift);
        let (first, last) = (self.first, self.last);
        self.lines
            .extend(lines.into_iter().filter(|line| (first..=last).contains(&line.entry.timestamp.date())));
    }
}

/// One event while it is told.
struct Told<'a, 't> {
    habit: &'a Habit<'t>,
    scene: &'a Scene<'a, 't>,
    item: &'a Item<'t>,
    host: String,
    engine: &'a str,
    description: String,
    turn: Turn,
}

impl Told<'_, '_> {
    fn session(&mut self, random: &mut Random, session: &Session, date: Date, shift: i64) -> Vec<Line> {
        let domain = self.habit.domain;
        let mut lines = Vec::new();
        let mut at: Option<DateTime> = None;
        let mut is_done = false;
        for (number, step) in session.0.iter().enumerate() {
            if is_done && self.turn == Turn::Undone {
                break;
            }
            let moment = moment(random, domain, step, at, date, self.scene.occasion, shift);
            at = Some(moment);
            let next = session.0.get(number + 1).map(|step| step.deed);
            let decides = |deed| matches!(deed, None | Some(Deed::Deal | Deed::Review));
            let about_item = is_done || decides(Some(step.deed)) || decides(next) || random.chance(45);
            lines.push(self.line(random, step.deed, moment, about_item, is_done));
            if step.deed == Deed::Deal {
                is_done = true;
                let changed = self.changed(random, &lines[lines.len() - 1], moment, shift);
                lines.extend(changed);
            }
        }
        lines
    }

    fn line(&self, random: &mut Random, deed: Deed, at: DateTime, about_item: bool, is_done: bool) -> Line {
        let domain = self.habit.domain;
        let other = self.habit.look_at(random, self.scene.occasion, Some(self.item.thing));
        let other = self.scene.name(random, other);
        let (item, other) = if about_item { (self.item, &other) } else { (&other, self.item) };
        let mut object = match deed {
            Deed::Review => self.scene.review(random, item),
            Deed::Visit if is_done => self.scene.after(random, item),
            _ => self.scene.tell(random, deed, item, Some(other)),
        };
        let elsewhere = (deed == Deed::Visit).then(|| random.pick(&item.thing.hosts)).flatten();
        let mut website = elsewhere.unwrap_or(&self.host).clone();
        if deed == Deed::Search && !self.engine.is_empty() && random.chance(BY_ENGINE) {
            self.engine.clone_into(&mut website);
            if domain.deal.is_some() && random.chance(NAMES_SITE) {
                object = format!("{object} {}", self.scene.site.to_lowercase());
            }
        }
        let kind = match deed {
            Deed::Search => EntryKind::Search,
            Deed::Visit => EntryKind::Visit,
            Deed::Deal => domain.deal.map_or(EntryKind::Visit, Deal::kind),
            Deed::Review => EntryKind::Review,
        };
        Line {
            entry: Entry { timestamp: Timestamp::new(at), kind, object, website },
            action: format!("{}: {}", kind.name(), self.description),
            is_spare: domain.deal.is_none(),
        }
    }

    /// The entry that a deal leaves when it is undone or moved.
    fn changed(&self, random: &mut Random, deal: &Line, at: DateTime, shift: i64) -> Option<Line> {
        let days = random.between(1, 3);
        let is_purchase = deal.entry.kind == EntryKind::Purchase;
        let mark = match self.turn {
            Turn::Kept => return None,
            Turn::Undone if is_purchase => "returned".to_owned(),
            Turn::Undone => "cancelled".to_owned(),
            Turn::Moved if is_purchase => "delivery moved by a day".to_owned(),
            Turn::Moved => {
                format!("moved to {}", random.pick(&["the week after", "the day before", "a later hour"])?)
            }
        };
        let when = time_on(random, self.habit.domain, plus(at.date(), days), shift);
        let mut entry = deal.entry.clone();
        entry.timestamp = Timestamp::new(when);
        entry.object = format!("{} ({mark})", entry.object);
        Some(Line { entry, action: format!("{} ({mark})", deal.action), is_spare: false })
    }
}

fn moment(
    random: &mut Random,
    domain: &Domain,
    step: &Step,
    before: Option<DateTime>,
    deal: Date,
    occasion: Date,
    shift: i64,
) -> DateTime {
    let on = |random: &mut Random, date| time_on(random, domain, date, shift);
    let at = match (step.when, before) {
        (When::Next, Some(before)) => return soon_after(random, before),
        (When::Next, None) => on(random, deal),
        (When::FromDeal(days), _) => on(random, plus(deal, days)),
        (When::FromOccasion(days), _) => on(random, plus(occasion, days)),
    };
    match before {
        Some(before) if at <= before => soon_after(random, before),
        _ => at,
    }
}
