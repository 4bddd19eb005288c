use super::gelu::gelu;
use super::weights::{Layer, Linear, Norm, Shape, Weights};
use crate::products::{Rows, product, products};
use crate::vectors::scale_to_unit;

/// Added to variances; single floats hardly see it.
const EPSILON: f32 = 1e-12;
/// Inputs of a linear layer that are multiplied at a time, so that their rows stay close to the processor.
const CLOSE: usize = 512;
/// Rows that attention works on are filled up with zeros to whole vectors of the processor.
const LANES: usize = 16;

/// One unit vector for each text, one after the other. The texts' tokens pass the layers as one table, without padding; only
/// attention and the final mean know where a text ends.
pub(super) fn embeddings(weights: &Weights, texts: &[&[u32]]) -> Vec<f32> {
    let shape = &weights.shape;
    let hidden = shape.hidden;
    let mut states = embedded_tokens(weights, texts);
    let tokens = states.len() / hidden;
    let mut scratch = Scratch::default();
    for layer in &weights.layers {
        let Scratch { attention, context, out, inner, heads } = &mut scratch;
        linear(&layer.attention, &states, hidden, attention);
        context.clear();
        context.resize(tokens * hidden, 0.0);
        let mut first = 0;
        for text in texts {
            attend(shape, attention, first, text.len(), context, heads);
            first += text.len();
        }
        linear(&layer.attention_out, context, hidden, out);
        add_and_normalise(&mut states, out, &layer.attention_norm);
        feed_forward(layer, shape, &mut states, inner, out);
    }
    mean_of_each(&states, texts, hidden)
}

/// Tables that every layer needs anew.
#[derive(Default)]
struct Scratch {
    attention: Vec<f32>,
    context: Vec<f32>,
    out: Vec<f32>,
    inner: Vec<f32>,
    heads: Heads,
}

#[derive(Default)]
struct Heads {
    shares: Vec<f32>,
    values: Vec<f32>,
}

fn embedded_tokens(weights: &Weights, texts: &[&[u32]]) -> Vec<f32> {
    let hidden = weights.shape.hidden;
    let mut states = Vec::new();
    for text in texts {
        for (place, token) in text.iter().enumerate() {
            let word = &weights.words[*token as usize * hidden..][..hidden];
            let position = &weights.positions[place * hidden..][..hidden];
            states.extend(word.iter().zip(position).map(|(word, position)| word + position));
        }
    }
    for state in states.chunks_exact_mut(hidden) {
        normalise(state, &weights.norm);
    }
    states
}

fn feed_forward(layer: &Layer, shape: &Shape, states: &mut [f32], inner: &mut Vec<f32>, out: &mut Vec<f32>) {
    linear(&layer.inner, states, shape.hidden, inner);
    gelu(inner);
    linear(&layer.inner_out, inner, shape.inner, out);
    add_and_normalise(states, out, &layer.norm);
}

fn linear(layer: &Linear, states: &[f32], inputs: usize, out: &mut Vec<f32>) {
    let outputs = layer.bias.len();
    out.clear();
    for _ in 0..states.len() / inputs {
        out.extend_from_slice(&layer.bias);
    }
    let (weights, states) = (Rows::whole(&layer.weights, inputs), Rows::whole(states, inputs));
    for first in (0..inputs).step_by(CLOSE) {
        let width = CLOSE.min(inputs - first);
        products(weights.columns(first, width), states.columns(first, width), |output, state, product| {
            out[state * outputs + output] += product;
        });
    }
}

/// Attention of one text, whose tokens are the rows from `first`.
fn attend(
    shape: &Shape,
    attention: &[f32],
    first: usize,
    tokens: usize,
    context: &mut [f32],
    heads: &mut Heads,
) {
    let Shape { hidden, heads: count, .. } = *shape;
    let width = hidden / count;
    let scale = (width as f32).sqrt().recip();
    let attention = &attention[first * 3 * hidden..][..tokens * 3 * hidden];
    let context = &mut context[first * hidden..][..tokens * hidden];
    let rows = Rows::whole(attention, 3 * hidden);
    let stride = tokens.next_multiple_of(LANES);
    for head in 0..count {
        let of_part = |part: usize| rows.columns(part * hidden + head * width, width);
        let Heads { shares, values } = heads;
        shares.clear();
        shares.resize(tokens * stride, 0.0);
        products(of_part(1), of_part(0), |key, query, product| {
            shares[query * stride + key] = product * scale;
        });
        for row in shares.chunks_exact_mut(stride) {
            softmax(&mut row[..tokens]);
        }
        values.clear();
        values.resize(width * stride, 0.0);
        for token in 0..tokens {
            for (place, value) in of_part(2).row(token).iter().enumerate() {
                values[place * stride + token] = *value;
            }
        }
        products(Rows::whole(values, stride), Rows::whole(shares, stride), |place, query, product| {
            context[query * hidden + head * width + place] = product;
        });
    }
}

fn softmax(scores: &mut [f32]) {
    let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for score in &mut *scores {
        *score = (*score - highest).exp();
        sum += *score;
    }
    for score in scores {
        *score /= sum;
    }
}

fn add_and_normalise(states: &mut [f32], added: &[f32], norm: &Norm) {
    let hidden = norm.scale.len();
    for (state, added) in states.chunks_exact_mut(hidden).zip(added.chunks_exact(hidden)) {
        for (value, added) in state.iter_mut().zip(added) {
            *value += added;
        }
        normalise(state, norm);
    }
}

fn normalise(state: &mut [f32], norm: &Norm) {
    let count = state.len() as f32;
    let mean = state.iter().map(|value| f64::from(*value)).sum::<f64>() as f32 / count;
    for value in &mut *state {
        *value -= mean;
    }
    let deviation = (product(state, state) / count + EPSILON).sqrt();
    for ((value, scale), shift) in state.iter_mut().zip(&norm.scale).zip(&norm.shift) {
        *value = *value / deviation * scale + shift;
    }
}

fn mean_of_each(states: &[f32], texts: &[&[u32]], hidden: usize) -> Vec<f32> {
    let mut rows = states.chunks_exact(hidden);
    let mut means = vec![0.0; texts.len() * hidden];
    for (mean, text) in means.chunks_exact_mut(hidden).zip(texts) {
        for state in rows.by_ref().take(text.len()) {
            for (sum, value) in mean.iter_mut().zip(state) {
                *sum += value;
            }
        }
        for sum in &mut *mean {
            *sum /= text.len() as f32;
        }
        scale_to_unit(mean);
    }
    means
}

#[cfg(test)]
mod tests;
