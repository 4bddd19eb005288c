//! What a cart costs: coupons, shipping, totals.

use super::calendar::{Day, TODAY};
use super::catalogue::Catalogue;
use super::money::Cents;
use super::state::{Shipping, State};

pub struct Coupon {
    pub code: &'static str,
    pub words: &'static str,
    benefit: Benefit,
    minimum: Cents,
    last_day: Day,
}

enum Benefit {
    Percent(u32),
    Amount(Cents),
    FreeShipping,
}

const COUPONS: &[Coupon] = &[
    Coupon {
        code: "LARK10",
        words: "10% off",
        benefit: Benefit::Percent(10),
        minimum: Cents(0),
        last_day: Day::of(2026, 12, 31),
    },
    Coupon {
        code: "SPRING25",
        words: "$25 off orders from $150",
        benefit: Benefit::Amount(Cents(2_500)),
        minimum: Cents(15_000),
        last_day: Day::of(2026, 4, 30),
    },
    Coupon {
        code: "FREESHIP",
        words: "Free shipping from $30",
        benefit: Benefit::FreeShipping,
        minimum: Cents(3_000),
        last_day: Day::of(2026, 6, 30),
    },
    Coupon {
        code: "WINTER15",
        words: "15% off",
        benefit: Benefit::Percent(15),
        minimum: Cents(0),
        last_day: Day::of(2026, 2, 28),
    },
    Coupon {
        code: "WELCOME5",
        words: "$5 off your first order",
        benefit: Benefit::Amount(Cents(500)),
        minimum: Cents(0),
        last_day: Day::of(2026, 12, 31),
    },
];

/// Why a coupon does not count; the text is shown to the visitor.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum CouponProblem {
    #[error("Please enter a coupon code.")]
    Missing,
    #[error("We do not know the coupon code “{0}”.")]
    Unknown(String),
    #[error("The coupon {code} expired on {last_day}.")]
    Expired { code: &'static str, last_day: Day },
    #[error("You have already used the coupon {0}.")]
    Used(&'static str),
    #[error("The coupon {code} needs an order of at least {minimum}.")]
    TooSmall { code: &'static str, minimum: Cents },
}

/// The coupon behind `code`, if it may be used on this cart today.
pub fn usable_coupon(
    code: &str,
    state: &State,
    catalogue: &Catalogue,
) -> Result<&'static Coupon, CouponProblem> {
    let code = code.trim().to_uppercase();
    if code.is_empty() {
        return Err(CouponProblem::Missing);
    }
    let Some(coupon) = COUPONS.iter().find(|coupon| coupon.code == code) else {
        return Err(CouponProblem::Unknown(code));
    };
    if coupon.last_day < TODAY {
        return Err(CouponProblem::Expired { code: coupon.code, last_day: coupon.last_day });
    }
    if state.coupons_used.contains_key(coupon.code) {
        return Err(CouponProblem::Used(coupon.code));
    }
    if subtotal(state, catalogue) < coupon.minimum {
        return Err(CouponProblem::TooSmall { code: coupon.code, minimum: coupon.minimum });
    }
    Ok(coupon)
}

/// Orders from this amount ship free with the standard method.
pub const FREE_STANDARD_FROM: Cents = Cents(7_500);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals {
    pub subtotal: Cents,
    pub discount: Cents,
    pub shipping: Cents,
    pub total: Cents,
}

pub fn subtotal(state: &State, catalogue: &Catalogue) -> Cents {
    let lines = state.cart.lines.values();
    lines.filter_map(|line| line.choice.price(catalogue).map(|price| price.times(line.quantity))).sum()
}

/// Totals of the cart with its coupon. A coupon that has stopped to fit, because the cart shrank, gives nothing.
pub fn totals(state: &State, catalogue: &Catalogue, method: Shipping) -> Totals {
    let subtotal = subtotal(state, catalogue);
    let coupon = state.cart.coupon.as_deref().and_then(|code| usable_coupon(code, state, catalogue).ok());
    let (discount, free_shipping) = match coupon.map(|coupon| &coupon.benefit) {
        Some(Benefit::Percent(percent)) => (subtotal.percent(*percent), false),
        Some(Benefit::Amount(amount)) => ((*amount).min(subtotal), false),
        Some(Benefit::FreeShipping) => (Cents(0), true),
        None => (Cents(0), false),
    };
    let shipping = if free_shipping { Cents(0) } else { shipping_price(method, subtotal) };
    Totals { subtotal, discount, shipping, total: subtotal.less(discount) + shipping }
}

pub fn shipping_price(method: Shipping, subtotal: Cents) -> Cents {
    match method {
        Shipping::Standard if subtotal >= FREE_STANDARD_FROM => Cents(0),
        Shipping::Standard => Cents(495),
        Shipping::Express => Cents(1_295),
        Shipping::Pickup => Cents(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shop::history;
    use crate::shop::state::{Choice, Line};

    /// A cart with one product of `quantity` pieces, and what it costs.
    fn cart(quantity: u32) -> (State, std::sync::Arc<Catalogue>, Cents) {
        let catalogue = Catalogue::of_seed(7);
        let mut state = history::opening_state(&catalogue, 7);
        let product =
            catalogue.products().iter().find(|p| p.subcategory.sizes.is_none()).expect("unsized product");
        let choice =
            Choice { product: product.id.clone(), colour: product.colours[0].name.to_owned(), size: None };
        state.cart.lines = [(choice.key(), Line { choice, quantity })].into();
        state.coupons_used.clear();
        (state, catalogue.clone(), product.price.times(quantity))
    }

    #[test]
    fn shipping_depends_on_method_and_amount() {
        for (method, amount, expected) in [
            (Shipping::Standard, 7_499, 495),
            (Shipping::Standard, 7_500, 0),
            (Shipping::Express, 90_000, 1_295),
            (Shipping::Pickup, 100, 0),
        ] {
            assert_eq!(shipping_price(method, Cents(amount)), Cents(expected));
        }
    }

    #[test]
    fn a_percentage_comes_off_the_goods_not_off_the_shipping() {
        let (mut state, catalogue, goods) = cart(3);
        state.cart.coupon = Some("LARK10".to_owned());
        let totals = totals(&state, &catalogue, Shipping::Express);
        assert_eq!(totals.discount, goods.percent(10));
        assert_eq!(totals.total, goods.less(goods.percent(10)) + Cents(1_295));
    }

    #[test]
    fn coupons_are_refused_with_their_reason() {
        let (mut state, catalogue, goods) = cart(1);
        assert!(goods < Cents(15_000), "the test needs a cheap cart");
        state.coupons_used.insert("WELCOME5".to_owned(), "L-1".to_owned());
        for (code, problem) in [
            ("", "Please enter a coupon code."),
            ("nope", "We do not know the coupon code “NOPE”."),
            ("winter15", "The coupon WINTER15 expired on February 28, 2026."),
            ("WELCOME5", "You have already used the coupon WELCOME5."),
            ("SPRING25", "The coupon SPRING25 needs an order of at least $150.00."),
        ] {
            let found =
                usable_coupon(code, &state, &catalogue).map(|coupon| coupon.code).map_err(|p| p.to_string());
            assert_eq!(found, Err(problem.to_owned()));
        }
        assert!(usable_coupon(" lark10 ", &state, &catalogue).is_ok());
    }
}
