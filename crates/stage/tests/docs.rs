//! The session in the book is one.

use umpire_stage::Session;

#[test]
fn the_example_in_the_book_is_read() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sessions.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let examples: Vec<&str> =
        page.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(examples.len(), 1);
    let session = Session::read(examples[0]).expect("a session");
    assert_eq!(session.steps.len(), 1);
}
