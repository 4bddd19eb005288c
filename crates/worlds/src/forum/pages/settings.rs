//! Settings: four tabs, each a form with its button at the end.

use maud::{Markup, html};

use super::layout::Layout;
use super::{Visit, parts};
use crate::Response;
use crate::forum::feed::{CommentSort, Sort};
use crate::forum::settings::{CHANNELS, Settings, TOPICS, WhoMayWrite};

const TABS: [(&str, &str); 4] = [
    ("profile", "Profile"),
    ("notifications", "Notifications"),
    ("privacy", "Privacy"),
    ("content", "Content"),
];

pub fn page(visit: &Visit<'_>, tab: &str, problem: Option<&str>) -> Response {
    let tab = TABS.iter().map(|(value, _)| *value).find(|value| *value == tab).unwrap_or("profile");
    let settings = &visit.board.state.settings;
    let content = html! {
        h1 { "Settings" }
        (parts::problem(problem))
        div.tabs role="tablist" aria-label="Settings" {
            @for (value, label) in TABS {
                button role="tab" type="button" id={ "tab-" (value) } aria-controls={ "panel-" (value) }
                    aria-selected=(value == tab) tabindex=(if value == tab { "0" } else { "-1" }) { (label) }
            }
        }
        @for (value, _) in TABS {
            section role="tabpanel" id={ "panel-" (value) } aria-labelledby={ "tab-" (value) } hidden[value != tab] {
                form.sheet method="post" action={ "/settings/" (value) } novalidate {
                    @match value {
                        "profile" => (profile(visit, settings)),
                        "notifications" => (notifications(settings)),
                        "privacy" => (privacy(settings)),
                        _ => (content_filters(visit, settings)),
                    }
                    div.buttons.at-end { button.primary type="submit" { "Save " (value) " settings" } }
                }
            }
        }
    };
    Layout { title: "Settings", scripts: &["settings.js"], sidebar: None, content }.page(visit)
}

fn profile(visit: &Visit<'_>, settings: &Settings) -> Markup {
    // After a refused form the visitor finds what they typed.
    let value = |name: &str, saved: &str| visit.request.form(name).unwrap_or(saved).to_owned();
    let profile = &settings.profile;
    html! {
        label for="display_name" { "Display name" }
        input #display_name type="text" name="display_name" value=(value("display_name", &profile.display_name));
        label for="bio" { "Bio" }
        textarea #bio name="bio" rows="4" { (value("bio", &profile.bio)) }
        p.hint { "At most 200 characters." }
        label for="location" { "Location" }
        input #location type="text" name="location" value=(value("location", &profile.location));
        label for="website" { "Website" }
        input #website type="url" name="website" placeholder="https://" value=(value("website", &profile.website));
    }
}

fn notifications(settings: &Settings) -> Markup {
    html! {
        p { "Choose how you want to hear about what happens." }
        table.matrix {
            thead { tr { th scope="col" { "Topic" } @for (_, title) in CHANNELS { th scope="col" { (title) } } } }
            tbody {
                @for (topic, label) in TOPICS {
                    @let channels = settings.notifications.get(topic);
                    tr {
                        th scope="row" { (label) }
                        @for (channel, title) in CHANNELS {
                            td {
                                input type="checkbox" name={ (topic) "." (channel) } aria-label={ (label) ": " (title) }
                                    checked[channels.is_some_and(|channels| channels.get(channel))];
                            }
                        }
                    }
                }
            }
        }
    }
}

fn privacy(settings: &Settings) -> Markup {
    let privacy = &settings.privacy;
    html! {
        fieldset {
            legend { "Who may send you direct messages?" }
            @for (who, value, label) in WhoMayWrite::ALL {
                label.choice { input type="radio" name="who_may_write" value=(value) checked[who == privacy.who_may_write]; (label) }
            }
        }
        h2 { "Your profile" }
        (switch("show_in_search_engines", "Show my profile in search engines",
            "Search engines may list your profile and your posts.", privacy.show_in_search_engines))
        (switch("show_online_status", "Show when I am online",
            "A green dot beside your name tells others that you are reading.", privacy.show_online_status))
        (checkbox("show_communities", "List my communities on my profile", privacy.show_communities))
        h2 { "Your data" }
        p.hint { "We keep what you read for thirty days, to order your home feed. It never leaves our servers unless you allow it here." }
        (switch("personal_recommendations", "Personal recommendations",
            "Suggest communities by what you have read.", privacy.personal_recommendations))
        (checkbox("share_activity_with_partners", "Share my activity with research partners",
            privacy.share_activity_with_partners))
        p.hint { "Partners are listed in the privacy notice. Changes take effect within a day." }
    }
}

/// An ARIA switch: a button whose value travels in a hidden field.
fn switch(name: &str, label: &str, explanation: &str, on: bool) -> Markup {
    html! {
        div.switch-row {
            div { strong id={ "label-" (name) } { (label) } p.hint { (explanation) } }
            button.switch type="button" role="switch" aria-checked=(on) aria-labelledby={ "label-" (name) } data-field=(name) {}
            input type="hidden" name=(name) value=(if on { "on" } else { "off" });
        }
    }
}

fn checkbox(name: &str, label: &str, on: bool) -> Markup {
    html! { label.choice { input type="checkbox" name=(name) checked[on]; (label) } }
}

fn content_filters(visit: &Visit<'_>, settings: &Settings) -> Markup {
    let content = &settings.content;
    html! {
        label for="feed_sort" { "Sort my feed by" }
        select #feed_sort name="feed_sort" { (parts::options(&Sort::ALL, &content.feed_sort)) }
        label for="comment_sort" { "Show comments" }
        select #comment_sort name="comment_sort" { (parts::options(&CommentSort::ALL, &content.comment_sort)) }
        (checkbox("show_mature", "Show posts marked as mature", content.show_mature))
        (checkbox("compact_cards", "Compact cards", content.compact_cards))
        label for="muted_words" { "Muted words" }
        textarea #muted_words name="muted_words" rows="3" { (content.muted_words.join(", ")) }
        p.hint { "Separated by commas. Posts with one of them in the title are left out of your lists." }
        fieldset {
            legend { "Hide communities from Home and All posts" }
            div.columns {
                @for community in &visit.board.catalogue.communities {
                    @let words = community.words;
                    (checkbox(&format!("hide.{}", words.slug), &format!("Hide {}", words.name),
                        content.hidden_communities.contains(words.slug)))
                }
            }
        }
    }
}
