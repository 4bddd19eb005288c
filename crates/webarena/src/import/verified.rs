//! One task of WebArena Verified.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use umpire_model::{ActivityCheck, Check, Difficulty, Task, TaskKind, UndecidableCheck};

use super::addresses::{Addresses, sites_in};
use super::defects::{as_json, urls};
use super::{ImportError, defects, network, response};
use crate::config::Environments;
use crate::site::Site;
use crate::task::{self, Status, TaskType};

pub(super) fn task(origin: Value, place: usize, sites: &Environments) -> Result<Task, ImportError> {
    let bad = |problem: String| ImportError::BadTask { place, format: "WebArena Verified", problem };
    // Through text: the typed task reads numbers as they are written.
    let read: task::Task =
        serde_json::from_str(&origin.to_string()).map_err(|error| bad(error.to_string()))?;
    let mut task = prepared(&read, sites)?;
    task.origin = Some(origin);
    Ok(task)
}

/// A task of ours from one already read, without its origin.
pub(crate) fn prepared(read: &task::Task, sites: &Environments) -> Result<Task, ImportError> {
    let addresses = Addresses::new(sites, mentioned_sites(read))?;
    Ok(Task {
        id: read.task_id.to_string(),
        template: read.intent_template_id.to_string(),
        kind: match read.task_type() {
            Some(TaskType::Mutate) => TaskKind::Mutate,
            Some(TaskType::Navigate) => TaskKind::Navigate,
            Some(TaskType::Retrieve) | None => TaskKind::Retrieve,
        },
        intent: read.intent.clone(),
        hint: None,
        intent_with_hint: None,
        sites: read.sites.iter().map(|site| site.name().to_owned()).collect(),
        start_urls: read.start_urls.iter().map(|url| addresses.active(url)).collect(),
        category: read.sites.first().map_or("none", |site| site.name()).to_owned(),
        ui_elements: Vec::new(),
        difficulty: Difficulty::Medium,
        reference: Vec::new(),
        checks: checks(read, &addresses),
        states: BTreeMap::new(),
        session: None,
        account: None,
        levels: Vec::new(),
        persona: None,
        extra_sessions: 0,
        validity: umpire_model::Validity::default(),
        origin: None,
    })
}

/// The task's own sites, and those its expectations speak of.
fn mentioned_sites(read: &task::Task) -> BTreeSet<Site> {
    let mut mentioned: BTreeSet<Site> = read.sites.iter().copied().collect();
    mentioned.extend(read.start_urls.iter().flat_map(|url| sites_in(url)));
    for evaluator in read.network_evaluators() {
        let expected = &evaluator.expected;
        mentioned.extend(urls(&expected.url).into_iter().flat_map(sites_in));
        let parts =
            [&expected.headers, &expected.post_data, &expected.response_content, &expected.response_cookies];
        mentioned.extend(parts.into_iter().flatten().flat_map(|part| sites_in(&as_json(part).to_string())));
    }
    let data = read.response_evaluator().and_then(|evaluator| evaluator.expected.retrieved_data.as_ref());
    mentioned.extend(data.iter().flat_map(|data| sites_in(&as_json(data).to_string())));
    mentioned
}

fn checks(read: &task::Task, addresses: &Addresses<'_>) -> Vec<Check> {
    let mut checks: Vec<Check> = defects(read)
        .into_iter()
        .map(|defect| Check::Undecidable(UndecidableCheck { reason: defect.to_string() }))
        .collect();
    checks.extend(
        read.response_evaluator().map(|evaluator| Check::Response(response::check(evaluator, addresses))),
    );
    checks.extend(
        read.network_evaluators()
            .map(|evaluator| Check::Network(network::check(evaluator, read.task_type(), addresses))),
    );
    checks.push(Check::Activity(activity(read, addresses)));
    checks
}

/// Every task needs some use of its sites. Where ending up on the start page, or saying that it cannot be done, would be
/// right, opening the start page is not enough: that is what an agent does that does nothing.
fn activity(read: &task::Task, addresses: &Addresses<'_>) -> ActivityCheck {
    let sites: Vec<&str> = read.sites.iter().flat_map(|&site| addresses.of(site)).collect();
    let status = read.response_evaluator().map(|evaluator| evaluator.expected.status);
    let ends_where_it_starts = read.task_type() == Some(TaskType::Navigate)
        && read.network_evaluators().any(|evaluator| {
            let trimmed = |url: &str| url.trim_end_matches('/').to_owned();
            let starts: Vec<String> = read.start_urls.iter().map(|url| trimmed(url)).collect();
            urls(&evaluator.expected.url).into_iter().any(|url| starts.contains(&trimmed(url)))
        });
    let mut beyond = Vec::new();
    if ends_where_it_starts || status != Some(Status::Success) {
        beyond.extend(sites.iter().map(|site| (*site).to_owned()));
        beyond.extend(read.start_urls.iter().flat_map(|url| addresses.spellings(url)));
        beyond.sort();
        beyond.dedup();
    }
    ActivityCheck { sites: sites.into_iter().map(str::to_owned).collect(), beyond }
}
