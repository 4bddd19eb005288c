//! The suite of obstacles as a whole; what its tasks ask of one site is worked out again there.

use umpire_model::{Action, Instance};

use crate::World;
use crate::kit::task_file::TaskFile;

const SEED: u64 = 7;

const FILES: [&str; 3] = [
    include_str!("../../../suites/obstacles/popups.jsonl"),
    include_str!("../../../suites/obstacles/captcha.jsonl"),
    include_str!("../../../suites/obstacles/direct.jsonl"),
];

fn of_categories(categories: &[&str]) -> usize {
    let files = FILES.map(|text| TaskFile::parse(text, SEED));
    let instances = files.iter().flat_map(|file| &file.instances);
    instances.filter(|instance| categories.contains(&instance.category.as_str())).count()
}

#[test]
fn each_set_has_thirty_instances_or_more() {
    for categories in [&["Captcha"][..], &["Consent", "Pop-ups"], &["Direct navigation"]] {
        let count = of_categories(categories);
        assert!(count >= 30, "{count} of {categories:?}");
    }
}

#[test]
fn nothing_is_passed_by_doing_nothing() {
    for text in FILES {
        TaskFile::parse(text, SEED).assert_is_sound();
    }
}

/// Addresses that a reference goes to.
fn addresses(instance: &Instance) -> impl Iterator<Item = &str> {
    instance.reference.iter().filter_map(|action| match action {
        Action::GoTo(url) => Some(url.as_str()),
        _ => None,
    })
}

#[test]
fn every_page_to_go_to_is_there_and_elsewhere_than_the_start() {
    for instance in &TaskFile::parse(FILES[2], SEED).instances {
        let world = World::create(&instance.sites, SEED, &instance.world).expect("a world");
        let mut gone_to = 0;
        for url in addresses(instance) {
            let request = http::Request::get(url).body(bytes::Bytes::new()).expect("a well-formed address");
            assert_eq!(world.serve(request).status(), 200, "{}: {url}", instance.id);
            let host = |url: &str| url.split('/').nth(2).unwrap_or_default().to_owned();
            assert_ne!(host(url), host(&instance.start_urls[0]), "{}", instance.id);
            gone_to += 1;
        }
        assert!(gone_to > 0, "{} goes nowhere", instance.id);
    }
}
