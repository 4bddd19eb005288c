//! The paper's pictures: drawn, not photographed, and always the same for one article.

use std::fmt::Write as _;

use umpire_model::Random;

use super::catalogue::Article;

const WIDTH: i64 = 640;
const HEIGHT: i64 = 400;

/// A landscape in the section's colour: sky, sun, ridges, and something built on the last of them.
pub fn picture(seed: u64, article: &Article) -> String {
    let mut random = Random::stream(seed, &format!("news picture {}", article.id));
    let hue = i64::from(article.section.hue) + random.between(-14, 14);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"hsl({hue} 38% 86%)\"/>\
         <circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"hsl({} 70% 94%)\"/>",
        random.between(80, 560),
        random.between(60, 170),
        random.between(26, 62),
        hue + 20
    );
    for ridge in 0..4 {
        let base = 170 + ridge * 58;
        let mut path = format!("M0 {HEIGHT}");
        for step in 0..=8 {
            let _ = write!(path, " L{} {}", step * WIDTH / 8, base + random.between(-34, 34));
        }
        let lightness = 70 - ridge * 15;
        let _ = write!(svg, "<path d=\"{path} L{WIDTH} {HEIGHT} Z\" fill=\"hsl({hue} 30% {lightness}%)\"/>");
    }
    let ground = 356;
    let mut x = random.between(30, 110);
    while x < 600 {
        let (width, height) = (random.between(22, 58), random.between(24, 150));
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{}\" width=\"{width}\" height=\"{}\" fill=\"hsl({hue} 34% 17%)\"/>",
            ground - height,
            HEIGHT - ground + height
        );
        x += width + random.between(8, 120);
    }
    svg.push_str("</svg>");
    svg
}
