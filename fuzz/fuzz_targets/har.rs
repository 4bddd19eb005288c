//! Recorded traffic in each of its formats, whole and judged.
#![no_main]

use libfuzzer_sys::fuzz_target;
use umpire_webarena::trace::{Retention, Trace};

fuzz_target!(|bytes: &[u8]| {
    let retention = Retention::everything();
    for trace in [
        Trace::from_har(bytes, &retention),
        Trace::from_playwright(bytes, &retention),
        Trace::from_list(bytes, &retention),
    ]
    .into_iter()
    .flatten()
    {
        for event in &trace.events {
            let _ = (event.url(), event.method(), event.status_code());
            let _ = (event.is_evaluation_event(), event.is_navigation_event());
        }
    }
});
