//! Patterns and URLs that tasks and agents write.
#![no_main]

use libfuzzer_sys::fuzz_target;
use umpire_webarena::python::{Pattern, PatternFlags};
use umpire_webarena::reference::url_normalise::normalise;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (pattern, url) = text.split_once('\n').unwrap_or((&text, &text));
    for compiled in [
        Pattern::matching_start(pattern, PatternFlags::default()),
        Pattern::matching_whole(pattern, PatternFlags::default()),
        Pattern::found_anywhere(pattern, PatternFlags::default()),
    ]
    .into_iter()
    .flatten()
    {
        compiled.is_match(url);
    }
    let _ = normalise(url);
    let _ = umpire_rules::try_value("url", &pattern.into(), &url.into());
});
