use super::{Submission, done};
use crate::Response;
use crate::shop::pages::{self, Problems};
use crate::shop::pricing::usable_coupon;
use crate::shop::state::{Cart, Choice, Line, MAX_QUANTITY};

impl Submission<'_> {
    pub(super) fn add_to_cart(&mut self) -> Response {
        let Some(product) = self.catalogue.product(self.field("product")) else {
            return self.not_found();
        };
        let size = self.field("size");
        let choice = Choice {
            product: product.id.clone(),
            colour: self.field("colour").to_owned(),
            size: (!size.is_empty()).then(|| size.to_owned()),
        };
        let mut problems = Problems::new();
        if choice.price(self.catalogue).is_none() {
            problems.insert("colour", "Please choose one of the colours and sizes offered.".to_owned());
        }
        let key = choice.key();
        let already = self.state.cart.lines.get(&key).map_or(0, |line| line.quantity);
        let quantity = self.field("quantity").parse::<u32>().unwrap_or(0);
        let together = quantity.saturating_add(already);
        if quantity == 0 {
            problems.insert("quantity", "Please enter a quantity of at least 1.".to_owned());
        } else if !product.in_stock() {
            problems.insert("quantity", "This product is out of stock.".to_owned());
        } else if together > product.stock {
            problems.insert("quantity", format!("We only have {} of these in stock.", product.stock));
        } else if together > MAX_QUANTITY {
            problems.insert("quantity", format!("You can order at most {MAX_QUANTITY} of one product."));
        }
        if !problems.is_empty() {
            return pages::product::page(&self.visit(), product, &problems);
        }
        self.state.cart.lines.insert(key, Line { choice, quantity: together });
        done(self.back(), "cart-added")
    }

    pub(super) fn update_cart(&mut self) -> Response {
        let key = self.field("line").to_owned();
        let Some(line) = self.state.cart.lines.get(&key) else {
            return Response::see_other("/cart");
        };
        let stock = self.catalogue.product(&line.choice.product).map_or(0, |product| product.stock);
        let problem = match self.field("quantity").parse::<u32>() {
            Ok(0) => {
                remove_line(&mut self.state.cart, &key);
                return done("/cart", "cart-removed");
            }
            Ok(quantity) if quantity <= stock.min(MAX_QUANTITY) => {
                if let Some(line) = self.state.cart.lines.get_mut(&key) {
                    line.quantity = quantity;
                }
                return done("/cart", "cart-updated");
            }
            Ok(quantity) if quantity <= MAX_QUANTITY => format!("We only have {stock} of these in stock."),
            Ok(_) => format!("You can order at most {MAX_QUANTITY} of one product."),
            Err(_) => "Please enter a whole number.".to_owned(),
        };
        pages::cart::page(&self.visit(), &Problems::from([("quantity", problem)]))
    }

    pub(super) fn remove_from_cart(&mut self) -> Response {
        let key = self.field("line").to_owned();
        if remove_line(&mut self.state.cart, &key) {
            done("/cart", "cart-removed")
        } else {
            Response::see_other("/cart")
        }
    }

    pub(super) fn apply_coupon(&mut self) -> Response {
        match usable_coupon(self.field("code"), self.state, self.catalogue) {
            Ok(coupon) => {
                self.state.cart.coupon = Some(coupon.code.to_owned());
                done("/cart", "coupon-applied")
            }
            Err(problem) => {
                pages::cart::page(&self.visit(), &Problems::from([("coupon", problem.to_string())]))
            }
        }
    }

    pub(super) fn remove_coupon(&mut self) -> Response {
        self.state.cart.coupon = None;
        done("/cart", "coupon-removed")
    }
}

/// Takes a line out; the coupon goes with the last one. False if there was no such line.
pub fn remove_line(cart: &mut Cart, key: &str) -> bool {
    let removed = cart.lines.remove(key).is_some();
    if cart.lines.is_empty() {
        cart.coupon = None;
    }
    removed
}
