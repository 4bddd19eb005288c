//! Communication: a matrix of topics and channels.

use maud::html;

use super::layout::page;
use crate::hub::settings::{CHANNELS, LOCKED_CELL, MAIL_TOPICS};
use crate::hub::{Hub, View};
use crate::{Request, Response};

pub(in crate::hub) fn show(view: &View<'_>) -> Response {
    let content = html! {
        p.lead { "What we may write to you about, and how." }
        form method="post" action="/communication" {
            div.card.matrix-holder {
                table.matrix {
                    thead { tr { th scope="col" { "Topic" } @for (_, channel) in CHANNELS { th scope="col" { (channel) } } } }
                    tbody {
                        @for (topic, label) in MAIL_TOPICS {
                            tr {
                                th scope="row" { (label) }
                                @for (channel, channel_label) in CHANNELS {
                                    td {
                                        input type="checkbox" name=(cell_name(topic, channel)) value="on"
                                            aria-label=(format!("{label} by {channel_label}"))
                                            checked[is_on(view, topic, channel)] disabled[(topic, channel) == LOCKED_CELL];
                                    }
                                }
                            }
                        }
                    }
                }
            }
            p.quiet { "Security alerts always come by e-mail." }
            div.actions { button.primary type="submit" { "Save preferences" } }
        }
    };
    page(view, "Communication", &content)
}

pub(in crate::hub) fn save(hub: &mut Hub, request: &Request) -> Response {
    for (topic, channels) in &mut hub.state.communication {
        for (channel, on) in channels {
            let locked = (topic.as_str(), channel.as_str()) == LOCKED_CELL;
            *on = locked || request.form(&cell_name(topic, channel)).is_some();
        }
    }
    Response::see_other("/communication?done=communication")
}

fn cell_name(topic: &str, channel: &str) -> String {
    format!("{topic}.{channel}")
}

fn is_on(view: &View<'_>, topic: &str, channel: &str) -> bool {
    view.state.communication.get(topic).and_then(|row| row.get(channel)).copied().unwrap_or(false)
}
