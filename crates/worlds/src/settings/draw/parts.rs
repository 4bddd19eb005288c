//! Parts that appear on many pages of many brands.

use maud::{Markup, html};

use super::Place;
use crate::settings::View;

/// An error above a form, if there is one.
pub(in crate::settings) fn problem(text: Option<&str>) -> Markup {
    html! {
        @if let Some(text) = text { p.problem role="alert" { (text) } }
    }
}

/// A dialog that asks before it posts to `action`; something with `data-opens=id` opens it.
pub(in crate::settings) fn question(id: &str, text: &str, action: &str, yes: &str) -> Markup {
    html! {
        dialog id=(id) aria-label="Are you sure?" {
            p { (text) }
            form.actions method="post" action=(action) {
                button type="button" data-closes { "Cancel" }
                button.danger type="submit" { (yes) }
            }
        }
    }
}

/// Links to the settings pages, the current one marked.
pub(crate) fn navigation(view: &View<'_>, place: Place) -> Markup {
    html! {
        nav.settings-nav aria-label="Settings" {
            ul {
                @for page in view.description.pages {
                    li {
                        a href=(format!("/settings/{}", page.slug))
                            aria-current=[(place.slug() == Some(page.slug)).then_some("page")] { (page.title) }
                    }
                }
            }
        }
    }
}

pub(crate) fn search_form(view: &View<'_>) -> Markup {
    let searching = view.request.segments().as_slice() == ["settings", "search"];
    html! {
        form.settings-search role="search" action="/settings/search" {
            input type="search" name="q" aria-label="Search settings" placeholder="Search settings"
                value=[searching.then(|| view.request.query("q")).flatten()];
        }
    }
}

/// An icon that opens a menu of links and of buttons made by [`list_button`].
pub(crate) fn menu(id: &str, name: &str, icon: &Markup, entries: &Markup) -> Markup {
    html! {
        div.menu-holder {
            button.icon type="button" aria-label=(name) aria-haspopup="menu" aria-expanded="false" data-menu=(id) { (icon) }
            div.menu id=(id) role="menu" hidden { (entries) }
        }
    }
}

/// A button that puts an entry on a list or takes it off, and comes back to `back`.
pub(crate) fn list_button(list: &str, entry: &str, back: &str, role: Option<&str>, label: &str) -> Markup {
    html! {
        form.list-button method="post" action=(format!("/lists/{list}")) {
            input type="hidden" name="entry" value=(entry);
            input type="hidden" name="back" value=(back);
            button type="submit" role=[role] { (label) }
        }
    }
}
