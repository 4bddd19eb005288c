//! A manifest for tests of any room, which take this file by its path; each changes what it is about.

use umpire_model::{
    AgentEntry, Digest, GuardMode, Instance, Limits, MANIFEST_VERSION, Manifest, StatesBy, Viewport,
};

pub fn manifest(run: &str, agents: Vec<AgentEntry>, instances: &[Instance]) -> Manifest {
    Manifest {
        version: MANIFEST_VERSION,
        run: run.parse().expect("a name"),
        created: "2026-01-01T00:00:00Z".to_owned(),
        umpire: "0.1.0".to_owned(),
        suite: "made-up".to_owned(),
        suite_digest: Digest::of(b"suite"),
        rules_digest: Digest::of(b"rules"),
        agents,
        instances: instances.iter().map(|instance| instance.id.clone()).collect(),
        trials: 1,
        seed: 7,
        perturbations: Vec::new(),
        browser: "Chromium/1".to_owned(),
        remote: None,
        viewport: Viewport::default(),
        locale: "en-US".to_owned(),
        timezone: "UTC".to_owned(),
        today: None,
        limits: Limits::default(),
        retries: 1,
        guard: GuardMode::default(),
        states: StatesBy::default(),
        history: None,
        denominator: "every planned attempt; infra counts as not passed".to_owned(),
        imported: None,
    }
}
