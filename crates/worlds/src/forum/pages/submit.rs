//! Writing a post and changing one.

use maud::{Markup, html};
use serde_json::json;

use super::layout::Layout;
use super::{Visit, parts};
use crate::forum::catalogue::PostId;
use crate::{Request, Response};

/// A post as far as it has been written.
pub struct Draft {
    pub community: String,
    pub title: String,
    /// `text` or `link`.
    pub kind: String,
    pub body: String,
    pub link: String,
    pub flair: String,
}

impl Draft {
    /// An empty one, for the community a link named.
    pub fn opening(request: &Request) -> Self {
        let community = request.query("c").unwrap_or_default().to_owned();
        let empty = String::new;
        Self {
            community,
            title: empty(),
            kind: "text".to_owned(),
            body: empty(),
            link: empty(),
            flair: empty(),
        }
    }

    pub fn of(request: &Request) -> Self {
        let field =
            |name: &str| request.form(name).unwrap_or_default().replace("\r\n", "\n").trim().to_owned();
        Self {
            community: field("community"),
            title: field("title"),
            kind: field("kind"),
            body: field("body"),
            link: field("link"),
            flair: field("flair"),
        }
    }

    pub fn is_link(&self) -> bool {
        self.kind == "link"
    }
}

pub fn page(visit: &Visit<'_>, draft: &Draft, problem: Option<&str>) -> Response {
    let catalogue = visit.board.catalogue;
    let flairs =
        catalogue.community(&draft.community).map(|community| community.words.flairs).unwrap_or_default();
    let content = html! {
        h1 { "Create a post" }
        (parts::problem(problem))
        form.sheet method="post" action="/submit" novalidate {
            label for="community" { "Community" }
            select #community name="community" {
                option value="" { "Choose a community" }
                @for community in &catalogue.communities {
                    @let words = community.words;
                    option value=(words.slug) selected[words.slug == draft.community] { (words.name) }
                }
            }
            fieldset.inline {
                legend { "Type of post" }
                label.choice { input type="radio" name="kind" value="text" checked[!draft.is_link()]; "Text" }
                label.choice { input type="radio" name="kind" value="link" checked[draft.is_link()]; "Link" }
            }
            label for="title" { "Title" }
            input #title type="text" name="title" maxlength="200" value=(draft.title) autocomplete="off";
            div #text-part hidden[draft.is_link()] {
                label for="body" { "Text" }
                textarea #body name="body" rows="9" { (draft.body) }
            }
            div #link-part hidden[!draft.is_link()] {
                label for="link" { "Link address" }
                input #link type="url" name="link" placeholder="https://" value=(draft.link);
            }
            label for="flair" { "Flair" }
            (flair_select(flairs, &draft.flair))
            div.buttons { a.button href="/" { "Cancel" } button.primary type="submit" { "Publish post" } }
        }
    };
    Layout { title: "Create a post", scripts: &["submit.js"], sidebar: Some(advice()), content }.page(visit)
}

fn flair_select(flairs: &[&str], chosen: &str) -> Markup {
    html! {
        select #flair name="flair" {
            option value="" { "Choose a flair" }
            @for flair in flairs { option value=(flair) selected[*flair == chosen] { (flair) } }
        }
    }
}

fn advice() -> Markup {
    html! {
        section.panel {
            h2 { "Before you post" }
            ol.rules {
                li { "Search first, somebody may have asked." }
                li { "Read the rules of the community." }
                li { "A clear title gets better answers." }
            }
        }
    }
}

/// The form for a post of the visitor's own. Title and community stay as they are.
pub fn edit(visit: &Visit<'_>, id: PostId, problem: Option<&str>) -> Response {
    let Some(post) = visit.board.post(id) else {
        return super::notice::not_found(visit);
    };
    let content = html! {
        nav.crumbs aria-label="Breadcrumb" {
            a href={ "/c/" (post.community.words.slug) } { (post.community.words.name) } " › "
            a href=(post.path()) { (post.title) } " › " span { "Edit" }
        }
        h1 { "Edit your post" }
        (parts::problem(problem))
        form.sheet method="post" action={ "/post/" (id) "/edit" } {
            p { strong { (post.title) } " · titles cannot be changed" }
            @if post.link.is_none() {
                label for="body" { "Text" }
                textarea #body name="body" rows="9" { (post.body) }
            }
            label for="flair" { "Flair" }
            (flair_select(post.community.words.flairs, post.flair.unwrap_or_default()))
            div.buttons { a.button href=(post.path()) { "Cancel" } button.primary type="submit" { "Save changes" } }
        }
    };
    Layout { title: "Edit your post", scripts: &[], sidebar: Some(advice()), content }.page(visit)
}

/// The flairs of a community, for the dropdown that depends on it.
pub fn flairs(visit: &Visit<'_>) -> Option<Response> {
    let community = visit.board.catalogue.community(visit.request.query("community")?)?;
    Some(Response::json(&json!({"flairs": community.words.flairs})))
}
