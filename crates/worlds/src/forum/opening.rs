//! The state a world starts with: what the visitor has written, received and moderated before the attempt.

use std::collections::BTreeMap;

use umpire_model::Random;

use super::catalogue::{Catalogue, MODERATED, OWN_COMMENTS, OWN_POSTS, Post, PostId, VISITOR};
use super::moment::Moment;
use super::settings::Settings;
use super::state::{
    Ban, Flags, LogEntry, Message, Moderation, Notification, OwnComment, OwnPost, QueueEntry, QueueStatus,
    State, Subject, Thread, Votes,
};

const FIRST_NEW_ID: u32 = 90_001;
const DAY: u32 = 24 * 60;
const SUBSCRIBED: [&str; 6] =
    ["breadmaking", "houseplants", "filmphoto", "kitchengarden", "rustaceans", "bookclub"];

pub fn state(catalogue: &Catalogue) -> State {
    let mut random = Random::stream(catalogue.seed, "forum opening");
    let subscriptions = catalogue
        .communities
        .iter()
        .map(|community| (community.words.slug.to_owned(), SUBSCRIBED.contains(&community.words.slug)))
        .collect();
    let votes = Votes {
        posts: some_posts(catalogue, &mut random, 9).map(|id| (id, 1)).collect(),
        comments: BTreeMap::new(),
    };
    State {
        signed_in: true,
        next_id: FIRST_NEW_ID,
        subscriptions,
        votes,
        saved: some_posts(catalogue, &mut random, 6).map(|id| (id, true)).collect(),
        posts: own_posts().into_iter().collect(),
        comments: own_comments(catalogue, &mut random),
        threads: threads(catalogue, &mut random),
        notifications: notifications(catalogue),
        reports: BTreeMap::new(),
        blocked: BTreeMap::new(),
        moderation: moderation(catalogue, &mut random),
        settings: Settings::opening(),
    }
}

/// The visitor's posts, the same for every seed: the people who answer them differ.
pub fn own_posts() -> Vec<(PostId, OwnPost)> {
    let post = |community: &str, title: &str, body: &str, flair: &str, days: u32, points: i32| OwnPost {
        community: community.to_owned(),
        title: title.to_owned(),
        body: body.to_owned(),
        link: None,
        flair: Some(flair.to_owned()),
        created: Moment::minutes_ago(days * DAY + 95),
        edited: false,
        points,
    };
    OWN_POSTS
        .zip([
            post(
                "houseplants",
                "My grandmother's jade plant turned forty",
                "It has moved house with us five times and lost a branch each time.\n\nThis spring it gets a new pot, and I am more nervous than I should be.",
                "Show and tell",
                41,
                387,
            ),
            post(
                "homelab",
                "Old laptop as a backup target: sensible or silly?",
                "The battery is gone, the screen is cracked, but it draws nine watts and has room for two disks.",
                "Storage",
                17,
                64,
            ),
            post(
                "filmphoto",
                "Wanted: a lens cap for a camera older than me",
                "Fifty-two millimetres, push-on. I have tried three and all of them fell into the sea.",
                "Gear",
                8,
                22,
            ),
            post(
                "breadmaking",
                "Sourdough discard crackers, second attempt",
                "Less oil, more salt, and twelve minutes instead of eighteen. They disappeared before they were cold.",
                "Recipe",
                2,
                118,
            ),
        ])
        .collect()
}

fn some_posts(catalogue: &Catalogue, random: &mut Random, count: usize) -> impl Iterator<Item = PostId> {
    let ids: Vec<PostId> =
        (0..count).filter_map(|_| random.pick(&catalogue.posts).map(|post| post.id)).collect();
    ids.into_iter()
}

fn own_comments(catalogue: &Catalogue, random: &mut Random) -> BTreeMap<u32, OwnComment> {
    let texts = [
        "I would not water it before the weekend. Mine sulked for a month after I did.",
        "Thank you for the numbers, this is the first post about it that has any.",
        "Same here, and I live two hundred kilometres further north.",
        "I scanned mine with a phone and a tracing lamp. Not perfect, but free.",
        "Counting this as a recommendation, it is on my list now.",
    ];
    OWN_COMMENTS
        .zip(texts)
        .filter_map(|(id, text)| {
            let post = random.pick(&catalogue.posts)?;
            let created = Moment::minutes_ago((post.at.age_minutes() / 2) as u32);
            Some((
                id,
                OwnComment { post: post.id, parent: None, body: text.to_owned(), created, edited: false },
            ))
        })
        .collect()
}

/// Conversations: subject, whether it is unread, and what was said, the other person first.
const CONVERSATIONS: [(&str, bool, &[&str]); 7] = [
    (
        "Swap: hoya cutting for your pothos?",
        true,
        &[
            "Hello Mira, I saw your trade list. Would you take a rooted hoya cutting for the golden pothos?",
            "Gladly! How would we do the handover?",
            "I could leave it at the library desk on Friday afternoon. Let me know if that works.",
        ],
    ),
    (
        "Question about the removed post",
        true,
        &["Could you tell me which rule my post broke? I thought trades were allowed on Sundays."],
    ),
    (
        "Darkroom evening on the 28th",
        false,
        &[
            "We have one enlarger free on Saturday the 28th from six to nine. Interested?",
            "Yes please, I will bring paper.",
        ],
    ),
    (
        "Your cracker recipe",
        false,
        &[
            "How thin do you roll them? Mine stayed soft in the middle.",
            "About two millimetres, and dock them well.",
        ],
    ),
    (
        "Book swap list",
        false,
        &["Here is my half of the list: the two sagas and the travel diaries. What do you have?"],
    ),
    (
        "Backup script",
        false,
        &[
            "I cleaned up the script you asked about. It now checks free space before it starts.",
            "That is exactly what I needed, thank you.",
            "You are welcome. Tell me if it breaks on the old laptop.",
        ],
    ),
    (
        "Welcome to the moderator team",
        false,
        &["Thank you for stepping up. The queue is yours on Mondays and Thursdays."],
    ),
];

fn threads(catalogue: &Catalogue, random: &mut Random) -> BTreeMap<u32, Thread> {
    let mut names: Vec<&str> = catalogue.people.iter().skip(1).map(|person| person.name.as_str()).collect();
    random.shuffle(&mut names);
    // Newest conversation first: each one is at least a day older than the one before it.
    let mut age = random.between(40, 400) as u32;
    (301_u32..)
        .zip(CONVERSATIONS)
        .zip(names)
        .map(|((id, (subject, unread, texts)), name)| {
            let messages = texts
                .iter()
                .enumerate()
                .map(|(index, text)| Message {
                    from: if index % 2 == 0 { name } else { VISITOR }.to_owned(),
                    body: (*text).to_owned(),
                    at: Moment::minutes_ago(age + (texts.len() - 1 - index) as u32 * 190),
                })
                .collect();
            age += DAY + random.between(100, 9 * i64::from(DAY)) as u32;
            (id, Thread { with: name.to_owned(), subject: subject.to_owned(), unread, messages })
        })
        .collect()
}

fn notifications(catalogue: &Catalogue) -> BTreeMap<u32, Notification> {
    let posts: BTreeMap<PostId, OwnPost> = own_posts().into_iter().collect();
    let mut heard: Vec<(Moment, Notification)> = posts
        .iter()
        .flat_map(|(id, post)| {
            catalogue.comments_on(*id).iter().filter(|comment| comment.parent.is_none()).map(move |comment| {
                let text = format!("{} commented on “{}”", comment.author, post.title);
                let link = format!("/c/{}/post/{id}#comment-{}", post.community, comment.id);
                (
                    comment.at,
                    Notification { text, link, at: comment.at, read: comment.at.age_minutes() > 30 * 60 },
                )
            })
        })
        .collect();
    heard.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    heard.truncate(12);
    (701..).zip(heard.into_iter().map(|(_, notification)| notification)).collect()
}

fn moderation(catalogue: &Catalogue, random: &mut Random) -> Moderation {
    let mut flags: BTreeMap<PostId, Flags> = BTreeMap::new();
    for community in &catalogue.communities {
        let mut posts: Vec<&Post> =
            catalogue.posts.iter().filter(|post| post.community == community.words.slug).collect();
        // The oldest post is the welcome; old threads are the ones that get locked.
        if let Some(welcome) = posts.first() {
            flags.insert(welcome.id, Flags { pinned: true, ..Flags::default() });
        }
        posts.retain(|post| post.at.age_minutes() > 8 * i64::from(DAY) && post.flair.is_some());
        for _ in 0..2 {
            if let Some(post) = random.pick(&posts) {
                flags.insert(post.id, Flags { locked: true, ..Flags::default() });
            }
        }
    }
    let banned_name = catalogue.people.last().map(|person| person.name.clone()).unwrap_or_default();
    let ban = Ban {
        days: None,
        reason: "Selling plants after two warnings".to_owned(),
        since: Moment::minutes_ago(73 * DAY),
    };
    let log_entry = |action: &str, target: &str, days: u32| LogEntry {
        moderator: VISITOR.to_owned(),
        action: action.to_owned(),
        target: target.to_owned(),
        at: Moment::minutes_ago(days * DAY + 210),
    };
    let log = BTreeMap::from([
        (801, log_entry("banned", &banned_name, 73)),
        (802, log_entry("approved", "a comment on fungus gnats", 12)),
        (803, log_entry("removed", "an offer to sell cuttings", 5)),
    ]);
    Moderation {
        queue: queue(catalogue, &flags, random),
        flags,
        removed_comments: BTreeMap::new(),
        banned: BTreeMap::from([(banned_name, ban)]),
        log,
    }
}

fn queue(
    catalogue: &Catalogue,
    flags: &BTreeMap<PostId, Flags>,
    random: &mut Random,
) -> BTreeMap<String, QueueEntry> {
    let mut posts: Vec<&Post> = catalogue
        .posts
        .iter()
        .filter(|post| post.community == MODERATED && !flags.contains_key(&post.id))
        .filter(|post| post.at.age_minutes() < 40 * i64::from(DAY))
        .collect();
    random.shuffle(&mut posts);
    let reasons = [
        "Selling or advertising",
        "Off topic",
        "Harassment",
        "Missing light and watering details",
        "Spam",
        "Dangerous advice",
        "Off topic",
    ];
    // Every second entry is a comment, as far as the posts have any.
    let subjects = posts.into_iter().enumerate().map(|(index, post)| {
        let comment = catalogue.comments_on(post.id).first().filter(|_| index % 2 == 1);
        comment.map_or(Subject::Post(post.id), |comment| Subject::Comment(comment.id))
    });
    (1..)
        .zip(subjects.zip(reasons))
        .map(|(number, (about, reason)): (u32, _)| {
            let reports = random.between(1, 6) as u32;
            let entry =
                QueueEntry { about, reason: reason.to_owned(), reports, status: QueueStatus::Pending };
            (format!("q{number}"), entry)
        })
        .collect()
}
