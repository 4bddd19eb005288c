//! The code host's tasks against its data: expected answers are worked out again from the catalogue, without the
//! pages, so that a change to either is noticed here and not as a lost attempt.

use serde_json::{Value, json};
use umpire_model::Instance;

use super::CodeHost;
use super::board::Repo;
use super::state::Role;
use crate::kit::task_file::{TaskFile, results};

const SEED: u64 = 7;

fn tasks() -> TaskFile {
    TaskFile::parse(include_str!("../../../../suites/verified/code.jsonl"), SEED)
}

/// The project whose path the intent names.
fn project_in<'a>(host: &'a CodeHost, instance: &Instance) -> Repo<'a> {
    let named = host.board().repos().into_iter().filter(|repo| instance.intent.contains(repo.path));
    named.max_by_key(|repo| repo.path.len()).unwrap_or_else(|| panic!("{} names no project", instance.id))
}

#[test]
fn the_file_holds_what_it_promises() {
    let tasks = tasks();
    let mut templates: Vec<&str> =
        tasks.instances.iter().map(|instance| instance.template.as_str()).collect();
    templates.sort_unstable();
    templates.dedup();
    assert!(tasks.instances.len() >= 45 && templates.len() >= 16);
    tasks.assert_is_sound();
}

/// Every retrieval by template, with how its answer follows from the data.
#[test]
fn retrievals_have_the_right_answers() {
    let host = CodeHost::new(SEED);
    let answer = |template: &str, work_out: &dyn Fn(&Repo<'_>, &str) -> Value| {
        for instance in tasks().of_template(template) {
            let repo = project_in(&host, instance);
            assert_eq!(results(instance), [work_out(&repo, &instance.intent)], "{}", instance.id);
        }
    };
    answer("code-commits-by-author", &|repo, intent| {
        let named = repo.contributors().into_iter().filter(|(author, _)| intent.contains(*author));
        json!(named.max_by_key(|(author, _)| author.len()).expect("an author").1)
    });
    answer("code-top-contributor", &|repo, _| {
        let contributors = repo.contributors();
        assert!(contributors[0].1 > contributors[1].1, "a tie in {}", repo.path);
        json!(contributors[0].0)
    });
    answer("code-issue-assignee", &|repo, intent| {
        let issues = repo.issues();
        let (_, issue) = issues.iter().find(|(_, issue)| intent.contains(&issue.title)).expect("the issue");
        json!(issue.assignee)
    });
    answer("code-latest-commit", &|repo, intent| {
        let newest = repo.all_commits().iter().find(|commit| intent.contains(&*commit.author));
        json!(newest.expect("a commit").title)
    });
    answer("code-constant-in-file", &|repo, intent| {
        let files = &repo.project().expect("code").files;
        let file = files.iter().find(|file| intent.contains(file.as_str())).expect("the file");
        let name =
            intent.split("constant ").nth(1).and_then(|rest| rest.split(' ').next()).expect("the constant");
        let text = repo.file_text(file).expect("text");
        let line = text
            .lines()
            .find(|line| line.contains(&format!("{name}:")) || line.contains(&format!("{name} =")));
        let digits: String = line.expect("defined").chars().filter(char::is_ascii_digit).collect();
        json!(digits.parse::<u64>().expect("a number"))
    });
    answer("code-milestone-due", &|repo, intent| {
        let milestone =
            repo.now.milestones.iter().find(|(title, _)| intent.contains(&format!("milestone {title} ")));
        json!(milestone.expect("the milestone").1.due)
    });
    answer("code-request-source", &|repo, intent| {
        let requests = repo.merge_requests();
        let named = requests.iter().find(|(_, request)| intent.contains(&format!("“{}”", request.title)));
        json!(named.expect("the request").1.source)
    });
    for instance in tasks().of_template("code-members-by-role") {
        let repo = project_in(&host, instance);
        let role = Role::ALL.iter().find(|role| instance.intent.contains(role.label())).expect("a role");
        let names =
            repo.now.members.iter().filter(|(_, member)| member.role == *role).map(|(name, _)| json!(name));
        assert_eq!(results(instance), names.collect::<Vec<_>>(), "{}", instance.id);
    }
    for instance in tasks().of_template("code-most-starred") {
        let written_in = |repo: &Repo<'_>| repo.project().map(|project| project.words.language.name());
        let repos = host.board().repos().into_iter();
        let fitting = repos.filter(|repo| {
            written_in(repo).is_some_and(|name| instance.intent.contains(&format!(" {name} ")))
        });
        let best = fitting.max_by_key(Repo::stars).expect("one");
        assert_eq!(results(instance), [json!(best.path)], "{}", instance.id);
    }
}

#[test]
fn the_impossible_is_impossible() {
    let host = CodeHost::new(SEED);
    for instance in tasks().of_template("code-settings-forbidden") {
        assert!(!project_in(&host, instance).may(Role::Maintainer), "{}", instance.id);
    }
    for instance in tasks().of_template("code-merge-blocked") {
        let repo = project_in(&host, instance);
        let requests = repo.merge_requests();
        let named = requests.iter().find(|(_, request)| instance.intent.contains(&request.title));
        assert!(super::actions::obstacle(&repo, named.expect("there").1).is_some(), "{}", instance.id);
    }
    for instance in tasks().of_template("code-invite-nobody") {
        let known = |word: &str| host.catalogue.person(word).is_some();
        assert!(!instance.intent.split(' ').any(known), "{}", instance.id);
    }
}
