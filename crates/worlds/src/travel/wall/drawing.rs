//! The pictures of the puzzle, each a little different.

use std::fmt::Write as _;

use umpire_model::Random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thing {
    Lighthouse,
    Sailboat,
    Tree,
    Umbrella,
    House,
    Bicycle,
}

pub(super) const THINGS: [Thing; 6] =
    [Thing::Lighthouse, Thing::Sailboat, Thing::Tree, Thing::Umbrella, Thing::House, Thing::Bicycle];

impl Thing {
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Lighthouse => "a lighthouse",
            Self::Sailboat => "a sailing boat",
            Self::Tree => "a tree",
            Self::Umbrella => "an umbrella",
            Self::House => "a house",
            Self::Bicycle => "a bicycle",
        }
    }

    /// Around the middle of a square of 100.
    fn shapes(self) -> &'static str {
        match self {
            Self::Lighthouse => {
                "<path d='M42 82 L46 34 H56 L60 82Z' fill='#fff'/><path d='M45 50h12l1 12H44zM43 74h16l1 8H42z' fill='#c8372d'/>\
                 <rect x='45' y='25' width='12' height='9' fill='#ffd76a'/><path d='M43 25h16l-8-9z' fill='#3b3f4a'/>"
            }
            Self::Sailboat => {
                "<path d='M22 68h56l-10 14H32z' fill='#7a4a2b'/><path d='M50 18v46H26z' fill='#fff'/><path d='M54 26v38h20z' fill='#f2e3c6'/>\
                 <path d='M51 14v54' stroke='#4a2f1d' stroke-width='2'/>"
            }
            Self::Tree => {
                "<rect x='46' y='56' width='9' height='28' fill='#6b4a2e'/><circle cx='50' cy='40' r='22' fill='#3f7d3c'/>\
                 <circle cx='36' cy='50' r='13' fill='#4b8f46'/><circle cx='65' cy='49' r='13' fill='#356c33'/>"
            }
            Self::Umbrella => {
                "<path d='M18 52a32 32 0 0 1 64 0q-8-7-16 0-8-7-16 0-8-7-16 0-8-7-16 0z' fill='#8a3fa0'/>\
                 <path d='M50 50v28q0 7 7 7t7-6' fill='none' stroke='#333' stroke-width='3'/>"
            }
            Self::House => {
                "<rect x='28' y='48' width='44' height='34' fill='#e9c9a1'/><path d='M22 50 50 24l28 26z' fill='#a34b32'/>\
                 <rect x='44' y='60' width='12' height='22' fill='#6b4a2e'/><rect x='32' y='54' width='9' height='9' fill='#9fc6dd'/>"
            }
            Self::Bicycle => {
                "<g fill='none' stroke='#22303c' stroke-width='3'><circle cx='30' cy='66' r='15'/><circle cx='70' cy='66' r='15'/>\
                 <path d='M30 66 44 42h20L54 66H30M44 42l10 24M64 42l6 24M60 36h9M39 38h10'/></g>"
            }
        }
    }
}

/// The thing in front of a landscape, shifted, turned and scaled by chance, with some haze over it.
pub(super) fn draw(thing: Thing, random: &mut Random) -> String {
    let (hue, ground) = (random.between(170, 230), random.between(60, 78));
    let (x, y, turn) = (random.between(-12, 12), random.between(-8, 8), random.between(-9, 9));
    let scale = random.between(62, 104);
    let mut haze = String::new();
    for _ in 0..7 {
        let (from, to) = (random.between(0, 100), random.between(0, 100));
        let _ = write!(haze, "<path d='M0 {from}L100 {to}' stroke='#fff' stroke-opacity='.28'/>");
    }
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'><rect width='100' height='100' fill='hsl({hue} 45% 78%)'/>\
         <path d='M0 {ground}Q50 {} 100 {ground}V100H0z' fill='hsl({} 28% 62%)'/>\
         <g transform='translate({x} {y}) rotate({turn} 50 50) translate(50 50) scale({}.{:02}) translate(-50 -50)'>{}</g>{haze}</svg>",
        ground - 8,
        random.between(60, 130),
        scale / 100,
        scale % 100,
        thing.shapes()
    )
}
