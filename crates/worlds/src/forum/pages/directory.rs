//! All communities, with a filter that works in the page.

use maud::html;

use super::layout::Layout;
use super::{Visit, parts};
use crate::Response;

pub fn page(visit: &Visit<'_>) -> Response {
    let board = visit.board;
    let content = html! {
        h1 { "Communities" }
        label.filter { "Filter communities" input #filter type="text" autocomplete="off"; }
        ul.directory {
            @for community in &board.catalogue.communities {
                @let words = community.words;
                li {
                    img src={ "/img/c/" (words.slug) ".svg" } alt="" width="44" height="44";
                    div {
                        h2 { a href={ "/c/" (words.slug) } { (words.name) } }
                        p { (words.tagline) }
                        p.meta { span { (parts::grouped(community.members)) " members" } }
                    }
                    (parts::subscribe_button(board, community))
                }
            }
        }
        p #nothing .empty hidden { "No community matches." }
    };
    Layout { title: "Communities", scripts: &["directory.js"], sidebar: None, content }.page(visit)
}
