//! Revisions of an article, and what each of them changed.

use maud::{Markup, html};

use super::Visit;
use super::layout::{article_head, page};
use crate::Response;
use crate::encyclopedia::history::{Change, difference};
use crate::encyclopedia::markup;
use crate::kit::lists::{counted, grouped, page_of, pager};

const PER_PAGE: usize = 20;

pub fn show(visit: Visit<'_>, slug: &str) -> Option<Response> {
    let article = visit.desk.article(slug)?;
    let versions = visit.desk.versions(article);
    let mut rows: Vec<(usize, isize)> = Vec::with_capacity(versions.len());
    let mut before = 0_isize;
    for (at, version) in versions.iter().enumerate() {
        let size = isize::try_from(version.text.len()).unwrap_or(isize::MAX);
        rows.push((at, size - before));
        before = size;
    }
    rows.reverse();
    let shown = page_of(visit.request, &rows, PER_PAGE);
    let content = html! {
        (article_head(visit, article, "History"))
        p { (counted(versions.len(), "revision")) ", the latest first." }
        table.data {
            thead { tr { th { "Revision" } th { "Date" } th { "Author" } th.number { "Bytes" } th.number { "Change" } th { "Summary" } } }
            tbody { @for (at, change) in shown.items {
                @let version = &versions[*at];
                tr {
                    td { a href={ "/article/" (article.slug) "/revision/" (version.number) } { "Revision " (version.number) } }
                    td { (version.at.day_and_time()) }
                    td { (version.author) }
                    td.number { (grouped(version.text.len())) }
                    td.number { (signed(*change)) }
                    td { @if version.minor { abbr title="minor edit" { "m" } " " } (version.summary) }
                }
            } }
        }
        (pager(visit.request, &shown))
    };
    Some(page(visit, &format!("History of {}", article.title), &content))
}

fn signed(change: isize) -> Markup {
    html! { span class=(if change < 0 { "less" } else { "more" }) {
        (if change < 0 { "−" } else { "+" }) (grouped(change.unsigned_abs()))
    } }
}

pub fn revision(visit: Visit<'_>, slug: &str, number: &str) -> Option<Response> {
    let article = visit.desk.article(slug)?;
    let versions = visit.desk.versions(article);
    let number: u32 = number.parse().ok()?;
    let at = versions.iter().position(|version| version.number == number)?;
    let version = &versions[at];
    let before = at.checked_sub(1).map_or("", |before| versions[before].text.as_str());
    let content = html! {
        (article_head(visit, article, "History"))
        p { "Revision " (version.number) " by " strong { (version.author) } ", " (version.at.day_and_time())
            @if !version.summary.is_empty() { ": " em { (version.summary) } } }
        section.changes aria-label="What changed" {
            h2 { "What changed" }
            @for change in difference(before, &version.text) {
                @match change {
                    Change::Same(text) => { pre.same { (text.lines().next().unwrap_or_default()) } },
                    Change::Removed(text) => { @if !text.is_empty() { pre.removed { (text) } } },
                    Change::Added(text) => { pre.added { (text) } },
                }
            }
        }
        h2 { "The article then" }
        article.text { (markup::render(&version.text, &visit.desk.exists())) }
    };
    Some(page(visit, &format!("Revision {number} of {}", article.title), &content))
}
