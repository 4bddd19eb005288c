//! Groups among reasons, how sure they are, and what is left over.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use umpire_recall::Embed;

use crate::Reason;
use crate::k_means::{Grouping, k_means, silhouettes, squared};
use crate::lexical::{lexical_vectors, to_unit};
use crate::salient::salient_terms;
use crate::stability::mean_agreement;

pub const CLUSTERS_VERSION: u32 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Numbers of groups that are tried.
    pub least_groups: usize,
    pub most_groups: usize,
    pub seed: u64,
    /// Seeds over which the grouping is repeated, to see whether it comes out the same.
    pub repeats: usize,
    /// A text is left over if its own group is not nearer than the next by this share of the distance.
    pub least_margin: f64,
    /// A group of fewer is not relied on.
    pub least_texts: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { least_groups: 2, most_groups: 12, seed: 7, repeats: 8, least_margin: 0.02, least_texts: 3 }
    }
}

#[derive(Debug, Error)]
pub enum ClusterError {
    #[error("{0} reasons are too few to find groups among: at least {1} are needed")]
    TooFew(usize, usize),
    #[error("the reasons could not be embedded: {0}")]
    Embedding(String),
    #[error("from {0} to {1} groups: there must be at least 2, and no fewer at most than at least")]
    Range(usize, usize),
}

/// One number of groups that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    pub groups: usize,
    /// How much nearer texts are to their own group than to the next, from -1 to 1.
    pub silhouette: f64,
    /// The mean adjusted Rand index between repeats with other seeds: 1 if they all come to the same.
    pub stability: f64,
}

impl Sweep {
    /// Groups that come out otherwise with every seed are no groups, however well they look once.
    fn worth(&self) -> f64 {
        self.silhouette * self.stability
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cluster {
    /// From 1, the largest first.
    pub number: usize,
    pub name: String,
    /// What names it where nobody else did.
    pub terms: Vec<String>,
    /// Places in `reasons`, those nearest to the middle first.
    pub reasons: Vec<usize>,
    pub silhouette: f64,
    /// Too few texts to be relied on.
    pub is_small: bool,
}

/// How much of what was said the groups account for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coverage {
    pub texts: usize,
    /// In a group, and clearly so.
    pub assigned: usize,
    /// Of these, in groups that are large enough.
    pub in_large_groups: usize,
    /// Places of texts that belong to no group, or as well to another.
    pub left_over: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clusters {
    pub version: u32,
    /// What the vectors were made by: the digest of an embedding model, or `words`.
    pub vectors: String,
    pub settings: Settings,
    pub reasons: Vec<Reason>,
    pub sweep: Vec<Sweep>,
    pub clusters: Vec<Cluster>,
    pub coverage: Coverage,
}

/// A difference in worth that says nothing.
const NEARLY: f64 = 0.005;
/// Fewer texts than these have no groups worth the name.
const LEAST_TEXTS: usize = 6;
const TERMS: usize = 4;

/// Groups of reasons, by meaning where an embedding model is given and by words where not.
pub fn cluster(
    reasons: Vec<Reason>,
    embed: Option<&dyn Embed>,
    settings: Settings,
) -> Result<Clusters, ClusterError> {
    if settings.least_groups < 2 || settings.most_groups < settings.least_groups {
        return Err(ClusterError::Range(settings.least_groups, settings.most_groups));
    }
    let texts: Vec<&str> = reasons.iter().map(|reason| reason.text.as_str()).collect();
    let (vectors, made_by) = vectors(&texts, embed)?;
    let places: Vec<usize> = (0..texts.len()).filter(|at| vectors[*at].is_some()).collect();
    let points: Vec<Vec<f32>> = vectors.into_iter().flatten().collect();
    if points.len() < LEAST_TEXTS {
        return Err(ClusterError::TooFew(points.len(), LEAST_TEXTS));
    }
    // With fewer than two texts a group there is nothing in common.
    let most = settings.most_groups.min(points.len() / 2).max(settings.least_groups);
    let tried: Vec<Attempt> =
        (settings.least_groups..=most).map(|groups| attempt(&points, groups, &settings)).collect();
    // Nearly as good with fewer groups is better: they are easier to name.
    let best = tried.iter().map(|tried| tried.sweep.worth()).fold(f64::NEG_INFINITY, f64::max);
    let chosen = tried.iter().find(|tried| tried.sweep.worth() >= best - NEARLY).or(tried.first());
    let Some(Attempt { sweep, grouping: Grouping { of_point, centres, .. }, silhouette }) = chosen else {
        return Err(ClusterError::TooFew(points.len(), LEAST_TEXTS));
    };
    let groups = sweep.groups;
    let mut of_text: Vec<Option<usize>> = vec![None; texts.len()];
    let mut left_over: Vec<usize> = (0..texts.len()).filter(|at| !places.contains(at)).collect();
    for (point, place) in places.iter().enumerate() {
        if margin(&points[point], of_point[point], centres) >= settings.least_margin {
            of_text[*place] = Some(of_point[point]);
        } else {
            left_over.push(*place);
        }
    }
    left_over.sort_unstable();
    let terms = salient_terms(&texts, &of_text, groups, TERMS);
    let clusters: Vec<Cluster> = (0..groups)
        .map(|group| {
            let mut members: Vec<usize> =
                (0..points.len()).filter(|point| of_text[places[*point]] == Some(group)).collect();
            let mean =
                members.iter().map(|point| silhouette[*point]).sum::<f64>() / members.len().max(1) as f64;
            members.sort_by(|one, other| {
                squared(&points[*one], &centres[group]).total_cmp(&squared(&points[*other], &centres[group]))
            });
            Cluster {
                number: group + 1,
                name: terms[group].join(", "),
                terms: terms[group].clone(),
                is_small: members.len() < settings.least_texts,
                reasons: members.into_iter().map(|point| places[point]).collect(),
                silhouette: mean,
            }
        })
        .collect();
    let coverage = Coverage {
        texts: texts.len(),
        assigned: texts.len() - left_over.len(),
        in_large_groups: clusters
            .iter()
            .filter(|cluster| !cluster.is_small)
            .map(|cluster| cluster.reasons.len())
            .sum(),
        left_over,
    };
    let sweep = tried.iter().map(|tried| tried.sweep).collect();
    Ok(Clusters { version: CLUSTERS_VERSION, vectors: made_by, settings, reasons, sweep, clusters, coverage })
}

type MaybeVectors = Vec<Option<Vec<f32>>>;

fn vectors(texts: &[&str], embed: Option<&dyn Embed>) -> Result<(MaybeVectors, String), ClusterError> {
    let Some(embed) = embed else { return Ok((lexical_vectors(texts), "words".to_owned())) };
    let found = embed.embed(texts).map_err(|error| ClusterError::Embedding(error.to_string()))?;
    if found.len() != texts.len() {
        let problem = format!("{} vectors for {} texts", found.len(), texts.len());
        return Err(ClusterError::Embedding(problem));
    }
    let rows = (0..found.len()).map(|row| to_unit(found.row(row).to_vec())).collect();
    Ok((rows, embed.identity().to_string()))
}

/// A number of groups, as it came out.
struct Attempt {
    sweep: Sweep,
    grouping: Grouping,
    /// Of each point.
    silhouette: Vec<f64>,
}

/// Groups with several seeds: the tightest grouping is kept, and how far all of them agree says whether it was luck.
fn attempt(points: &[Vec<f32>], groups: usize, settings: &Settings) -> Attempt {
    let repeats = 1..settings.repeats.max(1) as u64;
    let mut best = k_means(points, groups, settings.seed);
    let mut groupings = vec![best.of_point.clone()];
    for more in repeats {
        let found = k_means(points, groups, settings.seed ^ (more << 32));
        groupings.push(found.of_point.clone());
        if found.spread < best.spread {
            best = found;
        }
    }
    let silhouette = silhouettes(points, &best.of_point, groups);
    let sweep = Sweep {
        groups,
        silhouette: silhouette.iter().sum::<f64>() / silhouette.len() as f64,
        stability: mean_agreement(&groupings),
    };
    Attempt { sweep, grouping: best, silhouette }
}

/// By what share of the distance the own centre is nearer than the next.
fn margin(point: &[f32], own: usize, centres: &[Vec<f32>]) -> f64 {
    let to_own = squared(point, &centres[own]).sqrt();
    let others = centres.iter().enumerate().filter(|(at, _)| *at != own).map(|(_, centre)| centre);
    let to_next = others.map(|centre| squared(point, centre)).fold(f64::INFINITY, f64::min).sqrt();
    if to_next > 0.0 { (to_next - to_own) / to_next } else { 0.0 }
}

impl Clusters {
    pub fn chosen(&self) -> Option<&Sweep> {
        self.sweep.iter().find(|sweep| sweep.groups == self.clusters.len())
    }

    pub fn texts_of<'a>(&'a self, cluster: &'a Cluster) -> impl Iterator<Item = &'a str> {
        cluster.reasons.iter().filter_map(|at| self.reasons.get(*at)).map(|reason| reason.text.as_str())
    }
}
