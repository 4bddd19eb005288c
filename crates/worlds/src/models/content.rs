//! Models on Weightroom, made from the seed.

use std::sync::Arc;

use umpire_model::Random;

use crate::kit::by_seed::BySeed;
use crate::kit::text::choose;

pub(super) struct Model {
    /// Organisation and name with a dash between.
    pub id: String,
    pub organisation: &'static str,
    pub name: String,
    pub task: &'static str,
    pub licence: &'static str,
    /// Millions of parameters.
    pub parameters: i64,
    pub downloads: i64,
    pub likes: i64,
    pub days_old: i64,
}

pub(super) struct Catalogue {
    pub models: Vec<Model>,
}

const MODELS: usize = 1_500;

pub(super) const TASKS: [&str; 8] = [
    "Text generation",
    "Speech recognition",
    "Translation",
    "Image classification",
    "Text to image",
    "Embeddings",
    "Time series",
    "Text to speech",
];
const ORGANISATIONS: [&str; 14] = [
    "alpenlab",
    "quietriver",
    "openlexicon",
    "north-sea-ai",
    "tinyhands",
    "glasbeek",
    "umlaut",
    "mossgrown",
    "cartograph",
    "tidepool",
    "uni-lakeside",
    "bluebarn",
    "fernsehturm",
    "rahimi-lab",
];
const FAMILIES: [&str; 14] = [
    "heron",
    "lynx",
    "saffron",
    "kestrel",
    "basalt",
    "juniper",
    "otter",
    "quartz",
    "harmattan",
    "tern",
    "marmot",
    "cobalt",
    "larch",
    "ibex",
];
const VARIANTS: [&str; 8] = ["base", "instruct", "chat", "multilingual", "distilled", "int8", "long", "code"];
const LICENCES: [&str; 4] = ["open weights", "research only", "commercial", "gated"];
const SIZES: [i64; 9] = [22, 60, 110, 350, 770, 1_300, 3_000, 7_000, 13_000];

static CATALOGUE: BySeed<Catalogue> = BySeed::new();

impl Catalogue {
    pub fn of_seed(seed: u64) -> Arc<Self> {
        CATALOGUE.get(seed, Self::generate)
    }

    fn generate(seed: u64) -> Self {
        let random = &mut Random::stream(seed, "models.catalogue");
        let mut models: Vec<Model> = Vec::with_capacity(MODELS);
        for number in 1..=MODELS {
            let organisation = choose(random, &ORGANISATIONS);
            let parameters = random.pick(&SIZES).copied().unwrap_or(110);
            // The number at the end is the revision, and keeps names apart.
            let name = format!(
                "{}-{}-{}-r{number}",
                choose(random, &FAMILIES),
                size(parameters),
                choose(random, &VARIANTS)
            );
            models.push(Model {
                id: format!("{organisation}-{name}").replace('.', "-"),
                organisation,
                name,
                task: choose(random, &TASKS),
                licence: choose(random, &LICENCES),
                parameters,
                downloads: random.between(3, 900_000),
                likes: random.between(0, 5_200),
                days_old: random.between(0, 900),
            });
        }
        Self { models }
    }

    pub fn model(&self, id: &str) -> Option<&Model> {
        self.models.iter().find(|model| model.id == id)
    }
}

/// `350m`, `1.3b`
pub(super) fn size(millions: i64) -> String {
    match millions {
        ..1_000 => format!("{millions}m"),
        _ if millions % 1_000 == 0 => format!("{}b", millions / 1_000),
        _ => format!("{}.{}b", millions / 1_000, millions % 1_000 / 100),
    }
}
