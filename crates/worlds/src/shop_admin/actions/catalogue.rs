//! Products and reviews.

use super::{Outcome, Refusal, field, invalid, required};
use crate::Request;
use crate::kit::flash;
use crate::shop::money::Cents;
use crate::shop_admin::ShopAdmin;
use crate::shop_admin::desk::original;
use crate::shop_admin::state::{Listing, ReviewStatus};

const MOST_STOCK: u32 = 9_999;

impl ShopAdmin {
    pub(in crate::shop_admin) fn save_product(&mut self, id: &str, request: &Request) -> Outcome {
        let name = required(request, "name", "A product name", 120)?;
        let Some(price_cents) = Cents::parse(&field(request, "price")).filter(|price| *price > Cents(0))
        else {
            return invalid("A price is an amount such as 24.90.");
        };
        let stock: u32 = match field(request, "stock").parse() {
            Ok(stock) if stock <= MOST_STOCK => stock,
            _ => return invalid(format!("The quantity is a number from 0 to {MOST_STOCK}.")),
        };
        let listing = Listing { name, price_cents, stock, enabled: request.form("enabled").is_some() };
        self.set_listing(id, listing)?;
        Ok(flash::then(&format!("/products/{id}"), "product-saved"))
    }

    /// The action chosen above the grid, on all ticked products.
    pub(in crate::shop_admin) fn change_products(&mut self, request: &Request) -> Outcome {
        let enabled = match field(request, "action").as_str() {
            "enable" => true,
            "disable" => false,
            _ => return invalid("Choose what to do with the selected products."),
        };
        let ids: Vec<String> =
            request.form.iter().filter(|(name, _)| name == "product").map(|(_, id)| id.clone()).collect();
        if ids.is_empty() {
            return invalid("Select at least one product.");
        }
        // All of them or none: half of a change would be told as none.
        if ids.iter().any(|id| self.desk().product(id).is_none()) {
            return Err(Refusal::Missing);
        }
        for id in &ids {
            let product = self.desk().product(id).ok_or(Refusal::Missing)?;
            let listing = Listing { enabled, ..self.desk().listing(product) };
            self.set_listing(id, listing)?;
        }
        Ok(flash::then("/products", "products-changed"))
    }

    fn set_listing(&mut self, id: &str, listing: Listing) -> Result<(), Refusal> {
        let begun_with = self.desk().product(id).map(original).ok_or(Refusal::Missing)?;
        // A record that says what the catalogue says is no change.
        if begun_with == listing {
            self.state.products.remove(id);
        } else {
            self.state.products.insert(id.to_owned(), listing);
        }
        Ok(())
    }

    pub(in crate::shop_admin) fn save_review(&mut self, id: &str, request: &Request) -> Outcome {
        let Some(status) = ReviewStatus::parse(&field(request, "status")) else {
            return invalid("Choose a status.");
        };
        self.state.reviews.get_mut(id).ok_or(Refusal::Missing)?.status = status;
        Ok(flash::then("/reviews", "review-saved"))
    }

    pub(in crate::shop_admin) fn delete_review(&mut self, id: &str) -> Outcome {
        self.state.reviews.remove(id).ok_or(Refusal::Missing)?;
        Ok(flash::then("/reviews", "review-deleted"))
    }
}
