//! What texts mean, as vectors, from a model elsewhere.

use hyper::HeaderMap;
use serde_json::{Value, json};
use umpire_model::Deadline;

use crate::AskError;
use crate::asker::Asker;
use crate::call::Wanted;
use crate::exchange::{Question, whole};
use crate::spec::Provider;

impl Asker {
    /// One vector for each text, in their order.
    pub async fn embed(&self, texts: &[&str], deadline: Deadline) -> Result<Vec<Vec<f32>>, AskError> {
        let (gateway, model, caller) = self.parts();
        if matches!(model.spec.provider, Provider::Anthropic | Provider::Gemini) {
            return Err(AskError::Rejected("its provider has no embeddings of OpenAI's format".to_owned()));
        }
        let body = json!({"model": model.spec.model, "input": texts, "encoding_format": "float"});
        let question = Question { wanted: Wanted::Embeddings, body: &body, headers: HeaderMap::new() };
        let told = whole(gateway, model, caller, &question, deadline).await?;
        read(&told.delivered.body, texts.len()).map_err(AskError::Unavailable)
    }
}

/// The vectors by their `index`: nobody promises that they come in order.
fn read(body: &[u8], wanted: usize) -> Result<Vec<Vec<f32>>, String> {
    let said: Value = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let data = said["data"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut vectors: Vec<Option<Vec<f32>>> = vec![None; wanted];
    for (at, item) in data.iter().enumerate() {
        let index = item["index"].as_u64().map_or(at, |index| usize::try_from(index).unwrap_or(usize::MAX));
        let place = vectors.get_mut(index).ok_or_else(|| format!("nobody asked for an embedding {index}"))?;
        let numbers = item["embedding"].as_array().ok_or_else(|| format!("embedding {index} is no list"))?;
        let read: Option<Vec<f32>> = numbers.iter().map(|one| one.as_f64().map(|one| one as f32)).collect();
        *place = Some(read.ok_or_else(|| format!("embedding {index} holds something else than numbers"))?);
    }
    let missing = |at: usize| format!("embedding {at} of {wanted} is missing");
    vectors.into_iter().enumerate().map(|(at, vector)| vector.ok_or_else(|| missing(at))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_put_where_they_belong() {
        let body = br#"{"data":[{"index":1,"embedding":[0,1]},{"index":0,"embedding":[1,0.5]}]}"#;
        assert_eq!(read(body, 2), Ok(vec![vec![1.0, 0.5], vec![0.0, 1.0]]));
        let unnumbered = br#"{"data":[{"embedding":[1]},{"embedding":[2]}]}"#;
        assert_eq!(read(unnumbered, 2), Ok(vec![vec![1.0], vec![2.0]]));
    }

    #[test]
    fn what_does_not_fit_is_told() {
        for (body, problem) in [
            (r#"{"data":[{"index":0,"embedding":[1]}]}"#, "embedding 1 of 2 is missing"),
            (r#"{"data":[{"index":7,"embedding":[1]}]}"#, "nobody asked for an embedding 7"),
            (r#"{"data":[{"index":0,"embedding":"AACAPw=="}]}"#, "embedding 0 is no list"),
            (r#"{"data":[{"index":0,"embedding":[null]}]}"#, "something else than numbers"),
            ("{", "EOF"),
        ] {
            let error = read(body.as_bytes(), 2).expect_err(body);
            assert!(error.contains(problem), "{error}");
        }
    }
}
