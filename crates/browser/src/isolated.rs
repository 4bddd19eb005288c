//! Scripts that read a page from a JavaScript world of their own: the page can neither see nor fool them, and nothing
//! of them stays behind.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use umpire_model::Deadline;

use crate::TabHandle;
use crate::cdp::{CdpError, Session, SessionId};

const WORLD: &str = "umpire";
/// Objects handed out to us are released together once a script has answered.
const OBJECTS: &str = "umpire";

/// The isolated world of one process's part of a tab.
pub(crate) struct IsolatedWorld {
    pub session: Session,
    context: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Created {
    execution_context_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Answer {
    result: RemoteObject,
    exception_details: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RemoteObject {
    object_id: Option<String>,
    #[serde(default)]
    value: Value,
}

#[derive(Deserialize)]
struct Resolved {
    object: RemoteObject,
}

#[derive(Deserialize)]
struct Described {
    node: DescribedNode,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DescribedNode {
    backend_node_id: i64,
}

impl IsolatedWorld {
    /// Chromium keeps one world per name and document, so asking again is cheap.
    pub async fn open(session: &Session, frame_id: &str, deadline: Deadline) -> Result<Self, CdpError> {
        let params = json!({ "frameId": frame_id, "worldName": WORLD });
        let created: Created = session.call("Page.createIsolatedWorld", params, deadline).await?;
        Ok(Self { session: session.clone(), context: created.execution_context_id })
    }

    /// Runs `expression` and decodes the value (or the value of the promise) it gives.
    pub async fn evaluate<T: DeserializeOwned>(
        &self,
        expression: &str,
        deadline: Deadline,
    ) -> Result<T, CdpError> {
        let params = json!({ "expression": expression, "contextId": self.context, "returnByValue": true, "awaitPromise": true });
        decode("Runtime.evaluate", self.session.call("Runtime.evaluate", params, deadline).await?)
    }

    /// The node an expression gives, if it gives one.
    pub async fn evaluate_to_node(
        &self,
        expression: &str,
        deadline: Deadline,
    ) -> Result<Option<i64>, CdpError> {
        let params = json!({ "expression": expression, "contextId": self.context, "objectGroup": OBJECTS });
        let answer: Answer = self.session.call("Runtime.evaluate", params, deadline).await?;
        self.node_of(answer, deadline).await
    }

    /// Calls `function` with `this` bound to the node; further nodes follow as its first arguments.
    pub async fn call_on<T: DeserializeOwned>(
        &self,
        node: i64,
        function: &str,
        more_nodes: &[i64],
        argument: Value,
        deadline: Deadline,
    ) -> Result<T, CdpError> {
        let params = self.call_params(node, function, more_nodes, argument, true, deadline).await?;
        let answer = self.session.call("Runtime.callFunctionOn", params, deadline).await;
        self.release();
        decode("Runtime.callFunctionOn", answer?)
    }

    /// Like [`Self::call_on`], for a function that gives a node.
    pub async fn call_on_to_node(
        &self,
        node: i64,
        function: &str,
        argument: Value,
        deadline: Deadline,
    ) -> Result<Option<i64>, CdpError> {
        let params = self.call_params(node, function, &[], argument, false, deadline).await?;
        let answer: Answer = self.session.call("Runtime.callFunctionOn", params, deadline).await?;
        self.node_of(answer, deadline).await
    }

    async fn call_params(
        &self,
        node: i64,
        function: &str,
        more_nodes: &[i64],
        argument: Value,
        by_value: bool,
        deadline: Deadline,
    ) -> Result<Value, CdpError> {
        let this = self.resolve(node, deadline).await?;
        let mut arguments = Vec::with_capacity(more_nodes.len() + 1);
        for node in more_nodes {
            arguments.push(json!({ "objectId": self.resolve(*node, deadline).await? }));
        }
        arguments.push(json!({ "value": argument }));
        Ok(json!({
            "functionDeclaration": function,
            "objectId": this,
            "arguments": arguments,
            "returnByValue": by_value,
            "awaitPromise": true,
            "objectGroup": OBJECTS,
        }))
    }

    async fn resolve(&self, node: i64, deadline: Deadline) -> Result<String, CdpError> {
        let params =
            json!({ "backendNodeId": node, "executionContextId": self.context, "objectGroup": OBJECTS });
        let resolved: Resolved = self.session.call("DOM.resolveNode", params, deadline).await?;
        resolved.object.object_id.ok_or_else(|| shape("DOM.resolveNode", "the node has no object"))
    }

    async fn node_of(&self, answer: Answer, deadline: Deadline) -> Result<Option<i64>, CdpError> {
        let Some(object) = answer.result.object_id else { return Ok(None) };
        let described: Result<Described, CdpError> =
            self.session.call("DOM.describeNode", json!({ "objectId": object }), deadline).await;
        self.release();
        Ok(Some(described?.node.backend_node_id))
    }

    fn release(&self) {
        self.session.post("Runtime.releaseObjectGroup", json!({ "objectGroup": OBJECTS }));
    }
}

pub(crate) fn decode<T: DeserializeOwned>(method: &str, answer: Answer) -> Result<T, CdpError> {
    if let Some(details) = answer.exception_details {
        let text = details["exception"]["description"].as_str().or(details["text"].as_str());
        return Err(shape(method, text.unwrap_or("the script failed")));
    }
    serde_json::from_value(answer.result.value).map_err(|error| shape(method, &error.to_string()))
}

fn shape(method: &str, problem: &str) -> CdpError {
    CdpError::Shape { method: method.to_owned(), problem: problem.to_owned() }
}

impl TabHandle {
    /// The session and frame id of every process that renders a part of the tab, the main frame's first.
    pub(crate) fn processes(&self) -> impl Iterator<Item = (&Session, &str)> {
        std::iter::once((&self.session, self.id.as_str()))
            .chain(self.frames.iter().map(|frame| (&frame.session, frame.frame_id.as_str())))
    }

    /// The process a node lives in, if its frame is still there.
    pub(crate) fn process_of(&self, session: &SessionId) -> Option<(&Session, &str)> {
        self.processes().find(|(own, _)| own.id() == Some(session))
    }
}
