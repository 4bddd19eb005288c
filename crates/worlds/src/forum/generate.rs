//! Builds a [`Catalogue`] from the vocabulary. Each part draws from its own stream, so that a change to one leaves
//! the others as they were.

use std::collections::{BTreeMap, BTreeSet};

use umpire_model::Random;

use super::catalogue::{
    Catalogue, Comment, Community, FIRST_ARCHIVED, FIRST_COMMENT, FIRST_POST, MODERATED, OWN_POSTS, Person,
    Post, PostId, VISITOR,
};
use super::moment::Moment;
use super::opening;
use super::vocabulary::{self, CommunityWords};
use crate::kit::text::capitalised;

const PEOPLE: usize = 90;
const FORMER_PEOPLE: usize = 60;
const POSTS_PER_COMMUNITY: usize = 49;
const DEEPEST_REPLY: usize = 5;
/// The longest thread in the archive.
const LONGEST_ARCHIVED: usize = 5;
const HOUR: i64 = 60;
const DAY: i64 = 24 * HOUR;

pub fn catalogue(seed: u64) -> Catalogue {
    let people = people(seed);
    let communities = communities(seed, &people);
    let posts = posts(seed, &communities, &people);
    let former = former_people(seed);
    let archive = archive(seed, &communities, &former);
    let mut catalogue = Catalogue {
        seed,
        communities,
        people,
        former,
        posts,
        archive,
        comments: Vec::new(),
        comment_ranges: BTreeMap::new(),
    };
    add_comments(&mut catalogue);
    add_archived_comments(&mut catalogue);
    catalogue
}

fn people(seed: u64) -> Vec<Person> {
    let mut random = Random::stream(seed, "forum people");
    let mut names = BTreeSet::new();
    while names.len() < PEOPLE {
        let (first, last) =
            (choose(&mut random, vocabulary::FIRST_WORDS), choose(&mut random, vocabulary::LAST_WORDS));
        names.insert(match random.below(3) {
            0 => format!("{first}_{last}"),
            1 => format!("{first}{last}"),
            _ => format!("{first}_{last}{}", random.between(11, 98)),
        });
    }
    let visitor = Person {
        name: VISITOR.to_owned(),
        bio: "Plants, film and a server that hums.",
        town: "Hartsford",
        joined: Moment::minutes_ago((941 * DAY) as u32),
    };
    let others = names.into_iter().map(|name| Person {
        name,
        bio: choose(&mut random, vocabulary::BIO_LINES),
        town: choose(&mut random, vocabulary::TOWNS),
        joined: Moment::minutes_ago(random.between(520 * DAY, 2400 * DAY) as u32),
    });
    std::iter::once(visitor).chain(others).collect()
}

/// Nobody of today has such a name: a year stands at its end, and no word is parted from the other.
fn former_people(seed: u64) -> Vec<Person> {
    let mut random = Random::stream(seed, "forum former people");
    let mut names = BTreeSet::new();
    while names.len() < FORMER_PEOPLE {
        let (first, last) =
            (choose(&mut random, vocabulary::FIRST_WORDS), choose(&mut random, vocabulary::LAST_WORDS));
        names.insert(format!("{first}{last}_{:02}", random.between(1, 9)));
    }
    let person = |name| Person {
        name,
        bio: choose(&mut random, vocabulary::BIO_LINES),
        town: choose(&mut random, vocabulary::TOWNS),
        joined: Moment::minutes_ago(random.between(2_900 * DAY, 3_600 * DAY) as u32),
    };
    names.into_iter().map(person).collect()
}

fn communities(seed: u64, people: &[Person]) -> Vec<Community> {
    let mut random = Random::stream(seed, "forum communities");
    let mut candidates: Vec<&str> = people.iter().skip(1).map(|person| person.name.as_str()).collect();
    random.shuffle(&mut candidates);
    let mut candidates = candidates.into_iter();
    vocabulary::communities()
        .map(|words| {
            let count = 2 + random.below(3);
            let mut moderators: Vec<String> = candidates.by_ref().take(count).map(str::to_owned).collect();
            if words.slug == MODERATED {
                moderators.push(VISITOR.to_owned());
            }
            Community {
                words,
                founded: Moment::minutes_ago(random.between(1100 * DAY, 2900 * DAY) as u32),
                members: random.between(2_100, 48_000) as u32,
                moderators,
            }
        })
        .collect()
}

fn posts(seed: u64, communities: &[Community], people: &[Person]) -> Vec<Post> {
    let mut taken_minutes = BTreeSet::new();
    let mut posts: Vec<Post> = Vec::new();
    for community in communities {
        let words = community.words;
        let mut random = Random::stream(seed, &format!("forum posts {}", words.slug));
        let mut subjects: Vec<(&str, &str)> = combinations(words.titles, words.topics).collect();
        random.shuffle(&mut subjects);
        posts.push(welcome(community, &mut random));
        for (title, topic) in subjects.into_iter().take(POSTS_PER_COMMUNITY) {
            let age = |random: &mut Random| free_minute(age(random), &mut taken_minutes);
            posts.push(post(words, title, topic, but_the_visitor(people), age, &mut random));
        }
    }
    posts.sort_by_key(|post| post.at);
    for (post, id) in posts.iter_mut().zip(FIRST_POST..) {
        post.id = id;
    }
    posts
}

/// Every topic of every community under every title of the time. Nothing in it is as old as its community is, or as young
/// as a post of today.
fn archive(seed: u64, communities: &[Community], former: &[Person]) -> Vec<Post> {
    let mut taken_minutes = BTreeSet::new();
    let mut posts = Vec::new();
    for community in communities {
        let words = community.words;
        let mut random = Random::stream(seed, &format!("forum archive {}", words.slug));
        for (title, topic) in combinations(vocabulary::ARCHIVED_TITLES, words.topics) {
            let age = |random: &mut Random| {
                let minutes = random.between(510 * DAY, community.founded.age_minutes() - DAY);
                free_minute(minutes as u32, &mut taken_minutes)
            };
            let post = post(words, title, topic, former, age, &mut random);
            posts.push(Post { points: random.between(1, 35) as i32, ..post });
        }
    }
    posts.sort_by_key(|post: &Post| post.at);
    for (post, id) in posts.iter_mut().zip(FIRST_ARCHIVED..) {
        post.id = id;
    }
    posts
}

fn combinations(
    titles: &'static [&'static str],
    topics: &'static [&'static str],
) -> impl Iterator<Item = (&'static str, &'static str)> {
    titles.iter().flat_map(|title| topics.iter().map(move |topic| (*title, *topic)))
}

/// The post every community keeps on top. Its author is never the visitor, whose posts are state.
fn welcome(community: &Community, random: &mut Random) -> Post {
    let words = community.words;
    Post {
        id: 0,
        community: words.slug,
        author: community.moderators.first().cloned().unwrap_or_default(),
        title: format!("Welcome to {}: read this first", words.name),
        body: format!(
            "{}\n\nPlease read the rules in the sidebar before you post, and introduce yourself below.",
            words.about
        ),
        link: None,
        flair: None,
        at: Moment::minutes_ago(random.between(600 * DAY, 900 * DAY) as u32),
        points: random.between(40, 260) as i32,
        has_picture: false,
    }
}

fn post(
    words: &CommunityWords,
    title: &str,
    topic: &str,
    authors: &[Person],
    age: impl FnOnce(&mut Random) -> u32,
    random: &mut Random,
) -> Post {
    let title = capitalised(&title.replace("{t}", topic));
    let is_link = random.chance(22);
    let link = is_link.then(|| format!("https://{}/{}", choose(random, words.domains), hyphenated(&title)));
    let body = if is_link { String::new() } else { paragraphs(words.bodies, topic, random) };
    let minutes = age(random);
    Post {
        id: 0,
        community: words.slug,
        author: someone(authors, random),
        title,
        body,
        link,
        flair: random.chance(80).then(|| choose(random, words.flairs)),
        at: Moment::minutes_ago(minutes),
        points: points(random),
        has_picture: !is_link && random.chance(30),
    }
}

/// Most of what people see is recent, and there is always more further back.
fn age(random: &mut Random) -> u32 {
    let (low, high) = match random.below(100) {
        0..14 => (20, DAY),
        14..36 => (DAY, 7 * DAY),
        36..66 => (7 * DAY, 30 * DAY),
        66..90 => (30 * DAY, 360 * DAY),
        _ => (360 * DAY, 500 * DAY),
    };
    random.between(low, high) as u32
}

/// No two posts share a minute, so "newest" always means one post.
fn free_minute(mut minutes: u32, taken: &mut BTreeSet<u32>) -> u32 {
    while !taken.insert(minutes) {
        minutes += 1;
    }
    minutes
}

fn points(random: &mut Random) -> i32 {
    let reach = match random.below(100) {
        0..55 => 40,
        55..88 => 320,
        _ => 2_400,
    };
    random.between(1, reach) as i32
}

fn add_comments(catalogue: &mut Catalogue) {
    let mut random = Random::stream(catalogue.seed, "forum comments");
    let own =
        opening::own_posts().into_iter().map(|(id, post)| (id, post.community, post.created, post.points));
    let others =
        catalogue.posts.iter().map(|post| (post.id, post.community.to_owned(), post.at, post.points));
    let subjects: Vec<_> = others.chain(own).collect();
    for (post, community, at, points) in subjects {
        let Some(words) = vocabulary::communities().find(|words| words.slug == community) else { continue };
        let start = catalogue.comments.len();
        let busiest = if OWN_POSTS.contains(&post) || points > 300 { 28 } else { 14 };
        let size = random.below(busiest + 1);
        let thread = thread(post, at, size, words, but_the_visitor(&catalogue.people), start, &mut random);
        catalogue.comments.extend(thread);
        catalogue.comment_ranges.insert(post, start..catalogue.comments.len());
    }
}

/// Behind all others, whose numbers follow from their places.
fn add_archived_comments(catalogue: &mut Catalogue) {
    let mut random = Random::stream(catalogue.seed, "forum archived comments");
    for post in &catalogue.archive {
        let Some(words) = vocabulary::communities().find(|words| words.slug == post.community) else {
            continue;
        };
        let start = catalogue.comments.len();
        let size = random.below(LONGEST_ARCHIVED + 1);
        let thread = thread(post.id, post.at, size, words, &catalogue.former, start, &mut random);
        catalogue.comments.extend(thread);
        catalogue.comment_ranges.insert(post.id, start..catalogue.comments.len());
    }
}

fn thread(
    post: PostId,
    posted: Moment,
    size: usize,
    words: &CommunityWords,
    people: &[Person],
    start: usize,
    random: &mut Random,
) -> Vec<Comment> {
    let mut comments: Vec<Comment> = Vec::with_capacity(size);
    let mut depths: Vec<usize> = Vec::with_capacity(size);
    for index in 0..size {
        let parent = (random.chance(45) && index > 0).then(|| random.below(index));
        let parent = parent.filter(|&parent| depths[parent] < DEEPEST_REPLY);
        let since = parent.map_or(posted, |parent| comments[parent].at);
        // Talk dies down after three days, and nothing is answered before it was said.
        let latest = (since.age_minutes() - 3 * DAY).max(0);
        let topic = choose(random, words.topics);
        let mut body = choose(random, words.remarks).replace("{t}", topic);
        if random.chance(60) {
            body = format!("{body} {}", choose(random, vocabulary::GENERAL_REMARKS));
        }
        comments.push(Comment {
            id: FIRST_COMMENT + (start + index) as u32,
            post,
            parent: parent.map(|parent| comments[parent].id),
            author: someone(people, random),
            body,
            at: Moment::minutes_ago(random.between(latest, since.age_minutes()) as u32),
            points: random.between(-4, 60) as i32,
        });
        depths.push(parent.map_or(0, |parent| depths[parent] + 1));
    }
    comments
}

fn paragraphs(sentences: &[&str], topic: &str, random: &mut Random) -> String {
    let mut chosen: Vec<&str> = sentences.to_vec();
    random.shuffle(&mut chosen);
    chosen.truncate(2 + random.below(3));
    let split = 1 + random.below(chosen.len());
    let (first, second) = chosen.split_at(split.min(chosen.len()));
    let text = format!("{}\n\n{}", first.join(" "), second.join(" "));
    text.trim().replace("{t}", topic)
}

/// The visitor stands first in the list.
fn but_the_visitor(people: &[Person]) -> &[Person] {
    people.get(1..).unwrap_or_default()
}

fn someone(people: &[Person], random: &mut Random) -> String {
    random.pick(people).map(|person| person.name.clone()).unwrap_or_default()
}

fn choose(random: &mut Random, items: &[&'static str]) -> &'static str {
    random.pick(items).copied().unwrap_or_default()
}

fn hyphenated(title: &str) -> String {
    let words: Vec<String> = title
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    words.join("-")
}
