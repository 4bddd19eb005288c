//! Putting an action into the words of a history: what the browser, the shop or the person would have written.

use jiff::civil::Date;
use umpire_model::Random;

use super::item::{Fact, Item, weekday};
use super::people::{address, one};
use crate::grammar::Grammar;
use crate::numbers::Written;
use crate::profile::Person;
use crate::sessions::Deed;
use crate::tables::{Domain, Interest, Phrases, Sector, Tables, Thing};
use crate::words::has_words;

/// How often details are given, in percent: of a taste on a page, of anything else.
const TASTE_ON_PAGE: u32 = 55;
const ELSE: u32 = 28;
const GOOD: u32 = 78;

/// What stays the same for a person all year.
pub struct Life<'t> {
    pub tables: &'t Tables,
    pub person: &'t Person,
    pub work: String,
    pub interests: Vec<&'t Interest>,
    pub sector: Option<&'t Sector>,
    /// Types in small letters.
    pub types_small: bool,
    /// What stands between details.
    pub separator: &'static str,
}

impl<'t> Life<'t> {
    pub fn new(tables: &'t Tables, random: &mut Random, person: &'t Person) -> Self {
        let mut interests: Vec<&Interest> = tables.people.interests.iter().collect();
        random.shuffle(&mut interests);
        interests.truncate(3 + random.below(2));
        let sector = tables.people.sectors.iter().find(|known| known.name == person.demographics.sector);
        let mut work = address(tables, random);
        while work == person.home.address {
            work = address(tables, random);
        }
        Self {
            tables,
            person,
            work,
            interests,
            sector,
            types_small: random.chance(80),
            separator: random.pick(&[", ", ", ", " / "]).copied().unwrap_or(", "),
        }
    }

    pub fn other_city(&self, random: &mut Random) -> String {
        let home = &self.person.home.city;
        let others: Vec<String> =
            self.tables.places.cities.iter().filter(|city| *city != home).cloned().collect();
        one(random, &others)
    }
}

/// Everything an event's entries speak of.
pub struct Scene<'a, 't> {
    pub life: &'a Life<'t>,
    pub domain: &'t Domain,
    /// Name of the site in use.
    pub site: String,
    pub occasion: Date,
    pub city: String,
    pub people: i64,
    pub nights: i64,
    pub clock: String,
    pub order: String,
    pub venue: String,
}

impl<'a, 't> Scene<'a, 't> {
    pub fn new(
        life: &'a Life<'t>,
        random: &mut Random,
        domain: &'t Domain,
        occasion: Date,
        site: String,
    ) -> Self {
        let is_home = random.chance(domain.at_home);
        let city = if is_home { life.person.home.city.clone() } else { life.other_city(random) };
        Self {
            life,
            domain,
            site,
            occasion,
            city,
            people: random.between(1, 2) + i64::from(random.chance(35)) * random.between(1, 3),
            nights: random.between(1, 3) + i64::from(random.chance(25)) * 2,
            clock: one(random, &domain.clocks),
            order: format!("{}-{}", random.between(10, 99), random.between(1_000, 9_999)),
            venue: one(random, &life.tables.places.venues),
        }
    }

    /// Gives a thing its name.
    pub fn name<'i>(&self, random: &mut Random, mut item: Item<'i>) -> Item<'i> {
        let thing: &Thing = item.thing;
        let name = random
            .pick(&thing.names)
            .map(|names| names.say(random, &mut |r, blank| self.fill(r, blank, &item, None)));
        item.name = name.unwrap_or_default();
        item
    }

    /// The entry's text for one deed about a thing; `other` is one that it is compared with.
    pub fn tell(&self, random: &mut Random, deed: Deed, item: &Item<'_>, other: Option<&Item<'_>>) -> String {
        let phrases = match deed {
            Deed::Search => &self.domain.phrases.search,
            Deed::Visit => &self.domain.phrases.visit,
            Deed::Deal => &self.domain.phrases.deal,
            Deed::Review => &self.domain.phrases.review,
        };
        self.tell_by(random, phrases, deed, item, other)
    }

    /// A page looked at once the deal is made.
    pub fn after(&self, random: &mut Random, item: &Item<'_>) -> String {
        let Phrases { after, visit, .. } = &self.domain.phrases;
        self.tell_by(random, if after.is_empty() { visit } else { after }, Deed::Visit, item, None)
    }

    fn tell_by(
        &self,
        random: &mut Random,
        phrases: &[Grammar],
        deed: Deed,
        item: &Item<'_>,
        other: Option<&Item<'_>>,
    ) -> String {
        let is_bare = item.facts.is_empty();
        let needs_facts = |phrase: &Grammar| {
            ["details", "filters", "filter", "words"].iter().any(|blank| phrase.has_blank(blank))
        };
        let fitting: Vec<&Grammar> =
            phrases.iter().filter(|phrase| !is_bare || !needs_facts(phrase)).collect();
        let Some(phrase) = random.pick(&fitting) else { return item.name.clone() };
        let is_choice = matches!(deed, Deed::Deal | Deed::Review);
        let text = phrase.say(random, &mut |random, blank| match blank {
            "details" => self.details(random, item, is_choice),
            _ => self.fill(random, blank, item, other),
        });
        if deed == Deed::Search && self.life.types_small { text.to_lowercase() } else { text }
    }

    fn details(&self, random: &mut Random, item: &Item<'_>, is_choice: bool) -> String {
        let mut details = Vec::new();
        let untold = |fact: &&Fact<'_>| {
            fact.facet.from.is_none()
                && (is_choice || !fact.facet.chosen)
                && !has_words(&item.name, &fact.word())
        };
        for fact in item.facts.iter().filter(untold) {
            let is_told = match (fact.is_taste, is_choice) {
                (true, true) => fact.is_said,
                (true, false) => random.chance(TASTE_ON_PAGE),
                (false, _) => random.chance(ELSE),
            };
            if is_told {
                details.push(fact.written(random));
            }
        }
        random.shuffle(&mut details);
        if details.is_empty() {
            let fallback = item.facts.iter().filter(untold).map(|fact| fact.written(random)).next();
            details.extend(fallback);
        }
        details.join(self.life.separator)
    }

    /// What a list was narrowed down to: attributes that lists show.
    fn filters(random: &mut Random, item: &Item<'_>, most: usize) -> Vec<String> {
        let mut shown: Vec<&Fact<'_>> = item.facts.iter().filter(|fact| !fact.facet.chosen).collect();
        random.shuffle(&mut shown);
        shown.sort_by_key(|fact| !fact.is_taste);
        shown.truncate(1 + random.below(most));
        shown.into_iter().map(|fact| filter(random, fact)).collect()
    }

    fn fill(&self, random: &mut Random, blank: &str, item: &Item<'_>, other: Option<&Item<'_>>) -> String {
        let Life { tables, person, .. } = self.life;
        let people = &tables.people;
        match blank {
            "name" => item.name.clone(),
            "other" => other.map_or_else(|| item.name.clone(), |other| other.name.clone()),
            "title" => item.name.split('"').nth(1).unwrap_or(&item.name).to_owned(),
            "plain" => random
                .pick(&item.thing.plain)
                .map(|plain| plain.say(random, &mut |r, blank| self.fill(r, blank, item, other)))
                .unwrap_or_default(),
            "shelf" => item.thing.shelf.clone(),
            "extra" => item.extra.clone(),
            "filters" => Self::filters(random, item, 3).join(self.life.separator),
            "filter" => Self::filters(random, item, 1).join(" "),
            "words" => Self::filters(random, item, 2).join(" "),
            "site" => self.site.clone(),
            "city" => self.city.clone(),
            "hometown" => person.home.city.clone(),
            "home" => person.home.address.clone(),
            "near" if self.city == person.home.city => person.home.address.clone(),
            "work" => self.life.work.clone(),
            "near" | "place" => one(random, &tables.places.landmarks),
            "street" => one(random, &tables.places.streets),
            "venue" => self.venue.clone(),
            "day" => self.day(random),
            "longday" => {
                format!("{} {} {}", weekday(self.occasion), self.occasion.day(), month(self.occasion))
            }
            "month" => month(self.occasion),
            "year" => self.occasion.year().to_string(),
            "clock" => self.clock.clone(),
            "people" => self.people.to_string(),
            "party" => counted(self.people, "person", "people"),
            "tickets" => counted(self.people, "ticket", "tickets"),
            "seats" => counted(self.people, "seat", "seats"),
            "guests" => counted(self.people, "guest", "guests"),
            "stay" => counted(self.nights, "night", "nights"),
            "days" => counted(self.nights, "day", "days"),
            "n" => random.between(2, 5).to_string(),
            "price" => self.price(random).to_string(),
            "order" => self.order.clone(),
            "giftee" => one(random, &people.giftees),
            "occasion" => one(random, &people.occasions),
            "author" => one(random, &people.authors),
            "doctor" => self.doctor(random, item),
            "interest" | "interest_query" | "interest_page" | "interest_thread" => {
                self.interest(random, blank)
            }
            "work_query" => self.life.sector.map(|sector| one(random, &sector.queries)).unwrap_or_default(),
            "work_page" => self.life.sector.map(|sector| one(random, &sector.pages)).unwrap_or_default(),
            key => item.fact(key).map(Fact::word).unwrap_or_default(),
        }
    }

    /// Cheap more often than dear, and just below a round sum.
    fn price(&self, random: &mut Random) -> i64 {
        let [low, high] = self.domain.prices;
        let price = random.between(low, high).min(random.between(low, high));
        if price > 30 { price / 10 * 10 + 9 } else { price }
    }

    fn interest(&self, random: &mut Random, blank: &str) -> String {
        let Some(interest) = random.pick(&self.life.interests) else { return String::new() };
        match blank {
            "interest_query" => one(random, &interest.queries),
            "interest_page" => one(random, &interest.pages),
            "interest_thread" => one(random, &interest.threads),
            _ => interest.name.clone(),
        }
    }

    fn doctor(&self, random: &mut Random, item: &Item<'_>) -> String {
        let doctors = &self.life.tables.people.doctors;
        let is_man = item.fact("gender").map_or_else(|| random.chance(50), |fact| fact.word() == "Man");
        let given = one(random, if is_man { &doctors.man } else { &doctors.woman });
        format!("{given} {}", one(random, &doctors.family))
    }

    fn day(&self, random: &mut Random) -> String {
        let (day, month) = (self.occasion.day(), month(self.occasion));
        match random.below(3) {
            0 => format!("{} {day}", &month[..3]),
            1 => format!("{} {day} {}", &weekday(self.occasion)[..3], &month[..3]),
            _ => format!("{day} {month}"),
        }
    }

    /// A review: its stars and its remark agree.
    pub fn review(&self, random: &mut Random, item: &Item<'_>) -> String {
        let is_good = random.chance(GOOD);
        let stars = if is_good { random.between(4, 5) } else { random.between(1, 3) };
        let remarks = &self.domain.remarks;
        let remark = one(random, if is_good { &remarks.good } else { &remarks.bad });
        let Some(phrase) = random.pick(&self.domain.phrases.review) else { return item.name.clone() };
        let said = phrase.say(random, &mut |random, blank| match blank {
            "stars" => stars.to_string(),
            "rated" => counted(stars, "star", "stars"),
            "remark" => remark.clone(),
            "details" => self.details(random, item, true),
            _ => self.fill(random, blank, item, None),
        });
        said.replace(" ()", "")
    }
}

/// As a ticked box of a list reads; limits are read as such.
fn filter(random: &mut Random, fact: &Fact<'_>) -> String {
    let limit = fact.facet.number.as_ref().and_then(|number| {
        let most = number
            .bins
            .iter()
            .map(|(_, most)| *most)
            .find(|most| fact.word().parse().is_ok_and(|n: i64| n <= *most))?;
        (number.written == Written::Whole).then_some(most)
    });
    match limit {
        Some(most) => format!("up to {}", fact.facet.forms[0].replace("{}", &most.to_string())),
        None => fact.written(random),
    }
}

fn counted(count: i64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn month(date: Date) -> String {
    date.strftime("%B").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::item::Habit;
    use crate::{free_profile, people};

    #[test]
    fn every_blank_of_the_tables_can_be_filled_in() {
        let tables = Tables::embedded();
        let mut random = Random::new(1);
        let filled_elsewhere = ["details", "stars", "rated", "remark"];
        for person in people(tables, 2, 12) {
            let profile = free_profile(tables, 2, person);
            let life = Life::new(tables, &mut random, &profile.person);
            for own in &profile.domains {
                let domain = tables.domain(&own.domain).expect("a domain");
                let habit = Habit::new(domain, own);
                let scene =
                    Scene::new(&life, &mut random, domain, jiff::civil::date(2026, 1, 5), "Site".to_owned());
                let Phrases { search, visit, after, deal, review } = &domain.phrases;
                for thing in domain.things.iter().filter(|thing| !thing.bare) {
                    let item = habit.look_at(&mut random, scene.occasion, Some(thing));
                    let item = scene.name(&mut random, item);
                    let phrases = [search, visit, after, deal, review, &thing.names, &thing.plain];
                    let has_extras = !thing.extras.is_empty();
                    let blanks = phrases.into_iter().flatten().flat_map(Grammar::blanks);
                    for blank in blanks.filter(|blank| !filled_elsewhere.contains(blank)) {
                        let text = scene.fill(&mut random, blank, &item, None);
                        let is_left_out = blank == "extra" && !has_extras;
                        assert!(is_left_out || !text.trim().is_empty(), "{{{blank}}} of {}", domain.name);
                    }
                }
            }
        }
    }
}
