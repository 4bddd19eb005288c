//! The drawn map: one SVG for any part of the country at any scale.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};

use super::Visit;
use super::catalogue::Place;
use super::lookup;
use crate::geography::{Class, HEIGHT, Point, Town, WIDTH};
use crate::kit::lists::link_with;

pub const PIXELS_WIDE: f64 = 860.0;
pub const PIXELS_HIGH: f64 = 720.0;
/// Metres a pixel, by level of zoom.
const SCALES: [f64; 8] = [300.0, 140.0, 70.0, 35.0, 17.0, 8.0, 4.0, 2.0];
/// From this level on every place has a mark.
const ALL_PLACES_FROM: usize = 6;
const STREET_NAMES_FROM: usize = 6;
const STREETS_FROM: usize = 4;
const MOST_MARKS: usize = 70;

/// A part of the country.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    pub centre: Point,
    pub zoom: usize,
}

impl View {
    pub fn whole_country() -> Self {
        Self { centre: Point::new(WIDTH / 2.0, HEIGHT / 2.0), zoom: 0 }
    }

    /// The closest view that shows all of these points.
    pub fn around(points: &[Point]) -> Self {
        let Some(first) = points.first() else { return Self::whole_country() };
        let (mut low, mut high) = (*first, *first);
        for point in points {
            low = Point { x: low.x.min(point.x), y: low.y.min(point.y) };
            high = Point { x: high.x.max(point.x), y: high.y.max(point.y) };
        }
        let fits = |zoom: &usize| {
            (high.x - low.x) / SCALES[*zoom] < PIXELS_WIDE * 0.8
                && (high.y - low.y) / SCALES[*zoom] < PIXELS_HIGH * 0.8
        };
        let zoom = (0..SCALES.len() - 1).rev().find(fits).unwrap_or(0);
        Self { centre: low.towards(high, 0.5), zoom }
    }

    /// What the request's `at` and `z` ask for, or else this view.
    pub fn as_asked(self, visit: Visit<'_>) -> Self {
        let zoom = visit.asked("z").parse::<usize>().ok().map(|level| level.clamp(1, SCALES.len()) - 1);
        Self {
            centre: lookup::coordinates(visit.asked("at")).unwrap_or(self.centre),
            zoom: zoom.unwrap_or(self.zoom),
        }
    }

    fn scale(self) -> f64 {
        SCALES[self.zoom]
    }

    fn place(self, point: Point) -> (f64, f64) {
        let scale = self.scale();
        (
            (point.x - self.centre.x) / scale + PIXELS_WIDE / 2.0,
            (point.y - self.centre.y) / scale + PIXELS_HIGH / 2.0,
        )
    }

    fn shows(self, point: Point, margin: f64) -> bool {
        let (x, y) = self.place(point);
        (-margin..PIXELS_WIDE + margin).contains(&x) && (-margin..PIXELS_HIGH + margin).contains(&y)
    }
}

/// What lies on top of the country.
#[derive(Default)]
pub struct Overlay<'a> {
    /// Numbered marks.
    pub places: Vec<&'a Place>,
    pub route: Vec<Point>,
    /// Marks without a place: ends of a route, a clicked point.
    pub pins: Vec<Point>,
}

pub fn map(visit: Visit<'_>, view: View, overlay: &Overlay<'_>) -> Markup {
    let view = view.as_asked(visit);
    let step = view.scale() * 260.0;
    let moved = |x: f64, y: f64| {
        let point = Point { x: view.centre.x + x * step, y: view.centre.y + y * step };
        framed(visit, Point { x: point.x.clamp(0.0, WIDTH), y: point.y.clamp(0.0, HEIGHT) }, view.zoom)
    };
    let kilometres = view.scale() * 100.0;
    let bar = if kilometres >= 1_000.0 {
        format!("{} km", (kilometres / 1_000.0).round())
    } else {
        format!("{} m", kilometres.round())
    };
    html! {
        section.map aria-label="Map" data-scale=(view.scale()) data-latitude=(format!("{:.6}", view.centre.latitude()))
            data-longitude=(format!("{:.6}", view.centre.longitude())) data-zoom=(view.zoom + 1) {
            (PreEscaped(drawing(visit, view, overlay)))
            nav.zoom aria-label="Zoom" {
                @if view.zoom + 1 < SCALES.len() { a href=(framed(visit, view.centre, view.zoom + 1)) aria-label="Zoom in" { "+" } }
                @if view.zoom > 0 { a href=(framed(visit, view.centre, view.zoom - 1)) aria-label="Zoom out" { "−" } }
            }
            nav.pan aria-label="Move the map" {
                a.up href=(moved(0.0, -1.0)) aria-label="Move north" { "▲" }
                a.left href=(moved(-1.0, 0.0)) aria-label="Move west" { "◀" }
                a.right href=(moved(1.0, 0.0)) aria-label="Move east" { "▶" }
                a.down href=(moved(0.0, 1.0)) aria-label="Move south" { "▼" }
            }
            p.scale { span {} (bar) }
            a.here href={ "/at?point=" (view.centre.coordinates().replace(' ', "")) } { "What is here?" }
        }
    }
}

/// This page with another part of the country.
fn framed(visit: Visit<'_>, centre: Point, zoom: usize) -> String {
    let at = format!("{:.5},{:.5}", centre.latitude(), centre.longitude());
    let moved = link_with(visit.request, "at", &at);
    let (path, query) = moved.split_once('?').unwrap_or((&moved, ""));
    let others = query.split('&').filter(|pair| !pair.starts_with("z=") && !pair.is_empty());
    let mut query: Vec<String> = others.map(str::to_owned).collect();
    // Moving the map must not turn the page of a list.
    query
        .extend(visit.request.query("page").map(|page| format!("page={}", page.parse::<u32>().unwrap_or(1))));
    query.push(format!("z={}", zoom + 1));
    format!("{path}?{}", query.join("&"))
}

fn drawing(visit: Visit<'_>, view: View, overlay: &Overlay<'_>) -> String {
    let mut svg = format!(
        "<svg viewBox=\"0 0 {PIXELS_WIDE} {PIXELS_HIGH}\" preserveAspectRatio=\"xMidYMid slice\" role=\"group\" \
         aria-label=\"Drawn map\"><rect class=\"sea\" width=\"100%\" height=\"100%\"/><g data-moves>"
    );
    land(&mut svg, visit, view);
    built_up_areas(&mut svg, visit, view);
    water(&mut svg, visit, view);
    roads(&mut svg, visit, view);
    towns(&mut svg, visit, view);
    line(&mut svg, view, &overlay.route, "route-case");
    line(&mut svg, view, &overlay.route, "route");
    labels(&mut svg, visit, view);
    marks(&mut svg, visit, view, overlay);
    svg.push_str("</g></svg>");
    svg
}

fn path_of(view: View, points: &[Point], closed: bool) -> String {
    let mut path = String::new();
    for (at, point) in points.iter().enumerate() {
        let (x, y) = view.place(*point);
        // Writing to a String cannot fail.
        let _ = write!(path, "{}{x:.1} {y:.1}", if at == 0 { 'M' } else { 'L' });
    }
    if closed {
        path.push('Z');
    }
    path
}

fn line(svg: &mut String, view: View, points: &[Point], class: &str) {
    if points.len() > 1 {
        let _ = write!(svg, "<path class=\"{class}\" d=\"{}\"/>", path_of(view, points, false));
    }
}

fn text(svg: &mut String, (x, y): (f64, f64), class: &str, words: &str) {
    let words = html! { (words) }.into_string();
    let _ = write!(svg, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{words}</text>");
}

fn land(svg: &mut String, visit: Visit<'_>, view: View) {
    let _ = write!(svg, "<path class=\"land\" d=\"{}\"/>", path_of(view, &visit.country.coast, true));
    for peak in &visit.country.peaks {
        let (x, y) = view.place(peak.point);
        let radius = 5_200.0 / view.scale();
        if view.shows(peak.point, radius) {
            let _ = write!(svg, "<circle class=\"upland\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>");
        }
    }
}

fn water(svg: &mut String, visit: Visit<'_>, view: View) {
    for river in &visit.country.rivers {
        line(svg, view, &river.course, "river");
    }
    for lake in &visit.country.lakes {
        let (x, y) = view.place(lake.point);
        let radius = lake.radius() / view.scale();
        let _ = write!(
            svg,
            "<ellipse class=\"lake\" cx=\"{x:.1}\" cy=\"{y:.1}\" rx=\"{:.1}\" ry=\"{:.1}\"/>",
            radius * 1.25,
            radius * 0.8
        );
    }
}

fn roads(svg: &mut String, visit: Visit<'_>, view: View) {
    for class in ["road-case", "road"] {
        for road in &visit.country.network.roads {
            let kind = if road.class == Class::Motorway { " motorway" } else { "" };
            line(svg, view, &road.course, &format!("{class}{kind}"));
        }
    }
    if view.zoom >= 2 {
        for road in &visit.country.network.roads {
            let middle = road.course[road.course.len() / 2];
            if view.shows(middle, 0.0) {
                text(svg, view.place(middle), "road-name", &road.name);
            }
        }
    }
}

fn is_in_view(view: View, town: &Town) -> bool {
    view.shows(town.centre, town.reach() * 1.3 / view.scale())
}

fn built_up_areas(svg: &mut String, visit: Visit<'_>, view: View) {
    for town in visit.country.towns.iter().filter(|town| is_in_view(view, town)) {
        let corners = [0, town.columns - 1, town.crossings.len() - 1, town.crossings.len() - town.columns];
        let outline: Vec<Point> = corners.iter().map(|corner| town.crossings[*corner]).collect();
        let _ = write!(svg, "<path class=\"built\" d=\"{}\"/>", path_of(view, &outline, true));
    }
}

fn towns(svg: &mut String, visit: Visit<'_>, view: View) {
    if view.zoom < STREETS_FROM {
        return;
    }
    for (at, town) in visit.country.towns.iter().enumerate().filter(|(_, town)| is_in_view(view, town)) {
        for place in visit.catalogue.in_town(at).filter(|place| place.category.slug == "park") {
            let (x, y) = view.place(place.point);
            let side = 120.0 / view.scale();
            let _ = write!(
                svg,
                "<rect class=\"park\" x=\"{:.1}\" y=\"{:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" rx=\"4\"/>",
                x - side / 2.0,
                y - side / 2.0
            );
        }
        streets(svg, view, town);
    }
}

fn streets(svg: &mut String, view: View, town: &Town) {
    let lines: Vec<Vec<Point>> = town
        .streets
        .iter()
        .map(|street| street.crossings.iter().map(|crossing| town.crossings[*crossing]).collect())
        .collect();
    for class in ["street-case", "street"] {
        for (street, course) in town.streets.iter().zip(&lines) {
            let main =
                if ["High Street", "Station Road"].contains(&street.name.as_str()) { " main" } else { "" };
            line(svg, view, course, &format!("{class}{main}"));
        }
    }
    if view.zoom < STREET_NAMES_FROM {
        return;
    }
    for (street, course) in town.streets.iter().zip(&lines) {
        for pair in course.windows(2).skip(1).step_by(3) {
            let middle = pair[0].towards(pair[1], 0.5);
            if view.shows(middle, 0.0) {
                let ((ax, ay), (bx, by)) = (view.place(pair[0]), view.place(pair[1]));
                let mut angle = (by - ay).atan2(bx - ax).to_degrees();
                if !(-90.0..=90.0).contains(&angle) {
                    angle += 180.0;
                }
                let (x, y) = view.place(middle);
                let _ = write!(
                    svg,
                    "<text class=\"street-name\" x=\"{x:.1}\" y=\"{y:.1}\" transform=\"rotate({angle:.0} {x:.1} {y:.1})\">{}</text>",
                    street.name
                );
            }
        }
    }
}

/// Half the width of a letter in a town's name, generously.
const HALF_A_LETTER: f64 = 5.0;

fn labels(svg: &mut String, visit: Visit<'_>, view: View) {
    let country = visit.country;
    if view.zoom >= 1 {
        for peak in country.peaks.iter().filter(|peak| view.shows(peak.point, 0.0)) {
            let (x, y) = view.place(peak.point);
            text(svg, (x, y), "peak", &format!("▲ {} {} m", peak.name, peak.height));
        }
        for lake in country.lakes.iter().filter(|lake| view.shows(lake.point, 0.0)) {
            text(svg, view.place(lake.point), "water-name", &lake.name);
        }
    }
    for river in &country.rivers {
        let middle = river.course[river.course.len() * 3 / 5];
        if (1..=4).contains(&view.zoom) && view.shows(middle, 0.0) {
            let (x, y) = view.place(middle);
            text(svg, (x, y - 4.0), "water-name", &river.name);
        }
    }
    let named = match view.zoom {
        0 => 14,
        1 => 30,
        _ => country.towns.len(),
    };
    for (at, town) in country.towns.iter().enumerate().take(named) {
        if !view.shows(town.centre, 0.0) {
            continue;
        }
        let (x, y) = view.place(town.centre);
        if view.zoom < STREETS_FROM {
            let _ = write!(svg, "<circle class=\"town-dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>");
        }
        if view.zoom < 5 {
            // Names at the edge move in, or half of them would be cut off.
            let half = HALF_A_LETTER * town.name.chars().count() as f64;
            let x = x.clamp(half, PIXELS_WIDE - half);
            text(svg, (x, y - 6.0), if at < 7 { "city" } else { "town" }, &town.name);
        } else {
            for (name, point) in town.districts().filter(|(_, point)| view.shows(*point, 0.0)) {
                text(svg, view.place(point), "district", name);
            }
        }
    }
}

fn marks(svg: &mut String, visit: Visit<'_>, view: View, overlay: &Overlay<'_>) {
    if view.zoom >= ALL_PLACES_FROM {
        let others = visit.catalogue.places.iter().filter(|place| view.shows(place.point, 0.0));
        for place in others.take(MOST_MARKS) {
            let (x, y) = view.place(place.point);
            let name = html! { (place.name) }.into_string();
            let _ = write!(
                svg,
                "<a href=\"/place/{}\" aria-label=\"On the map: {name}\" class=\"dot {}\"><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\"/><title>{name}</title></a>",
                place.id,
                place.category.group.code()
            );
        }
    }
    for (at, place) in overlay.places.iter().enumerate().rev() {
        let (x, y) = view.place(place.point);
        let name = html! { (place.name) }.into_string();
        let _ = write!(
            svg,
            "<a href=\"/place/{}\" aria-label=\"Mark {}: {name}\" class=\"mark\"><path d=\"M{x:.1} {y:.1}l-8 -13a10 10 0 1 1 16 0z\"/>",
            place.id,
            at + 1
        );
        text(svg, (x, y - 15.0), "", &(at + 1).to_string());
        svg.push_str("</a>");
    }
    for (at, point) in overlay.pins.iter().enumerate() {
        let (x, y) = view.place(*point);
        let _ = write!(svg, "<g class=\"pin\"><path d=\"M{x:.1} {y:.1}l-8 -13a10 10 0 1 1 16 0z\"/>");
        text(svg, (x, y - 15.0), "", if at == 0 { "A" } else { "B" });
        svg.push_str("</g>");
    }
}
