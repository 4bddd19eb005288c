//! An agent's answer, as strict and reference evaluation read it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use umpire_rules::{parse_response, read_response};
use umpire_webarena::python::parse_json;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    if let (Ok(strict), Ok(lenient)) = (parse_response(&text), read_response(&text)) {
        assert_eq!(strict, lenient.response, "a response that stands alone is read as it stands");
    }
    let _ = parse_json(&text);
});
