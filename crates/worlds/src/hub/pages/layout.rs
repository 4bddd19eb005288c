//! The frame around every page: header, side navigation, notices, footer; and the parts pages share.

use http::StatusCode;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::hub::state::Theme;
use crate::hub::{View, data};
use crate::{Response, hub::CONSENT_HOST};

/// Side navigation: group, then entries as (link, label).
const NAVIGATION: [(&str, &[(&str, &str)]); 4] = [
    (
        "Account",
        &[
            ("/", "Overview"),
            ("/profile", "Profile"),
            ("/security", "Sign-in & security"),
            ("/devices", "Devices & sessions"),
            ("/activity", "Activity log"),
        ],
    ),
    (
        "Privacy",
        &[
            ("/privacy", "Privacy"),
            ("/ads", "Ad settings"),
            ("/communication", "Communication"),
            ("/data", "Data & export"),
        ],
    ),
    ("Access", &[("/apps", "Connected apps"), ("/tokens", "API tokens")]),
    ("More", &[("/appearance", "Appearance"), ("/help", "Help"), ("/delete", "Delete account")]),
];

/// What a page says after a form was handled; the form's redirect names the notice in the query, so that showing it
/// changes nothing on the server.
const NOTICES: [(&str, &str); 20] = [
    ("profile", "Your profile was saved."),
    ("password", "Your password was changed."),
    ("two-factor-on", "Two-step verification is on."),
    ("two-factor-off", "Two-step verification is off."),
    ("recovery-added", "The recovery method was added."),
    ("recovery-removed", "The recovery method was removed."),
    ("passkey-removed", "The passkey was removed."),
    ("session", "The session was signed out."),
    ("sessions", "All other sessions were signed out."),
    ("visibility", "Your visibility choices were saved."),
    ("cookies", "Please choose your cookies again."),
    ("ads", "Your ad settings were saved."),
    ("communication", "Your communication preferences were saved."),
    ("export", "Your export was requested. We will tell you when it is ready."),
    ("export-cancelled", "The export was cancelled."),
    ("token-revoked", "The token was revoked."),
    ("app", "The app no longer has access to your account."),
    ("deletion", "Your account is scheduled for deletion."),
    ("deletion-cancelled", "Your account will not be deleted."),
    ("signed-in", "Welcome back."),
];

const LOGO: &str = r##"<svg viewBox="0 0 32 32" width="30" height="30" aria-hidden="true"><circle cx="16" cy="16" r="4.5" fill="currentColor"/><ellipse cx="16" cy="16" rx="14" ry="6" fill="none" stroke="currentColor" stroke-width="1.8" transform="rotate(-28 16 16)"/><circle cx="27.4" cy="8.6" r="2.4" fill="#f2a65a"/></svg>"##;
const MARK: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d3a4f"/><circle cx="16" cy="16" r="5" fill="#fff"/><circle cx="26" cy="8" r="3" fill="#f2a65a"/></svg>"##;

pub(in crate::hub) fn asset(name: &str) -> Response {
    match name {
        "style.css" => Response::css(include_str!("../assets/style.css")),
        "hub.js" => Response::script(include_str!("../assets/hub.js")),
        "settings.js" => Response::script(include_str!("../assets/settings.js")),
        "activity.js" => Response::script(include_str!("../assets/activity.js")),
        "appearance.js" => Response::script(include_str!("../assets/appearance.js")),
        "mark.svg" => Response::svg(MARK.to_owned()),
        _ => Response::empty().status(StatusCode::NOT_FOUND),
    }
}

/// A page of the signed-in hub.
pub(in crate::hub) fn page(view: &View<'_>, title: &str, content: &Markup) -> Response {
    let here = format!("/{}", view.request.path.first().map_or("", String::as_str));
    let initials: String =
        view.state.profile.display_name.split_whitespace().filter_map(|w| w.chars().next()).collect();
    let appearance = &view.state.appearance;
    let classes = [
        (appearance.reduce_motion, "still"),
        (appearance.underline_links, "underlined"),
        (appearance.compact_lists, "compact"),
    ];
    let classes: Vec<&str> = classes.iter().filter(|(on, _)| *on).map(|(_, class)| *class).collect();
    Response::html(html! {
        (DOCTYPE)
        html lang="en" data-theme=(theme_name(appearance.theme)) class=(classes.join(" "))
            style=(format!("font-size:{}%", appearance.text_size)) {
            (head(title))
            body {
                a.skip href="#main" { "Skip to content" }
                header.top {
                    a.brand href="/" { (PreEscaped(LOGO)) span { "Orrery " b { "Account" } } }
                    form.search role="search" action="/search" {
                        input type="search" name="q" aria-label="Search settings" placeholder="Search settings"
                            value=[search_value(view)];
                        button.plain type="submit" { "Search" }
                    }
                    div.menu-holder {
                        button.avatar type="button" aria-label="Account menu" aria-haspopup="menu"
                            aria-expanded="false" data-menu="account-menu" { (initials) }
                        div.menu id="account-menu" role="menu" hidden {
                            p.menu-who { b { (view.state.profile.display_name) } br; (data::EMAIL) }
                            a role="menuitem" href="/profile" { "Edit profile" }
                            a role="menuitem" href="/activity" { "Recent activity" }
                            form method="post" action="/sign-out" {
                                button role="menuitem" type="submit" { "Sign out" }
                            }
                        }
                    }
                }
                div.frame {
                    nav.side aria-label="Settings" {
                        @for (group, entries) in NAVIGATION {
                            h2 { (group) }
                            ul {
                                @for (link, label) in entries {
                                    li { a href=(link) aria-current=[(here == *link).then_some("page")] { (label) } }
                                }
                            }
                        }
                    }
                    main id="main" {
                        @if let Some(notice) = notice(view) {
                            p.notice role="status" { (notice) }
                        }
                        @if let Some(deletion) = &view.state.deletion {
                            div.problem {
                                "This account will be deleted on " (nice_date(&deletion.scheduled_for)) ". "
                                form.inline method="post" action="/delete/cancel" {
                                    button.plain type="submit" { "Keep my account" }
                                }
                            }
                        }
                        h1 { (title) }
                        (content)
                    }
                }
                footer.bottom {
                    p { "© 2026 Orrery Cooperative · Utrecht" }
                    p { a href="/help" { "Help and contact" } " · " a href="/data" { "Your data" } }
                }
                @if !view.state.consent.answered {
                    iframe.consent id="consent" title="Cookie consent" src=(format!("http://{CONSENT_HOST}/frame")) {}
                }
                div id="toast" role="status" aria-live="polite" {}
                script src="/assets/hub.js" defer {}
            }
        }
    })
}

/// The `head` of pages with and without the frame.
pub(super) fn head(title: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (title) " · Orrery Account" }
            link rel="icon" href="/assets/mark.svg";
            link rel="stylesheet" href="/assets/style.css";
        }
    }
}

pub(in crate::hub) fn not_found(view: &View<'_>) -> Response {
    let content = html! {
        p.lead { "There is nothing at this address, or it was removed in the meantime." }
        p { a.button href="/" { "Back to the overview" } }
    };
    page(view, "Page not found", &content).status(StatusCode::NOT_FOUND)
}

/// An error above a form, if there is one.
pub(super) fn problem(text: Option<&str>) -> Markup {
    html! {
        @if let Some(text) = text {
            p.problem role="alert" { (text) }
        }
    }
}

/// A native drop-down with its label.
pub(super) fn drop_down(name: &str, label: &str, options: &[(&str, &str)], chosen: &str) -> Markup {
    html! {
        label.field {
            span { (label) }
            select name=(name) {
                @for (id, text) in options {
                    option value=(id) selected[*id == chosen] { (text) }
                }
            }
        }
    }
}

/// A group of native radio buttons.
pub(super) fn radios(name: &str, legend: &str, options: &[(&str, &str)], chosen: &str) -> Markup {
    html! {
        fieldset.choices {
            legend { (legend) }
            @for (id, text) in options {
                label.choice { input type="radio" name=(name) value=(id) checked[*id == chosen]; span { (text) } }
            }
        }
    }
}

/// `2026-03-05` as `5 Mar 2026`; anything else as it is.
pub(in crate::hub) fn nice_date(text: &str) -> String {
    text.get(..10)
        .and_then(|day| day.parse::<jiff::civil::Date>().ok())
        .map_or_else(|| text.to_owned(), |day| day.strftime("%-d %b %Y").to_string())
}

fn search_value<'a>(view: &View<'a>) -> Option<&'a str> {
    let searching = view.request.path.first().is_some_and(|first| first == "search");
    searching.then(|| view.request.query("q")).flatten()
}

fn notice(view: &View<'_>) -> Option<&'static str> {
    let done = view.request.query("done")?;
    NOTICES.iter().find(|(id, _)| *id == done).map(|(_, text)| *text)
}

pub(super) fn theme_name(theme: Theme) -> &'static str {
    match theme {
        Theme::System => "system",
        Theme::Light => "light",
        Theme::Dark => "dark",
        Theme::Sepia => "sepia",
    }
}
