//! Token counts as each provider gives them. A count that is not there is unknown; one that contradicts itself is
//! cut to what is possible.

use serde_json::{Value, json};
use umpire_model::Usage;

fn count(value: &Value) -> Option<u64> {
    // Some servers count in floats.
    value.as_u64().or_else(|| {
        value.as_f64().filter(|count| *count >= 0.0 && count.fract() == 0.0).map(|count| count as u64)
    })
}

fn checked(input: u64, cached_input: u64, output: u64, reasoning: u64) -> Usage {
    Usage { input, cached_input: cached_input.min(input), output, reasoning: reasoning.min(output) }
}

pub(super) fn of_chat(usage: &Value) -> Option<Usage> {
    Some(checked(
        count(&usage["prompt_tokens"])?,
        count(&usage["prompt_tokens_details"]["cached_tokens"]).unwrap_or(0),
        // Embeddings write nothing.
        if usage["completion_tokens"].is_null() { 0 } else { count(&usage["completion_tokens"])? },
        count(&usage["completion_tokens_details"]["reasoning_tokens"]).unwrap_or(0),
    ))
}

pub(super) fn to_chat(usage: &Usage) -> Value {
    json!({
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.input.saturating_add(usage.output),
        "prompt_tokens_details": {"cached_tokens": usage.cached_input},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    })
}

pub(super) fn of_responses(usage: &Value) -> Option<Usage> {
    Some(checked(
        count(&usage["input_tokens"])?,
        count(&usage["input_tokens_details"]["cached_tokens"]).unwrap_or(0),
        count(&usage["output_tokens"])?,
        count(&usage["output_tokens_details"]["reasoning_tokens"]).unwrap_or(0),
    ))
}

pub(super) fn to_responses(usage: &Usage) -> Value {
    json!({
        "input_tokens": usage.input,
        "input_tokens_details": {"cached_tokens": usage.cached_input},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.input.saturating_add(usage.output),
    })
}

/// Anthropic counts what was read from its cache, and what was written to it, beside the input.
pub(super) fn of_messages(usage: &Value) -> Option<Usage> {
    let read = count(&usage["cache_read_input_tokens"]).unwrap_or(0);
    let written = count(&usage["cache_creation_input_tokens"]).unwrap_or(0);
    let input = count(&usage["input_tokens"])?.saturating_add(read).saturating_add(written);
    let thoughts = count(&usage["output_tokens_details"]["thinking_tokens"]).unwrap_or(0);
    Some(checked(input, read, count(&usage["output_tokens"])?, thoughts))
}

pub(super) fn to_messages(usage: &Usage) -> Value {
    json!({
        "input_tokens": usage.input - usage.cached_input.min(usage.input),
        "cache_read_input_tokens": usage.cached_input,
        "cache_creation_input_tokens": 0,
        "output_tokens": usage.output,
        "output_tokens_details": {"thinking_tokens": usage.reasoning},
    })
}

/// Gemini counts its thoughts beside the output.
pub(super) fn of_gemini(usage: &Value) -> Option<Usage> {
    let thoughts = count(&usage["thoughtsTokenCount"]).unwrap_or(0);
    let tools = count(&usage["toolUsePromptTokenCount"]).unwrap_or(0);
    let said = count(&usage["candidatesTokenCount"]);
    // A prompt that was blocked has no candidates.
    let output = said.unwrap_or(0).saturating_add(thoughts);
    let input = count(&usage["promptTokenCount"])?.saturating_add(tools);
    Some(checked(input, count(&usage["cachedContentTokenCount"]).unwrap_or(0), output, thoughts))
}

pub(super) fn to_gemini(usage: &Usage) -> Value {
    json!({
        "promptTokenCount": usage.input,
        "cachedContentTokenCount": usage.cached_input,
        "candidatesTokenCount": usage.output - usage.reasoning.min(usage.output),
        "thoughtsTokenCount": usage.reasoning,
        "totalTokenCount": usage.input.saturating_add(usage.output),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts as the vendors' own documentation prints them.
    #[test]
    fn each_provider_counts_in_its_own_way() {
        let openai = json!({"prompt_tokens": 2006, "completion_tokens": 300, "total_tokens": 2306,
            "prompt_tokens_details": {"cached_tokens": 1920}, "completion_tokens_details": {"reasoning_tokens": 128}});
        let responses = json!({"input_tokens": 2006, "input_tokens_details": {"cached_tokens": 1920}, "output_tokens": 300,
            "output_tokens_details": {"reasoning_tokens": 128}, "total_tokens": 2306});
        let anthropic = json!({"input_tokens": 50, "cache_read_input_tokens": 1800, "cache_creation_input_tokens": 248,
            "output_tokens": 503, "output_tokens_details": {"thinking_tokens": 300}});
        let gemini = json!({"promptTokenCount": 100, "candidatesTokenCount": 40, "thoughtsTokenCount": 60,
            "cachedContentTokenCount": 80, "totalTokenCount": 200});
        let openai_usage = Usage { input: 2006, cached_input: 1920, output: 300, reasoning: 128 };
        assert_eq!(of_chat(&openai), Some(openai_usage));
        assert_eq!(of_responses(&responses), Some(openai_usage));
        assert_eq!(
            of_messages(&anthropic),
            Some(Usage { input: 2098, cached_input: 1800, output: 503, reasoning: 300 })
        );
        assert_eq!(
            of_gemini(&gemini),
            Some(Usage { input: 100, cached_input: 80, output: 100, reasoning: 60 })
        );
    }

    #[test]
    fn counts_that_cannot_be_are_unknown_or_cut() {
        for usage in [
            json!(null),
            json!({}),
            json!({"prompt_tokens": -4, "completion_tokens": 1}),
            json!({"prompt_tokens": "9", "completion_tokens": 1}),
            json!({"prompt_tokens": 9, "completion_tokens": "many"}),
        ] {
            assert_eq!(of_chat(&usage), None, "{usage}");
        }
        let boasting = json!({"prompt_tokens": 5, "completion_tokens": 2.0, "prompt_tokens_details": {"cached_tokens": 50},
            "completion_tokens_details": {"reasoning_tokens": 9}});
        assert_eq!(of_chat(&boasting), Some(Usage { input: 5, cached_input: 5, output: 2, reasoning: 2 }));
    }
}
