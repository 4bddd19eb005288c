//! The shared vectors of retrieval: what faiss and the reference encoder found, and what is found here.

mod support;

use std::sync::Arc;

use serde::Deserialize;
use umpire_recall::{Bank, Cut, Embed as _, Encoder, Flat, Hit, Index, Keys, Method, Vectors};

use support::{floats, folder, json, lines, model};

/// How far scores may be apart, by the README of the vectors.
const SCORE: f32 = 1e-5;
/// Ids whose scores are closer than this may change places.
const EQUAL: f32 = 2e-6;

#[derive(Deserialize)]
struct FlatCase {
    seed: u64,
    d: usize,
    k: usize,
    db: Vec<Vec<f32>>,
    queries: Vec<Vec<f32>>,
    scores: Vec<Vec<Option<f32>>>,
    ids: Vec<Vec<i64>>,
}

#[test]
fn vectors_retrieval_flat_index() {
    let Some(folder) = folder() else { return };
    let cases: Vec<FlatCase> = json(&folder.join("index_flat_ip.json"));
    let mut queries = 0;
    for case in &cases {
        let flat = Flat::new(Vectors::new(case.d, case.db.concat()).expect("vectors"));
        let asked = Vectors::new(case.d, case.queries.concat()).expect("queries");
        let found = flat.search(&asked, case.k).expect("equal dimensions");
        for (query, hits) in found.iter().enumerate() {
            let place = format!("seed {}, query {query}", case.seed);
            // Places that nothing was found for have no score, and the id -1.
            let wanted: Vec<(usize, f32)> = case.ids[query]
                .iter()
                .zip(&case.scores[query])
                .filter_map(|(id, score)| Some((usize::try_from(*id).ok()?, score.expect("a score"))))
                .collect();
            let got: Vec<(usize, f32)> = hits.iter().map(|hit| (hit.id, hit.score)).collect();
            assert_eq!(got, wanted, "{place}");
            queries += 1;
        }
    }
    println!("flat index: {} cases, {queries} queries compared", cases.len());
    assert!(queries > 0, "nothing was compared");
}

#[derive(Deserialize)]
struct EncoderCase {
    text: String,
    #[serde(alias = "ids", alias = "input_ids")]
    token_ids: Vec<u32>,
    embedding: Vec<f32>,
}

#[test]
fn vectors_retrieval_encoder() {
    let (Some(folder), Some(model)) = (folder(), model()) else { return };
    let encoder = Encoder::open(&model).expect("a model");
    let cases: Vec<EncoderCase> = lines(&folder.join("encoder.jsonl"));
    let texts: Vec<&str> = cases.iter().map(|case| case.text.as_str()).collect();
    let together = encoder.embed(&texts).expect("embeddings");
    let mut farthest: f32 = 0.0;
    for (place, case) in cases.iter().enumerate() {
        assert_eq!(encoder.tokens(&case.text), case.token_ids, "{:?}", case.text);
        assert_eq!(together.row(place).len(), case.embedding.len());
        for (found, wanted) in together.row(place).iter().zip(&case.embedding) {
            assert!((found - wanted).abs() <= SCORE, "{:?}: {found} for {wanted}", case.text);
            farthest = farthest.max((found - wanted).abs());
        }
        let alone = encoder.embed(&[&case.text]).expect("an embedding");
        assert_eq!(alone.row(0), together.row(place), "{:?} in company and alone", case.text);
    }
    println!("encoder: {} texts compared, largest difference {farthest:.1e}", cases.len());
    assert!(!cases.is_empty(), "nothing was compared");
}

#[derive(Deserialize)]
struct RetrievalCase {
    case_id: String,
    user: String,
    bank: String,
    key_format: String,
    query: String,
    top_k: usize,
    threshold: f32,
    top20: Vec<Wanted>,
    kept_ids: Vec<usize>,
    margin_to_threshold: f32,
    boundary_candidates: Vec<usize>,
}

#[derive(Deserialize)]
struct Wanted {
    id: usize,
    score: f32,
}

fn retrieval_cases(folder: &std::path::Path) -> Vec<RetrievalCase> {
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").flatten().map(|file| file.path()).collect();
    files.retain(|path| {
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("retrieval_") && path.extension().is_some_and(|extension| extension == "jsonl")
    });
    files.sort();
    files.iter().flat_map(|path| lines(path)).collect()
}

fn keys_of(format: &str) -> Keys {
    match format {
        "type_object" => Keys::TypeObject,
        "bracket_type_object" => Keys::BracketedTypeObject,
        "all" => Keys::All,
        other => panic!("a key format that is not known: {other}"),
    }
}

/// The comparison rule of the README. `all` is the first so many without a threshold, `kept` those over it.
fn compare(case: &RetrievalCase, all: &[Hit], kept: &[Hit]) {
    let place = &case.case_id;
    assert_eq!(all.len(), case.top20.len(), "{place}");
    for (rank, (found, wanted)) in all.iter().zip(&case.top20).enumerate() {
        assert!(
            (found.score - wanted.score).abs() <= SCORE,
            "{place}, rank {rank}: {found:?} for {}",
            wanted.score
        );
        if found.id != wanted.id {
            let listed = case.top20.iter().find(|other| other.id == found.id);
            let swapped = listed.is_some_and(|other| (other.score - wanted.score).abs() <= EQUAL);
            let at_the_end = rank + 1 == case.top20.len() && case.boundary_candidates.contains(&found.id);
            assert!(swapped || at_the_end, "{place}, rank {rank}: {found:?} for {}", wanted.id);
        }
    }
    if case.margin_to_threshold >= SCORE {
        let mut found: Vec<usize> = kept.iter().map(|hit| hit.id).collect();
        let mut wanted = case.kept_ids.clone();
        if let (Some(last), Some(candidate)) = (found.last().copied(), wanted.last_mut()) {
            // The last place may be taken by another of its score.
            if case.boundary_candidates.contains(&last) && case.boundary_candidates.contains(candidate) {
                *candidate = last;
            }
        }
        found.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{place}: what is kept");
    }
}

#[derive(Deserialize)]
struct Given {
    user: String,
    key_format: String,
    rows: usize,
    dim: usize,
    queries: Vec<String>,
}

/// Search without an encoder: the bank's and the queries' embeddings are given.
#[test]
fn vectors_retrieval_given_embeddings() {
    let Some(folder) = folder() else { return };
    let embeddings = folder.join("embeddings");
    let cases = retrieval_cases(&folder);
    let (mut users, mut compared) = (0, 0);
    for file in std::fs::read_dir(&embeddings).expect("a folder").flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        let Some(name) = name.strip_suffix(".meta.json") else { continue };
        let given: Given = json(&file.path());
        let bank = floats(&embeddings.join(format!("{name}.{}.f32le.bin", given.key_format)));
        let bank = Vectors::new(given.dim, bank).expect("vectors");
        assert_eq!(bank.len(), given.rows);
        let queries = floats(&embeddings.join(format!("{name}.queries.f32le.bin")));
        let queries = Vectors::new(given.dim, queries).expect("vectors");
        assert_eq!(queries.len(), given.queries.len());
        let flat = Flat::new(bank);
        for case in cases.iter().filter(|case| case.user == given.user && case.key_format == given.key_format)
        {
            let place = given.queries.iter().position(|query| *query == case.query);
            let place = place.unwrap_or_else(|| panic!("{}: its query has no embedding", case.case_id));
            let query = Vectors::new(given.dim, queries.row(place).to_vec()).expect("a vector");
            let [all] =
                flat.search(&query, case.top_k).expect("equal dimensions").try_into().expect("one list");
            let kept: Vec<Hit> = all.iter().copied().filter(|hit| hit.score >= case.threshold).collect();
            compare(case, &all, &kept);
            compared += 1;
        }
        users += 1;
    }
    println!("retrieval from given embeddings: {users} banks, {compared} queries compared");
    assert!(compared > 0, "nothing was compared");
}

/// All of it: the bank's file, its keys, the encoder, the index, saved and loaded.
#[test]
fn vectors_retrieval_end_to_end() {
    let (Some(folder), Some(model)) = (folder(), model()) else { return };
    let method = Method::Dense(Arc::new(Encoder::open(&model).expect("a model")));
    let mut cases = retrieval_cases(&folder);
    cases.sort_by(|one, other| (&one.bank, &one.key_format).cmp(&(&other.bank, &other.key_format)));
    let scratch = tempfile::tempdir().expect("a folder");
    let mut indices = 0;
    for group in cases.chunk_by(|one, other| (&one.bank, &one.key_format) == (&other.bank, &other.key_format))
    {
        let bank = Bank::read(&folder.join(&group[0].bank)).expect("a bank");
        let keys = keys_of(&group[0].key_format);
        let file = scratch.path().join(format!("{indices}.safetensors"));
        Index::build(&bank, keys, &method).expect("an index").save(&file).expect("saved");
        let index = Index::load(&file, &bank, keys, &method).expect("loaded");
        for case in group {
            let search = |least| index.search(&case.query, Cut { most: case.top_k, least }).expect("hits");
            compare(case, &search(Some(-1.0)), &search(Some(case.threshold)));
            assert_eq!(search(None), search(Some(0.5)), "0.5 is the default");
        }
        indices += 1;
    }
    println!("retrieval end to end: {indices} indices, {} queries compared", cases.len());
    assert!(!cases.is_empty(), "nothing was compared");
}
