//! Reelyard's own pages.

use maud::{Markup, html};

use super::content::{Content, Video, categories};
use crate::settings::{View, list_button, menu};

const PER_PAGE: usize = 24;

pub(super) fn show(view: &View<'_>) -> Option<(String, Markup)> {
    let content = Content::of_seed(view.seed);
    match view.request.segments().as_slice() {
        [] => Some(("For you".to_owned(), shelf(view, &content, content.videos.iter().take(PER_PAGE), "/"))),
        ["results"] => Some(results(view, &content)),
        ["later"] => {
            let videos = content.videos.iter().filter(|video| view.state.list_has("watch_later", &video.id));
            Some(("Watch later".to_owned(), shelf(view, &content, videos, "/later")))
        }
        ["me"] => Some((view.state.text("channel_name").to_owned(), me(view))),
        ["watch", id] => content.video(id).map(|video| (video.title.clone(), watch(view, &content, video))),
        _ => None,
    }
}

fn shown<'a>(view: &View<'_>, content: &Content, video: &'a Video) -> Option<&'a Video> {
    (!view.state.list_has("hidden_channels", &content.channels[video.channel].id)).then_some(video)
}

pub(super) fn chips(view: &View<'_>) -> Markup {
    let chosen = view.request.query("category").unwrap_or_default();
    html! {
        nav.chips aria-label="Categories" {
            a href="/" { "All" }
            @for category in categories() {
                a href=(format!("/results?category={category}")) aria-current=[(category == chosen).then_some("page")] { (category) }
            }
        }
    }
}

fn results(view: &View<'_>, content: &Content) -> (String, Markup) {
    let asked = view.request.query("q").unwrap_or_default();
    let category = view.request.query("category").unwrap_or_default();
    let sort = view.request.query("sort").unwrap_or("relevant");
    let wanted = asked.to_lowercase();
    let mut found: Vec<&Video> = content
        .videos
        .iter()
        .filter(|video| category.is_empty() || video.category == category)
        .filter(|video| video.title.to_lowercase().contains(&wanted))
        .collect();
    match sort {
        "new" => found.sort_by_key(|video| video.days_old),
        "views" => found.sort_by_key(|video| -video.views),
        _ => {}
    }
    let title = if category.is_empty() { format!("Results for “{asked}”") } else { category.to_owned() };
    let markup = html! {
        form.sorting action="/results" {
            input type="hidden" name="q" value=(asked);
            input type="hidden" name="category" value=(category);
            label { "Sort by "
                select name="sort" {
                    @for (id, label) in [("relevant", "Relevance"), ("new", "Newest"), ("views", "Most viewed")] {
                        option value=(id) selected[id == sort] { (label) }
                    }
                }
            }
            button.small type="submit" { "Sort" }
            span.quiet { (found.len()) " videos" }
        }
        (shelf(view, content, found.into_iter().take(PER_PAGE), "/results"))
    };
    (title, markup)
}

fn shelf<'a>(
    view: &View<'_>,
    content: &Content,
    videos: impl Iterator<Item = &'a Video>,
    back: &str,
) -> Markup {
    let videos: Vec<&Video> = videos.filter_map(|video| shown(view, content, video)).collect();
    html! {
        @if videos.is_empty() { p.quiet { "No videos here." } }
        div.shelf { @for video in videos { (card(view, content, video, back)) } }
    }
}

fn thumbnail(video: &Video) -> Markup {
    let hue = video.title.bytes().fold(0_u32, |hue, byte| (hue * 33 + u32::from(byte)) % 360);
    let height = 30 + video.seconds % 50;
    html! {
        svg.thumbnail viewBox="0 0 160 90" aria-hidden="true" {
            rect width="160" height="90" fill=(format!("hsl({hue} 45% 72%)")) {}
            circle cx=(20 + video.views % 120) cy="24" r="13" fill=(format!("hsl({} 70% 86%)", (hue + 40) % 360)) {}
            path d=(format!("M0 {height} Q40 {} 80 {height} T160 {height} V90 H0 Z", height - 18)) fill=(format!("hsl({hue} 40% 42%)")) {}
        }
    }
}

fn length(seconds: i64) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

fn card(view: &View<'_>, content: &Content, video: &Video, back: &str) -> Markup {
    let channel = &content.channels[video.channel];
    let later = view.state.list_has("watch_later", &video.id);
    let dots = html! { svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" { circle cx="12" cy="5" r="1.8" {} circle cx="12" cy="12" r="1.8" {} circle cx="12" cy="19" r="1.8" {} } };
    let entries = html! {
        (list_button("watch_later", &video.id, back, Some("menuitem"), if later { "Remove from Watch later" } else { "Save to Watch later" }))
        (list_button("hidden_channels", &channel.id, back, Some("menuitem"), &format!("Hide {}", channel.name)))
    };
    html! {
        article.video {
            a.picture href=(format!("/watch/{}", video.id)) aria-label=(video.title) { (thumbnail(video)) span.length { (length(video.seconds)) } }
            div.below {
                div {
                    h2 { a href=(format!("/watch/{}", video.id)) { (video.title) } }
                    p.quiet { (channel.name) br; (short_count(video.views)) " views · " (age(video.days_old)) }
                }
                (menu(&format!("menu-{}", video.id), &format!("More about {}", video.title), &dots, &entries))
            }
        }
    }
}

/// `2.2 M`, `288 K`, `940`
fn short_count(count: i64) -> String {
    match count {
        ..1_000 => count.to_string(),
        1_000..1_000_000 => format!("{} K", count / 1_000),
        _ => format!("{}.{} M", count / 1_000_000, count % 1_000_000 / 100_000),
    }
}

fn age(days: i64) -> String {
    match days {
        0 => "today".to_owned(),
        1..60 => format!("{days} days ago"),
        60..730 => format!("{} months ago", days / 30),
        _ => format!("{} years ago", days / 365),
    }
}

fn watch(view: &View<'_>, content: &Content, video: &Video) -> Markup {
    let channel = &content.channels[video.channel];
    let back = format!("/watch/{}", video.id);
    let later = view.state.list_has("watch_later", &video.id);
    html! {
        div.watching {
            div.player { (thumbnail(video)) button type="button" aria-label="Play" { "▶" } span.length { (length(video.seconds)) } }
            aside aria-label="About this video" {
                h2 { "About" }
                p { "A film by " (channel.name) " in " (video.category) ", " (length(video.seconds)) " long." }
                p.quiet { "Subtitles in English. Filmed and cut by the people you see. Links and the list of tools are pinned below the film on the channel's page." }
            }
        }
        p { (short_count(video.views)) " views · " (age(video.days_old)) " · " (video.category) }
        div.actions {
            b { (channel.name) } span.quiet { (short_count(channel.followers)) " followers" }
            (list_button("watch_later", &video.id, &back, None, if later { "Remove from Watch later" } else { "Save to Watch later" }))
        }
        h2 { "Next" }
        (shelf(view, content, content.videos.iter().filter(|other| other.category == video.category && other.id != video.id).take(8), &back))
    }
}

fn me(view: &View<'_>) -> Markup {
    html! {
        p { (view.state.text("channel_about")) }
        @if view.state.is_on("show_subscriber_count") { p.quiet { "1,204 followers" } }
        p.quiet { "No uploads yet. Your first film could be four minutes of water." }
    }
}
