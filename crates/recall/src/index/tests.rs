use std::fs;
use std::sync::Mutex;

use proptest::prelude::*;
use umpire_model::Digest;

use super::*;
use crate::bank::Entry;

/// Counts letters: a meaning good enough to tell words apart, and to be told by hand.
struct Letters {
    name: &'static str,
    asked: Mutex<Vec<usize>>,
}

fn letters(name: &'static str) -> Arc<Letters> {
    Arc::new(Letters { name, asked: Mutex::default() })
}

impl Embed for Letters {
    fn identity(&self) -> Digest {
        Digest::of(self.name.as_bytes())
    }

    fn embed(&self, texts: &[&str]) -> Result<Vectors, EmbedError> {
        self.asked.lock().expect("a lock").push(texts.len());
        let count = |text: &&str, letter: char| text.chars().filter(|c| *c == letter).count() as f32;
        let rows = texts.iter().flat_map(|text| ('a'..='z').map(move |letter| count(text, letter)));
        Vectors::new(26, rows.collect()).map_err(|error| EmbedError(error.to_string()))
    }
}

fn bank() -> Bank {
    let entry =
        |kind: &str, object: &str| Entry { kind: kind.into(), object: object.into(), ..Entry::default() };
    Bank::new(vec![
        entry("purchase", "oat milk"),
        entry("web visit", "concert in the park"),
        entry("purchase", "rye bread"),
        entry("web visit", "concert in the park"),
    ])
}

fn dense() -> Method {
    Method::Dense(letters("letters"))
}

fn ids(hits: &[Hit]) -> Vec<usize> {
    hits.iter().map(|hit| hit.id).collect()
}

#[test]
fn each_method_finds_its_own() {
    let cut = Cut { most: 2, least: Some(0.0) };
    let by_words =
        Index::build(&bank(), Keys::TypeObject, &Method::Lexical(Bm25::default())).expect("an index");
    assert_eq!(ids(&by_words.search("Bread?", cut).expect("hits")), [2]);
    assert_eq!(ids(&by_words.search("concert", cut).expect("hits")), [3, 1]);
    assert_eq!(by_words.search("opera", cut).expect("hits"), []);

    let by_meaning = Index::build(&bank(), Keys::Object, &dense()).expect("an index");
    let found = by_meaning.search("milkoat", cut).expect("hits");
    // The same letters in another order; by cosine 1, and no word in common.
    assert_eq!(found[0].id, 0);
    assert!((found[0].score - 1.0).abs() < 1e-6);

    let embed = letters("letters");
    let both = Method::Hybrid(embed, Bm25::default());
    let by_both = Index::build(&bank(), Keys::Object, &both).expect("an index");
    let shares = Lexical::of(&Keys::Object.of_bank(&bank()), Bm25::default()).shares("oat milk");
    let found = by_both.search("oat milk", cut).expect("hits");
    assert_eq!(found[0].id, 0);
    assert!((found[0].score - f32::midpoint(shares[0], 1.0)).abs() < 1e-6);
}

#[test]
fn a_cut_keeps_so_many_and_no_worse() {
    let index = Index::build(&bank(), Keys::TypeObject, &dense()).expect("an index");
    let all = index.search("purchase: oat milk", Cut { most: 20, least: Some(-1.0) }).expect("hits");
    assert_eq!(all.len(), 4);
    assert!(all.is_sorted_by(|one, next| one > next), "{all:?}");
    // The first, and the two concerts, which are equal.
    let least = all[2].score;
    let kept = index.search("purchase: oat milk", Cut { most: 20, least: Some(least) }).expect("hits");
    assert_eq!(ids(&kept), ids(&all[..3]));
    assert_eq!(index.search("purchase: oat milk", Cut { most: 1, least: None }).expect("hits").len(), 1);
}

#[test]
fn queries_are_embedded_together() {
    let embed = letters("letters");
    let index =
        Index::build(&bank(), Keys::Object, &Method::Dense(Arc::<Letters>::clone(&embed))).expect("an index");
    let queries = ["milk", "bread", "park"];
    let together = index.search_all(&queries, Cut::default()).expect("hits");
    assert_eq!(*embed.asked.lock().expect("a lock"), [4, 3]);
    for (query, hits) in queries.iter().zip(together) {
        assert_eq!(index.search(query, Cut::default()).expect("hits"), hits);
    }
}

#[test]
fn an_empty_bank_has_no_hits_and_asks_nobody() {
    let embed = letters("letters");
    for method in [
        Method::Lexical(Bm25::default()),
        Method::Dense(Arc::<Letters>::clone(&embed)),
        Method::Hybrid(Arc::<Letters>::clone(&embed), Bm25::default()),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("index");
        Index::build(&Bank::default(), Keys::All, &method).expect("an index").save(&file).expect("saved");
        let index = Index::load(&file, &Bank::default(), Keys::All, &method).expect("loaded");
        assert_eq!(index.search_all(&["milk", "bread"], Cut::default()).expect("hits"), [vec![], vec![]]);
    }
    assert_eq!(*embed.asked.lock().expect("a lock"), [0_usize; 0]);
}

type Answer = fn(usize) -> Result<Vectors, EmbedError>;

struct Broken(Answer);

impl Embed for Broken {
    fn identity(&self) -> Digest {
        Digest::of(b"broken")
    }

    fn embed(&self, texts: &[&str]) -> Result<Vectors, EmbedError> {
        (self.0)(texts.len())
    }
}

#[test]
fn an_embedder_that_fails_is_named() {
    let wrong: [(Answer, &str); 3] = [
        (|_| Err(EmbedError("no route to host".to_owned())), "embedding failed: no route to host"),
        (|_| Ok(Vectors::new(2, vec![1.0; 2]).expect("a vector")), "gave 1 vectors for 4 texts"),
        (|n| Ok(Vectors::new(2, vec![0.0; 2 * n]).expect("vectors")), "vector 0 has no direction"),
    ];
    for (embed, said) in wrong {
        let Err(problem) = Index::build(&bank(), Keys::Object, &Method::Dense(Arc::new(Broken(embed))))
        else {
            panic!("{said}")
        };
        assert!(problem.to_string().contains(said), "{problem}");
    }
}

fn saved(folder: &Path, method: &Method) -> std::path::PathBuf {
    let file = folder.join("banks/index.safetensors");
    Index::build(&bank(), Keys::TypeObject, method).expect("an index").save(&file).expect("saved");
    file
}

#[test]
fn a_saved_index_finds_the_same_and_embeds_nothing_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let built = Index::build(&bank(), Keys::TypeObject, &dense()).expect("an index");
    let file = saved(folder.path(), &dense());
    let embed = letters("letters");
    let both = Method::Hybrid(Arc::<Letters>::clone(&embed), Bm25::default());
    for method in [Method::Dense(Arc::<Letters>::clone(&embed)), both] {
        let loaded = Index::load(&file, &bank(), Keys::TypeObject, &method).expect("loaded");
        assert_eq!(*embed.asked.lock().expect("a lock"), [0_usize; 0]);
        if matches!(method, Method::Dense(_)) {
            let query = "purchase: tea";
            assert_eq!(
                loaded.search(query, Cut::default()).expect("hits"),
                built.search(query, Cut::default()).expect("hits")
            );
            embed.asked.lock().expect("a lock").clear();
        }
    }
}

#[test]
fn a_stale_index_says_what_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = saved(folder.path(), &dense());
    let mut longer = bank().entries().to_vec();
    longer.push(Entry::default());
    let mut edited = bank().entries().to_vec();
    edited[1].timestamp.push('1');
    for (bank, keys, method, said) in [
        (Bank::new(longer), Keys::TypeObject, dense(), "the bank has changed since (4 entries then, 5 now)"),
        (Bank::new(edited), Keys::TypeObject, dense(), "the bank has changed since"),
        (bank(), Keys::All, dense(), "it was made of the keys `type-object`, not `all`"),
        (bank(), Keys::TypeObject, Method::Dense(letters("others")), "with another embedding model"),
    ] {
        match Index::load(&file, &bank, keys, &method) {
            Err(problem @ IndexFileError::Stale { .. }) => {
                assert!(problem.to_string().contains(said), "{problem}");
            }
            Err(other) => panic!("{said}: {other}"),
            Ok(_) => panic!("{said}: loaded"),
        }
    }
    let by_words = folder.path().join("words");
    let lexical = Method::Lexical(Bm25::default());
    Index::build(&bank(), Keys::TypeObject, &lexical).expect("an index").save(&by_words).expect("saved");
    assert!(Index::load(&by_words, &bank(), Keys::TypeObject, &lexical).is_ok());
    let Err(problem) = Index::load(&by_words, &bank(), Keys::TypeObject, &dense()) else { panic!("loaded") };
    assert!(problem.to_string().contains("made without an embedding model"), "{problem}");
}

#[test]
fn what_is_no_index_is_said_to_be_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("index");
    let load = || match Index::load(&file, &bank(), Keys::TypeObject, &dense()) {
        Ok(_) => panic!("loaded"),
        Err(problem) => problem.to_string(),
    };
    assert!(load().contains("No such file"), "{}", load());
    for (content, said) in [
        (b"".to_vec(), "is no index file"),
        (b"{\"memory_bank\": []}".to_vec(), "is no index file"),
        (safetensors(None), "it has no metadata `umpire-recall`"),
        (safetensors(Some(r#"{"version": 2}"#)), "has version 2; this program knows version 1"),
        (safetensors(Some(r#"{"version": 1}"#)), "missing field"),
        (safetensors(Some("[]")), "is no index file: its metadata"),
    ] {
        fs::write(&file, content).expect("written");
        assert!(load().contains(said), "{said}: {}", load());
    }
}

fn safetensors(header: Option<&str>) -> Vec<u8> {
    let metadata = header.map(|text| [("umpire-recall".to_owned(), text.to_owned())].into());
    let tensor =
        safetensors::tensor::TensorView::new(safetensors::Dtype::F32, vec![0, 1], &[]).expect("a tensor");
    safetensors::serialize([("vectors", tensor)], metadata).expect("a file")
}

proptest! {
    /// Wherever a file is hurt, it is refused, or was hurt where it says nothing (the spaces that fill its header up).
    #[test]
    fn a_damaged_index_is_never_used(at in any::<prop::sample::Index>(), bit in 0_u8..8, cut in any::<bool>()) {
        let folder = tempfile::tempdir().expect("a folder");
        let file = saved(folder.path(), &dense());
        let whole = fs::read(&file).expect("a file");
        let at = at.index(whole.len());
        let mut hurt = whole.clone();
        if cut {
            hurt.truncate(at);
        } else {
            hurt[at] ^= 1 << bit;
        }
        fs::write(&file, &hurt).expect("written");
        if let Ok(loaded) = Index::load(&file, &bank(), Keys::TypeObject, &dense()) {
            prop_assert_eq!(whole[at], b' ');
            let again = folder.path().join("again");
            loaded.save(&again).expect("saved");
            prop_assert_eq!(fs::read(&again).expect("a file"), whole);
        }
    }

    #[test]
    fn any_bank_comes_back_from_its_file(objects in prop::collection::vec("[a-z ]{0,12}[a-z]", 0..20)) {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("index");
        let bank = Bank::of_texts(objects.clone());
        let built = Index::build(&bank, Keys::Object, &dense()).expect("an index");
        built.save(&file).expect("saved");
        let loaded = Index::load(&file, &bank, Keys::Object, &dense()).expect("loaded");
        let queries: Vec<&str> = objects.iter().map(String::as_str).collect();
        let all = Cut { most: 30, least: Some(0.0) };
        prop_assert_eq!(loaded.search_all(&queries, all).expect("hits"), built.search_all(&queries, all).expect("hits"));
    }
}
