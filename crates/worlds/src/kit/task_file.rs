//! For tests: the tasks of one file, and what any of them must have whatever its site.

use std::path::Path;

use serde_json::Value;
use umpire_model::{Action, Check, Instance, StateExpectation, Suite, Target, TaskKind};

use crate::World;

pub struct TaskFile {
    pub instances: Vec<Instance>,
    seed: u64,
}

impl TaskFile {
    pub fn parse(text: &str, seed: u64) -> Self {
        let toml =
            format!("version = 1\nname = \"t\"\ndescription = \"d\"\nworld = \"built-in\"\nseed = {seed}\n");
        let files = [("tasks.jsonl".into(), text.to_owned())];
        let suite = Suite::parse(Path::new("suite.toml"), &toml, &files, &[]).expect("the task file parses");
        Self { instances: suite.instances(), seed }
    }

    pub fn of_template<'a>(&'a self, template: &'a str) -> impl Iterator<Item = &'a Instance> {
        let found = self.instances.iter().filter(move |instance| instance.template == template);
        assert!(found.clone().next().is_some(), "there is no template `{template}`");
        found
    }

    /// Worlds can be made, kinds have their checks, and nothing is passed by doing nothing.
    pub fn assert_is_sound(&self) {
        for instance in &self.instances {
            let id = &instance.id;
            let world = World::create(&instance.sites, self.seed, &instance.world)
                .unwrap_or_else(|error| panic!("{id}: {error}"));
            let has = |wanted: &dyn Fn(&Check) -> bool| instance.checks.iter().any(wanted);
            assert!(has(&|check| matches!(check, Check::Response(_))), "{id}");
            match instance.kind {
                TaskKind::Retrieve => {
                    assert!(!results(instance).is_empty() || !is_possible(instance), "{id}");
                }
                TaskKind::Navigate => {
                    assert!(has(&|check| matches!(check, Check::Network(network) if network.last)), "{id}");
                }
                TaskKind::Mutate => {
                    let state = world.state();
                    let open = has(&|check| is_open(check, &state));
                    let looks = has(&|check| matches!(check, Check::Network(_)));
                    assert!(open || looks, "{id} could be passed without doing anything");
                    assert!(
                        has(&|check| matches!(check, Check::State(state) if state.path.is_empty())),
                        "{id}"
                    );
                    if let [Value::Bool(changed)] = results(instance)[..] {
                        assert_eq!(changed, open, "{id} says the wrong thing about its initial state");
                    }
                }
            }
        }
    }
}

pub fn is_possible(instance: &Instance) -> bool {
    instance
        .checks
        .iter()
        .any(|check| matches!(check, Check::Response(response) if response.status == "SUCCESS"))
}

/// The expected results.
pub fn results(instance: &Instance) -> Vec<Value> {
    let of = |check: &Check| match check {
        Check::Response(response) => response.results.clone(),
        _ => None,
    };
    instance.checks.iter().find_map(of).unwrap_or_default()
}

/// What the reference types into a field.
pub fn typed<'a>(instance: &'a Instance, field: &str) -> &'a str {
    let text = instance.reference.iter().find_map(|action| match action {
        Action::Type(Target::Named { name, .. }, text) if name == field => Some(text.as_str()),
        _ => None,
    });
    text.unwrap_or_else(|| panic!("{}: nothing is typed into {field}", instance.id))
}

/// Whether the state does not meet this check yet.
fn is_open(check: &Check, state: &Value) -> bool {
    let Check::State(check) = check else { return false };
    let found = state.get(&check.site).and_then(|state| state.pointer(&check.path));
    match &check.expect {
        StateExpectation::Equals(wanted) => found != Some(wanted),
        StateExpectation::Absent => found.is_some(),
        StateExpectation::Contains(_) | StateExpectation::Count(_) => true,
        StateExpectation::UnchangedExcept(_) => false,
    }
}
