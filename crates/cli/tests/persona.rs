//! Histories of people, and agents that look into them, as a user has them: by seed, by a model that answers by script, in
//! real Chromium.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{LazyLock, Mutex};

use serde_json::{Value, json};
use umpire_llm::Provider;
use umpire_llm::scripted::{Act, Asked, Script, ScriptedProvider};

use crate::support::{Ran, folder, run};

static RUNTIME: LazyLock<tokio::runtime::Runtime> =
    LazyLock::new(|| tokio::runtime::Runtime::new().expect("runtime"));

fn provider(script: impl Fn(&Asked) -> Act + Send + Sync + 'static) -> ScriptedProvider {
    RUNTIME.block_on(ScriptedProvider::start(Script::new(script))).expect("a provider")
}

fn configure(folder: &Path, provider: &ScriptedProvider, more: &str) {
    let config = format!(
        "[models.small]\nprovider = \"openai-compatible\"\nmodel = \"tiny-1\"\nbase_url = \"{}\"\nprice = \"free\"\n{more}\n",
        provider.base_url(Provider::OpenAiCompatible)
    );
    std::fs::write(folder.join("umpire.toml"), config).expect("configuration");
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn parsed(ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    serde_json::from_str(&ran.stdout).expect("json")
}

#[test]
fn the_same_seed_gives_the_same_people_and_another_others() {
    let dir = folder();
    let make = |seed: &str, out: &str| {
        let made = ["persona", "generate", "--people", "2", "--entries", "300", "--seed", seed, "--out", out];
        let told = parsed(&run(dir.path(), &[&made[..], &["--json"]].concat()));
        let people = told["people"].as_array().expect("people").clone();
        people.iter().map(|one| one["person"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    let (first, again, other) = (make("3", "a"), make("3", "b"), make("4", "c"));
    assert_eq!(first, again);
    assert_eq!(first.len(), 2);
    for person in &first {
        let file = format!("{person}.json");
        assert_eq!(read(dir.path(), &format!("a/{file}")), read(dir.path(), &format!("b/{file}")));
        let profile: Value =
            serde_json::from_str(&read(dir.path(), &format!("a/profiles/{file}"))).expect("a profile");
        assert_eq!(profile["person"]["id"], person.as_str());
    }
    let of = |people: &[String], out: &str| read(dir.path(), &format!("{out}/{}.json", people[0]));
    assert_ne!(of(&first, "a"), of(&other, "c"));
}

/// Tells of one person, whose every deal is for organic things of one brand; the first thing it says is nonsense, and July
/// it never gets right.
#[derive(Default)]
struct Storyteller {
    home: Mutex<String>,
    begun: Mutex<bool>,
}

impl Storyteller {
    fn tell(&self, asked: &Asked) -> Act {
        let text = asked.text();
        if text.starts_with("You invent") {
            let home = text.lines().find_map(|line| line.strip_prefix("Home: ")).unwrap_or_default();
            home.clone_into(&mut self.home.lock().expect("home"));
            if !std::mem::replace(&mut *self.begun.lock().expect("begun"), true) {
                return Act::say("I would rather talk about the weather.");
            }
            let preferences =
                json!([{"key": "brand", "value": "Old Ferry"}, {"key": "diet", "value": "Organic"}]);
            let website = json!({"name": "Basketway", "host": "basketway.localhost"});
            return Act::say(
                json!({"domains": [{
                    "domain": "Groceries", "rationale": "Cooks.", "website": website, "frequency": 24,
                    "preferences": preferences, "patterns": ["On Saturdays."],
                }]})
                .to_string(),
            );
        }
        if text.starts_with("You keep the diary") {
            let month = text.split("in ").nth(1).and_then(|rest| rest.split(',').next()).unwrap_or_default();
            if month.starts_with("July") {
                return Act::say("Nothing happens in July.");
            }
            let day = if text.contains("now and then") { 20 } else { 10 };
            let (name, year) = month.split_once(' ').unwrap_or_default();
            let names =
                "January February March April May June July August September October November December";
            let number = names.split(' ').position(|known| known == name).unwrap_or_default() + 1;
            let date = format!("{year}-{number:02}-{day}");
            return Act::say(
                json!({"events": [{"date": date, "domain": "Groceries", "description": "something to eat"}]})
                    .to_string(),
            );
        }
        if text.starts_with("Something happens") {
            let date = text.lines().find_map(|line| line.strip_prefix("Date: ")).unwrap_or_default();
            let step = |time: &str, kind: &str| json!({"timestamp": format!("{date} {time}"), "type": kind, "action": "eat"});
            return Act::say(
                json!({"actions": [step("18:00:00", "web search"), step("18:05:00", "purchase")]})
                    .to_string(),
            );
        }
        let home = self.home.lock().expect("home").clone();
        let entry = |line: &str| {
            let (at, kind) = line.strip_prefix("- ")?.strip_suffix(": eat")?.split_at_checked(19)?;
            let object = match kind.trim() {
                "purchase" => format!("Old Ferry Rolled Oats (Organic), sent to {home}"),
                _ => "rolled oats".to_owned(),
            };
            Some(
                json!({"timestamp": at, "type": kind.trim(), "object": object, "website": "basketway.localhost"}),
            )
        };
        Act::say(json!({"entries": text.lines().filter_map(entry).collect::<Vec<_>>()}).to_string())
    }
}

#[test]
fn a_model_tells_of_people_and_is_asked_nothing_twice() {
    let teller = Storyteller::default();
    let provider = provider(move |asked| teller.tell(asked));
    let dir = folder();
    configure(dir.path(), &provider, "");
    let made = ["persona", "generate", "--model", "small", "--people", "1", "--out", "told", "--json"];
    let made = [&made[..], &["--entries", "720"]].concat();
    let first = run(dir.path(), &made);
    let told = parsed(&first);
    // 24 diaries but for July's two, each with one event of two entries; that of March 20 is after the last day.
    assert_eq!(told["people"][0]["entries"], 42, "{told}");
    assert!(first.stderr.contains("2 months or events could not be read"), "{}", first.stderr);
    assert!(first.stderr.contains("42 entries, where about 720 were asked for"), "{}", first.stderr);
    let calls = provider.asked();
    let diaries = |count: &str| calls.iter().filter(|call| call.text().contains(count)).count();
    // July is asked for three times.
    assert_eq!(diaries("About 14 such things"), 11 + 3, "two thirds of 60 entries a month, three an event");
    assert_eq!(diaries("About 4 such things"), 11 + 3, "and one third, six an event");
    assert_eq!(
        calls.len(),
        2 + 22 + 2 * 3 + 22 * 2,
        "tastes twice, diaries, July's six, actions and entries"
    );
    let complaint = "the reply holds no JSON object. Give the whole answer again.";
    assert!(calls[1].text().contains(complaint), "{}", calls[1].text());
    let again = run(dir.path(), &made);
    assert_eq!(parsed(&again)["people"][0]["digest"], told["people"][0]["digest"]);
    assert_eq!(provider.asked().len(), calls.len(), "what was answered is kept");

    let wrong = folder();
    std::fs::create_dir(wrong.path().join("prompts")).expect("a folder");
    std::fs::write(wrong.path().join("prompts/events.md"), "In {{moon}}.").expect("a template");
    configure(wrong.path(), &provider, "");
    let refused = run(wrong.path(), &[&made[..8], &["--prompts", "prompts"]].concat());
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("there is no `{{moon}}`"), "{}", refused.stderr);
}

#[test]
fn vectors_come_from_a_model_behind_an_address_too() {
    let provider = provider(|_| Act::say("."));
    let dir = folder();
    configure(dir.path(), &provider, "");
    let entry = |object: &str| json!({"timestamp": "2026-01-02 08:00:01", "type": "purchase", "object": object, "website": "a.b"});
    let bank = json!([entry("oat milk"), entry("garden chair"), entry("oat flakes"), entry("running shoes")]);
    std::fs::write(dir.path().join("bank.json"), bank.to_string()).expect("a history");
    let dense = ["--history-method", "dense", "--embedder", "small"];
    let asked = ["persona", "retrieve", "bank.json", "purchase: garden chair", "--json"];
    let found = parsed(&run(dir.path(), &[&asked[..], &dense].concat()));
    assert_eq!(found["hits"][0]["id"], 1, "{found}");
    let kept = run(dir.path(), &[&["persona", "index", "bank.json", "--out", "i"][..], &dense].concat());
    assert_eq!(kept.code, Some(0), "{}", kept.stderr);
    let before = provider.asked().len();
    let from_index = parsed(&run(dir.path(), &[&asked[..], &["--index", "i"], &dense].concat()));
    assert_eq!(from_index, found);
    assert_eq!(provider.asked().len(), before + 1, "only the query is embedded again");
    let unknown =
        run(dir.path(), &[&asked[..], &["--history-method", "dense", "--embedder", "large"]].concat());
    assert_eq!(unknown.code, Some(1));
    assert!(unknown.stderr.contains("there is no model `large`"), "{}", unknown.stderr);
}

/// Successes by the rubric and attempts, by agent, what it knows by, and level.
type Successes = BTreeMap<(String, String, u64), (usize, usize)>;

fn successes(scored: &Value) -> Successes {
    let mut counted = Successes::new();
    for one in scored.as_array().expect("scores") {
        let agent = one["attempt"].as_str().and_then(|id| id.split('/').next()).unwrap_or_default();
        let knowing = one["knowing"].as_str().expect("how it knows").to_owned();
        let level = one["level"].as_u64().expect("a level");
        let count = counted.entry((agent.to_owned(), knowing, level)).or_default();
        assert_eq!(one["least"]["success"], one["most"]["success"], "no judge can change it: {one}");
        count.0 += usize::from(one["least"]["success"] == true);
        count.1 += 1;
    }
    counted
}

/// One wish of each of the ten trades; a plain question does not tell where Maya lives.
const WISHES: [&str; 10] = [
    "groceries-noor-rahimi",
    "electronics-hiro-tanaka",
    "apparel-noor-rahimi",
    "books-hiro-tanaka",
    "hotels-maya-lindqvist",
    "flights-lena-eriksen",
    "restaurants-maya-lindqvist",
    "doctors-lena-eriksen",
    "courses-ruth-abernathy",
    "concerts-hiro-tanaka",
];

/// Runs agents on wishes, and gives the run's name and the outcomes.
fn wished(folder: &Path, wishes: &str, agents: &str, more: &[&str]) -> (String, Vec<(String, String)>) {
    let made = ["run", "--suite", "persona", "--filter", wishes, "--agent", agents, "--json"];
    let ran = run(folder, &[&made[..], more].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let name = ran.events().iter().find_map(|event| event["run"].as_str().map(str::to_owned));
    (name.expect("a run"), ran.outcomes())
}

#[test]
fn a_history_makes_the_difference_and_the_more_so_the_less_is_said() {
    let dir = folder();
    let ten = WISHES.map(|wish| format!("task={wish}")).join(" or ");
    let (known, outcomes) = wished(dir.path(), &format!("level=2 and ({ten})"), "oracle", &[]);
    assert!(outcomes.iter().all(|(_, outcome)| outcome == "pass"), "the oracle fulfils all: {outcomes:?}");
    let levels = format!("(level=1 or level=2) and ({ten}) or level=0 and task=books-hiro-tanaka");
    let (curve, outcomes) = wished(dir.path(), &levels, "recaller,stranger", &[]);
    let passed = |agent: &str, level: &str| {
        let own = |id: &str| id.starts_with(agent) && id.contains(&format!("@{level}/"));
        outcomes.iter().filter(|(id, outcome)| own(id) && outcome == "pass").count()
    };
    assert_eq!(passed("stranger", "2"), 0, "nobody comes by what only the history tells: {outcomes:?}");
    assert!((1..10).contains(&passed("recaller", "2")), "some of it is hard to find out: {outcomes:?}");
    let two = "level=2 and (task=books-hiro-tanaka or task=groceries-noor-rahimi)";
    let (by_all, _) = wished(dir.path(), two, "recaller", &["--history-keys", "all"]);

    let scored =
        run(dir.path(), &["persona", "score", &known, &curve, &by_all, "--json", "--plot", "levels.svg"]);
    let counted = successes(&parsed(&scored));
    let of = |agent: &str, knowing: &str, level: u64| counted[&(agent.to_owned(), knowing.to_owned(), level)];
    let (plain, all) = ("lexical, type-object", "lexical, all");
    assert_eq!(of("oracle", "–", 2), (0, 10), "it knows without having looked, which is no success");
    assert_eq!((of("stranger", "–", 1), of("stranger", "–", 2)), ((0, 10), (0, 10)));
    assert_eq!((of("stranger", "–", 0), of("recaller", plain, 0)), ((1, 1), (1, 1)), "all is said");
    let ((at_1, _), (at_2, of_all)) = (of("recaller", plain, 1), of("recaller", plain, 2));
    assert!(0 < at_2 && at_2 < of_all, "{at_2} of {of_all}: between one that knows and one that does not");
    assert!(at_2 <= at_1, "{at_2} where less is said, {at_1} where more is");
    assert_eq!(of("recaller", all, 2).1, 2, "the same wishes, searched by other keys");
    let plot = read(dir.path(), "levels.svg");
    assert!(plot.contains("recaller (lexical, type-object)") && plot.contains("stranger"), "{plot}");
    let told = run(dir.path(), &["persona", "score", &curve, &by_all]).stdout;
    for keys in [plain, all] {
        let is_row = |line: &&str| line.contains("recaller") && line.contains(keys) && line.contains(" 2 ");
        assert!(told.lines().any(|line| is_row(&line)), "{keys}: {told}");
    }
}

#[test]
fn wishes_are_written_beside_the_histories_and_a_spoilt_one_is_found() {
    let dir = folder();
    let made = ["persona", "generate", "--people", "1", "--entries", "300", "--out", "people", "--json"];
    let told = parsed(&run(dir.path(), &made));
    let person = told["people"][0]["person"].as_str().expect("a name");
    let file = format!("people/queries/{person}.json");
    let mut wishes: Value = serde_json::from_str(&read(dir.path(), &file)).expect("wishes");
    let count = wishes["sets"].as_array().expect("sets").len();
    assert!(count > 5 && told["people"][0]["wishes"] == count, "{told}");
    assert!(wishes["sets"].as_array().expect("sets").iter().all(|set| {
        set["gold"]["websites"].is_array()
            && set["gold"]["preferences"].as_array().is_some_and(|p| p.len() == 2)
    }));
    let sound = run(dir.path(), &["persona", "check", &file]);
    assert_eq!(sound.code, Some(0), "{}{}", sound.stdout, sound.stderr);
    assert!(sound.stdout.contains(&format!("{count} wishes at three levels, 0 unsound")), "{}", sound.stdout);

    let name = wishes["sets"][0]["gold"]["websites"][0]["name"].as_str().expect("a name").to_owned();
    wishes["sets"][0]["texts"][2] = json!(format!("Go to {name} and get me something."));
    std::fs::write(dir.path().join("spoilt.json"), wishes.to_string()).expect("written");
    let spoilt = run(dir.path(), &["persona", "check", "spoilt.json"]);
    assert_eq!(spoilt.code, Some(100), "{}{}", spoilt.stdout, spoilt.stderr);
    assert!(spoilt.stdout.contains("level 2 gives the website away"), "{}", spoilt.stdout);
    assert!(spoilt.stdout.contains("1 unsound"), "{}", spoilt.stdout);
    let none = run(dir.path(), &["persona", "check", "umpire.toml"]);
    assert_eq!(none.code, Some(1), "{}", none.stderr);

    let suite =
        parsed(&run(dir.path(), &["persona", "generate", "--suite", "persona", "--out", "own", "--json"]));
    let wishes: u64 =
        suite["people"].as_array().expect("people").iter().filter_map(|one| one["wishes"].as_u64()).sum();
    assert_eq!(wishes, 73, "those of the suite are its tasks");
}

/// Calls of the embedding model that are in the record of the only attempt at a wish.
fn recorded_calls(folder: &Path, run: &str) -> usize {
    let file = folder.join("runs").join(run).join("attempts/recaller/books-hiro-tanaka@2/1/journal.jsonl");
    let journal = std::fs::read_to_string(file).expect("a journal");
    journal.lines().filter(|line| line.contains("\"type\":\"model_called\"")).count()
}

#[test]
fn what_was_embedded_is_kept_recorded_and_paid_for() {
    let provider = provider(|_| Act::say("."));
    let dir = folder();
    configure(dir.path(), &provider, "");
    let dense = ["--history-method", "dense", "--embedder", "small", "--history-index", "kept"];
    let wish = "id=books-hiro-tanaka@2";
    let (first, _) = wished(dir.path(), wish, "recaller", &dense);
    let asked = provider.asked().len();
    assert!(asked > 2_000 / 96, "a history is some 2,000 entries: {asked}");
    assert_eq!(recorded_calls(dir.path(), &first), asked, "each is in the record of who asked");
    let (second, _) = wished(dir.path(), wish, "recaller", &[&dense[..], &["--seed", "8"]].concat());
    let questions = provider.asked().len() - asked;
    assert!((1..=5).contains(&questions), "only questions are embedded again: {questions}");
    assert_eq!(recorded_calls(dir.path(), &second), questions);

    let entry =
        json!({"timestamp": "2026-01-02 08:00:01", "type": "purchase", "object": "oats", "website": "a.b"});
    std::fs::create_dir(dir.path().join("others")).expect("a folder");
    std::fs::write(dir.path().join("others/hiro-tanaka.json"), json!([entry]).to_string())
        .expect("a history");
    let made =
        ["run", "--suite", "persona", "--filter", wish, "--agent", "recaller", "--histories", "others"];
    let refused = run(dir.path(), &[&made[..], &dense].concat());
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    for reason in ["is out of date", "entries then, 1 now", "--history-index"] {
        assert!(refused.stderr.contains(reason), "{}", refused.stderr);
    }
    let lexical = run(dir.path(), &[&made[..7], &["--history-index", "kept"]].concat());
    assert_eq!(lexical.code, Some(1));
    assert!(lexical.stderr.contains("the method `lexical` has none"), "{}", lexical.stderr);
}

#[test]
fn a_run_is_scored_with_the_histories_it_had() {
    let dir = folder();
    let made = run(dir.path(), &["persona", "generate", "--suite", "persona", "--out", "mine"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let mut history: Value =
        serde_json::from_str(&read(dir.path(), "mine/hiro-tanaka.json")).expect("a history");
    history["memory_bank"].as_array_mut().expect("entries").remove(0);
    std::fs::write(dir.path().join("mine/hiro-tanaka.json"), history.to_string()).expect("written");
    let mine = ["--histories", "mine"];
    let (name, _) = wished(dir.path(), "id=books-hiro-tanaka@2", "recaller", &mine);
    let manifest: Value =
        serde_json::from_str(&read(dir.path(), &format!("runs/{name}/manifest.json"))).expect("a manifest");
    assert!(manifest["history"]["histories"].is_string(), "{manifest}");
    let scored = ["persona", "score", "--json"];
    let refused = run(dir.path(), &scored);
    assert_eq!(refused.code, Some(1), "{}", refused.stdout);
    assert!(refused.stderr.contains("its hits are of another"), "{}", refused.stderr);
    let told = parsed(&run(dir.path(), &[&scored[..], &mine].concat()));
    assert!(told[0]["knowing"].as_str().is_some_and(|told| told.contains("histories")), "{told}");

    std::fs::write(dir.path().join("mine/hiro-tanaka.json"), r#"[{"object": "oats"}]"#).expect("written");
    let made = ["run", "--suite", "persona", "--filter", "id=books-hiro-tanaka@2", "--agent", "recaller"];
    let refused = run(dir.path(), &[&made[..], &mine].concat());
    assert_eq!(refused.code, Some(1), "what cannot be scored is not run: {}", refused.stdout);
    assert!(refused.stderr.contains("entry 0: no `type`"), "{}", refused.stderr);
}

#[test]
fn a_run_without_money_for_embeddings_says_so_and_can_go_on() {
    let provider = provider(|_| Act::say("."));
    let dir = folder();
    configure(dir.path(), &provider, "");
    let config = read(dir.path(), "umpire.toml").replace("\"free\"", "{ input = 1000.0, output = 1000.0 }");
    std::fs::write(dir.path().join("umpire.toml"), config).expect("configuration");
    let made = ["run", "--suite", "persona", "--filter", "id=books-hiro-tanaka@2", "--agent", "recaller"];
    let dense = ["--history-method", "dense", "--embedder", "small", "--budget", "0.01usd"];
    let spent = run(dir.path(), &[&made[..], &dense].concat());
    assert_eq!(spent.code, Some(102), "{}{}", spent.stdout, spent.stderr);
    let asked = provider.asked().len();
    assert!((1..2_000 / 96).contains(&asked), "it stopped on the way: {asked}");
    let scored = parsed(&run(dir.path(), &["persona", "score", "--json"]));
    assert_eq!((&scored[0]["lost"], scored.as_array().map(Vec::len)), (&json!(true), Some(1)), "{scored}");
    let bounds = (&scored[0]["least"]["success"], &scored[0]["most"]["success"]);
    assert_eq!(bounds, (&json!(false), &json!(true)), "nobody knows what it would have made of it");
    assert_eq!(scored[0]["errors"], json!([]), "and that it did not ask is no fault of the agent's");
}

/// Plans, answers from what it is shown, says the wish anew, and gives up on the web.
fn forgetful(asked: &Asked) -> Act {
    let text = asked.text();
    if text.starts_with("A user wants something done on the web, and says it") {
        return Act::say(
            "NEEDS_MEMORY: YES\nQUERIES:\n- booking nights guests room\n- booking nights guests room again",
        );
    }
    if text.starts_with("These are entries") {
        let entry = text.lines().find(|line| line.starts_with("1. ")).unwrap_or_default();
        return Act::say(format!("They took this: {entry}"));
    }
    if text.starts_with("A user wants something done on the web:") {
        return Act::say("Reserve what they always take.");
    }
    let give_up =
        json!({"action": "mutate", "status": "NOT_FOUND_ERROR", "results": null, "error_details": "gave up"});
    Act::say(format!("Thought: I give up.\nAction: ANSWER; {give_up}"))
}

#[test]
fn what_an_agent_with_a_model_looked_up_is_evidence_and_is_scored() {
    let provider = provider(forgetful);
    let dir = folder();
    let agent = "[agents.asking]\nkind = \"voyager\"\nmodel = \"small\"\nhistory = \"pre-execution\"\n\
                 [agents.told]\nkind = \"voyager\"\nmodel = \"small\"\nhistory = \"profile\"";
    configure(dir.path(), &provider, agent);
    let wish = "task=hotels-maya-lindqvist and level=2";
    let made =
        ["run", "--suite", "persona", "--filter", wish, "--agent", "asking", "--agent", "told", "--json"];
    let ran = run(dir.path(), &made);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let first = ran.outcomes().into_iter().find(|(id, _)| id.starts_with("asking")).expect("an attempt").0;
    let shown = run(dir.path(), &["show", &first]).stdout;
    assert!(shown.contains("booking nights guests room"), "{shown}");
    let scored = parsed(&run(dir.path(), &["persona", "score", "--json", "--embedder", "small"]));
    let of = |agent: &str| {
        let own = |one: &&Value| one["attempt"].as_str().is_some_and(|id| id.starts_with(agent));
        scored.as_array().expect("scores").iter().find(own).expect("a score").clone()
    };
    let asking = of("asking");
    assert_eq!((&asking["accesses"], &asking["knowing"]), (&json!(2), &json!("lexical, type-object")));
    assert_eq!(asking["most"]["success"], false, "it gave up");
    let kinds = asking["errors"].to_string();
    assert!(kinds.contains("redundant-access") && kinds.contains("utilization-failure"), "{kinds}");
    let told = of("told");
    assert_eq!((&told["accesses"], &told["knowing"]), (&json!(0), &json!("profile")));
    assert!(!told["errors"].to_string().contains("retrieval-failure"), "nothing had to be looked up: {told}");
}
