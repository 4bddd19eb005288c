//! Task files, subsets and site tables, as authors and benchmarks write them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use umpire_webarena::audit::{audit, baselines};
use umpire_webarena::config::Environments;
use umpire_webarena::import::{Format, export, import, sites_from_toml};
use umpire_webarena::original::parse_tasks;
use umpire_webarena::subset::Subset;
use umpire_webarena::task::Dataset;

fuzz_target!(|bytes: &[u8]| {
    let _ = Dataset::from_json(bytes);
    let _ = Subset::from_json(bytes);
    let text = String::from_utf8_lossy(bytes);
    let _ = sites_from_toml(&text);
    let _ = parse_tasks(&text);
    let _ = audit(&text);
    let _ = baselines(&text, None);
    if let Ok(suite) = import(&text, Format::Auto, &Environments::new()) {
        assert!(export(&suite.tasks).is_ok(), "what was imported can be exported");
    }
});
