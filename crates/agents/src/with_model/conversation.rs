use umpire_llm::{Message, Part, Role};

/// What was said so far. Replies stay; of the pages only the newest few do, because each costs as much as everything
/// else together.
#[derive(Default)]
pub(super) struct Conversation {
    turns: Vec<(Message, String)>,
}

impl Conversation {
    /// The messages up to `now`, with the pages of the newest `kept` turns, `now` among them.
    pub fn with(&self, now: Message, kept: usize) -> Vec<Message> {
        let first_kept = (self.turns.len() + 1).saturating_sub(kept.max(1));
        let mut messages = Vec::with_capacity(self.turns.len() * 2 + 1);
        for (number, (shown, reply)) in self.turns.iter().enumerate() {
            messages.push(if number < first_kept { forgotten(number, shown) } else { shown.clone() });
            messages.push(Message::assistant(reply.clone()));
        }
        messages.push(now);
        messages
    }

    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    pub fn remember(&mut self, shown: Message, reply: String) {
        self.turns.push((shown, reply));
    }
}

/// The first message says what the task is, in its first part, and keeps that.
fn forgotten(number: usize, shown: &Message) -> Message {
    const NOTE: &str = "(This page is no longer shown.)";
    let task = match shown.parts.first() {
        Some(Part::Text(text)) if number == 0 => vec![Part::Text(text.clone())],
        _ => Vec::new(),
    };
    let note = std::iter::once(Part::Text(NOTE.to_owned()));
    Message { role: Role::User, parts: task.into_iter().chain(note).collect() }
}

#[cfg(test)]
mod tests {
    use umpire_model::Media;

    use super::*;

    #[test]
    fn only_the_newest_pages_are_kept() {
        let page = |number: usize| Message::user(format!("page {number}")).with_image(Media::Jpeg, vec![0]);
        let mut conversation = Conversation::default();
        let mut first = page(1);
        first.parts.insert(0, Part::Text("task".to_owned()));
        conversation.remember(first, "reply 1".to_owned());
        conversation.remember(page(2), "reply 2".to_owned());
        conversation.remember(page(3), "reply 3".to_owned());
        let texts = |kept| {
            let messages = conversation.with(page(4), kept);
            messages.iter().map(|message| (message.text(), message.parts.len())).collect::<Vec<_>>()
        };
        let note = "(This page is no longer shown.)";
        let said = |text: &str, parts: usize| (text.to_owned(), parts);
        assert_eq!(
            texts(2),
            [
                said(&format!("task\n{note}"), 2),
                said("reply 1", 1),
                said(note, 1),
                said("reply 2", 1),
                said("page 3", 2),
                said("reply 3", 1),
                said("page 4", 2)
            ]
        );
        assert_eq!(texts(0), texts(1));
        assert_eq!(texts(9)[0], said("task\npage 1", 3));
    }
}
