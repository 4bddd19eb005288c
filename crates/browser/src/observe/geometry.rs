//! Rectangles in the tab's viewport: intersection, containment, and which points of one another one hides.

use umpire_model::Rect;

pub(super) const NOWHERE: Rect = Rect { x: 0.0, y: 0.0, width: 0.0, height: 0.0 };

/// Slivers below this are not something a person could see or hit.
const SMALLEST: f64 = 1.0;

pub(crate) fn intersect(a: Rect, b: Rect) -> Rect {
    let (left, top) = (a.x.max(b.x), a.y.max(b.y));
    let (right, bottom) = ((a.x + a.width).min(b.x + b.width), (a.y + a.height).min(b.y + b.height));
    Rect { x: left, y: top, width: (right - left).max(0.0), height: (bottom - top).max(0.0) }
}

pub(super) fn union(a: Rect, b: Rect) -> Rect {
    if is_empty(a) {
        return b;
    }
    if is_empty(b) {
        return a;
    }
    let (left, top) = (a.x.min(b.x), a.y.min(b.y));
    let (right, bottom) = ((a.x + a.width).max(b.x + b.width), (a.y + a.height).max(b.y + b.height));
    Rect { x: left, y: top, width: right - left, height: bottom - top }
}

pub(crate) fn is_empty(rect: Rect) -> bool {
    rect.width < SMALLEST || rect.height < SMALLEST
}

pub(crate) fn contains(rect: Rect, (x, y): (f64, f64)) -> bool {
    x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height
}

/// The same box up to rounding and a border.
pub(super) fn same_box(a: Rect, b: Rect) -> bool {
    const BORDER: f64 = 3.0;
    (a.x - b.x).abs() <= BORDER
        && (a.y - b.y).abs() <= BORDER
        && (a.x + a.width - b.x - b.width).abs() <= BORDER
        && (a.y + a.height - b.y - b.height).abs() <= BORDER
}

/// Points at which a box is tried before it is called covered: the centre first, then around it.
pub(crate) fn probe_points(rect: Rect) -> [(f64, f64); 9] {
    let at = |fx: f64, fy: f64| (rect.x + rect.width * fx, rect.y + rect.height * fy);
    [
        at(0.5, 0.5),
        at(0.25, 0.5),
        at(0.75, 0.5),
        at(0.5, 0.25),
        at(0.5, 0.75),
        at(0.1, 0.1),
        at(0.9, 0.1),
        at(0.1, 0.9),
        at(0.9, 0.9),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x: f64, y: f64, width: f64, height: f64) -> Rect {
        Rect { x, y, width, height }
    }

    #[test]
    fn boxes_that_do_not_meet_have_an_empty_intersection() {
        assert!(is_empty(intersect(rect(0.0, 0.0, 10.0, 10.0), rect(20.0, 0.0, 10.0, 10.0))));
        assert_eq!(
            intersect(rect(0.0, 0.0, 10.0, 10.0), rect(5.0, 4.0, 10.0, 10.0)),
            rect(5.0, 4.0, 5.0, 6.0)
        );
    }

    #[test]
    fn a_wrapper_with_a_thin_border_is_the_same_box() {
        assert!(same_box(rect(0.0, 0.0, 104.0, 24.0), rect(2.0, 2.0, 100.0, 20.0)));
        assert!(!same_box(rect(0.0, 0.0, 140.0, 24.0), rect(2.0, 2.0, 100.0, 20.0)));
    }

    #[test]
    fn the_centre_is_tried_first_and_no_point_lies_outside() {
        let target = rect(10.0, 20.0, 40.0, 8.0);
        assert_eq!(probe_points(target)[0], target.centre());
        assert!(probe_points(target).iter().all(|&point| contains(target, point)));
    }
}
