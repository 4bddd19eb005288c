//! A small BERT of random weights, against the same written out slowly: one text, one token, one number at a time, in
//! double precision, from the named tensors.

use std::collections::BTreeMap;

use half::f16;
use safetensors::Dtype;
use safetensors::tensor::TensorView;
use umpire_model::Random;

use super::super::weights::{Shape, Weights};
use super::embeddings;

const TINY: Shape = Shape { vocabulary: 30, positions: 40, hidden: 24, heads: 3, inner: 50, layers: 2 };

type Tensors = BTreeMap<String, (Vec<usize>, Vec<f32>)>;

fn tensors(seed: u64) -> Tensors {
    let Shape { vocabulary, positions, hidden, inner, layers, .. } = TINY;
    let mut shapes = vec![
        ("embeddings.word_embeddings.weight".to_owned(), vec![vocabulary, hidden]),
        ("embeddings.position_embeddings.weight".to_owned(), vec![positions, hidden]),
        ("embeddings.token_type_embeddings.weight".to_owned(), vec![2, hidden]),
        ("embeddings.LayerNorm.weight".to_owned(), vec![hidden]),
        ("embeddings.LayerNorm.bias".to_owned(), vec![hidden]),
    ];
    for layer in 0..layers {
        for (part, outputs, inputs) in [
            ("attention.self.query", hidden, Some(hidden)),
            ("attention.self.key", hidden, Some(hidden)),
            ("attention.self.value", hidden, Some(hidden)),
            ("attention.output.dense", hidden, Some(hidden)),
            ("attention.output.LayerNorm", hidden, None),
            ("intermediate.dense", inner, Some(hidden)),
            ("output.dense", hidden, Some(inner)),
            ("output.LayerNorm", hidden, None),
        ] {
            let shape = [outputs].into_iter().chain(inputs).collect();
            shapes.push((format!("encoder.layer.{layer}.{part}.weight"), shape));
            shapes.push((format!("encoder.layer.{layer}.{part}.bias"), vec![outputs]));
        }
    }
    let mut random = Random::new(seed);
    let mut number = || random.below(2_000) as f32 / 1_000.0 - 1.0;
    shapes
        .into_iter()
        .map(|(name, shape)| {
            let numbers = (0..shape.iter().product::<usize>()).map(|_| number()).collect();
            (name, (shape, numbers))
        })
        .collect()
}

fn file(tensors: &Tensors, dtype: Dtype) -> Vec<u8> {
    let bytes: Vec<Vec<u8>> = tensors
        .values()
        .map(|(_, numbers)| match dtype {
            Dtype::F16 => numbers.iter().flat_map(|number| f16::from_f32(*number).to_le_bytes()).collect(),
            _ => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
        })
        .collect();
    let views = tensors.iter().zip(&bytes).map(|((name, (shape, _)), bytes)| {
        (name, TensorView::new(dtype, shape.clone(), bytes).expect("a tensor"))
    });
    safetensors::serialize(views, None).expect("a file")
}

struct Slow<'a>(&'a Tensors);

impl Slow<'_> {
    fn row(&self, name: &str, row: usize) -> Vec<f64> {
        let (shape, numbers) = &self.0[name];
        let width = shape.last().copied().expect("a shape");
        numbers[row * width..(row + 1) * width].iter().map(|number| f64::from(*number)).collect()
    }

    fn linear(&self, name: &str, input: &[f64]) -> Vec<f64> {
        let bias = self.row(&format!("{name}.bias"), 0);
        let output = |(at, bias): (usize, &f64)| {
            bias + self.row(&format!("{name}.weight"), at).iter().zip(input).map(|(w, x)| w * x).sum::<f64>()
        };
        bias.iter().enumerate().map(output).collect()
    }

    fn norm(&self, name: &str, input: &[f64]) -> Vec<f64> {
        let (scale, shift) = (self.row(&format!("{name}.weight"), 0), self.row(&format!("{name}.bias"), 0));
        let mean = input.iter().sum::<f64>() / input.len() as f64;
        let variance = input.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / input.len() as f64;
        let at =
            |place: usize| (input[place] - mean) / (variance + 1e-12).sqrt() * scale[place] + shift[place];
        (0..input.len()).map(at).collect()
    }

    fn layer(&self, layer: usize, states: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        let all = |part: &str| states.iter().map(|x| self.linear(&name(part), x)).collect::<Vec<_>>();
        let (queries, keys) = (all("attention.self.query"), all("attention.self.key"));
        let values = all("attention.self.value");
        let width = TINY.hidden / TINY.heads;
        let next = |token: usize| {
            let mut context = Vec::new();
            for head in 0..TINY.heads {
                let part = head * width..(head + 1) * width;
                let score = |other: usize| {
                    let pairs = queries[token][part.clone()].iter().zip(&keys[other][part.clone()]);
                    (pairs.map(|(q, k)| q * k).sum::<f64>() / (width as f64).sqrt()).exp()
                };
                let scores: Vec<f64> = (0..states.len()).map(score).collect();
                let sum: f64 = scores.iter().sum();
                for place in part {
                    let mixed = scores.iter().zip(&values).map(|(score, value)| score / sum * value[place]);
                    context.push(mixed.sum());
                }
            }
            let added = plus(&self.linear(&name("attention.output.dense"), &context), &states[token]);
            let attended = self.norm(&name("attention.output.LayerNorm"), &added);
            let mut inner = self.linear(&name("intermediate.dense"), &attended);
            for value in &mut inner {
                *value *= 0.5 * (1.0 + erf(*value / 2_f64.sqrt()));
            }
            let added = plus(&self.linear(&name("output.dense"), &inner), &attended);
            self.norm(&name("output.LayerNorm"), &added)
        };
        (0..states.len()).map(next).collect()
    }

    fn embedding(&self, tokens: &[u32]) -> Vec<f64> {
        let start = |(place, token): (usize, &u32)| {
            let word = self.row("embeddings.word_embeddings.weight", *token as usize);
            let position = self.row("embeddings.position_embeddings.weight", place);
            let kind = self.row("embeddings.token_type_embeddings.weight", 0);
            self.norm("embeddings.LayerNorm", &plus(&plus(&word, &position), &kind))
        };
        let mut states: Vec<Vec<f64>> = tokens.iter().enumerate().map(start).collect();
        for layer in 0..TINY.layers {
            states = self.layer(layer, &states);
        }
        let sum = states.iter().skip(1).fold(states[0].clone(), |sum, state| plus(&sum, state));
        let length = sum.iter().map(|x| x * x).sum::<f64>().sqrt();
        sum.iter().map(|x| x / length).collect()
    }
}

fn plus(one: &[f64], other: &[f64]) -> Vec<f64> {
    one.iter().zip(other).map(|(a, b)| a + b).collect()
}

/// By its series, which converges everywhere.
fn erf(x: f64) -> f64 {
    let x = x.clamp(-5.0, 5.0);
    let (mut term, mut sum) = (x, x);
    for n in 1..200 {
        let n = f64::from(n);
        term *= -x * x / n;
        sum += term / (2.0 * n + 1.0);
    }
    sum * 2.0 / std::f64::consts::PI.sqrt()
}

fn compare(weights: &Weights, slow: &Slow<'_>) {
    let texts: [&[u32]; 4] = [&[2, 3], &[2, 7, 7, 29, 0, 11, 3], &[5], &[1; 40]];
    let found = embeddings(weights, &texts);
    for (text, found) in texts.iter().zip(found.chunks_exact(TINY.hidden)) {
        for (found, wanted) in found.iter().zip(slow.embedding(text)) {
            assert!((f64::from(*found) - wanted).abs() < 1e-5, "{text:?}: {found} for {wanted}");
        }
        assert_eq!(embeddings(weights, &[text]), found, "in company and alone");
    }
}

#[test]
fn the_forward_pass_is_that_of_the_slow_reference() {
    for seed in 0..4 {
        let tensors = tensors(seed);
        let weights = Weights::read(&file(&tensors, Dtype::F32), &TINY).expect("weights");
        compare(&weights, &Slow(&tensors));
    }
}

#[test]
fn half_floats_are_read_as_what_they_stand_for() {
    let mut tensors = tensors(9);
    let weights = Weights::read(&file(&tensors, Dtype::F16), &TINY).expect("weights");
    for (_, numbers) in tensors.values_mut() {
        for number in numbers {
            *number = f16::from_f32(*number).to_f32();
        }
    }
    compare(&weights, &Slow(&tensors));
}

#[test]
fn tensors_that_do_not_fit_are_named() {
    type Spoil = fn(&mut Tensors);
    let spoil: [(Spoil, &str); 4] = [
        (
            |tensors| drop(tensors.remove("encoder.layer.1.output.dense.bias")),
            "it has no tensor `encoder.layer.1.output.dense.bias`",
        ),
        (
            |tensors| drop(tensors.insert("embeddings.LayerNorm.bias".into(), (vec![2, 12], vec![0.0; 24]))),
            "the tensor `embeddings.LayerNorm.bias` is [2, 12], not [24]",
        ),
        (
            |tensors| {
                drop(tensors.insert("embeddings.LayerNorm.bias".into(), (vec![24], vec![f32::NAN; 24])));
            },
            "the tensor `embeddings.LayerNorm.bias` has NaN at place 0",
        ),
        (|tensors| tensors.clear(), "it has no tensor `embeddings.token_type_embeddings.weight`"),
    ];
    for (spoil, said) in spoil {
        let mut tensors = tensors(0);
        spoil(&mut tensors);
        let problem = Weights::read(&file(&tensors, Dtype::F32), &TINY).map(|_| ()).expect_err(said);
        assert_eq!(problem, said);
    }
    assert!(Weights::read(b"", &TINY).is_err());
    let whole: Tensors =
        [("embeddings.token_type_embeddings.weight".to_owned(), (vec![2, 24], vec![0.0; 48]))].into();
    let content = file(&whole, Dtype::I32);
    let problem = Weights::read(&content, &TINY).map(|_| ()).expect_err("whole numbers");
    assert_eq!(
        problem,
        "the tensor `embeddings.token_type_embeddings.weight` holds I32, neither F32 nor F16"
    );
}
