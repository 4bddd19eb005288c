//! The state before the visitor did anything.

use super::catalogue::{Catalogue, VISITOR};
use super::state::{Notifications, Profile, Scope, State, Token};
use crate::kit::moment::Moment;

pub fn state(catalogue: &Catalogue) -> State {
    let token = |name: &str, scopes: &[Scope], expires: Option<i64>, age: i64| Token {
        name: name.to_owned(),
        scopes: scopes.iter().copied().collect(),
        expires: expires.map(|days| Moment::days_from_now(days).iso_day()),
        created: Moment::days_from_now(-age),
    };
    State {
        next_id: 901,
        profile: Profile {
            name: "Ines Calder".to_owned(),
            status: String::new(),
            bio: "Harbours, footpaths and plain text.".to_owned(),
            location: "Falmouth".to_owned(),
            website: "https://calder.example.org".to_owned(),
            show_private_contributions: false,
            notifications: Notifications::Participating,
        },
        tokens: [
            ("token-1", token("laptop", &[Scope::Api, Scope::WriteRepository], Some(62), 210)),
            ("token-2", token("tide dashboard", &[Scope::ReadApi], None, 401)),
            ("token-3", token("old phone", &[Scope::ReadApi, Scope::ReadUser], Some(5), 360)),
        ]
        .into_iter()
        .map(|(id, token)| (id.to_owned(), token))
        .collect(),
        stars: ["wayfarers/cairn", "ironwren/hoist", "papercrane/citebook"]
            .map(|path| (path.to_owned(), true))
            .into(),
        projects: catalogue
            .projects
            .iter()
            .filter(|project| project.opening.members.contains_key(VISITOR))
            .map(|project| (project.path.clone(), project.opening.clone()))
            .collect(),
        issues: [].into(),
        merge_requests: [].into(),
        comments: [].into(),
    }
}
