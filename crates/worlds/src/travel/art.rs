//! Pictures of cities and stays: a skyline by the water, always the same for one name.

use std::fmt::Write as _;

use http::StatusCode;
use umpire_model::Random;

use crate::Response;

/// `/picture/<name>.svg`: a city's slug or a stay's id.
pub fn serve(seed: u64, name: &str) -> Response {
    match name.strip_suffix(".svg") {
        Some(name) if !name.is_empty() && name.len() < 40 => Response::svg(picture(seed, name)),
        _ => Response::empty().status(StatusCode::NOT_FOUND),
    }
}

fn picture(seed: u64, name: &str) -> String {
    let mut random = Random::stream(seed, &format!("travel picture {name}"));
    let (sky, walls) = (random.between(10, 50), random.between(0, 360));
    let mut svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 480 300' preserveAspectRatio='xMidYMid slice'>\
         <defs><linearGradient id='s' x2='0' y2='1'><stop stop-color='hsl({} 70% 70%)'/><stop offset='1' stop-color='hsl({sky} 90% 88%)'/></linearGradient></defs>\
         <rect width='480' height='300' fill='url(#s)'/><circle cx='{}' cy='{}' r='34' fill='#fff6d8'/>",
        sky + 180,
        random.between(70, 410),
        random.between(50, 120)
    );
    let mut x = random.between(-20, 20);
    while x < 480 {
        let (width, height) = (random.between(26, 70), random.between(40, 150));
        let light = random.between(42, 78);
        let _ = write!(
            svg,
            "<rect x='{x}' y='{}' width='{width}' height='{height}' fill='hsl({} 34% {light}%)'/>",
            236 - height,
            walls + random.between(-30, 30)
        );
        if random.chance(45) {
            let _ = write!(
                svg,
                "<path d='M{x} {0}l{1} -{2}l{1} {2}z' fill='hsl({walls} 40% 34%)'/>",
                236 - height,
                width / 2,
                random.between(14, 40)
            );
        }
        x += width + random.between(0, 12);
    }
    svg.push_str("<rect y='236' width='480' height='64' fill='#1c7f8c'/><path d='M0 252q40-8 80 0t80 0 80 0 80 0 80 0 80 0v4q-40 8-80 0t-80 0-80 0-80 0-80 0-80 0z' fill='#fff' fill-opacity='.35'/></svg>");
    svg
}
