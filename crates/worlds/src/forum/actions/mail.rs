//! Direct messages and notifications.

use http::StatusCode;

use super::field;
use crate::forum::Forum;
use crate::forum::catalogue::VISITOR;
use crate::forum::flash::Flash;
use crate::forum::moment::Moment;
use crate::forum::pages::messages::{self, Letter};
use crate::forum::state::{Message, Thread};
use crate::{Request, Response};

const LONGEST_MESSAGE: usize = 2_000;

impl Forum {
    pub(in crate::forum) fn send_message(&mut self, request: &Request) -> Response {
        let letter = Letter {
            to: field(request, "to").trim_start_matches('@').to_owned(),
            subject: field(request, "subject"),
            body: field(request, "body"),
        };
        let refuse = |status: StatusCode, problem: &str| {
            messages::compose(&self.visit(request), &letter, Some(problem)).status(status)
        };
        let Some(person) = self.catalogue.person(&letter.to) else {
            return refuse(StatusCode::UNPROCESSABLE_ENTITY, "There is nobody of that name on Thicket.");
        };
        if person.name == VISITOR {
            return refuse(StatusCode::UNPROCESSABLE_ENTITY, "You cannot write to yourself.");
        }
        if !(1..=80).contains(&letter.subject.chars().count()) {
            return refuse(StatusCode::UNPROCESSABLE_ENTITY, "A subject has 1 to 80 characters.");
        }
        if !(1..=LONGEST_MESSAGE).contains(&letter.body.chars().count()) {
            return refuse(StatusCode::UNPROCESSABLE_ENTITY, "A message has 1 to 2,000 characters.");
        }
        let with = person.name.clone();
        let id = self.state.take_id();
        let message = Message { from: VISITOR.to_owned(), body: letter.body, at: Moment::now() };
        let thread = Thread { with, subject: letter.subject, unread: false, messages: vec![message] };
        self.state.threads.insert(id, thread);
        Flash::MessageSent.then(&format!("/messages/{id}"))
    }

    pub(in crate::forum) fn answer_message(&mut self, request: &Request, id: u32) -> Option<Response> {
        let body = field(request, "body");
        let thread = self.state.threads.get_mut(&id)?;
        if !(1..=LONGEST_MESSAGE).contains(&body.chars().count()) {
            let page = messages::thread(&self.visit(request), id)?;
            return Some(page.status(StatusCode::UNPROCESSABLE_ENTITY));
        }
        thread.messages.push(Message { from: VISITOR.to_owned(), body, at: Moment::now() });
        Some(Flash::MessageSent.then(&format!("/messages/{id}")))
    }

    pub(in crate::forum) fn mark_thread_read(&mut self, id: &str) {
        if let Some(thread) = id.parse().ok().and_then(|id: u32| self.state.threads.get_mut(&id)) {
            thread.unread = false;
        }
    }

    pub(in crate::forum) fn open_notification(&mut self, id: &str) -> Option<Response> {
        let notification = self.state.notifications.get_mut(&id.parse().ok()?)?;
        notification.read = true;
        Some(Response::see_other(&notification.link))
    }

    pub(in crate::forum) fn mark_all_read(&mut self) -> Response {
        for notification in self.state.notifications.values_mut() {
            notification.read = true;
        }
        Flash::AllRead.then("/notifications")
    }
}
