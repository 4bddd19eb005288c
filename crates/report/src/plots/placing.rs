//! Where labels go when what they name is too close together.

/// Positions as near as possible to those wanted, in their order, at least `gap` apart and within the bounds where there
/// is room. Neighbours that collide form a block around the mean of what they want.
pub(super) fn pushed_apart(wanted: &[f64], gap: f64, (low, high): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    // Each block: sum of wanted places less their offset within the block, and how many it holds.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for &index in &order {
        blocks.push((wanted[index], 1));
        while let [.., (before, many), (after, few)] = blocks[..] {
            let end_of_before = before / many as f64 + many as f64 * gap;
            if after / few as f64 >= end_of_before {
                break;
            }
            let offset = many as f64 * gap * few as f64;
            blocks.pop();
            blocks.pop();
            blocks.push((before + after - offset, many + few));
        }
    }
    let mut places = vec![0.0; wanted.len()];
    let mut sorted: Vec<f64> = Vec::with_capacity(wanted.len());
    for (sum, many) in blocks {
        let first = sum / many as f64;
        sorted.extend((0..many).map(|index| first + index as f64 * gap));
    }
    // What hangs over an edge pushes the rest back.
    let mut least = low;
    for place in &mut sorted {
        *place = place.max(least);
        least = *place + gap;
    }
    let mut most = high;
    for place in sorted.iter_mut().rev() {
        *place = place.min(most);
        most = *place - gap;
    }
    for (&index, place) in order.iter().zip(sorted) {
        places[index] = place;
    }
    places
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl Area {
    pub fn overlaps(&self, other: &Self) -> bool {
        self.left < other.left + other.width
            && other.left < self.left + self.width
            && self.top < other.top + other.height
            && other.top < self.top + self.height
    }

    fn is_within(&self, other: &Self) -> bool {
        self.left >= other.left
            && self.top >= other.top
            && self.left + self.width <= other.left + other.width
            && self.top + self.height <= other.top + other.height
    }
}

/// A place for a label of this size near a point, on rings that grow until one is free. Falls back to the nearest place
/// within the bounds.
pub(super) fn beside_point(
    point: (f64, f64),
    (width, height): (f64, f64),
    bounds: &Area,
    taken: &[Area],
) -> Area {
    const DIRECTIONS: [(f64, f64); 8] = [
        (1.0, 0.0),
        (-1.0, 0.0),
        (0.0, -1.0),
        (0.0, 1.0),
        (1.0, -1.0),
        (1.0, 1.0),
        (-1.0, -1.0),
        (-1.0, 1.0),
    ];
    let place = |(x, y): (f64, f64), away: f64| Area {
        left: point.0 + x * away + (x - 1.0) / 2.0 * width,
        top: point.1 + y * away + (y - 1.0) / 2.0 * height,
        width,
        height,
    };
    let mut away = 9.0;
    while away < 420.0 {
        for direction in DIRECTIONS {
            let area = place(direction, away);
            if area.is_within(bounds) && !taken.iter().any(|other| other.overlaps(&area)) {
                return area;
            }
        }
        away += 7.0;
    }
    let area = place(DIRECTIONS[0], 9.0);
    Area { left: area.left.clamp(bounds.left, (bounds.left + bounds.width - width).max(bounds.left)), ..area }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn those_that_do_not_collide_stay() {
        assert_eq!(pushed_apart(&[50.0, 10.0], 14.0, (0.0, 100.0)), [50.0, 10.0]);
        // Two at one place part to both sides of it.
        assert_eq!(pushed_apart(&[50.0, 50.0], 14.0, (0.0, 100.0)), [43.0, 57.0]);
        assert_eq!(pushed_apart(&[0.0, 0.0, 1.0], 10.0, (0.0, 100.0)), [0.0, 10.0, 20.0]);
    }

    proptest! {
        #[test]
        fn nothing_overlaps_where_there_is_room(wanted in prop::collection::vec(-50.0..450.0_f64, 0..26)) {
            let places = pushed_apart(&wanted, 15.0, (0.0, 400.0));
            let mut sorted = places.clone();
            sorted.sort_by(f64::total_cmp);
            prop_assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] > 14.999));
            prop_assert!(places.iter().all(|place| (-0.001..=400.001).contains(place)));
        }

        #[test]
        fn labels_of_points_do_not_overlap(points in prop::collection::vec((60.0..700.0_f64, 20.0..380.0_f64), 1..21)) {
            let bounds = Area { left: 0.0, top: 0.0, width: 960.0, height: 420.0 };
            let mut taken: Vec<Area> = Vec::new();
            for point in points {
                let area = beside_point(point, (150.0, 14.0), &bounds, &taken);
                prop_assert!(!taken.iter().any(|other| other.overlaps(&area)));
                taken.push(area);
            }
        }
    }
}
