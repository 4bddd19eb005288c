//! A thing somebody looks at or decides for: its kind, its attributes, its name.

use jiff::civil::{Date, Weekday};
use umpire_model::Random;

use super::deck::{Deck, weighted};
use super::people::one;
use super::timing::plus;
use crate::numbers::Written;
use crate::profile::DomainProfile;
use crate::tables::{Derived, Domain, Facet, Thing};

/// Deals of which one is not to the person's taste.
const TASTE_ROUND: usize = 7;
/// Deals of which one does not say the attribute.
const SAID_ROUND: usize = 5;
/// Visits to sites of which one is to another than usual.
const SITE_ROUND: usize = 7;
/// Deals of which one is about any kind of things, and not one that tastes are about.
const KIND_ROUND: usize = 3;
/// How often a thing only looked at is to the person's taste, in percent.
const LOOKED_AT: u32 = 60;

pub struct Item<'t> {
    pub thing: &'t Thing,
    pub facts: Vec<Fact<'t>>,
    pub extra: String,
    pub name: String,
}

/// An attribute of one thing.
pub struct Fact<'t> {
    pub facet: &'t Facet,
    pub value: Value,
    /// The person has a taste in it, and its deals should say it.
    pub is_taste: bool,
    /// Where the thing is bought, this is said.
    pub is_said: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Word(String),
    Number(i64),
}

impl Fact<'_> {
    /// The value itself, as names have it.
    pub fn word(&self) -> String {
        match (&self.value, &self.facet.number) {
            (Value::Number(number), Some(kind)) => kind.written.write(*number),
            (Value::Number(number), None) => number.to_string(),
            (Value::Word(word), _) => word.clone(),
        }
    }

    /// The preference that it shows.
    fn kind_of_value(&self) -> String {
        match (&self.value, &self.facet.number) {
            (Value::Number(number), Some(kind)) => kind.bin(*number).unwrap_or_default().to_owned(),
            _ => self.word(),
        }
    }

    /// As the line of a page or a receipt has it.
    pub fn written(&self, random: &mut Random) -> String {
        let word = self.word();
        let form = one(random, &self.facet.forms);
        form.replace("{l}", &word.to_lowercase()).replace("{}", &word)
    }
}

/// A person's ways in one domain, with the memory that keeps them steady.
pub struct Habit<'t> {
    pub domain: &'t Domain,
    pub profile: &'t DomainProfile,
    tastes: Vec<Deck>,
    said: Vec<Deck>,
    kind: Deck,
    /// For looking around, and for deals.
    sites: [Deck; 2],
    weekday: Deck,
    /// What was decided for against a taste: key and value. The next exception is another, so that none becomes a rival.
    strays: Vec<(String, String)>,
}

impl<'t> Habit<'t> {
    pub fn new(domain: &'t Domain, profile: &'t DomainProfile) -> Self {
        let each = |size| profile.preferences.iter().map(|_| Deck::new(size)).collect();
        Self {
            domain,
            profile,
            tastes: each(TASTE_ROUND),
            said: each(SAID_ROUND),
            kind: Deck::new(KIND_ROUND),
            sites: [Deck::new(SITE_ROUND), Deck::new(SITE_ROUND)],
            weekday: Deck::new(TASTE_ROUND),
            strays: Vec::new(),
        }
    }

    pub fn usual_site(&self) -> (String, String) {
        let usual = &self.profile.website;
        (usual.name.clone(), usual.host.clone())
    }

    /// Name and host of the site used this time.
    pub fn site(&mut self, random: &mut Random, is_deal: bool) -> (String, String) {
        let usual = &self.profile.website;
        let others: Vec<_> =
            self.domain.sites.iter().filter(|site| site.website.host != usual.host).collect();
        let is_usual = self.sites[usize::from(is_deal)].draw(random);
        let website = match random.pick(&others) {
            Some(other) if !is_usual => &other.website,
            _ => usual,
        };
        (website.name.clone(), website.host.clone())
    }

    /// The day something happens, moved to the weekday the person goes out on.
    pub fn moved_to_weekday(&mut self, random: &mut Random, date: Date) -> Date {
        let Some(facet) = self.domain.facets.iter().find(|facet| facet.from == Some(Derived::Date)) else {
            return date;
        };
        let wanted = self.profile.preferences.iter().find(|preference| preference.key == facet.key);
        match wanted {
            Some(wanted) if self.weekday.draw(random) => {
                (0..7).map(|days| plus(date, days)).find(|day| weekday(*day) == wanted.value).unwrap_or(date)
            }
            _ => date,
        }
    }

    /// The thing a deal is about.
    pub fn choose(&mut self, random: &mut Random, occasion: Date) -> Item<'t> {
        let is_tasted = self.kind.draw(random);
        let thing = self.thing(random, is_tasted);
        let has_taste: Vec<bool> =
            self.profile.preferences.iter().map(|taste| self.domain.has_taste(thing, taste)).collect();
        // Cards are drawn for what the thing can have only, so that the rounds hold for every taste.
        let mut draw = |decks: &mut [Deck]| -> Vec<bool> {
            decks.iter_mut().zip(&has_taste).map(|(deck, has)| *has && deck.draw(random)).collect()
        };
        let (tastes, said) = (draw(&mut self.tastes), draw(&mut self.said));
        let item = self.item(random, occasion, thing, &tastes, &said);
        for (taste, fact) in
            self.profile.preferences.iter().filter_map(|taste| Some((taste, item.fact(&taste.key)?)))
        {
            let value = fact.kind_of_value();
            if value != taste.value {
                self.strays.push((taste.key.clone(), value));
            }
        }
        item
    }

    /// A thing that is to every taste, and says so.
    pub fn choose_liked(&self, random: &mut Random, occasion: Date) -> Item<'t> {
        let all = vec![true; self.profile.preferences.len()];
        let thing = self.thing(random, true);
        self.item(random, occasion, thing, &all, &all)
    }

    /// A thing only looked at.
    pub fn look_at(&self, random: &mut Random, occasion: Date, thing: Option<&'t Thing>) -> Item<'t> {
        let some =
            |random: &mut Random| self.profile.preferences.iter().map(|_| random.chance(LOOKED_AT)).collect();
        let (tastes, said): (Vec<bool>, Vec<bool>) = (some(random), some(random));
        let thing = thing.unwrap_or_else(|| {
            let is_tasted = random.chance(LOOKED_AT);
            self.thing(random, is_tasted)
        });
        self.item(random, occasion, thing, &tastes, &said)
    }

    /// A kind of things: any, or one that as many tastes as possible are about.
    fn thing(&self, random: &mut Random, is_tasted: bool) -> &'t Thing {
        let things = &self.domain.things;
        let tastes = |thing: &Thing| {
            self.profile.preferences.iter().filter(|taste| self.domain.has_taste(thing, taste)).count()
        };
        let most = things.iter().map(tastes).max().unwrap_or_default();
        let weight = |thing: &Thing| if is_tasted && tastes(thing) < most { 0 } else { thing.weight };
        weighted(random, things, weight).unwrap_or(&things[0])
    }

    fn item(
        &self,
        random: &mut Random,
        occasion: Date,
        thing: &'t Thing,
        tastes: &[bool],
        said: &[bool],
    ) -> Item<'t> {
        let wanted = &self.profile.preferences;
        let mut facts = Vec::new();
        for facet in self.domain.facets_of(&thing.shelf).filter(|_| !thing.bare) {
            let taste = wanted.iter().position(|taste| taste.key == facet.key);
            let usual = taste.filter(|&at| facet.has(&wanted[at].value));
            if taste.is_some() && usual.is_none() {
                // Said of other things too, it would read as a rival of what is liked here.
                continue;
            }
            let value = match usual.filter(|&at| tastes[at]) {
                _ if facet.from == Some(Derived::Date) => Value::Word(weekday(occasion)),
                Some(at) => liked(random, facet, &wanted[at].value),
                None => self.any(random, facet, usual.map(|at| wanted[at].value.as_str())),
            };
            facts.push(Fact {
                facet,
                value,
                is_taste: usual.is_some(),
                is_said: usual.is_some_and(|at| said[at]),
            });
        }
        Item { thing, facts, extra: one(random, &thing.extras), name: String::new() }
    }

    /// Any value but the one that is usual, and one that was not the exception lately.
    fn any(&self, random: &mut Random, facet: &Facet, but: Option<&str>) -> Value {
        let others: Vec<&str> = facet.all_values().filter(|value| Some(*value) != but).collect();
        let uses = |value: &str| {
            self.strays.iter().filter(|(key, stray)| *key == facet.key && stray == value).count()
        };
        let least = others.iter().map(|value| uses(value)).min().unwrap_or_default();
        let fresh: Vec<&str> = others.into_iter().filter(|value| uses(value) == least).collect();
        let value = random.pick(&fresh).copied().unwrap_or_default();
        liked(random, facet, value)
    }
}

impl Item<'_> {
    pub fn fact(&self, key: &str) -> Option<&Fact<'_>> {
        self.facts.iter().find(|fact| fact.facet.key == key)
    }
}

fn liked(random: &mut Random, facet: &Facet, value: &str) -> Value {
    match facet.number.as_ref().and_then(|number| number.range(value)) {
        Some((low, high)) => Value::Number(rounded(facet, random.between(low, high), low, high)),
        None => Value::Word(value.to_owned()),
    }
}

/// Departures are at full five minutes, where the limits leave one.
fn rounded(facet: &Facet, number: i64, low: i64, high: i64) -> i64 {
    let is_clock = facet.number.as_ref().is_some_and(|kind| kind.written == Written::Clock);
    let round = number / 5 * 5;
    if is_clock && (low..=high).contains(&round) { round } else { number }
}

pub fn weekday(date: Date) -> String {
    let name = match date.weekday() {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    };
    name.to_owned()
}
