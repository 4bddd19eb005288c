use std::borrow::Cow;

use super::spec::ModelOptions;

/// Less than this of a page is not worth asking about.
const LEAST: usize = 500;

/// How much of a page is shown at a time. It shrinks to what the model turns out to be able to read, and stays there.
pub(super) struct PageRoom {
    bytes: usize,
}

impl PageRoom {
    pub fn new(options: &ModelOptions, default: usize) -> Self {
        Self { bytes: options.page_bytes.unwrap_or(default) }
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// As much of the page as there is room for; what is left out is said to be.
    pub fn cut<'p>(&self, page: &'p str) -> Cow<'p, str> {
        if page.len() <= self.bytes {
            return Cow::Borrowed(page);
        }
        let end = page.floor_char_boundary(self.bytes);
        Cow::Owned(format!("{}\n… the rest of the page is left out", &page[..end]))
    }

    /// Halves the room; false if there is hardly any left.
    pub fn shrink(&mut self) -> bool {
        if self.bytes <= LEAST {
            return false;
        }
        self.bytes /= 2;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_cut_at_a_letter_and_says_so() {
        let mut room = PageRoom { bytes: 1001 };
        let page = "ü".repeat(600);
        let cut = room.cut(&page);
        assert_eq!(cut.chars().filter(|c| *c == 'ü').count(), 500);
        assert!(cut.ends_with("left out"));
        assert_eq!(room.cut("short"), "short");
        assert!(room.shrink());
        assert!(!room.shrink(), "{} bytes", room.bytes());
    }
}
