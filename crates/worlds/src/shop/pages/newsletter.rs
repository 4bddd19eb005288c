use maud::{Markup, html};

use super::Visit;
use super::account::{account_trail, framed};
use crate::Response;
use crate::shop::history::TOPICS;

pub const FREQUENCIES: [(&str, &str); 3] =
    [("daily", "Every day"), ("weekly", "Once a week"), ("monthly", "Once a month")];

pub fn preferences(visit: &Visit<'_>) -> Response {
    let newsletter = &visit.state.newsletter;
    let body = html! {
        h1 { "Newsletter preferences" }
        p { "Sent to " strong { (visit.state.profile.email) } ". Changes count once you have saved them." }
        form.stacked method="post" action="/account/newsletter" {
            label.toggle {
                input type="checkbox" role="switch" name="subscribed" value="1" checked[newsletter.subscribed]
                    aria-label="Receive the newsletter";
                span { "Receive the newsletter" }
            }
            fieldset {
                legend { "Topics" }
                @for (code, name, about) in TOPICS {
                    label.toggle {
                        input type="checkbox" role="switch" name="topic" value=(code)
                            checked[newsletter.topics.get(code).copied().unwrap_or(false)] aria-label=(name);
                        span { strong { (name) } span.muted { (about) } }
                    }
                }
            }
            div.field {
                label for="frequency" { "How often" }
                select id="frequency" name="frequency" {
                    @for (code, label) in FREQUENCIES {
                        option value=(code) selected[code == newsletter.frequency] { (label) }
                    }
                }
            }
            fieldset {
                legend { "Format" }
                @for (code, label) in [("html", "With pictures"), ("text", "Text only")] {
                    label.check {
                        input type="radio" name="format" value=(code) checked[newsletter.format == code];
                        span { (label) }
                    }
                }
            }
            section.small-print {
                h2 { "How we use your address" }
                p { "We write to you about the topics you chose, at the rhythm you chose. Every letter has a \
                    link at the bottom to end it." }
                p { "We count how many letters are opened, not who opens them. Pictures are served from our own \
                    shop, so nobody else learns that you read us." }
                p { "Some of the makers whose goods we sell write letters of their own. If you allow it we tell \
                    them your e-mail address and first name, nothing else, and they may write to you at most \
                    four times a year." }
                p { "If you change your mind we tell them within a working day. They must then delete your \
                    address and confirm this to us in writing." }
            }
            label.check {
                input type="checkbox" name="partners" value="1" checked[newsletter.share_with_partners];
                span { "Share my e-mail address with partner brands" }
            }
            div.actions { button type="submit" { "Save preferences" } }
        }
    };
    framed(visit, "Newsletter", account_trail(), &body)
}

/// A pop-up over the offers that asks for a subscription; the script opens it once a session.
pub fn invitation(visit: &Visit<'_>) -> Markup {
    html! {
        dialog.invitation #newsletter-invitation aria-labelledby="invitation-title" {
            button.close type="button" data-close aria-label="Close" { "×" }
            h2 #invitation-title { "First pick of every offer" }
            p { "Our Friday letter lists reduced things before they appear here. No more than one a week." }
            form.stacked method="post" action="/newsletter/join" {
                div.field {
                    label for="join-email" { "E-mail address" }
                    input id="join-email" name="email" type="email" value=(visit.state.profile.email);
                }
                div.actions {
                    button type="submit" { "Sign me up" }
                    button.link-button type="button" data-close { "No, thank you" }
                }
            }
        }
    }
}
