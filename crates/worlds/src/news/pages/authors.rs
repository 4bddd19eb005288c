use maud::html;

use super::layout::{not_found, page};
use super::lists::results;
use crate::Response;
use crate::news::View;
use crate::news::listing::{Wanted, find};

pub(in crate::news) fn all(view: &View<'_>) -> Response {
    let mut authors: Vec<_> = view.catalogue.authors.iter().collect();
    authors.sort_by(|one, other| one.name.cmp(&other.name));
    let content = html! {
        header.list-head { h1 { "Our journalists" } p { "The people who write, count and correct the Ledger." } }
        ul.people {
            @for author in authors {
                li { a href=(format!("/authors/{}", author.slug)) { (author.name) } span { (author.role) ", " (author.section.name) } }
            }
        }
    };
    page(view, "Our journalists", &content)
}

pub(in crate::news) fn one(view: &View<'_>, slug: &str) -> Response {
    let Some((_, author)) = view.catalogue.author(slug) else { return not_found(view) };
    let is_followed = view.state.following.contains(slug);
    let found = find(view.catalogue, &Wanted { author: slug, ..Wanted::of(view.request) });
    let content = html! {
        header.list-head {
            h1 { (author.name) }
            p { (author.role) ", " (author.section.name) ". " (author.name) " " (author.beat) }
            form method="post" action=(format!("/authors/{slug}/follow")) {
                button.loud type="submit" { (if is_followed { "Unfollow " } else { "Follow " }) (author.name) }
            }
        }
        (results(view, &found))
    };
    page(view, &author.name, &content)
}
