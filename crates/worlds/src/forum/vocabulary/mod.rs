//! The words the forum is made of. A community brings its own topics and sentences; posts and comments are drawn
//! from them, with `{t}` standing for the post's topic.

mod archive;
mod craft;
mod outdoors;
mod pages_and_play;
mod people;
mod technology;

pub use archive::ARCHIVED_TITLES;
pub use people::{BIO_LINES, FIRST_WORDS, GENERAL_REMARKS, LAST_WORDS, TOWNS};

/// What a community is made from.
pub struct CommunityWords {
    pub slug: &'static str,
    pub name: &'static str,
    pub tagline: &'static str,
    pub about: &'static str,
    /// Hue of its icon and banner, in degrees.
    pub hue: u16,
    /// Only approved members may post.
    pub restricted: bool,
    pub flairs: &'static [&'static str],
    pub rules: &'static [(&'static str, &'static str)],
    pub topics: &'static [&'static str],
    pub titles: &'static [&'static str],
    pub bodies: &'static [&'static str],
    pub remarks: &'static [&'static str],
    /// Where its link posts point to.
    pub domains: &'static [&'static str],
}

/// All communities, in the order of the directory.
pub fn communities() -> impl Iterator<Item = &'static CommunityWords> {
    craft::COMMUNITIES
        .iter()
        .chain(outdoors::COMMUNITIES)
        .chain(technology::COMMUNITIES)
        .chain(pages_and_play::COMMUNITIES)
}
