//! What the book says about models can be used as it stands there.

use std::collections::BTreeMap;

use serde::Deserialize;
use umpire_llm::{Gateway, GatewayOptions, ModelSpec, Prices};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Configuration {
    models: BTreeMap<String, ModelSpec>,
}

fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/models.md");
    std::fs::read_to_string(path).expect("the page on models")
}

#[test]
fn every_block_is_a_configuration_or_a_price_list() {
    let page = page();
    let blocks: Vec<&str> =
        page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let (mut models, mut prices) = (0, 0);
    for block in &blocks {
        if block.contains("version = ") {
            let listed = Prices::parse(block).unwrap_or_else(|error| panic!("{error} in {block}"));
            assert!(listed.of("gpt-4o-anything").is_some());
            prices += 1;
        } else {
            let read: Configuration =
                toml::from_str(block).unwrap_or_else(|error| panic!("{error} in {block}"));
            models += read.models.len();
            let variable = |_: &str| Some("key".to_owned());
            Gateway::new(read.models, &GatewayOptions::default(), &variable).expect("usable");
        }
    }
    println!("{models} models and {prices} price lists in {} blocks", blocks.len());
    assert!(models >= 2 && prices >= 1);
}

/// A setting that is not in the table cannot be found; one that is there and does not exist misleads.
#[test]
fn the_table_names_every_setting_and_no_other() {
    let page = page();
    let table =
        page.split("| setting |").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("the table");
    let named: Vec<&str> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| "))
        .filter_map(|line| line.split(" | ").next())
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();
    // What an unknown field is answered with lists those there are.
    let wrong = toml::from_str::<ModelSpec>("provider = 'openai'\nmodel = 'm'\nno_such_setting = 1");
    let message = wrong.expect_err("unknown").message().to_owned();
    let known: Vec<&str> = message.split('`').skip(3).step_by(2).collect();
    for setting in &known {
        let is_explained = ["provider", "model", "key"].contains(setting) || named.contains(setting);
        assert!(is_explained, "`{setting}` is not in the table");
    }
    for setting in &named {
        assert!(known.contains(setting), "there is no setting `{setting}`");
    }
    println!("{} settings", known.len());
}
