//! The form an article is edited with, and its preview.

use maud::html;

use super::Visit;
use super::layout::{article_head, page};
use super::notice;
use crate::Response;
use crate::encyclopedia::markup;

pub fn show(visit: Visit<'_>, slug: &str) -> Option<Response> {
    let article = visit.desk.article(slug)?;
    if !visit.desk.state.signed_in {
        return Some(notice::signed_out(visit));
    }
    if article.protected {
        return Some(notice::protected(visit));
    }
    let text = visit.typed("text", visit.desk.text(article));
    let revision = visit.desk.revision(article).to_string();
    let is_shown_again = visit.request.is_post();
    let minor = if is_shown_again {
        visit.request.form("minor").is_some()
    } else {
        visit.desk.state.preferences.mark_minor
    };
    let content = html! {
        (article_head(visit, article, "Edit"))
        @if visit.request.form("preview").is_some() {
            section.preview aria-label="Preview" {
                p.kind { "Preview, not saved yet" }
                (markup::render(text, &visit.desk.exists()))
            }
        }
        form.editor method="post" action={ "/article/" (article.slug) "/edit" } {
            input type="hidden" name="base" value=(visit.typed("base", &revision));
            label for="text" { "Text of the article" }
            textarea #text name="text" rows="20" maxlength="40000" spellcheck="false" { "\n" (text) }
            p.help { "## starts a heading, [[Title]] links, **bold** is bold, lines with - make a list. The fact card is kept by the register." }
            label for="summary" { "What did you change?" }
            input #summary type="text" name="summary" maxlength="200" value=(visit.typed("summary", ""));
            label.tick { input type="checkbox" name="minor" checked[minor]; "This is a minor edit" }
            label.tick { input type="checkbox" name="watch" checked[is_shown_again && visit.request.form("watch").is_some()]; "Watch this article" }
            p.buttons {
                button.primary type="submit" { "Save edit" }
                button type="submit" name="preview" value="1" { "Preview" }
                a href={ "/article/" (article.slug) } { "Cancel" }
            }
        }
    };
    Some(page(visit, &format!("Editing {}", article.title), &content))
}
