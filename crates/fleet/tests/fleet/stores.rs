//! What a fleet asks of a store, of every kind of store there is: S3 and Azure as public emulators speak them, Google's as
//! our own server does, and a folder.

mod emulators;
mod google;
mod line;

use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use umpire_fleet::{Depot, StoreSettings, Voice};
use umpire_model::Deadline;

use emulators::{Azure, S3};
use google::Google;
use line::Line;

/// Requests at a time where many are made.
const AT_ONCE: usize = 16;
const FAR_CHILD: &str = "UMPIRE_STORES_TEST_ADDRESS";

/// A kind of store, and what is known of the one at hand.
struct Kind<'a> {
    /// Of a bucket that is there, with a folder in it.
    address: &'a str,
    settings: StoreSettings,
    /// Objects under one place: more than S3 and Google tell in one answer. Azure tells five times as many, too many for a test.
    many: usize,
}

fn settings(pairs: &[(&str, String)]) -> StoreSettings {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

fn in_time() -> Deadline {
    Deadline::after(Duration::from_mins(2))
}

#[tokio::test(flavor = "multi_thread")]
async fn s3_holds_what_a_fleet_needs() {
    let Some(s3) = S3::start().await else { return };
    let line = Line::to(s3.port).await;
    let variables = s3_variables(line.port());
    let kind = Kind { address: "s3://umpire/folder", settings: settings(&variables), many: 1_001 };
    holds_what_a_fleet_needs(&kind).await;
    a_bucket_that_is_not_there_is_told(&kind, "s3://elsewhere/folder").await;
    survives_an_outage(&kind, line).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn azure_holds_what_a_fleet_needs() {
    let Some(azure) = Azure::start().await else { return };
    let line = Line::to(azure.port).await;
    let settings = settings(&[
        ("AZURE_STORAGE_ACCOUNT_NAME", Azure::ACCOUNT.to_owned()),
        ("AZURE_STORAGE_ACCOUNT_KEY", Azure::KEY.to_owned()),
        ("AZURE_STORAGE_ENDPOINT", format!("http://127.0.0.1:{}/{}", line.port(), Azure::ACCOUNT)),
    ]);
    let kind = Kind { address: "az://umpire/folder", settings, many: 1_001 };
    holds_what_a_fleet_needs(&kind).await;
    a_bucket_that_is_not_there_is_told(&kind, "az://elsewhere/folder").await;
    survives_an_outage(&kind, line).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_in_googles_dialect_holds_what_a_fleet_needs() {
    let line = Line::to(Google::start().await).await;
    let account = serde_json::json!({
        "gcs_base_url": format!("http://127.0.0.1:{}", line.port()),
        "disable_oauth": true, "client_email": "", "private_key": "", "private_key_id": "",
    });
    let settings = settings(&[("GOOGLE_SERVICE_ACCOUNT_KEY", account.to_string())]);
    let kind = Kind { address: "gs://umpire/folder", settings, many: 1_001 };
    holds_what_a_fleet_needs(&kind).await;
    a_bucket_that_is_not_there_is_told(&kind, "gs://elsewhere/folder").await;
    survives_an_outage(&kind, line).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_holds_what_a_fleet_needs() {
    let folder = tempfile::tempdir().expect("temp");
    let address = format!("file://{}", folder.path().join("depot").display());
    let kind = Kind { address: &address, settings: StoreSettings::default(), many: 300 };
    holds_what_a_fleet_needs(&kind).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_and_endpoints_come_from_the_environment() {
    let Some(s3) = S3::start().await else { return };
    let mut child = Command::new(std::env::current_exe().expect("this program"));
    child.args(["--exact", "stores::as_the_environment_says", "--ignored", "--nocapture"]);
    child.envs(s3_variables(s3.port)).env(FAR_CHILD, "s3://umpire/from-variables");
    let ended =
        tokio::task::spawn_blocking(move || child.output()).await.expect("no panic").expect("started");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stdout));
    let settings = settings(&s3_variables(s3.port));
    let depot = Depot::connect("s3://umpire/from-variables", &settings, Voice::silent(), in_time()).await;
    let said = depot.expect("there").get("said", in_time()).await.expect("there");
    assert_eq!(said, "by the child");
}

#[tokio::test]
#[ignore = "a process that another test starts"]
async fn as_the_environment_says() {
    let Ok(address) = std::env::var(FAR_CHILD) else { return };
    let settings = StoreSettings::from_environment();
    let depot = Depot::connect(&address, &settings, Voice::silent(), in_time()).await.expect("there");
    depot.put("said", Bytes::from_static(b"by the child"), in_time()).await.expect("put");
}

fn s3_variables(port: u16) -> [(&'static str, String); 4] {
    [
        ("AWS_ENDPOINT", format!("http://127.0.0.1:{port}")),
        ("AWS_REGION", "eu-central-1".to_owned()),
        ("AWS_ACCESS_KEY_ID", "key".to_owned()),
        ("AWS_SECRET_ACCESS_KEY", "secret".to_owned()),
    ]
}

async fn holds_what_a_fleet_needs(kind: &Kind<'_>) {
    let connect = Depot::connect(kind.address, &kind.settings, Voice::silent(), in_time());
    let depot = connect.await.expect("it is there");

    let place = "demo-1/attempts/agent=1/x+y/1/journal.jsonl";
    depot.put(place, Bytes::from_static(b"first"), in_time()).await.expect("put");
    depot.put(place, Bytes::from_static(b"again"), in_time()).await.expect("put over it");
    assert_eq!(depot.get(place, in_time()).await.expect("there"), "again");
    assert_eq!(depot.find("demo-1/nothing", in_time()).await.expect("asked"), None);
    let picture: Bytes = (0..3_000_000_u32).map(|at| (at % 251) as u8).collect();
    depot.put("demo-1/picture", picture.clone(), in_time()).await.expect("put");
    assert_eq!(depot.find("demo-1/picture", in_time()).await.expect("asked"), Some(picture));

    let commission = "demo-1/commission.json";
    assert!(depot.put_new(commission, Bytes::from_static(b"one"), in_time()).await.expect("put"));
    assert!(!depot.put_new(commission, Bytes::from_static(b"two"), in_time()).await.expect("asked"));
    assert_eq!(depot.get(commission, in_time()).await.expect("there"), "one", "whoever was first");

    let places = (0..kind.many).map(|number| format!("many/{number:05}"));
    let put = |place: String| {
        let depot = depot.clone();
        async move { depot.put(&place, Bytes::from_static(b"x"), in_time()).await }
    };
    stream::iter(places.map(put)).buffer_unordered(AT_ONCE).try_collect::<Vec<()>>().await.expect("put");
    depot.put("many-more/1", Bytes::from_static(b"x"), in_time()).await.expect("put");
    let mut listed = depot.list("many", in_time()).await.expect("listed");
    listed.sort();
    assert_eq!(listed.len(), kind.many, "all pages, and nothing beside");
    assert_eq!(listed.last(), Some(&format!("{:05}", kind.many - 1)));
    depot.remove("many", in_time()).await.expect("removed");
    assert_eq!(depot.list("many", in_time()).await.expect("listed"), Vec::<String>::new());
    depot.remove("many", in_time()).await.expect("what is gone already is what was wanted");
    assert_eq!(depot.list("many-more", in_time()).await.expect("listed"), ["1"], "its neighbour stays");
    assert_eq!(
        depot.list("demo-1", in_time()).await.expect("listed").len(),
        3,
        "everything is below the address's path"
    );
}

async fn a_bucket_that_is_not_there_is_told(kind: &Kind<'_>, address: &str) {
    let connect = Depot::connect(address, &kind.settings, Voice::silent(), in_time());
    let told = connect.await.expect_err("no such bucket").to_string();
    assert!(told.contains(address) && told.contains("no bucket"), "{told}");
}

async fn survives_an_outage(kind: &Kind<'_>, mut line: Line) {
    let said: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = Arc::clone(&said);
    let voice = Voice::new(move |text| heard.lock().expect("nobody panics").push(text.to_owned()));
    let depot = Depot::connect(kind.address, &kind.settings, voice, in_time()).await.expect("it is there");
    line.down().await;
    let soon = Deadline::after(Duration::from_millis(500));
    let told = Depot::connect(kind.address, &kind.settings, Voice::silent(), soon).await;
    let told = told.expect_err("it is away").to_string();
    assert!(told.contains("could not be reached in time"), "{told}");
    let putting = tokio::spawn({
        let depot = depot.clone();
        async move { depot.put("during", Bytes::from_static(b"kept"), in_time()).await }
    });
    let is_told = async {
        while said.lock().expect("nobody panics").is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), is_told).await.expect("the outage is told");
    line.up().await;
    putting.await.expect("no panic").expect("put once it was back");
    assert_eq!(depot.get("during", in_time()).await.expect("there"), "kept");
    let said = said.lock().expect("nobody panics").clone();
    assert!(
        said[0].starts_with("the store cannot be reached") && said[1..] == ["the store is back"],
        "{said:?}"
    );
}
