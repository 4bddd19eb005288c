//! The blocks of a settings page, one below the other, behind tabs, or behind headings that unfold.

use maud::{Markup, html};

use super::controls::control;
use super::question;
use crate::settings::description::{Arrangement, Block, Control, Growth, Holds, Page, Saved};
use crate::settings::{View, records, requests};

pub(in crate::settings) fn blocks(view: &View<'_>, page: &Page) -> Markup {
    match page.arrangement {
        Arrangement::Stack => html! {
            @for block in page.blocks {
                section.block { h2 { (block.title) } (body(view, page, block)) }
            }
        },
        Arrangement::Tabs => html! {
            div.tabs role="tablist" aria-label=(page.title) {
                @for (index, block) in page.blocks.iter().enumerate() {
                    button type="button" role="tab" id=(format!("tab-{}", block.id)) aria-selected=(index == 0)
                        aria-controls=(format!("panel-{}", block.id)) { (block.title) }
                }
            }
            @for (index, block) in page.blocks.iter().enumerate() {
                section.block role="tabpanel" id=(format!("panel-{}", block.id))
                    aria-labelledby=(format!("tab-{}", block.id)) hidden[index != 0] { (body(view, page, block)) }
            }
        },
        Arrangement::Accordion => html! {
            @for block in page.blocks {
                section.block.folding {
                    h2 {
                        button.fold type="button" aria-expanded="false" aria-controls=(format!("fold-{}", block.id)) {
                            (block.title)
                        }
                    }
                    div.folded id=(format!("fold-{}", block.id)) hidden { (body(view, page, block)) }
                }
            }
        },
    }
}

fn body(view: &View<'_>, page: &Page, block: &Block) -> Markup {
    html! {
        @if !block.note.is_empty() { p.quiet { (block.note) } }
        @match &block.holds {
            Holds::Controls(saved, controls) => (control_list(view, page, block, *saved, controls)),
            Holds::Mail(button) => (mail(view, button)),
            Holds::Sessions => (records::sessions(view)),
            Holds::Tokens => (records::tokens(view)),
            Holds::Apps => (records::apps(view)),
            Holds::List(list) => (list_of(view, list)),
            Holds::Export => (requests::export(view)),
            Holds::Deletion => (requests::deletion(view)),
        }
    }
}

fn control_list(view: &View<'_>, page: &Page, block: &Block, saved: Saved, controls: &[Control]) -> Markup {
    html! {
        @match saved {
            Saved::AtOnce => div.controls { @for one in controls { (control(view, one, saved)) } },
            Saved::Button(label) => form method="post" action=(format!("/settings/{}/{}", page.slug, block.id)) {
                div.controls { @for one in controls { (control(view, one, saved)) } }
                div.actions { button.primary type="submit" { (label) } }
            },
        }
    }
}

/// Topics in groups, each group with a header of its own that sticks until its last row has gone by.
fn mail(view: &View<'_>, button: &str) -> Markup {
    let matrix = &view.description.mail;
    html! {
        form method="post" action="/settings/mail" {
            @for (heading, topics) in matrix.groups {
                table.matrix {
                    thead {
                        tr { th scope="col" { (heading) } @for (_, channel) in matrix.channels { th scope="col" { (channel) } } }
                    }
                    tbody {
                        @for (topic, label) in *topics {
                            tr {
                                th scope="row" { (label) }
                                @for (channel, channel_label) in matrix.channels {
                                    td {
                                        input type="checkbox" name=(format!("{topic}.{channel}")) value="on"
                                            aria-label=(format!("{label} by {}", channel_label.to_lowercase()))
                                            checked[view.state.gets_mail(topic, channel)]
                                            disabled[(*topic, *channel) == matrix.locked];
                                    }
                                }
                            }
                        }
                    }
                }
            }
            div.actions { button.primary type="submit" { (button) } }
        }
    }
}

fn list_of(view: &View<'_>, id: &str) -> Markup {
    let Some(list) = view.description.list(id) else { return html! {} };
    let entries = view.state.lists.get(id);
    html! {
        @if let Growth::Typed(label) = list.growth {
            form.add-entry method="post" action=(format!("/settings/lists/{id}/add")) {
                label.field { span { (label) } input type="text" name="entry" maxlength="60" autocomplete="off"; }
                button type="submit" { "Add" }
            }
        }
        @if entries.is_none_or(std::collections::BTreeMap::is_empty) { p.quiet { (list.empty) } }
        ul.rows {
            @for (entry, name) in entries.into_iter().flatten() {
                li {
                    div.words { (name) }
                    form method="post" action=(format!("/settings/lists/{id}/remove")) {
                        input type="hidden" name="entry" value=(entry);
                        button.small type="submit" aria-label=(format!("{} {name}", list.remove)) { (list.remove) }
                    }
                }
            }
        }
        @if let Some((label, text)) = list.clear {
            button.danger type="button" data-opens=(format!("clear-{id}")) disabled[entries.is_none_or(std::collections::BTreeMap::is_empty)] { (label) }
            (question(&format!("clear-{id}"), text, &format!("/settings/lists/{id}/clear"), "Yes, remove everything"))
        }
    }
}
