use half::f16;
use safetensors::{Dtype, SafeTensors};

/// The sizes of a BERT.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub vocabulary: usize,
    pub positions: usize,
    pub hidden: usize,
    pub heads: usize,
    pub inner: usize,
    pub layers: usize,
}

impl Shape {
    pub(super) const MINILM: Self =
        Self { vocabulary: 30_522, positions: 512, hidden: 384, heads: 12, inner: 1_536, layers: 6 };
}

/// `y = x Wᵀ + b`; a row of the weights for each output.
pub(super) struct Linear {
    pub weights: Vec<f32>,
    pub bias: Vec<f32>,
}

/// Scale and shift after a normalisation.
pub(super) struct Norm {
    pub scale: Vec<f32>,
    pub shift: Vec<f32>,
}

pub(super) struct Layer {
    /// Query, key and value, one below the other.
    pub attention: Linear,
    pub attention_out: Linear,
    pub attention_norm: Norm,
    pub inner: Linear,
    pub inner_out: Linear,
    pub norm: Norm,
}

pub(super) struct Weights {
    pub shape: Shape,
    pub words: Vec<f32>,
    /// With the first row of the token types added, which is the only one in use.
    pub positions: Vec<f32>,
    pub norm: Norm,
    pub layers: Vec<Layer>,
}

impl Weights {
    /// Reads single or half floats under the names that `transformers` gives them.
    pub(super) fn read(content: &[u8], shape: &Shape) -> Result<Self, String> {
        let file = File { tensors: SafeTensors::deserialize(content).map_err(|error| error.to_string())? };
        let Shape { vocabulary, positions, hidden, .. } = *shape;
        let types = file.numbers("embeddings.token_type_embeddings.weight", &[2, hidden])?;
        let mut places = file.numbers("embeddings.position_embeddings.weight", &[positions, hidden])?;
        for place in places.chunks_exact_mut(hidden) {
            for (value, of_type) in place.iter_mut().zip(&types) {
                *value += of_type;
            }
        }
        Ok(Self {
            shape: *shape,
            words: file.numbers("embeddings.word_embeddings.weight", &[vocabulary, hidden])?,
            positions: places,
            norm: file.norm("embeddings.LayerNorm", hidden)?,
            layers: (0..shape.layers).map(|layer| file.layer(layer, shape)).collect::<Result<_, _>>()?,
        })
    }
}

struct File<'a> {
    tensors: SafeTensors<'a>,
}

impl File<'_> {
    fn layer(&self, layer: usize, shape: &Shape) -> Result<Layer, String> {
        let Shape { hidden, inner, .. } = *shape;
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        let mut attention = Linear { weights: Vec::new(), bias: Vec::new() };
        for part in ["query", "key", "value"] {
            let Linear { weights, bias } =
                self.linear(&name(&format!("attention.self.{part}")), hidden, hidden)?;
            attention.weights.extend(weights);
            attention.bias.extend(bias);
        }
        Ok(Layer {
            attention,
            attention_out: self.linear(&name("attention.output.dense"), hidden, hidden)?,
            attention_norm: self.norm(&name("attention.output.LayerNorm"), hidden)?,
            inner: self.linear(&name("intermediate.dense"), inner, hidden)?,
            inner_out: self.linear(&name("output.dense"), hidden, inner)?,
            norm: self.norm(&name("output.LayerNorm"), hidden)?,
        })
    }

    fn linear(&self, name: &str, outputs: usize, inputs: usize) -> Result<Linear, String> {
        Ok(Linear {
            weights: self.numbers(&format!("{name}.weight"), &[outputs, inputs])?,
            bias: self.numbers(&format!("{name}.bias"), &[outputs])?,
        })
    }

    fn norm(&self, name: &str, width: usize) -> Result<Norm, String> {
        Ok(Norm {
            scale: self.numbers(&format!("{name}.weight"), &[width])?,
            shift: self.numbers(&format!("{name}.bias"), &[width])?,
        })
    }

    fn numbers(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, String> {
        let tensor = self.tensors.tensor(name).map_err(|_| format!("it has no tensor `{name}`"))?;
        if tensor.shape() != shape {
            return Err(format!("the tensor `{name}` is {:?}, not {shape:?}", tensor.shape()));
        }
        let data = tensor.data();
        let numbers: Vec<f32> = match tensor.dtype() {
            Dtype::F32 => data.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            Dtype::F16 => {
                data.as_chunks::<2>().0.iter().map(|bytes| f16::from_le_bytes(*bytes).to_f32()).collect()
            }
            other => return Err(format!("the tensor `{name}` holds {other:?}, neither F32 nor F16")),
        };
        match numbers.iter().position(|number| !number.is_finite()) {
            Some(at) => Err(format!("the tensor `{name}` has {} at place {at}", numbers[at])),
            None => Ok(numbers),
        }
    }
}
