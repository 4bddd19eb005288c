//! States that the reference sets without a trace, as orders to the services' own interfaces.

use serde_json::{Value, json};
use umpire_model::{BackendOrder, CallOrder, SetupOrder};

use super::records::{Call, Resets};

/// What becomes of a reset.
#[derive(Debug, PartialEq)]
pub(super) enum Reset {
    /// Every attempt has a browser context of its own, which remembers nothing.
    ByItself,
    Orders(Vec<SetupOrder>),
    /// Why nobody can set it.
    Unknown(String),
}

/// Backends that the orders name, and where they are.
pub(super) const BACKENDS: [(&str, &str); 2] =
    [("github", "https://api.github.com"), ("huggingface", "https://huggingface.co")];

pub(super) fn of(resets: &Resets) -> Reset {
    match resets.kind.as_str() {
        "cookies" if resets.function_calls.iter().all(|call| call.function == "reset_cookies") => {
            Reset::ByItself
        }
        "api" => resets
            .function_calls
            .iter()
            .map(order)
            .collect::<Result<_, _>>()
            .map_or_else(Reset::Unknown, Reset::Orders),
        "history" => {
            Reset::Unknown("which pages the account is to have visited is not in the files".to_owned())
        }
        kind => Reset::Unknown(format!("`{kind}` is no known way to set a state")),
    }
}

fn order(call: &Call) -> Result<SetupOrder, String> {
    let kwargs = &call.kwargs;
    let kind = kwargs.repo_type.as_deref().unwrap_or("model");
    match call.function.as_str() {
        "git_make_repo_public" => {
            let path = format!("/repos/{{{{account.user}}}}/{}", named(call, kwargs.repo_name.as_deref())?);
            Ok(asked("github", "PATCH", path, json!({"private": false}), &[]))
        }
        "hf_make_repo_public" if is_plain(kind) => {
            Ok(set(kind, named(call, kwargs.repo_name.as_deref())?, json!({"private": false})))
        }
        "remove_gated_access" => {
            Ok(set("dataset", named(call, kwargs.dataset_name.as_deref())?, json!({"gated": false})))
        }
        "remove_dataset" => {
            let dataset = json!({"name": named(call, kwargs.dataset_name.as_deref())?, "organization": null, "type": "dataset"});
            // What is not there need not be removed.
            Ok(asked("huggingface", "DELETE", "/api/repos/delete".to_owned(), dataset, &[404]))
        }
        "remove_dataset_licenses" => {
            Err("a licence is a line in the dataset's card, which no single call takes out".to_owned())
        }
        other => Err(format!("`{other}` is no known function")),
    }
}

/// The name that a call gives, if it can stand in a path.
fn named<'n>(call: &Call, name: Option<&'n str>) -> Result<&'n str, String> {
    name.filter(|name| is_plain(name)).ok_or_else(|| format!("`{}` names nothing", call.function))
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// The settings of a repository that belongs to the task's account.
fn set(kind: &str, name: &str, body: Value) -> SetupOrder {
    let path = format!("/api/{kind}s/{{{{account.user}}}}/{name}/settings");
    asked("huggingface", "PUT", path, body, &[])
}

fn asked(backend: &str, method: &str, path: String, body: Value, also_fine: &[u16]) -> SetupOrder {
    let call = CallOrder { method: method.to_owned(), path, body, also_fine: also_fine.to_vec() };
    SetupOrder { backend: backend.to_owned(), order: BackendOrder::Call(call) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reset(text: &str) -> Reset {
        of(&serde_json::from_str(text).expect("a reset"))
    }

    #[test]
    fn a_repository_is_opened_by_its_service() {
        let opened = reset(
            r#"{"type": "api", "function_calls": [
                {"function": "git_make_repo_public", "kwargs": {"repo_name": "notes"}},
                {"function": "hf_make_repo_public", "kwargs": {"repo_name": "cells", "repo_type": "dataset"}},
                {"function": "remove_gated_access", "kwargs": {"dataset_name": "cells"}},
                {"function": "remove_dataset", "kwargs": {"dataset_name": "old"}}]}"#,
        );
        let Reset::Orders(orders) = opened else { panic!("{opened:?}") };
        let told = serde_json::to_value(orders).expect("JSON");
        assert_eq!(
            told,
            json!([
                {"backend": "github", "order": {"call": {"method": "PATCH", "path": "/repos/{{account.user}}/notes", "body": {"private": false}}}},
                {"backend": "huggingface", "order": {"call": {"method": "PUT", "path": "/api/datasets/{{account.user}}/cells/settings", "body": {"private": false}}}},
                {"backend": "huggingface", "order": {"call": {"method": "PUT", "path": "/api/datasets/{{account.user}}/cells/settings", "body": {"gated": false}}}},
                {"backend": "huggingface", "order": {"call": {"method": "DELETE", "path": "/api/repos/delete", "body": {"name": "old", "organization": null, "type": "dataset"}, "also_fine": [404]}}},
            ])
        );
    }

    #[test]
    fn what_nobody_can_set_says_why() {
        assert_eq!(
            reset(r#"{"type": "cookies", "function_calls": [{"function": "reset_cookies"}]}"#),
            Reset::ByItself
        );
        for (text, why) in [
            (r#"{"type": "history", "function_calls": [{"function": "reset_history"}]}"#, "which pages"),
            (r#"{"type": "api", "function_calls": [{"function": "remove_dataset_licenses"}]}"#, "licence"),
            (r#"{"type": "api", "function_calls": [{"function": "format_disk"}]}"#, "format_disk"),
            (r#"{"type": "api", "function_calls": [{"function": "git_make_repo_public"}]}"#, "names nothing"),
            (
                r#"{"type": "api", "function_calls": [{"function": "remove_dataset", "kwargs": {"dataset_name": "../x"}}]}"#,
                "names nothing",
            ),
            (r#"{"type": "cookies", "function_calls": [{"function": "bake"}]}"#, "cookies"),
            (r#"{"type": "tarot"}"#, "tarot"),
        ] {
            let Reset::Unknown(reason) = reset(text) else { panic!("{text}") };
            assert!(reason.contains(why), "{text}: {reason}");
        }
    }
}
