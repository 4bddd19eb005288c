use serde::{Deserialize, Serialize};

/// What only so many attempts may use at a time, in the whole fleet: an account, a site.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    pub name: String,
    pub at_a_time: u32,
}

/// One attempt to be made, as it stands in the queue. It names what a worker has to know already; nothing secret is here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    pub run: String,
    pub attempt: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<Key>,
    /// Whether doing it twice at the same time harms nobody: not where two would meet on a real site.
    pub repeatable: bool,
    /// Above 0 it is a further copy, published because the attempt is slow or its message was lost. Each
    /// steward numbers its own.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub copy: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape serde wants")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Assignment {
    /// What the queue recognises a second publication by.
    pub(crate) fn message_id(&self) -> String {
        match self.copy {
            0 => format!("{}/{}", self.run, self.attempt),
            copy => format!("{}/{}/copy-{copy}", self.run, self.attempt),
        }
    }
}

/// Everything a run consists of, in the order it is to be begun.
pub trait Roster: Send + Sync {
    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The assignment at a place below [`Roster::len`].
    fn at(&self, place: usize) -> Assignment;
}

impl Roster for Vec<Assignment> {
    fn len(&self) -> usize {
        self.len()
    }

    fn at(&self, place: usize) -> Assignment {
        self[place].clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_small_and_comes_back_whole() {
        let plain = Assignment {
            run: "demo-1".to_owned(),
            attempt: "oracle/shop-1/1".to_owned(),
            keys: Vec::new(),
            repeatable: true,
            copy: 0,
        };
        let text = serde_json::to_string(&plain).expect("json");
        assert_eq!(text, r#"{"run":"demo-1","attempt":"oracle/shop-1/1","repeatable":true}"#);
        assert_eq!(serde_json::from_str::<Assignment>(&text).expect("read"), plain);
        let copy = Assignment { copy: 2, ..plain.clone() };
        assert_ne!(copy.message_id(), plain.message_id(), "a copy is no repetition of the original");
    }
}
