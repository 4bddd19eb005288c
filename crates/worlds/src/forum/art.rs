//! Pictures drawn from numbers: icons, avatars and the photographs people post.

use std::fmt::Write;

use umpire_model::Random;

use super::vocabulary::CommunityWords;

/// A rounded square with the community's initials.
pub fn community_icon(words: &CommunityWords) -> String {
    let initials: String = words.name.split(' ').filter_map(|word| word.chars().next()).take(2).collect();
    let hue = words.hue;
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="18" fill="hsl({hue} 48% 42%)"/><circle cx="45" cy="19" r="15" fill="hsl({hue} 60% 58%)" opacity=".55"/><text x="32" y="41" text-anchor="middle" font-family="Georgia,serif" font-size="26" font-weight="700" fill="#fff">{initials}</text></svg>"##
    )
}

/// A pattern of blocks, mirrored, whose colour and shape follow from the name.
pub fn avatar(name: &str) -> String {
    let mut random = Random::stream(0, name);
    let hue = random.below(360);
    let mut blocks = String::new();
    for row in 0..5 {
        for column in 0..3 {
            if random.chance(52) {
                for x in [column, 4 - column] {
                    // Writing to a string cannot fail.
                    let _ = write!(
                        blocks,
                        r#"<rect x="{}" y="{}" width="10" height="10"/>"#,
                        7 + x * 10,
                        7 + row * 10
                    );
                }
            }
        }
    }
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="32" fill="hsl({hue} 45% 90%)"/><g fill="hsl({hue} 45% 42%)">{blocks}</g></svg>"#
    )
}

/// A landscape in the community's colours, different for each post.
pub fn picture(id: u32, hue: u16) -> String {
    let mut random = Random::stream(u64::from(id), "forum picture");
    let (sun_x, sun_y) = (random.between(80, 560), random.between(50, 140));
    let mut hills = String::new();
    for layer in 0..4 {
        let base = 170 + layer * 45;
        let mut path = format!("M0 360 L0 {base}");
        for step in 1..=8 {
            let _ = write!(path, " L{} {}", step * 80, base + random.between(-38, 30));
        }
        let (shade, tint) = (62 - layer * 13, i64::from(hue) + layer * 14);
        let _ = write!(hills, r#"<path d="{path} L640 360 Z" fill="hsl({tint} 34% {shade}%)"/>"#);
    }
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360"><rect width="640" height="360" fill="hsl({} 55% 86%)"/><circle cx="{sun_x}" cy="{sun_y}" r="34" fill="#fff" opacity=".85"/>{hills}</svg>"##,
        (hue + 30) % 360
    )
}
