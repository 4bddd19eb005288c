//! The ledger and the shop's catalogue with the clerk's changes laid over them.

use super::ledger::Ledger;
use super::state::{Customer, Listing, Order, State};
use crate::shop::catalogue::{Catalogue, Product, Seller};

#[derive(Clone, Copy)]
pub struct Desk<'a> {
    pub catalogue: &'a Catalogue,
    pub ledger: &'a Ledger,
    pub state: &'a State,
}

/// What the shop began with.
pub fn original(product: &Product) -> Listing {
    Listing { name: product.name.clone(), price_cents: product.price, stock: product.stock, enabled: true }
}

impl<'a> Desk<'a> {
    pub fn listing(self, product: &Product) -> Listing {
        self.state.products.get(&product.id).cloned().unwrap_or_else(|| original(product))
    }

    /// What the office has to do with: partners keep books of their own.
    pub fn products(self) -> &'a [Product] {
        self.catalogue.own()
    }

    pub fn product(self, id: &str) -> Option<&'a Product> {
        self.catalogue.product(id).filter(|product| product.seller == Seller::Shop)
    }

    pub fn product_name(self, id: &str) -> String {
        self.product(id).map_or_else(|| id.to_owned(), |product| self.listing(product).name)
    }

    /// Newest first.
    pub fn orders(self) -> Vec<(String, &'a Order)> {
        self.ledger
            .orders()
            .rev()
            .map(|(id, order)| (id.clone(), self.state.orders.get(&id).unwrap_or(order)))
            .collect()
    }

    pub fn order(self, id: &str) -> Option<&'a Order> {
        self.state.orders.get(id).or_else(|| self.ledger.order(id))
    }

    /// By number; those that were added here come last.
    pub fn customers(self) -> Vec<(String, &'a Customer)> {
        let known = self.ledger.customers();
        let known =
            known.map(|(id, customer)| (id.clone(), self.state.customers.get(&id).unwrap_or(customer)));
        let added = self.state.customers.iter().filter(|(id, _)| self.ledger.customer(id).is_none());
        known.chain(added.map(|(id, customer)| (id.clone(), customer))).collect()
    }

    pub fn customer(self, id: &str) -> Option<&'a Customer> {
        self.state.customers.get(id).or_else(|| self.ledger.customer(id))
    }

    pub fn customer_name(self, id: &str) -> &'a str {
        self.customer(id).map_or("Unknown", |customer| customer.name.as_str())
    }
}
