//! What a client may see of the browser: the targets of its seat, and nothing of anybody else's.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::Value;

use crate::record::Contexts;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TargetInfo {
    pub target_id: String,
    pub r#type: String,
    pub browser_context_id: Option<String>,
}

impl TargetInfo {
    pub fn of(value: &Value) -> Option<Self> {
        Self::deserialize(value).ok()
    }

    /// Chromium's own user interface is made of targets too, in the same context as the client's pages.
    pub fn is_visible(&self, contexts: &Contexts) -> bool {
        match (self.r#type.as_str(), &self.browser_context_id) {
            ("browser", _) => true,
            ("browser_ui", _) | (_, None) => false,
            (_, Some(context)) => contexts.contains(context),
        }
    }
}

/// The targets a client has been told about.
#[derive(Default)]
pub(super) struct Seen(HashSet<String>);

impl Seen {
    pub fn contains(&self, id: &str) -> bool {
        self.0.contains(id)
    }

    pub fn insert(&mut self, id: String) {
        self.0.insert(id);
    }

    /// Whether an event about targets may be shown; remembers the ones it tells of. Attachments are not decided here.
    pub fn may_show(&mut self, method: &str, params: &Value, contexts: &Contexts) -> bool {
        match method {
            "Target.targetCreated" | "Target.targetInfoChanged" => {
                let info = params.get("targetInfo").and_then(TargetInfo::of);
                info.filter(|info| info.is_visible(contexts)).is_some_and(|info| {
                    self.0.insert(info.target_id);
                    true
                })
            }
            "Target.targetDestroyed" | "Target.targetCrashed" => {
                params.get("targetId").and_then(Value::as_str).is_some_and(|id| self.0.contains(id))
            }
            _ => true,
        }
    }

    /// Takes what is not the client's out of an answer, and remembers the rest.
    pub fn filter_answer(&mut self, method: &str, answer: &mut Value, contexts: &Contexts) {
        match method {
            "Target.getTargets" => {
                if let Some(infos) = answer.get_mut("targetInfos").and_then(Value::as_array_mut) {
                    infos.retain(|info| TargetInfo::of(info).is_some_and(|info| info.is_visible(contexts)));
                    self.0.extend(infos.iter().filter_map(TargetInfo::of).map(|info| info.target_id));
                }
            }
            "Target.getTargetInfo" => {
                self.0.extend(answer.get("targetInfo").and_then(TargetInfo::of).map(|info| info.target_id));
            }
            "Target.getBrowserContexts" => {
                if let Some(ids) = answer.get_mut("browserContextIds").and_then(Value::as_array_mut) {
                    ids.retain(|id| id.as_str().is_some_and(|id| contexts.contains(id)));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn info(id: &str, kind: &str, context: &str) -> Value {
        json!({"targetId": id, "type": kind, "browserContextId": context, "url": "", "title": "", "attached": false})
    }

    #[test]
    fn only_the_seats_targets_are_shown() {
        let contexts = Contexts::default();
        contexts.add("mine");
        let mut seen = Seen::default();
        let mut answer = json!({"targetInfos": [
            info("page", "page", "mine"), info("ui", "browser_ui", "mine"), info("foreign", "page", "theirs"),
        ]});
        seen.filter_answer("Target.getTargets", &mut answer, &contexts);
        assert_eq!(answer, json!({"targetInfos": [info("page", "page", "mine")]}));
        let gone = |id: &str| json!({ "targetId": id });
        assert!(seen.may_show("Target.targetDestroyed", &gone("page"), &contexts));
        assert!(!seen.may_show("Target.targetDestroyed", &gone("foreign"), &contexts));
        let created = |info: Value| json!({ "targetInfo": info });
        assert!(!seen.may_show("Target.targetCreated", &created(info("x", "page", "theirs")), &contexts));
        assert!(seen.may_show("Target.targetCreated", &created(info("y", "worker", "mine")), &contexts));
        let mut known = json!({"browserContextIds": ["mine", "theirs"]});
        seen.filter_answer("Target.getBrowserContexts", &mut known, &contexts);
        assert_eq!(known, json!({"browserContextIds": ["mine"]}));
    }
}
