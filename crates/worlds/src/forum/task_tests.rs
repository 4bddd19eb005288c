//! The forum's tasks against its data: every expected answer is worked out again from the catalogue and the opening
//! state, without the pages, so that a change to either is noticed here and not as a lost attempt.

use std::path::Path;

use serde_json::{Value, json};
use umpire_model::{Check, Instance, StateExpectation, Suite, TaskKind};

use super::Forum;
use super::catalogue::{Comment, MODERATED, Post, VISITOR};
use super::state::{QueueEntry, Subject};
use crate::World;

const SEED: u64 = 7;
const TASKS: &str = include_str!("../../../../suites/demo/forum.jsonl");

fn instances() -> Vec<Instance> {
    let toml = "version = 1\nname = \"forum\"\ndescription = \"d\"\nworld = \"built-in\"\nseed = 7\n";
    let files = [("suites/demo/forum.jsonl".into(), TASKS.to_owned())];
    Suite::parse(Path::new("suites/demo/suite.toml"), toml, &files, &[])
        .expect("the task file parses")
        .instances()
}

fn instance(id: &str) -> Instance {
    instances()
        .into_iter()
        .find(|instance| instance.id == id)
        .unwrap_or_else(|| panic!("there is no instance `{id}`"))
}

fn results(instance: &Instance) -> Vec<Value> {
    instance
        .checks
        .iter()
        .find_map(|check| match check {
            Check::Response(response) => response.results.clone(),
            _ => None,
        })
        .unwrap_or_default()
}

/// Pointers of the checks that look at one place in the state.
fn pointers(instance: &Instance) -> Vec<String> {
    let state_checks = instance.checks.iter().filter_map(|check| match check {
        Check::State(state) => Some(state.path.clone()),
        _ => None,
    });
    state_checks.filter(|path| !path.is_empty()).collect()
}

/// What some entry under a pointer is expected to have.
fn contained(instance: &Instance) -> Value {
    instance
        .checks
        .iter()
        .find_map(|check| match check {
            Check::State(state) => match &state.expect {
                StateExpectation::Contains(fields) => Some(fields.clone()),
                _ => None,
            },
            _ => None,
        })
        .unwrap_or_default()
}

/// Whether the reference has this action, on whichever of several elements of that name.
fn performs(instance: &Instance, action: &str) -> bool {
    instance.reference.iter().any(|step| step.to_string().starts_with(action))
}

/// The post of that title; titles are unique.
fn titled<'f>(forum: &'f Forum, title: &str) -> &'f Post {
    let mut found = forum.catalogue.all_posts().filter(|post| post.title == title);
    let post = found.next().unwrap_or_else(|| panic!("there is no post `{title}`"));
    assert!(found.next().is_none(), "two posts are called `{title}`");
    post
}

/// The one with the largest key; a tie would make the question unfair.
fn single_best<T, K: Ord>(items: impl IntoIterator<Item = T>, key: impl Fn(&T) -> K) -> T {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort_by_key(|item| key(item));
    let best = items.pop().expect("at least one");
    assert!(items.last().is_none_or(|second| key(second) < key(&best)), "a tie");
    best
}

#[test]
fn the_file_holds_what_it_promises() {
    let instances = instances();
    assert!(instances.len() >= 18);
    for instance in &instances {
        World::create(&instance.sites, SEED, &instance.world)
            .unwrap_or_else(|error| panic!("{}: {error}", instance.id));
        let counted = instance.reference.iter().filter(|action| action.is_counted()).count();
        assert!((1..=20).contains(&counted), "{} takes {counted} actions", instance.id);
        let has = |wanted: &dyn Fn(&Check) -> bool| instance.checks.iter().any(wanted);
        assert!(has(&|check| matches!(check, Check::Response(_))), "{}", instance.id);
        match instance.kind {
            TaskKind::Retrieve => assert!(!results(instance).is_empty(), "{}", instance.id),
            TaskKind::Navigate => {
                assert!(
                    has(&|check| matches!(check, Check::Network(network) if network.last)),
                    "{}",
                    instance.id
                );
            }
            TaskKind::Mutate => assert!(
                has(&|check| matches!(check, Check::State(state)
                    if state.path.is_empty() && matches!(state.expect, StateExpectation::UnchangedExcept(_)))),
                "{}",
                instance.id
            ),
        }
    }
}

#[test]
fn what_needs_no_change_needs_a_look() {
    for instance in instances().iter().filter(|instance| instance.kind == TaskKind::Mutate) {
        let world = World::create(&instance.sites, SEED, &instance.world).expect("created above");
        let state = world.state();
        let open = instance.checks.iter().any(|check| match check {
            Check::State(check) => {
                let found = state["forum"].pointer(&check.path);
                match &check.expect {
                    StateExpectation::Equals(wanted) => found != Some(wanted),
                    StateExpectation::Absent => found.is_some(),
                    StateExpectation::Contains(_) | StateExpectation::Count(_) => true,
                    StateExpectation::UnchangedExcept(_) => false,
                }
            }
            _ => false,
        });
        let looks = instance.checks.iter().any(|check| matches!(check, Check::Network(_)));
        assert!(open || looks, "{} could be passed without doing anything", instance.id);
        if let [Value::Bool(changed)] = results(instance)[..] {
            assert_eq!(changed, open, "{} says the wrong thing about its initial state", instance.id);
        }
    }
}

#[test]
fn retrievals_have_the_right_answers() {
    let forum = Forum::new(SEED);
    let score =
        |post: &Post| post.points + forum.state.votes.posts.get(&post.id).map_or(0, |vote| i32::from(*vote));
    for (id, author) in [("forum-top-post-1", "ginger_badger"), ("forum-top-post-2", "tango_cooper25")] {
        assert!(instance(id).intent.contains(author));
        let best =
            single_best(forum.catalogue.all_posts().filter(|post| post.author == author), |post| score(post));
        assert_eq!(results(&instance(id)), [json!(best.title)], "{id}");
    }

    let post = titled(&forum, "First attempt: cold proofing");
    let count = forum.catalogue.comments.iter().filter(|comment| comment.post == post.id).count()
        + forum.state.comments.values().filter(|comment| comment.post == post.id).count();
    assert!(instance("forum-comment-count").intent.contains(&post.title));
    assert_eq!(results(&instance("forum-comment-count")), [json!(count)]);
    assert!(count > 10, "a guess from one to ten must not hit it");

    let community =
        forum.catalogue.communities.iter().find(|community| community.words.name == "Film Photography");
    let moderators: Vec<Value> =
        community.expect("there").moderators.iter().map(|name| json!(name)).collect();
    assert_eq!(results(&instance("forum-moderators")), moderators);

    let received =
        forum.state.threads.values().flat_map(|thread| &thread.messages).filter(|m| m.from != VISITOR);
    assert_eq!(
        results(&instance("forum-newest-message")),
        [json!(single_best(received, |message| message.at).from)]
    );
}

#[test]
fn votes_replies_and_posts_go_where_the_intent_says() {
    let forum = Forum::new(SEED);
    let garden = forum.catalogue.all_posts().filter(|post| post.community == "kitchengarden");
    let newest = single_best(garden, |post| post.at);
    assert!(forum.state.posts.values().all(|own| own.community != "kitchengarden"));
    let vote = instance("forum-upvote-newest");
    assert_eq!(pointers(&vote), [format!("/votes/posts/{}", newest.id)]);
    assert!(performs(&vote, &format!("click button \"Upvote {}\"", newest.title)));

    let reply = instance("forum-reply");
    let post = titled(&forum, "This is the year of seed saving");
    assert!(reply.intent.contains(&post.title));
    let on_post = forum.catalogue.comments.iter().filter(|comment| comment.post == post.id);
    let best: &Comment = single_best(on_post, |comment| comment.points);
    assert_eq!(
        (&contained(&reply)["post"], &contained(&reply)["parent"]),
        (&json!(post.id), &json!(best.id))
    );
    assert!(performs(&reply, &format!("click button \"Reply to {}\"", best.author)));

    let create = contained(&instance("forum-create-post"));
    let community =
        forum.catalogue.community(create["community"].as_str().unwrap_or_default()).expect("exists");
    assert!(community.words.flairs.contains(&create["flair"].as_str().unwrap_or_default()));
    assert!(!community.words.restricted);

    let own: Vec<u32> = forum
        .state
        .posts
        .iter()
        .filter(|(_, post)| post.title.contains("lens cap"))
        .map(|(id, _)| *id)
        .collect();
    assert_eq!(
        pointers(&instance("forum-delete-own-post")),
        own.iter().map(|id| format!("/posts/{id}")).collect::<Vec<_>>()
    );

    let report = titled(&forum, "The day I understood night running");
    assert_eq!(report.community, "trailrunning");
    assert_eq!(contained(&instance("forum-report"))["about"], json!({"post": report.id}));

    let user = contained(&instance("forum-message"))["with"].clone();
    assert!(forum.catalogue.person(user.as_str().unwrap_or_default()).is_some());
}

#[test]
fn moderation_tasks_point_at_the_right_entries() {
    let forum = Forum::new(SEED);
    let entry = |reason: &str, wanted: fn(&QueueEntry) -> bool| {
        let found =
            forum.state.moderation.queue.iter().filter(|(_, entry)| entry.reason == reason && wanted(entry));
        let found: Vec<_> = found.collect();
        assert_eq!(found.len(), 1, "{reason} must mean one entry");
        found[0]
    };
    let (spam, reported) = entry("Spam", |entry| matches!(entry.about, Subject::Post(_)));
    let Subject::Post(post) = reported.about else { panic!("a post was asked for") };
    assert_eq!(
        pointers(&instance("forum-mod-queue-1")),
        [format!("/moderation/queue/{spam}/status"), format!("/moderation/flags/{post}/removed")]
    );
    let (off_topic, _) = entry("Off topic", |entry| matches!(entry.about, Subject::Comment(_)));
    assert_eq!(pointers(&instance("forum-mod-queue-2")), [format!("/moderation/queue/{off_topic}/status")]);

    let lock = titled(&forum, "Six months with spider mites: what I learned");
    assert_eq!(lock.community, MODERATED);
    assert_eq!(pointers(&instance("forum-lock-post")), [format!("/moderation/flags/{}", lock.id)]);

    assert!(forum.catalogue.person("willow_tern").is_some());
    assert!(!forum.state.moderation.banned.contains_key("willow_tern"));
}

#[test]
fn the_impossible_is_impossible() {
    let forum = Forum::new(SEED);
    let pinned = titled(&forum, "Notes on stand development, with numbers");
    assert!(instance("forum-pin-elsewhere").intent.contains(&pinned.title));
    assert_eq!(pinned.community, "filmphoto");
    assert!(!forum.board().moderates(pinned.community));

    assert!(instance("forum-message-nobody").intent.contains("quillfeather"));
    assert!(forum.catalogue.person("quillfeather").is_none());

    let closed = titled(&forum, "Notes on light leaks, with numbers");
    assert!(instance("forum-comment-locked").intent.contains(&closed.title));
    assert!(forum.board().flags(closed.id).locked);
}
