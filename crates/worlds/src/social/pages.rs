//! Murmur's own pages.

use maud::{Markup, html};

use super::content::{Content, Person, Post, topics};
use crate::settings::{View, list_button, menu};

const PER_PAGE: usize = 20;

pub(super) fn show(view: &View<'_>) -> Option<(String, Markup)> {
    let content = Content::of_seed(view.seed);
    match view.request.segments().as_slice() {
        [] => Some(("Home".to_owned(), home(view, &content))),
        ["explore"] => Some(("Explore".to_owned(), explore(view, &content))),
        ["saved"] => Some(("Saved posts".to_owned(), saved(view, &content))),
        ["me"] => Some(("My profile".to_owned(), me(view))),
        ["people", id] => {
            content.person(id).map(|person| (person.name.clone(), profile(view, &content, person)))
        }
        ["posts", id] => content.post(id).map(|post| (short(&post.text), conversation(view, &content, post))),
        _ => None,
    }
}

/// The first words of a post.
pub(super) fn short(text: &str) -> String {
    text.split(',').next().unwrap_or(text).to_owned()
}

/// Posts the owner wants to see.
fn wanted<'a>(view: &View<'a>, content: &'a Content) -> impl Iterator<Item = &'a Post> {
    let state = view.state;
    content.posts.iter().filter(move |post| {
        let text = post.text.to_lowercase();
        let muted = state.lists.get("muted_words").into_iter().flatten();
        !state.list_has("blocked", &content.people[post.author].id)
            && !muted.into_iter().any(|(word, _)| text.contains(word.as_str()))
    })
}

fn page_number(view: &View<'_>) -> usize {
    view.request
        .query("page")
        .and_then(|page| page.parse().ok())
        .filter(|page| (1..1_000).contains(page))
        .unwrap_or(1)
}

fn home(view: &View<'_>, content: &Content) -> Markup {
    let page = page_number(view);
    let posts: Vec<&Post> = wanted(view, content).skip((page - 1) * PER_PAGE).take(PER_PAGE + 1).collect();
    html! {
        @for post in posts.iter().take(PER_PAGE) { (card(view, content, post, "/")) }
        @if posts.is_empty() { p.quiet { "That is all there is." } }
        nav.pager aria-label="Pages" {
            @if page > 1 { a href=(format!("/?page={}", page - 1)) { "Newer posts" } }
            @if posts.len() > PER_PAGE { a href=(format!("/?page={}", page + 1)) { "Older posts" } }
        }
    }
}

fn explore(view: &View<'_>, content: &Content) -> Markup {
    let asked = view.request.query("q").unwrap_or_default().to_lowercase();
    let topic = view.request.query("topic").unwrap_or_default();
    let found: Vec<&Post> = wanted(view, content)
        .filter(|post| topic.is_empty() || post.topic == topic)
        .filter(|post| post.text.to_lowercase().contains(&asked))
        .collect();
    html! {
        form.finder role="search" action="/explore" {
            input type="search" name="q" aria-label="Search posts" placeholder="Search posts" value=(asked);
            select name="topic" aria-label="Topic" {
                option value="" { "All topics" }
                @for known in topics() { option value=(known) selected[known == topic] { (known) } }
            }
            button type="submit" { "Search" }
        }
        p.quiet { (found.len()) " posts" }
        @for post in found.iter().take(PER_PAGE) { (card(view, content, post, "/explore")) }
        @if found.is_empty() { p { "Nobody wrote about that. Be the first?" } }
    }
}

fn saved(view: &View<'_>, content: &Content) -> Markup {
    let posts: Vec<&Post> =
        content.posts.iter().filter(|post| view.state.list_has("saved", &post.id)).collect();
    html! {
        @for post in &posts { (card(view, content, post, "/saved")) }
        @if posts.is_empty() { p.quiet { "Posts you save appear here." } }
    }
}

fn me(view: &View<'_>) -> Markup {
    html! {
        section.block.person {
            span.face.big aria-hidden="true" { "NC" }
            div {
                h2 { (view.state.text("display_name")) }
                p.quiet { "@" (view.description.owner.handle) @if view.state.is_on("private_account") { " · private" } }
                p { (view.state.text("bio")) }
                p.quiet { (view.state.text("location")) " · " (view.state.text("website")) }
                a.button href="/settings/profile" { "Edit profile" }
            }
        }
    }
}

fn profile(view: &View<'_>, content: &Content, person: &Person) -> Markup {
    let back = format!("/people/{}", person.id);
    let blocked = view.state.list_has("blocked", &person.id);
    let posts = content.posts.iter().filter(|post| content.people[post.author].id == person.id);
    html! {
        section.block.person {
            (face(&person.name, true))
            div {
                p.quiet { "@" (person.id.replace('-', "")) " · " (person.trade) }
                p { (person.followers) " followers" }
                (list_button("blocked", &person.id, &back, None, if blocked { "Unblock" } else { "Block" }))
            }
        }
        @if blocked { p.quiet { "You blocked " (person.name) ". Their posts are hidden." } }
        @else { @for post in posts.take(PER_PAGE) { (card(view, content, post, &back)) } }
    }
}

/// A post by itself, and what else its author wrote.
fn conversation(view: &View<'_>, content: &Content, post: &Post) -> Markup {
    let author = &content.people[post.author];
    let back = format!("/posts/{}", post.id);
    if view.state.list_has("blocked", &author.id) {
        return html! { p.quiet { "You blocked " (author.name) ". Their posts are hidden." } };
    }
    let more = content.posts.iter().filter(|other| other.author == post.author && other.id != post.id);
    html! {
        (card(view, content, post, &back))
        h2.more { "More by " (author.name) }
        @for other in more.take(5) { (card(view, content, other, &back)) }
    }
}

fn face(name: &str, big: bool) -> Markup {
    let initials: String = name.split_whitespace().filter_map(|word| word.chars().next()).collect();
    let hue = name.bytes().fold(0_u32, |hue, byte| (hue * 31 + u32::from(byte)) % 360);
    html! { span.face.big[big] aria-hidden="true" style=(format!("background:hsl({hue} 55% 45%)")) { (initials) } }
}

fn age(minutes: i64) -> String {
    match minutes {
        ..60 => format!("{minutes} min"),
        60..1_440 => format!("{} h", minutes / 60),
        _ => format!("{} d", minutes / 1_440),
    }
}

fn card(view: &View<'_>, content: &Content, post: &Post, back: &str) -> Markup {
    let author = &content.people[post.author];
    let saved = view.state.list_has("saved", &post.id);
    let entries = html! {
        (list_button("saved", &post.id, back, Some("menuitem"), if saved { "Remove from saved" } else { "Save post" }))
        (list_button("blocked", &author.id, back, Some("menuitem"), &format!("Block {}", author.name)))
        a role="menuitem" href="/settings/safety" { "Muted words" }
    };
    let dots = html! { svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" { path d="M5 12h.01M12 12h.01M19 12h.01" {} } };
    html! {
        article.post {
            (face(&author.name, false))
            div.said {
                p.by {
                    a href=(format!("/people/{}", author.id)) { (author.name) }
                    " " span.quiet { (author.trade) " · " a.when href=(format!("/posts/{}", post.id)) { (age(post.minutes_ago)) } }
                }
                p { (post.text) }
                p.counts { span { (post.replies) " replies" } span { (post.likes) " likes" } span.topic { (post.topic) } }
            }
            (menu(&format!("menu-{}", post.id), &format!("More about the post by {}", author.name), &dots, &entries))
        }
    }
}

/// The column beside the feed.
pub(super) fn side(view: &View<'_>) -> Markup {
    let content = Content::of_seed(view.seed);
    html! {
        aside.beside {
            section {
                h2 { "Topics" }
                ul { @for topic in topics() { li { a href=(format!("/explore?topic={topic}")) { (topic) } } } }
            }
            section {
                h2 { "Often read" }
                ul {
                    @for person in content.people.iter().take(5) {
                        li { a href=(format!("/people/{}", person.id)) { (person.name) } small { (person.trade) } }
                    }
                }
            }
        }
    }
}
