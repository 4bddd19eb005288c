//! `exp`, `expm1` and `ln` in plain multiplications and additions.
//!
//! The platform's own differ in the last bit between C libraries and processors, and a Markov chain makes another chain
//! of that bit. With these the same seed selects the same subset on every machine. Without a branch or a call, a loop
//! over them is also compiled to vector instructions.

#[allow(clippy::inline_always, reason = "a call in the loop would stop it from being vectorized")]
pub(super) mod functions {
    /// 1.5 · 2⁵²: added to a small number it leaves the nearest whole number in the lowest bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    /// ln 2 in two parts; a product of the first with a whole number below 2¹¹ is exact.
    const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

    /// The argument is `k` · ln 2 + `r`: returns 2ᵏ and expm1(`r`).
    #[inline(always)]
    fn parts(x: f64) -> (f64, f64) {
        // A comparison and not `clamp`, so that what is not a number stays so.
        let x = if x < -708.0 { -708.0 } else { x };
        let x = if x > 709.0 { 709.0 } else { x };
        let rounded = x * std::f64::consts::LOG2_E + ROUND;
        let k = rounded - ROUND;
        let power = f64::from_bits((rounded.to_bits() << 52).wrapping_add(1023 << 52));
        let r = (x - k * LN_2_HIGH) - k * LN_2_LOW;
        // Taylor's series to r¹³/13!, which is below rounding for |r| ≤ ln 2 / 2; in pairs, so that they can overlap.
        let r2 = r * r;
        let r4 = r2 * r2;
        let low = (1.0 / 2.0 + r * (1.0 / 6.0)) + r2 * (1.0 / 24.0 + r * (1.0 / 120.0));
        let middle = (1.0 / 720.0 + r * (1.0 / 5_040.0)) + r2 * (1.0 / 40_320.0 + r * (1.0 / 362_880.0));
        let high = (1.0 / 3_628_800.0 + r * (1.0 / 39_916_800.0))
            + r2 * (1.0 / 479_001_600.0 + r * (1.0 / 6_227_020_800.0));
        (power, r + r2 * (low + r4 * (middle + r4 * high)))
    }

    #[inline(always)]
    pub fn exp(x: f64) -> f64 {
        let (power, rest) = parts(x);
        power * rest + power
    }

    /// eˣ − 1, exact near 0 too.
    #[inline(always)]
    pub fn exp_m1(x: f64) -> f64 {
        let (power, rest) = parts(x);
        power * rest + (power - 1.0)
    }

    /// The logarithm of a positive, normal number.
    #[inline(always)]
    pub fn ln(x: f64) -> f64 {
        const SQRT_HALF_BITS: u64 = 0x3fe6_a09e_667f_3bcd;
        let above = x.to_bits().wrapping_sub(SQRT_HALF_BITS);
        let power = (above.cast_signed() >> 52) as f64;
        let near_1 = f64::from_bits((above & ((1 << 52) - 1)).wrapping_add(SQRT_HALF_BITS));
        // Its logarithm is 2 artanh s, with |s| below 0.172.
        let s = (near_1 - 1.0) / (near_1 + 1.0);
        let square = s * s;
        let series = [21.0, 19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0]
            .iter()
            .fold(0.0, |sum, odd| (sum + 1.0 / odd) * square);
        power * LN_2_HIGH + (2.0 * s + (2.0 * s * series + power * LN_2_LOW))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::functions::{exp, exp_m1, ln};

    fn close(ours: f64, theirs: f64) -> bool {
        (ours - theirs).abs() <= 4.0 * f64::EPSILON * theirs.abs()
    }

    #[test]
    fn exact_where_they_should_be() {
        assert_eq!((exp(0.0).to_bits(), exp_m1(0.0).to_bits()), (1_f64.to_bits(), 0_f64.to_bits()));
        assert_eq!(ln(1.0).to_bits(), 0_f64.to_bits());
        assert!(exp(f64::NAN).is_nan() && exp_m1(f64::NAN).is_nan());
        assert!(exp(f64::NEG_INFINITY) < 1e-300 && exp(f64::INFINITY) > 1e300);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn near_the_platforms_own(x in -700.0..700.0_f64, tiny in -1e-3..1e-3_f64, exponent in -300..300_i32, f in 1.0..2.0_f64) {
            prop_assert!(close(exp(x), x.exp()), "exp {x}");
            for x in [x, x / 700.0, tiny, tiny * 1e-9] {
                prop_assert!(close(exp_m1(x), x.exp_m1()), "expm1 {x}");
            }
            let positive = f * 2_f64.powi(exponent);
            prop_assert!(close(ln(positive), positive.ln()), "ln {positive}");
            prop_assert!((ln(1.0 + tiny) - (1.0 + tiny).ln()).abs() < 1e-18, "ln near 1: {tiny}");
        }
    }
}
