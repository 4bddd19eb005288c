//! Direct messages: the inbox, a conversation, and a new one.

use maud::html;

use super::layout::Layout;
use super::{Visit, parts};
use crate::forum::catalogue::VISITOR;
use crate::{Request, Response};

/// A message as far as it has been written.
pub struct Letter {
    pub to: String,
    pub subject: String,
    pub body: String,
}

impl Letter {
    pub fn opening(request: &Request) -> Self {
        Self {
            to: request.query("to").unwrap_or_default().to_owned(),
            subject: String::new(),
            body: String::new(),
        }
    }
}

pub fn inbox(visit: &Visit<'_>) -> Response {
    let mut threads: Vec<_> = visit.board.state.threads.iter().collect();
    threads.sort_by_key(|(id, thread)| std::cmp::Reverse((thread.newest().map(|message| message.at), **id)));
    let content = html! {
        div.toolbar { h1 { "Messages" } a.button.primary href="/messages/compose" { "New message" } }
        @if threads.is_empty() { p.empty { "No messages yet." } }
        ul.inbox {
            @for (id, thread) in threads {
                li.unread[thread.unread] {
                    img src={ "/img/u/" (thread.with) ".svg" } alt="" width="36" height="36";
                    div {
                        p.meta {
                            (parts::person(&thread.with))
                            @if let Some(newest) = thread.newest() { (parts::when(newest.at)) }
                            @if thread.unread { span.tag { "New" } }
                        }
                        h2 { a href={ "/messages/" (id) } { (thread.subject) } }
                        @if let Some(newest) = thread.newest() {
                            p.excerpt { @if newest.from == VISITOR { "You: " } (parts::excerpt(&newest.body)) }
                        }
                    }
                }
            }
        }
    };
    Layout { title: "Messages", scripts: &[], sidebar: None, content }.page(visit)
}

/// `None` if there is no such conversation.
pub fn thread(visit: &Visit<'_>, id: u32) -> Option<Response> {
    let thread = visit.board.state.threads.get(&id)?;
    let content = html! {
        nav.crumbs aria-label="Breadcrumb" { a href="/messages" { "Messages" } " › " span { (thread.subject) } }
        h1 { (thread.subject) }
        p.muted { "Conversation with " (parts::person(&thread.with)) }
        ol.conversation {
            @for message in &thread.messages {
                li.own[message.from == VISITOR] {
                    p.meta { strong { (message.from) } span { (message.at.day_and_time()) } }
                    (parts::paragraphs(&message.body))
                }
            }
        }
        form.composer method="post" action={ "/messages/" (id) } {
            label for="answer" { "Your answer" }
            textarea #answer name="body" rows="4" required {}
            div.buttons { button.primary type="submit" { "Send answer" } }
        }
    };
    Some(Layout { title: &thread.subject, scripts: &[], sidebar: None, content }.page(visit))
}

pub fn compose(visit: &Visit<'_>, letter: &Letter, problem: Option<&str>) -> Response {
    let content = html! {
        nav.crumbs aria-label="Breadcrumb" { a href="/messages" { "Messages" } " › " span { "New message" } }
        h1 { "New message" }
        (parts::problem(problem))
        form.sheet method="post" action="/messages/compose" novalidate {
            label for="to" { "Recipient" }
            input #to type="text" name="to" value=(letter.to) autocomplete="off" data-recipient aria-describedby="to-hint";
            p #to-hint .hint role="status" { "The name as it stands on the profile." }
            label for="subject" { "Subject" }
            input #subject type="text" name="subject" maxlength="120" value=(letter.subject) autocomplete="off";
            label for="letter" { "Message" }
            textarea #letter name="body" rows="7" { (letter.body) }
            div.buttons { a.button href="/messages" { "Cancel" } button.primary type="submit" { "Send message" } }
        }
    };
    Layout { title: "New message", scripts: &["people.js"], sidebar: None, content }.page(visit)
}
