//! k-means on unit vectors, begun by k-means++, the best of several beginnings.

use umpire_model::Random;

/// Which group each point is in, from 0.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grouping {
    pub of_point: Vec<usize>,
    pub centres: Vec<Vec<f32>>,
    /// Sum of squared distances to the centres.
    pub spread: f64,
}

const BEGINNINGS: u64 = 8;
const MOST_ROUNDS: usize = 100;

/// `points` at unit length, `k` at most as many as there are.
pub(crate) fn k_means(points: &[Vec<f32>], k: usize, seed: u64) -> Grouping {
    let mut seeds = Random::stream(seed, "k-means");
    let mut best: Option<Grouping> = None;
    for _ in 0..BEGINNINGS {
        let found = once(points, k, &mut Random::new(seeds.next_u64()));
        if best.as_ref().is_none_or(|best| found.spread < best.spread) {
            best = Some(found);
        }
    }
    in_order(&best.unwrap_or(Grouping { of_point: Vec::new(), centres: Vec::new(), spread: 0.0 }))
}

fn once(points: &[Vec<f32>], k: usize, random: &mut Random) -> Grouping {
    let mut centres = beginning(points, k, random);
    let mut of_point = vec![usize::MAX; points.len()];
    for _ in 0..MOST_ROUNDS {
        let nearest: Vec<usize> = points.iter().map(|point| nearest(point, &centres).0).collect();
        let is_settled = nearest == of_point;
        of_point = nearest;
        if is_settled {
            break;
        }
        centres = means(points, &of_point, &centres);
    }
    let spread = points.iter().zip(&of_point).map(|(point, group)| squared(point, &centres[*group])).sum();
    Grouping { of_point, centres, spread }
}

/// The first centre is any point; each next one is drawn by its squared distance to those there are.
fn beginning(points: &[Vec<f32>], k: usize, random: &mut Random) -> Vec<Vec<f32>> {
    let mut centres: Vec<Vec<f32>> = vec![points[random.below(points.len())].clone()];
    while centres.len() < k {
        let distances: Vec<f64> = points.iter().map(|point| nearest(point, &centres).1).collect();
        let total: f64 = distances.iter().sum();
        let mut left = total * (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let drawn = distances.iter().position(|distance| {
            left -= distance;
            left < 0.0 && *distance > 0.0
        });
        // All that are left coincide with a centre: any will do.
        let next = drawn.unwrap_or_else(|| random.below(points.len()));
        centres.push(points[next].clone());
    }
    centres
}

fn nearest(point: &[f32], centres: &[Vec<f32>]) -> (usize, f64) {
    let mut best = (0, f64::INFINITY);
    for (at, centre) in centres.iter().enumerate() {
        let distance = squared(point, centre);
        if distance < best.1 {
            best = (at, distance);
        }
    }
    best
}

pub(crate) fn squared(one: &[f32], other: &[f32]) -> f64 {
    // Eight sums at a time, which the compiler may not do by itself since it changes the last digits.
    let mut sums = [0.0_f32; 8];
    let (left, right) = (one.chunks_exact(8), other.chunks_exact(8));
    let rest: f32 = left.remainder().iter().zip(right.remainder()).map(|(x, y)| (x - y) * (x - y)).sum();
    for (x, y) in left.zip(right) {
        for lane in 0..8 {
            sums[lane] += (x[lane] - y[lane]) * (x[lane] - y[lane]);
        }
    }
    f64::from(sums.iter().sum::<f32>() + rest)
}

fn means(points: &[Vec<f32>], of_point: &[usize], before: &[Vec<f32>]) -> Vec<Vec<f32>> {
    let mut sums = vec![vec![0.0_f32; points[0].len()]; before.len()];
    let mut counts = vec![0_usize; before.len()];
    for (point, group) in points.iter().zip(of_point) {
        counts[*group] += 1;
        for (sum, value) in sums[*group].iter_mut().zip(point) {
            *sum += value;
        }
    }
    for ((sum, count), before) in sums.iter_mut().zip(counts).zip(before) {
        if count == 0 {
            sum.clone_from(before);
        } else {
            for value in sum.iter_mut() {
                *value /= count as f32;
            }
        }
    }
    sums
}

/// The largest group first, and among equals the one with the earliest point: numbers do not depend on the drawing.
fn in_order(grouping: &Grouping) -> Grouping {
    let k = grouping.centres.len();
    let mut order: Vec<usize> = (0..k).collect();
    let size = |group: usize| grouping.of_point.iter().filter(|of| **of == group).count();
    let first = |group: usize| grouping.of_point.iter().position(|of| *of == group).unwrap_or(usize::MAX);
    order.sort_by_key(|group| (std::cmp::Reverse(size(*group)), first(*group)));
    let mut place = vec![0; k];
    for (at, group) in order.iter().enumerate() {
        place[*group] = at;
    }
    Grouping {
        of_point: grouping.of_point.iter().map(|group| place[*group]).collect(),
        centres: order.iter().map(|group| grouping.centres[*group].clone()).collect(),
        spread: grouping.spread,
    }
}

/// The silhouette of every point: (b − a) / max(a, b), a the mean distance within its group, b to the nearest other one.
/// 0 for a point alone in its group.
pub(crate) fn silhouettes(points: &[Vec<f32>], of_point: &[usize], k: usize) -> Vec<f64> {
    let mut sizes = vec![0_usize; k];
    for group in of_point {
        sizes[*group] += 1;
    }
    let silhouette = |at: usize| {
        let mut sums = vec![0.0; k];
        for (other, group) in of_point.iter().enumerate().filter(|(other, _)| *other != at) {
            sums[*group] += squared(&points[at], &points[other]).sqrt();
        }
        let own = of_point[at];
        if sizes[own] < 2 {
            return 0.0;
        }
        let within = sums[own] / (sizes[own] - 1) as f64;
        let beside = (0..k)
            .filter(|group| *group != own && sizes[*group] > 0)
            .map(|group| sums[group] / sizes[group] as f64)
            .fold(f64::INFINITY, f64::min);
        let larger = within.max(beside);
        if larger > 0.0 && larger.is_finite() { (beside - within) / larger } else { 0.0 }
    };
    (0..points.len()).map(silhouette).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blobs(seed: u64) -> (Vec<Vec<f32>>, Vec<usize>) {
        let mut random = Random::new(seed);
        let mut noise = || (random.below(1000) as f32 / 1000.0 - 0.5) * 0.2;
        let centres = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let points = (0..60).map(|n| centres[n % 3].iter().map(|value| value + noise()).collect());
        (points.collect(), (0..60).map(|n| n % 3).collect())
    }

    #[test]
    fn blobs_are_found_and_numbered_the_same_whatever_the_seed() {
        let (points, truth) = blobs(1);
        for seed in 0..5 {
            let found = k_means(&points, 3, seed);
            assert_eq!(found.of_point, truth, "equal sizes, so the order of first points decides");
        }
    }

    #[test]
    fn silhouettes_by_hand() {
        let points = vec![vec![0.0], vec![1.0], vec![4.0], vec![9.0]];
        // a = 1, b = 4: 0.75; a = 1, b = 3: 2/3; the two on the other side: (5, 3.5) and (5, 8.5); alone is 0.
        let got = silhouettes(&points, &[0, 0, 1, 1], 2);
        let wanted = [(6.5 - 1.0) / 6.5, (5.5 - 1.0) / 5.5, (3.5 - 5.0) / 5.0, (8.5 - 5.0) / 8.5];
        for (got, wanted) in got.iter().zip(wanted) {
            assert!((got - wanted).abs() < 1e-6, "{got} {wanted}");
        }
        assert!(silhouettes(&points, &[0, 0, 0, 1], 2)[3].abs() < 1e-12);
    }

    #[test]
    fn more_groups_than_different_points_do_no_harm() {
        let found = k_means(&vec![vec![1.0, 0.0]; 5], 3, 1);
        assert_eq!(found.of_point, [0; 5]);
    }
}
