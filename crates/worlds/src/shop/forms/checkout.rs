use super::{Submission, done};
use crate::Response;
use crate::kit::calendar::TODAY;
use crate::shop::pages::Problems;
use crate::shop::pages::checkout::{self, Step};
use crate::shop::pricing::{totals, usable_coupon};
use crate::shop::state::{Cart, Order, OrderLine, OrderStatus, Payment, Shipping};

impl Submission<'_> {
    pub(super) fn check_out(&mut self, step: &str) -> Response {
        let Some(step) = Step::parse(step) else {
            return self.not_found();
        };
        if self.state.cart.lines.is_empty() {
            return Response::see_other("/cart");
        }
        let reached = Step::reached(&self.visit());
        if step > reached {
            return Response::see_other(reached.path());
        }
        match step {
            Step::Address => {
                let id = self.field("address").to_owned();
                if !self.state.addresses.contains_key(&id) {
                    return self.refuse(step, "address", "Please choose an address.");
                }
                self.state.checkout.address = Some(id);
                Response::see_other(Step::Shipping.path())
            }
            Step::Shipping => {
                let Some(method) = Shipping::parse(self.field("shipping")) else {
                    return self.refuse(step, "shipping", "Please choose a shipping method.");
                };
                self.state.checkout.shipping = Some(method);
                Response::see_other(Step::Payment.path())
            }
            Step::Payment => {
                let Some(payment) = Payment::parse(self.field("payment")) else {
                    return self.refuse(step, "payment", "Please choose how to pay.");
                };
                self.state.checkout.payment = Some(payment);
                Response::see_other(Step::Review.path())
            }
            Step::Review if self.field("terms") != "1" => {
                self.refuse(step, "terms", "Please agree to the terms of sale.")
            }
            Step::Review => self.place_order(),
        }
    }

    fn refuse(&self, step: Step, field: &'static str, problem: &str) -> Response {
        checkout::page(&self.visit(), step, &Problems::from([(field, problem.to_owned())]))
    }

    fn place_order(&mut self) -> Response {
        let chosen = std::mem::take(&mut self.state.checkout);
        let address = chosen.address.as_ref().and_then(|id| self.state.addresses.get(id)).cloned();
        let (Some(address), Some(shipping), Some(payment)) = (address, chosen.shipping, chosen.payment)
        else {
            // `Step::reached` has looked at all three already.
            self.state.checkout = chosen;
            return Response::see_other(Step::Address.path());
        };
        let totals = totals(self.state, self.catalogue, shipping);
        let coupon = self
            .state
            .cart
            .coupon
            .clone()
            .filter(|code| usable_coupon(code, self.state, self.catalogue).is_ok());
        let cart: Cart = std::mem::take(&mut self.state.cart);
        let lines = cart
            .lines
            .into_iter()
            .filter_map(|(key, line)| {
                let unit_cents = line.choice.price(self.catalogue)?;
                Some((key, OrderLine { choice: line.choice, quantity: line.quantity, unit_cents }))
            })
            .collect();
        self.state.sequences.order = self.state.sequences.order.saturating_add(1);
        let id = format!("L-{}", self.state.sequences.order);
        if let Some(code) = &coupon {
            self.state.coupons_used.insert(code.clone(), id.clone());
        }
        let order = Order {
            placed: TODAY,
            status: OrderStatus::Processing,
            delivered: None,
            lines,
            address,
            shipping,
            payment,
            coupon,
            discount_cents: totals.discount,
            shipping_cents: totals.shipping,
            total_cents: totals.total,
            cancel_reason: None,
            return_request: None,
        };
        let location = format!("/account/orders/{id}");
        self.state.orders.insert(id, order);
        done(&location, "order-placed")
    }
}
