//! Pictures, so that no image file is needed: one drawing a shelf, in colours of the item's own, and a city's streets.

use maud::{Markup, PreEscaped, html};
use umpire_model::Random;

use super::atlas::{EXTENT, Place, streets};
use super::item::Item;
use super::listing::ListingQuery;
use super::trade::Shelf;

pub fn picture(item: &Item) -> Markup {
    let said = item.values("colour").iter().find_map(|name| named_paint(name));
    let paint = said.unwrap_or_else(|| Paint::of_hue(Random::stream(0, &item.id).below(360)));
    sheet(item.shelf.drawing, &paint, &initials(&item.name))
}

/// What a picture is painted in: its thing, a darker shade of it, and the ground it stands on.
struct Paint {
    thing: String,
    shade: String,
    ground: String,
}

impl Paint {
    fn of_hue(hue: usize) -> Self {
        Self {
            thing: format!("hsl({hue} 45% 48%)"),
            shade: format!("hsl({hue} 42% 30%)"),
            ground: format!("hsl({hue} 38% 90%)"),
        }
    }
}

/// A thing of a colour that its page names is shown in that colour.
fn named_paint(colour: &str) -> Option<Paint> {
    let (thing, shade, ground) = match colour {
        "Black" => ("#26262a", "#0f0f12", "#e9e9ec"),
        "Charcoal" => ("#4b4f57", "#2d3036", "#ebecee"),
        "Cream" => ("#efe3c6", "#cdbb8f", "#d9e0e4"),
        "Forest" => ("#2c5a3c", "#183724", "#e4ece6"),
        "Navy" => ("#22345f", "#131f3d", "#e3e7f0"),
        "Rust" => ("#b0512c", "#7a3318", "#f3e6df"),
        "Sky" => ("#8bbde2", "#5587ad", "#eef3f7"),
        "Stone" => ("#b9b1a3", "#8b8375", "#efedea"),
        _ => return None,
    };
    Some(Paint { thing: thing.to_owned(), shade: shade.to_owned(), ground: ground.to_owned() })
}

pub fn shelf_picture(shelf: &Shelf) -> Markup {
    let paint = Paint::of_hue(Random::stream(0, shelf.slug).below(360));
    sheet(shelf.drawing, &paint, "")
}

fn sheet(drawing: &str, paint: &Paint, letters: &str) -> Markup {
    html! {
        svg.art viewBox="0 0 200 150" aria-hidden="true" focusable="false" preserveAspectRatio="xMidYMid slice"
            style={ "--c:" (paint.thing) ";--b:" (paint.ground) ";--d:" (paint.shade) } {
            rect width="200" height="150" fill="var(--b)" {}
            g fill="var(--c)" { (PreEscaped(shapes(drawing))) }
            @if drawing == "person" || drawing == "tail" || drawing == "cover" {
                text x="100" y={ (if drawing == "cover" { 72 } else { 84 }) } text-anchor="middle" font-size="26"
                    font-weight="700" fill="#fff" { (letters) }
            }
        }
    }
}

fn initials(name: &str) -> String {
    name.split_whitespace()
        .filter(|word| *word != "Dr.")
        .filter_map(|word| word.chars().next())
        .take(2)
        .collect()
}

/// Shapes on a 200 × 150 sheet in the item's colour; `d` is its dark shade, white is light.
#[rustfmt::skip]
fn shapes(drawing: &str) -> &'static str {
    match drawing {
        "carton" => r##"<path d="M70 50l20-20h40l-10 20z" fill="var(--d)"/><rect x="70" y="50" width="50" height="80"/><path d="M120 50l10-20v86l-10 14z" fill="var(--d)"/><rect x="78" y="72" width="34" height="24" rx="4" fill="#fff"/>"##,
        "bottle" => r##"<rect x="90" y="18" width="20" height="24" fill="var(--d)"/><path d="M88 42h24q12 12 12 28v56q0 8-8 8H84q-8 0-8-8V70q0-16 12-28z"/><rect x="80" y="82" width="40" height="30" fill="#fff"/>"##,
        "jar" => r##"<rect x="70" y="28" width="60" height="16" rx="4" fill="var(--d)"/><rect x="66" y="44" width="68" height="88" rx="12"/><rect x="76" y="68" width="48" height="36" rx="4" fill="#fff"/>"##,
        "bag" => r##"<path d="M66 34h68l8 98H58z"/><path d="M66 34h68v14H66z" fill="var(--d)"/><circle cx="100" cy="88" r="22" fill="#fff"/>"##,
        "loaf" => r##"<path d="M44 86q-8-40 56-40t56 40v34q0 8-8 8H52q-8 0-8-8z"/><path d="M70 58l14 26M96 54l14 26M122 58l14 26" stroke="#fff" stroke-width="6" fill="none"/>"##,
        "fruit" => r#"<circle cx="76" cy="90" r="36"/><circle cx="126" cy="94" r="32" opacity=".8"/><path d="M76 54q4-24 28-28-2 24-28 28z" fill="var(--d)"/>"#,
        "wedge" => r##"<path d="M40 110l110-60q14 20 10 60z"/><circle cx="120" cy="92" r="9" fill="#fff"/><circle cx="92" cy="100" r="6" fill="#fff"/>"##,
        "laptop" => r##"<rect x="50" y="34" width="100" height="68" rx="5" fill="var(--d)"/><rect x="57" y="41" width="86" height="54" fill="#fff"/><path d="M34 106h132l-8 12H42z"/>"##,
        "phone" => r##"<rect x="72" y="20" width="56" height="110" rx="9" fill="var(--d)"/><rect x="78" y="30" width="44" height="86"/><circle cx="100" cy="123" r="4" fill="#fff"/>"##,
        "headphones" => r#"<path d="M52 92q-4-62 48-62t48 62" fill="none" stroke="var(--d)" stroke-width="10"/><rect x="40" y="84" width="28" height="44" rx="12"/><rect x="132" y="84" width="28" height="44" rx="12"/>"#,
        "screen" => r#"<rect x="36" y="26" width="128" height="78" rx="5" fill="var(--d)"/><rect x="43" y="33" width="114" height="64"/><path d="M88 104h24v14h20v8H68v-8h20z" fill="var(--d)"/>"#,
        "camera" => r##"<rect x="40" y="48" width="120" height="76" rx="10"/><rect x="80" y="34" width="40" height="16" fill="var(--d)"/><circle cx="100" cy="86" r="28" fill="#fff"/><circle cx="100" cy="86" r="18" fill="var(--d)"/>"##,
        "speaker" => r#"<rect x="66" y="20" width="68" height="112" rx="10" fill="var(--d)"/><circle cx="100" cy="94" r="24"/><circle cx="100" cy="48" r="13"/>"#,
        "watch" => r##"<path d="M84 16h32l6 36H78zM78 98h44l-6 36H84z" fill="var(--d)"/><circle cx="100" cy="75" r="34"/><circle cx="100" cy="75" r="25" fill="#fff"/><path d="M100 58v18l12 8" stroke="var(--d)" stroke-width="4" fill="none"/>"##,
        "keyboard" => r#"<rect x="26" y="54" width="148" height="62" rx="8" fill="var(--d)"/><path d="M36 64h12v10H36zM54 64h12v10H54zM72 64h12v10H72zM90 64h12v10H90zM108 64h12v10h-12zM126 64h12v10h-12zM144 64h20v10h-20zM36 80h18v10H36zM60 80h12v10H60zM78 80h12v10H78zM96 80h12v10H96zM114 80h12v10h-12zM132 80h32v10h-32zM62 96h78v10H62z"/>"#,
        "shirt" => r#"<path d="M74 26l-34 18 12 30 16-6v60h64V68l16 6 12-30-34-18q-26 22-52 0z"/><path d="M74 26q26 22 52 0l-8-4q-18 10-36 0z" fill="var(--d)"/>"#,
        "trousers" => r#"<path d="M70 22h60l10 110h-28l-12-72-12 72H60z"/><path d="M70 22h60v12H70z" fill="var(--d)"/>"#,
        "jacket" => r##"<path d="M74 24L40 44l8 84h22V70l6 62h48l6-62v58h22l8-84-34-20-26 20z"/><path d="M100 44v88" stroke="#fff" stroke-width="4"/>"##,
        "dress" => r#"<path d="M80 20l8 8q12 8 24 0l8-8 6 40-8 10 24 62H58l24-62-8-10z"/><path d="M82 68h36v8H82z" fill="var(--d)"/>"#,
        "shoe" => r##"<path d="M34 70q24 14 40-10l44 36q14 8 46 12v16H34z"/><path d="M34 116h130v10H34z" fill="var(--d)"/><path d="M84 74l-10 10M96 84l-10 10" stroke="#fff" stroke-width="4"/>"##,
        "satchel" => r#"<path d="M74 58q0-34 26-34t26 34" fill="none" stroke="var(--d)" stroke-width="7"/><rect x="44" y="56" width="112" height="74" rx="10"/><path d="M44 66q0-10 10-10h92q10 0 10 10v26H44z" fill="var(--d)"/>"#,
        "cover" => r##"<rect x="62" y="12" width="78" height="126" rx="2"/><rect x="62" y="12" width="9" height="126" fill="var(--d)"/><rect x="82" y="96" width="46" height="3" fill="#fff"/><rect x="82" y="104" width="32" height="3" fill="#fff"/>"##,
        "facade" => r##"<rect x="46" y="34" width="108" height="116"/><path d="M40 34h120v-8H40z" fill="var(--d)"/><path d="M58 46h16v18H58zM92 46h16v18H92zM126 46h16v18h-16zM58 76h16v18H58zM92 76h16v18H92zM126 76h16v18h-16z" fill="#fff"/><path d="M88 112h24v38H88z" fill="var(--d)"/>"##,
        "tower" => r##"<rect x="74" y="12" width="52" height="138"/><rect x="34" y="70" width="40" height="80" fill="var(--d)"/><path d="M82 22h10v12H82zM108 22h10v12h-10zM82 44h10v12H82zM108 44h10v12h-10zM82 66h10v12H82zM108 66h10v12h-10zM82 88h10v12H82zM108 88h10v12h-10zM42 82h10v10H42zM56 82h10v10H56z" fill="#fff"/><circle cx="156" cy="40" r="14" opacity=".5"/>"##,
        "cabin" => r##"<path d="M100 30l66 56H34z" fill="var(--d)"/><rect x="52" y="84" width="96" height="66"/><rect x="66" y="98" width="24" height="20" fill="#fff"/><rect x="112" y="98" width="22" height="52" fill="var(--d)"/>"##,
        "plate" => r##"<circle cx="100" cy="78" r="52" fill="#fff"/><circle cx="100" cy="78" r="36" fill="var(--b)"/><path d="M78 84q4-24 22-24t22 24q-22 16-44 0z"/><path d="M34 34v34q0 8 6 8v44h6V76q6 0 6-8V34M160 34q-12 8-10 46h6v40h6z" fill="var(--d)"/>"##,
        "person" => r#"<circle cx="100" cy="76" r="54" fill="var(--d)"/>"#,
        "tail" => r#"<path d="M58 122l44-92h34l8 92z"/>"#,
        "lesson" => r##"<path d="M0 110q50-50 100-10t100-30v80H0z"/><path d="M0 130q60-30 110 0t90-20v40H0z" fill="var(--d)"/><path d="M84 40l40 22-40 22z" fill="#fff"/>"##,
        "stage" => r#"<path d="M20 0h26l44 110H4zM180 0h-26l-44 110h86z" opacity=".35"/><path d="M0 108h200v42H0z" fill="var(--d)"/><circle cx="100" cy="62" r="14"/><path d="M84 78h32l6 44H78z"/><path d="M122 66l18-22" stroke="var(--d)" stroke-width="5"/>"#,
        _ => r##"<path d="M60 30h80v90H60z"/><path d="M74 50h52v6H74zM74 66h52v6H74zM74 82h34v6H74z" fill="#fff"/>"##,
    }
}

/// The streets of the city with a numbered pin for each item, and a house where distances are measured from.
pub fn city_map(query: &ListingQuery, items: &[&Item]) -> Markup {
    let Some(city) = items.iter().find_map(|item| item.place).map(|place| place.city) else {
        return html! {};
    };
    html! {
        svg.streets viewBox={ "0 0 " (EXTENT) " " (EXTENT) } role="img" aria-label={ "Map of " (city) } {
            rect.ground width=(EXTENT) height=(EXTENT) {}
            path.water d="M0 640 Q240 560 430 690 T900 600 V760 Q700 690 470 800 T0 760z" {}
            @for (start, end) in streets(city) {
                line.street x1=(start.x) y1=(start.y) x2=(end.x) y2=(end.y) {}
            }
            @for (index, item) in items.iter().enumerate() {
                @if let Some(point) = item.place.map(Place::point) {
                    g.map-pin transform={ "translate(" (point.x) " " (point.y) ")" } {
                        path d="M0 0 C-28-34-24-62 0-62 S28-34 0 0z" {}
                        text y="-30" text-anchor="middle" { (index + 1) }
                    }
                }
            }
            @if let Some(home) = query.home() {
                g.map-home transform={ "translate(" (home.x) " " (home.y) ")" } {
                    path d="M-26 0 0-26 26 0v26h-52z" {}
                }
            }
        }
        p.muted { "Sketch of " (city) ", not to be used for navigation." }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::market::trades::apparel;

    #[test]
    fn every_colour_that_clothes_are_sold_in_can_be_painted() {
        for colour in apparel::COLOURS {
            assert!(named_paint(colour).is_some(), "{colour}");
        }
    }
}
