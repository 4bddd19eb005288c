//! Units of length by name: a prefix or none, a unit, a plural `s` or none, all in lower case.

use super::distance_quantity::Number;

/// The length of one such unit in metres. Some are defined as whole numbers, and whole multiples of them stay whole.
pub(super) fn metres(name: &str) -> Option<Number> {
    let metres = length(name)?;
    let is_whole = matches!(
        name.strip_suffix('s').unwrap_or(name),
        "m" | "meter" | "metre" | "astronomical_unit" | "au" | "nautical_mile" | "nmi"
    );
    Some(if is_whole { Number::Int(metres as i128) } else { Number::Float(metres) })
}

fn length(name: &str) -> Option<f64> {
    // Minutes of time, not thousandths of an inch.
    if matches!(name, "min" | "mins") {
        return None;
    }
    prefixed(name).or_else(|| {
        name.strip_suffix('s').and_then(|singular| prefixed(singular).filter(|_| has_plural(singular)))
    })
}

/// `ms` and `bps` are units of other kinds, whatever stands before them; only `fm` is a length in its own right.
fn has_plural(singular: &str) -> bool {
    let bare = |unit: &str| {
        singular.strip_suffix(unit).is_some_and(|prefix| prefix.is_empty() || prefix_factor(prefix).is_some())
    };
    unit_metres(singular).is_some_and(|_| !matches!(singular, "m" | "bp")) || !(bare("m") || bare("bp"))
}

fn prefixed(name: &str) -> Option<f64> {
    unit_metres(name).or_else(|| {
        (1..name.len()).filter(|at| name.is_char_boundary(*at)).find_map(|at| {
            let (prefix, unit) = name.split_at(at);
            Some(prefix_factor(prefix)? * unit_metres(unit)?)
        })
    })
}

fn prefix_factor(prefix: &str) -> Option<f64> {
    Some(match prefix {
        "quecto" | "q" => 1e-30,
        "ronto" | "r" => 1e-27,
        "yocto" | "y" => 1e-24,
        "zepto" | "z" => 1e-21,
        "atto" | "a" => 1e-18,
        "femto" | "f" => 1e-15,
        "pico" | "p" => 1e-12,
        "nano" | "n" => 1e-9,
        "micro" | "u" | "mu" | "mc" => 1e-6,
        "milli" | "m" => 1e-3,
        "centi" | "c" => 1e-2,
        "deci" | "d" => 1e-1,
        "deca" | "deka" | "da" => 1e1,
        "hecto" | "h" => 1e2,
        "kilo" | "k" => 1e3,
        "mega" => 1e6,
        "giga" => 1e9,
        "tera" => 1e12,
        "peta" => 1e15,
        "exa" => 1e18,
        "zetta" => 1e21,
        "yotta" => 1e24,
        "ronna" => 1e27,
        "quetta" => 1e30,
        "kibi" => 2_f64.powi(10),
        "mebi" => 2_f64.powi(20),
        "gibi" => 2_f64.powi(30),
        "tebi" => 2_f64.powi(40),
        "pebi" => 2_f64.powi(50),
        "exbi" => 2_f64.powi(60),
        "zebi" => 2_f64.powi(70),
        "yobi" => 2_f64.powi(80),
        "semi" | "demi" => 0.5,
        "sesqui" => 1.5,
        _ => return None,
    })
}

/// Figures are those of the reference's unit library, rounding included, so that reports agree to the last digit.
fn unit_metres(unit: &str) -> Option<f64> {
    Some(match unit {
        "m" | "meter" | "metre" => 1.0,
        "kilometer" => 1_000.0,
        "decimeter" => 0.1,
        "centimeter" | "statfarad" => 0.01,
        "micrometer" | "micron" => 1e-6,
        "femtometer" | "fermi" | "fm" => 1e-15,
        "angstrom" => 1e-10,
        // Imperial.
        "in" | "inch" | "inches" | "international_inch" | "international_inches" => 0.0254,
        "thou" | "th" | "mil_length" => 2.539_999_999_999_999_7e-5,
        "hand" => 0.1016,
        "foot" | "feet" | "ft" | "international_foot" | "international_feet" => 0.304_799_999_999_999_96,
        "yard" | "yd" | "international_yard" => 0.9144,
        "mile" | "mi" | "international_mile" => 1_609.344,
        "nautical_mile" | "nmi" => 1_852.0,
        // The surveyors' foot of 1200/3937 metres and what is made of it.
        "survey_foot" | "sft" => 0.304_800_609_601_219_2,
        "survey_mile" | "smi" | "us_statute_mile" => 1_609.347_218_694_437_3,
        "link" | "li" | "survey_link" => 0.201_168_402_336_804_66,
        "rod" | "rd" | "pole" | "perch" => 5.029_210_058_420_117,
        "chain" => 20.116_840_233_680_467,
        "fathom" => 1.828_803_657_607_315,
        "furlong" | "fur" => 201.168_402_336_804_66,
        "cables_length" => 219.456_438_912_877_81,
        "league" => 4_828.041_656_083_312,
        // Type and screens.
        "point" | "pp" | "printers_point" | "big_point" | "bp" => 0.000_352_777_777_777_777_76,
        "pica" | "printers_pica" => 0.004_233_333_333_333_333,
        "didot" => 0.000_375_939_849_624_060_17,
        "cicero" => 0.004_511_278_195_488_722,
        "css_pixel" | "px" => 0.000_264_583_333_333_333_3,
        "scaled_point" => 5.362_851_005_776_947e-9,
        "tex_point" => 0.000_351_459_803_514_598,
        "tex_pica" => 0.004_217_517_642_175_176,
        "tex_didot" => 0.000_376_065_027_442_586_3,
        "tex_cicero" => 0.004_512_780_329_311_036,
        // The very large and the very small.
        "astronomical_unit" | "au" => 149_597_870_700.0,
        "light_year" | "lightyear" | "ly" => 9_460_730_472_580_800.0,
        "parsec" | "pc" => 3.085_677_581_467_191_6e16,
        "bohr" | "bohr_radius" | "a0" | "a_0" | "a_u_length" | "atomic_unit_of_length" => {
            5.291_772_105_438_828e-11
        }
        "classical_electron_radius" | "r_e" => 2.817_940_320_461_956_7e-15,
        "planck_length" => 1.616_255_024_423_705e-35,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_put_together() {
        for (name, length) in [
            ("km", 1e3),
            ("kilometers", 1e3),
            ("ft", 0.304_799_999_999_999_96),
            ("miles", 1_609.344),
            ("nmi", 1852.0),
            ("fms", 1e-15),
        ] {
            assert_eq!(metres(name).map(Number::to_f64), Some(length), "{name}");
        }
        for name in ["ms", "kms", "min", "bps", "hour", "kkm", "", "s", "k", "é"] {
            assert_eq!(metres(name), None, "{name}");
        }
    }
}
