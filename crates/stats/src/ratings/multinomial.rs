use umpire_model::Random;

/// Uniform in [0, 1), with 53 bits.
pub(crate) fn uniform(random: &mut Random) -> f64 {
    (random.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}

/// How `trials` draws fall on cells of these weights: one cell after the other takes its share of what is left.
pub(crate) fn multinomial(random: &mut Random, trials: u64, weights: &[f64], counts: &mut [f64]) {
    let mut left = trials;
    let mut weight_left: f64 = weights.iter().sum();
    for (at, (&weight, count)) in weights.iter().zip(counts).enumerate() {
        let drawn = if at + 1 == weights.len() {
            left
        } else {
            binomial(random, left, (weight / weight_left).min(1.0))
        };
        weight_left -= weight;
        left -= drawn;
        *count = drawn as f64;
    }
}

/// Below this mean, counting up from zero is quicker than throwing darts.
const SMALL_MEAN: f64 = 10.0;

fn binomial(random: &mut Random, trials: u64, chance: f64) -> u64 {
    if trials == 0 || chance <= 0.0 {
        return 0;
    }
    if chance >= 1.0 {
        return trials;
    }
    if chance > 0.5 {
        return trials - binomial(random, trials, 1.0 - chance);
    }
    if trials as f64 * chance < SMALL_MEAN {
        by_inversion(random, trials, chance)
    } else {
        by_rejection(random, trials, chance)
    }
}

/// Walks up the distribution until a uniform number is used up.
fn by_inversion(random: &mut Random, trials: u64, chance: f64) -> u64 {
    let odds = chance / (1.0 - chance);
    let of_none = (trials as f64 * (-chance).ln_1p()).exp();
    loop {
        let mut rest = uniform(random);
        let mut probability = of_none;
        // Past 110 the probability at a mean below 10 is under 1e-60: rounding, so draw again.
        for count in 0..=trials.min(110) {
            if rest < probability {
                return count;
            }
            rest -= probability;
            probability *= odds * (trials - count) as f64 / (count + 1) as f64;
        }
    }
}

/// Transformed rejection with squeeze (algorithm BTRS of W. Hörmann, "The generation of binomial random variates", 1993).
fn by_rejection(random: &mut Random, trials: u64, chance: f64) -> u64 {
    let n = trials as f64;
    let spread = (n * chance * (1.0 - chance)).sqrt();
    let width = 1.15 + 2.53 * spread;
    let tails = -0.0873 + 0.0248 * width + 0.01 * chance;
    let centre = n * chance + 0.5;
    let squeeze = 0.92 - 4.2 / width;
    loop {
        let u = uniform(random) - 0.5;
        let v = uniform(random);
        let margin = 0.5 - u.abs();
        let count = ((2.0 * tails / margin + width) * u + centre).floor();
        if margin >= 0.07 && v <= squeeze {
            return count as u64;
        }
        if count < 0.0 || count > n {
            continue;
        }
        let alpha = (2.83 + 5.1 / width) * spread;
        let mode = ((n + 1.0) * chance).floor();
        let height = (v * alpha / (tails / (margin * margin) + width)).ln();
        let log_odds = (chance / (1.0 - chance)).ln();
        let wanted =
            log_factorial(mode) + log_factorial(n - mode) - log_factorial(count) - log_factorial(n - count)
                + (count - mode) * log_odds;
        if height <= wanted {
            return count as u64;
        }
    }
}

/// ln(k!) by Stirling's series, and by multiplication where that is short.
fn log_factorial(k: f64) -> f64 {
    if k < 10.0 {
        return (2..=k as u32).map(f64::from).product::<f64>().ln();
    }
    let x = k + 1.0;
    let tail = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factorials_agree_with_the_product() {
        for k in 0..40_u32 {
            let product: f64 = (2..=k).map(|n| f64::from(n).ln()).sum();
            assert!((log_factorial(f64::from(k)) - product).abs() < 1e-9, "{k}");
        }
    }

    /// Observed against expected counts, over cells that are expected five times or more.
    fn chi_square(trials: u64, chance: f64) -> (f64, usize) {
        const DRAWS: usize = 200_000;
        let mut random = Random::new(trials ^ chance.to_bits());
        let mut seen = vec![0.0; trials as usize + 1];
        for _ in 0..DRAWS {
            seen[binomial(&mut random, trials, chance) as usize] += 1.0;
        }
        let mut sum = 0.0;
        let mut cells = 0;
        for (count, seen) in seen.iter().enumerate() {
            let k = count as f64;
            let n = trials as f64;
            let log = log_factorial(n) - log_factorial(k) - log_factorial(n - k)
                + k * chance.ln()
                + (n - k) * (-chance).ln_1p();
            let expected = DRAWS as f64 * log.exp();
            if expected >= 5.0 {
                sum += (seen - expected) * (seen - expected) / expected;
                cells += 1;
            }
        }
        (sum, cells)
    }

    #[test]
    fn binomial_counts_follow_their_distribution() {
        for (trials, chance) in [(5, 0.3), (1000, 0.004), (40, 0.5), (200, 0.7), (5000, 0.02), (300, 0.1)] {
            let (sum, cells) = chi_square(trials, chance);
            let freedom = cells as f64;
            // Five standard deviations of chi-square: one in a million if all is right.
            assert!(sum < freedom + 5.0 * (2.0 * freedom).sqrt(), "{trials} {chance}: {sum} of {freedom}");
        }
    }

    #[test]
    fn all_draws_fall_somewhere_and_in_proportion() {
        let weights = [5.0, 0.0, 1.0, 94.0];
        let mut random = Random::new(3);
        let mut sums = [0.0; 4];
        let mut counts = [0.0; 4];
        for _ in 0..1000 {
            multinomial(&mut random, 1000, &weights, &mut counts);
            assert!((counts.iter().sum::<f64>() - 1000.0).abs() < 1e-9);
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        assert!(sums[1] < 1e-9);
        for (sum, weight) in sums.iter().zip(weights) {
            let sd = (1e6 * weight / 100.0 * (1.0 - weight / 100.0)).sqrt();
            assert!((sum - 1e4 * weight).abs() <= 5.0 * sd, "{sums:?}");
        }
    }
}
