//! What was asked: the suite's instance of that name, or what the trajectory itself tells.

use umpire_model::{Difficulty, Instance, Suite, TaskKind};

use super::NOT_RECORDED;
use crate::finished::Finished;

/// The instance an attempt was made at. An error says why the suite has none for it.
pub(super) fn instance_for(finished: &Finished, suite: Option<&Suite>) -> Result<Instance, String> {
    match suite {
        None => Ok(told_by(finished)),
        Some(suite) => from_suite(finished, suite),
    }
}

fn from_suite(finished: &Finished, suite: &Suite) -> Result<Instance, String> {
    let all = || suite.tasks.iter().flat_map(Instance::of);
    if let Some(exact) = all().find(|instance| instance.id == finished.task) {
        return Ok(exact);
    }
    let mut of_task: Vec<Instance> = all().filter(|instance| instance.task == finished.task).collect();
    match of_task.len() {
        0 => Err(format!("suite `{}` has no task `{}`", suite.file.name, finished.task)),
        1 => Ok(of_task.remove(0)),
        _ => {
            let ids: Vec<&str> = of_task.iter().map(|instance| instance.id.as_str()).collect();
            Err(format!("task `{}` has several instances: {}", finished.task, ids.join(", ")))
        }
    }
}

/// Kind and difficulty must be something; the manifest says that they were not recorded.
fn told_by(finished: &Finished) -> Instance {
    let host = |url: &String| url::Url::parse(url).ok()?.host_str().map(str::to_owned);
    let seen = finished.steps.iter().find_map(|step| step.url.as_ref().and_then(host));
    let site = finished.start_url.as_ref().and_then(host).or(seen);
    Instance {
        task: finished.task.clone(),
        intent: finished.intent.clone().unwrap_or_default(),
        sites: vec![site.unwrap_or_else(|| NOT_RECORDED.to_owned())],
        start_urls: finished.start_url.iter().cloned().collect(),
        category: NOT_RECORDED.to_owned(),
        difficulty: finished.difficulty.unwrap_or(Difficulty::Medium),
        reference_length: finished.reference_length,
        ..Instance::bare(&as_name(&finished.task), finished.kind.unwrap_or(TaskKind::Retrieve))
    }
}

/// A name that is safe as a folder, as close to the given one as can be.
pub(super) fn as_name(text: &str) -> String {
    const LONGEST: usize = 120;
    let mut name: String = text
        .trim()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || "._-+@".contains(c) { c } else { '_' })
        .collect();
    if !name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        name.insert(0, 'x');
    }
    name.truncate(LONGEST);
    name
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use umpire_model::AttemptId;

    use super::*;

    #[test]
    fn names_stay_as_they_are_where_they_can() {
        for (given, name) in [
            ("Google Flights--3", "Google_Flights--3"),
            ("fb7b4f_110325", "fb7b4f_110325"),
            ("../../etc", "x.._.._etc"),
            ("", "x"),
            ("été", "x_t_"),
        ] {
            assert_eq!(as_name(given), name);
        }
    }

    proptest! {
        #[test]
        fn every_text_has_a_safe_name(text in any::<String>()) {
            prop_assert!(AttemptId::new("agent", &as_name(&text), 1).is_ok());
        }
    }
}
