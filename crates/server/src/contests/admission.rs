//! Which wishes are let in: the built-in rules, where the name of the start address leads, and the operator's hook.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::json;
use umpire_arena::{HookAnswer, HookProblem, HostRule, Moderate as _, TaskRequest, TaskRules};
use umpire_model::is_public_address;
use url::{Host, Url};

use super::Moderator;

const LOOKUP: Duration = Duration::from_secs(5);

/// All that speaks against a task in a visitor's words; nothing, if it may be asked.
pub(super) async fn refusals(
    rules: &TaskRules,
    moderator: Option<(&dyn Moderator, Duration)>,
    text: &str,
    start_url: &str,
) -> Vec<String> {
    let review = rules.review(&TaskRequest { text, start_url: Some(start_url) });
    if !review.is_allowed() {
        return told(&review);
    }
    if let Err(problem) = leads_outwards(start_url, &rules.hosts, looked_up).await {
        return vec![problem];
    }
    let Some((moderator, limit)) = moderator else { return Vec::new() };
    let request = json!({ "version": 1, "task": text, "start_url": start_url });
    let answer = match tokio::time::timeout(limit, moderator.ask(request)).await {
        Err(_) => Err(HookProblem::Late),
        Ok(Err(problem)) => Err(HookProblem::Failed(problem)),
        Ok(Ok(output)) => HookAnswer::parse(&output),
    };
    let review = match answer {
        Ok(answer) => answer.review(),
        Err(problem) => {
            // What a hook says when it breaks may name files and hosts: that is for the operator.
            eprintln!("umpire serve: {problem}");
            return vec!["the task could not be looked at; try again later".to_owned()];
        }
    };
    told(&review)
}

fn told(review: &umpire_arena::Review) -> Vec<String> {
    review.refusals.iter().map(ToString::to_string).collect()
}

/// Whether the name of an address leads to the public internet now. The network gate asks again at every connection; this
/// is so that the visitor is told at once.
async fn leads_outwards(
    address: &str,
    hosts: &[HostRule],
    lookup: impl AsyncFnOnce(&str, u16) -> Vec<SocketAddr>,
) -> Result<(), String> {
    let url = Url::parse(address).map_err(|error| error.to_string())?;
    if hosts.iter().any(|rule| rule.is_local() && rule.is_about(&url)) {
        return Ok(());
    }
    let Some(Host::Domain(name)) = url.host() else { return Ok(()) };
    let port = url.port_or_known_default().unwrap_or(80);
    all_public(address, &lookup(name, port).await)
}

/// Nothing, if the name leads nowhere or nobody says so in time.
async fn looked_up(name: &str, port: u16) -> Vec<SocketAddr> {
    match tokio::time::timeout(LOOKUP, tokio::net::lookup_host((name, port))).await {
        Ok(Ok(addresses)) => addresses.collect(),
        _ => Vec::new(),
    }
}

fn all_public(address: &str, found: &[SocketAddr]) -> Result<(), String> {
    if found.is_empty() {
        return Err(format!("`{address}`: there is no host of this name"));
    }
    if found.iter().all(|one| is_public_address(one.ip())) {
        Ok(())
    } else {
        Err(format!("`{address}`: its name leads to a private, local or reserved address"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_one_inward_address_is_refused_whatever_the_others_are() {
        let at = |text: &str| SocketAddr::new(text.parse().expect("an address"), 80);
        assert!(all_public("http://a.org/", &[at("1.1.1.1"), at("2606:4700::1111")]).is_ok());
        for inward in ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1"] {
            assert!(all_public("http://a.org/", &[at("1.1.1.1"), at(inward)]).is_err(), "{inward}");
        }
        assert!(all_public("http://a.org/", &[]).is_err());
    }

    #[tokio::test]
    async fn names_are_looked_up_unless_the_operator_named_them_or_they_are_addresses() {
        let public = vec![SocketAddr::from(([1, 1, 1, 1], 80))];
        let hosts = ["*".parse().expect("a rule"), "shop.localhost".parse().expect("a rule")];
        let leads = async |address: &str, found: &[SocketAddr]| {
            leads_outwards(address, &hosts, async |_: &str, _: u16| found.to_vec()).await.is_ok()
        };
        assert!(leads("http://example.org/", &public).await);
        assert!(!leads("http://example.org/", &[]).await, "one that leads nowhere is not let in on trust");
        assert!(leads("http://shop.localhost/", &[]).await, "the operator named it");
        assert!(leads("http://1.1.1.1/", &[]).await, "the rules have looked at it");
    }
}
