//! Locators: JavaScript expressions that pick a text out of a page.
//!
//! The task files use a small part of the language: chains from `document` over selectors to a text, joined by `+` and
//! `||`. That part is read here over recorded HTML. Nothing is executed, and what is outside it is said to be.

mod expression;
mod interpret;
mod visible_text;

use scraper::{Html, Selector};

pub use interpret::Unreadable;

use super::recording::{Evaluated, FormState};

/// What the expression would come to in a page with this source.
///
/// Style sheets are not part of the source: text they hide is read as visible, text they show as written.
pub fn evaluate(expression: &str, html: &str, form_state: FormState) -> Result<Evaluated, Unreadable> {
    let parsed = expression::parse(expression).map_err(Unreadable::Expression)?;
    interpret::evaluate(&parsed, &Html::parse_document(html), form_state)
}

/// Whether the expression is of the part of the language that is read here; the error says what is not.
pub fn is_readable(expression: &str) -> Result<(), String> {
    interpret::understands(&expression::parse(expression)?, None)
}

/// A member's role in a GitLab project's member table; empty where there is none.
pub(super) fn member_role(html: &str, account: &str) -> String {
    let texts = |selector: &str| -> Vec<String> {
        let document = Html::parse_document(html);
        Selector::parse(selector)
            .map(|selector| document.select(&selector).map(visible_text::of).collect())
            .unwrap_or_default()
    };
    let wanted = format!("@{account}");
    let row = texts("td[data-label='Account'] span.gl-avatar-labeled-sublabel")
        .iter()
        .position(|name| *name == wanted);
    row.and_then(|row| texts("td.col-max-role span").into_iter().nth(row)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    const PAGE: &str = r#"<!doctype html><html><body>
        <div class="box main" id="notes-list"><p>first</p><p data-x="1">second <b>bold</b></p>tail</div>
        <form><input name="product[price]" value="12.50"><input type="checkbox" title="General Subscription" checked>
            <textarea id="text">typed
            </textarea>
            <select name="kind"><option value="a">A</option><option selected>B</option></select></form>
        <span hidden class="secret">whispered  twice</span>
        <ul class="links"><li><a href="/one">1</a></li><li><img src="/two.png"></li></ul>
    </body></html>"#;

    fn read(expression: &str) -> Result<Evaluated, Unreadable> {
        evaluate(expression, PAGE, FormState::InAttributes)
    }

    #[test]
    fn expressions_are_read_as_a_browser_evaluates_them() {
        for (expression, expected) in [
            ("document.querySelector('#notes-list > p').outerText", json!("first")),
            (r#"document.querySelectorAll(".main p")[1].outerText"#, json!("second bold")),
            ("document.querySelector('.main').lastElementChild.querySelector('b').innerText", json!("bold")),
            ("document.querySelector('.main').firstElementChild.textContent", json!("first")),
            ("document.querySelector('.main').lastChild.textContent", json!("tail")),
            ("document.querySelector('[data-x]').getAttribute('data-x')", json!("1")),
            ("document.querySelector('[data-x]').getAttribute('data-y')", Value::Null),
            // The bracket is closed by the end of the selector, as in a browser.
            (r#"document.querySelector('[name="product[price]"').value"#, json!("12.50")),
            ("document.querySelector('[checked]').value", json!("on")),
            ("document.querySelector('#text').value", json!("typed\n            ")),
            ("document.querySelector('select').value", json!("B")),
            ("document.querySelector('select').selectedIndex", json!(1)),
            ("document.querySelector('[title=\"General Subscription\"').checked.toString()", json!("true")),
            ("document.querySelector('.secret').outerText", json!("whispered  twice")),
            ("document.querySelector('.none')?.outerText", Value::Null),
            (
                "document.querySelector('b').outerText + (document.querySelector('.none')?.outerText || '!')",
                json!("bold!"),
            ),
            (
                "[...document.querySelector('.links').querySelectorAll('[href],[src]')].map(e => e.getAttribute('href') || e.getAttribute('src')).join(' ')",
                json!("/one /two.png"),
            ),
        ] {
            assert_eq!(read(expression), Ok(Evaluated::Value(expected)), "{expression}");
        }
    }

    #[test]
    fn missing_elements_throw() {
        for expression in
            ["document.querySelector('.none').outerText", "document.querySelectorAll('b')[7].outerText"]
        {
            assert_eq!(read(expression), Ok(Evaluated::Threw), "{expression}");
        }
    }

    #[test]
    fn the_rest_of_the_language_is_refused() {
        for expression in [
            "document.title",
            "document.querySelector('b').click()",
            "document.querySelector(':nonsense(').outerText",
            "document.querySelector('b').outerText.length > 3",
            "fetch('http://x')",
            "document.querySelector('b'",
            "",
            &"document".repeat(3),
            &format!("document{}", ".a".repeat(100_000)),
            &"(".repeat(100_000),
        ] {
            assert!(matches!(read(expression), Err(Unreadable::Expression(_))), "{expression}");
            assert!(is_readable(expression).is_err(), "{expression}");
        }
    }

    #[test]
    fn roles_are_found_by_account() {
        let table = "<table><tr><td data-label='Account'><span class='gl-avatar-labeled-sublabel'>@a</span></td><td class='col-max-role'><span>Owner</span></td></tr>\
                     <tr><td data-label='Account'><span class='gl-avatar-labeled-sublabel'>@b</span></td><td class='col-max-role'><span>Guest</span></td></tr></table>";
        assert_eq!(member_role(table, "b"), "Guest");
        assert_eq!(member_role(table, "c"), "");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(expression in "(document|\\.|querySelector|\\(|\\)|'[a-z]*'|\\[|\\]|\\+|\\|\\||[0-9]|=>| |é){0,20}") {
            let _ = evaluate(&expression, "<p>x</p>", FormState::NotInHtml);
        }
    }
}
