//! Projects: their people, commits, branches and settings.

use std::collections::BTreeMap;
use std::sync::Arc;

use umpire_model::Random;

use super::requests::branch_name;
use super::{DAY, choose_early, requests, sentence, tickets, tree};
use crate::code::catalogue::{Commit, Person, Project, VISITOR};
use crate::code::state::{Branch, DeployKey, Label, Member, Milestone, ProjectState, Role, Scope, Token};
use crate::code::vocabulary::{BRANCH_VERBS, COMMIT_TITLES, LABELS, MILESTONES, PROJECTS, ProjectWords};
use crate::kit::moment::Moment;
use crate::kit::text::choose;

/// What the visitor may do in projects of others.
const VISITOR_ROLES: [(&str, Role); 7] = [
    ("saltmarsh/tidepool", Role::Maintainer),
    ("wayfarers/footpath", Role::Maintainer),
    ("tallyhouse/ledgerline", Role::Owner),
    ("saltmarsh/harbour-board", Role::Developer),
    ("papercrane/folio", Role::Developer),
    ("ironwren/fuse-box", Role::Developer),
    ("ironwren/cellar", Role::Reporter),
];

pub fn projects(seed: u64, people: &[Person]) -> Vec<Project> {
    PROJECTS.iter().map(|words| project(seed, words, people)).collect()
}

fn project(seed: u64, words: &'static ProjectWords, people: &[Person]) -> Project {
    let path = format!("{}/{}", words.namespace, words.slug);
    let mut random = Random::stream(seed, &format!("code project {path}"));
    let members = members(words, &path, people, &mut random);
    // The visitor commits where the visitor is a member; the rest of the team are the members with a say.
    let mut team: Vec<&Person> = people
        .iter()
        .filter(|person| members.get(&person.username).is_some_and(|member| member.role >= Role::Developer))
        .collect();
    random.shuffle(&mut team);
    let files = tree::files(words);
    let age = random.between(420 * DAY, 900 * DAY);
    let commits = commits(words, &team, files.len(), age, &mut random);
    let branches = branches(words, commits.len(), &mut random);
    let names: Vec<String> =
        branches.iter().filter(|(_, branch)| !branch.protected).map(|(name, _)| name.clone()).collect();
    let merge_requests = requests::merge_requests(words, &names, &team, &mut random);
    let issues = tickets::issues(words, &team, people, &mut random);
    let opening = ProjectState {
        description: words.about.to_owned(),
        visibility: words.visibility,
        archived: path == "saltmarsh/gale-archive",
        default_branch: "main".to_owned(),
        issues_enabled: true,
        merge_requests_enabled: true,
        pipeline_must_pass: random.chance(70),
        forked_from: None,
        members,
        labels: LABELS
            .iter()
            .map(|(name, colour, meaning)| {
                (
                    (*name).to_owned(),
                    Label { colour: (*colour).to_owned(), description: (*meaning).to_owned() },
                )
            })
            .collect(),
        milestones: MILESTONES
            .iter()
            .map(|(title, days, open)| {
                let due = Some(Moment::days_from_now(*days + random.between(-9, 9)).iso_day());
                ((*title).to_owned(), Milestone { due, open: *open })
            })
            .collect(),
        branches,
        deploy_keys: deploy_keys(&mut random),
        tokens: tokens(&mut random),
    };
    Project {
        path,
        words,
        stars: random.between(12, 60) as usize * random.between(1, 24) as usize,
        forks: random.between(11, 140) as usize,
        created: Moment::minutes_ago((age + 3 * DAY) as u32),
        commits,
        files,
        issues,
        merge_requests,
        opening,
    }
}

fn members(
    words: &ProjectWords,
    path: &str,
    people: &[Person],
    random: &mut Random,
) -> BTreeMap<String, Member> {
    let member = |role| Member { role, expires: None };
    let mut members = BTreeMap::new();
    let personal = people.iter().find(|person| person.username == words.namespace);
    if let Some(owner) = personal {
        members.insert(owner.username.clone(), member(Role::Owner));
    }
    if let Some((_, role)) = VISITOR_ROLES.iter().find(|(known, _)| *known == path) {
        members.insert(VISITOR.to_owned(), member(*role));
    }
    let wanted = if personal.is_some() { random.between(3, 5) } else { random.between(7, 12) } as usize;
    while members.len() < wanted {
        let Some(person) = random.pick(people) else { break };
        if person.username == VISITOR || members.contains_key(&person.username) {
            continue;
        }
        let has_owner = members.values().any(|member| member.role == Role::Owner);
        let role = match random.below(10) {
            _ if !has_owner => Role::Owner,
            0 | 1 => Role::Maintainer,
            2 => Role::Reporter,
            3 => Role::Guest,
            _ => Role::Developer,
        };
        members.insert(person.username.clone(), member(role));
    }
    members
}

/// Newest first; no two in the same minute, so that "latest" means one.
fn commits(
    words: &ProjectWords,
    team: &[&Person],
    files: usize,
    age: i64,
    random: &mut Random,
) -> Vec<Commit> {
    let authors: Vec<Arc<str>> = team.iter().map(|person| Arc::from(person.username.as_str())).collect();
    let count = random.between(90, 230);
    let mut minutes = random.between(20, 9 * DAY);
    let mut commits = Vec::new();
    for _ in 0..count {
        let part = choose(random, &words.parts);
        let touched = (0..=random.below(3)).map(|_| random.below(files)).collect();
        commits.push(Commit {
            sha: format!(
                "{:016x}{:016x}{:08x}",
                random.next_u64(),
                random.next_u64(),
                random.next_u64() as u32
            ),
            title: sentence(choose(random, COMMIT_TITLES), part),
            author: choose_early(random, &authors).cloned().unwrap_or_else(|| Arc::from("")),
            at: Moment::minutes_ago(minutes as u32),
            touched,
        });
        minutes += random.between(7, 2 * age / count);
    }
    commits
}

fn branches(words: &ProjectWords, commits: usize, random: &mut Random) -> BTreeMap<String, Branch> {
    let mut branches = BTreeMap::from([
        ("main".to_owned(), Branch { behind: 0, protected: true }),
        ("release-1.9".to_owned(), Branch { behind: random.between(12, 40) as usize, protected: true }),
    ]);
    for _ in 0..random.between(3, 6) {
        let name = branch_name(choose(random, BRANCH_VERBS), choose(random, &words.parts));
        branches.insert(name, Branch { behind: random.below(commits / 3), protected: false });
    }
    branches
}

fn deploy_keys(random: &mut Random) -> BTreeMap<String, DeployKey> {
    const MACHINES: &[&str] =
        &["staging runner", "production host", "mirror", "docs builder", "nightly runner"];
    let mut machines = MACHINES.to_vec();
    random.shuffle(&mut machines);
    machines
        .into_iter()
        .take(2)
        .enumerate()
        .map(|(at, title)| {
            let key =
                DeployKey { title: title.to_owned(), key: public_key(random), can_push: random.chance(40) };
            (format!("key-{}", at + 1), key)
        })
        .collect()
}

/// Looks like one, opens nothing.
fn public_key(random: &mut Random) -> String {
    format!("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{:016x}{:016x}", random.next_u64(), random.next_u64())
}

fn tokens(random: &mut Random) -> BTreeMap<String, Token> {
    let token = Token {
        name: "release bot".to_owned(),
        scopes: [Scope::ReadRepository, Scope::WriteRepository].into(),
        expires: Some(Moment::days_from_now(random.between(30, 200)).iso_day()),
        created: Moment::minutes_ago(random.between(20 * DAY, 120 * DAY) as u32),
    };
    BTreeMap::from([("token-1".to_owned(), token)])
}
