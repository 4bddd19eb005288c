//! What a posted form changes. A form that is not right changes nothing and comes back with its problems.

use http::StatusCode;

use super::offer::Offer;
use super::pages::{Visit, basket, booking, item as item_page, layout};
use super::state::{Account, Booking, Line, MOST_OF_ONE, Order};
use super::stock::Stock;
use super::storefront::Storefront;
use super::trade::{Ask, Dealing};
use crate::kit::flash;
use crate::kit::money::Cents;
use crate::{Request, Response};

/// A posted form and the account it may change.
pub struct Submission<'a> {
    pub request: &'a Request,
    pub storefront: &'static Storefront,
    pub stock: &'a Stock,
    pub account: &'a mut Account,
}

impl Submission<'_> {
    pub fn handle(mut self) -> Response {
        let is_shop = matches!(self.storefront.trade.dealing, Dealing::Basket { .. });
        match self.request.segments().as_slice() {
            ["basket", "add"] if is_shop => self.add_to_basket(),
            ["basket", "change"] if is_shop => self.change_basket(),
            ["checkout"] if is_shop => self.order(),
            ["book", id] if !is_shop => self.book(id),
            ["bookings", number, "cancel"] if !is_shop => self.cancel(number),
            ["saved", id] => self.save(id),
            _ => layout::not_found(&self.visit()),
        }
    }

    fn visit(&self) -> Visit<'_> {
        Visit { request: self.request, storefront: self.storefront, stock: self.stock, account: self.account }
    }

    fn field(&self, name: &str) -> &str {
        self.request.form(name).unwrap_or_default().trim()
    }

    fn add_to_basket(&mut self) -> Response {
        let Some(item) = self.stock.item(self.field("item")) else {
            return layout::not_found(&self.visit());
        };
        let offer = Offer::read(self.storefront.trade, item, |name| self.request.form(name));
        if !offer.problems.is_empty() {
            return item_page::page(&self.visit(), item, &offer.problems)
                .status(StatusCode::UNPROCESSABLE_ENTITY);
        }
        let option_key = self.storefront.trade.asks.iter().find_map(|ask| match ask {
            Ask::Option { key, .. } => Some(*key),
            _ => None,
        });
        let option = option_key.and_then(|key| offer.decided.get(key)).cloned();
        let quantity = offer.decided.get("quantity").and_then(|text| text.parse().ok()).unwrap_or(1);
        let key = line_key(&item.id, option.as_deref());
        let line = self.account.basket.entry(key).or_insert_with(|| Line {
            item: item.id.clone(),
            name: item.name.clone(),
            option,
            quantity: 0,
        });
        line.quantity = (line.quantity + quantity).min(MOST_OF_ONE);
        flash::then("/basket", "added")
    }

    fn change_basket(&mut self) -> Response {
        let key = self.field("line").to_owned();
        let quantity: u32 = self.field("quantity").parse().unwrap_or(0);
        if quantity == 0 {
            self.account.basket.remove(&key);
        } else if let Some(line) = self.account.basket.get_mut(&key) {
            line.quantity = quantity.min(MOST_OF_ONE);
        }
        flash::then("/basket", "changed")
    }

    fn order(&mut self) -> Response {
        let chosen = self.field("delivery");
        let delivery = self.storefront.trade.deliveries().iter().find(|(name, _)| *name == chosen);
        let Some((name, fee)) = delivery.filter(|_| !self.account.basket.is_empty()) else {
            return basket::page(&self.visit(), Some("Choose how you would like to get your order."))
                .status(StatusCode::UNPROCESSABLE_ENTITY);
        };
        let total = goods_worth(self.stock, self.account) + Cents(*fee);
        let number = self.account.next_number('O');
        let lines = std::mem::take(&mut self.account.basket);
        let order = Order { lines, delivery: (*name).to_owned(), total_cents: total };
        self.account.orders.insert(number, order);
        flash::then("/orders", "ordered")
    }

    fn book(&mut self, id: &str) -> Response {
        let Some(item) = self.stock.item(id) else { return layout::not_found(&self.visit()) };
        let offer = Offer::read(self.storefront.trade, item, |name| self.request.form(name));
        if !offer.problems.is_empty() {
            return booking::review(&self.visit(), &offer).status(StatusCode::UNPROCESSABLE_ENTITY);
        }
        let booking = Booking {
            item: item.id.clone(),
            name: item.name.clone(),
            total_cents: offer.total,
            decided: offer.decided,
        };
        let number = self.account.next_number('B');
        self.account.bookings.insert(number, booking);
        flash::then("/bookings", "booked")
    }

    fn cancel(&mut self, number: &str) -> Response {
        match self.account.bookings.remove(number) {
            Some(_) => flash::then("/bookings", "cancelled"),
            None => layout::not_found(&self.visit()),
        }
    }

    /// Asked by script, which only wants to know how it stands now.
    fn save(&mut self, id: &str) -> Response {
        let Some(item) = self.stock.item(id) else { return layout::not_found(&self.visit()) };
        let saved = self.account.saved.remove(id).is_none();
        if saved {
            self.account.saved.insert(item.id.clone(), item.name.clone());
        }
        Response::json(&serde_json::json!({ "saved": saved, "count": self.account.saved.len() }))
    }
}

/// `FR-1042`, or `FR-1042-1-litre` with an option.
fn line_key(id: &str, option: Option<&str>) -> String {
    let Some(option) = option else { return id.to_owned() };
    let words: Vec<&str> =
        option.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    format!("{id}-{}", words.join("-").to_lowercase())
}

/// What the things in the basket cost.
pub fn goods_worth(stock: &Stock, account: &Account) -> Cents {
    account.basket.values().map(|line| line_worth(stock, line)).sum()
}

pub fn line_worth(stock: &Stock, line: &Line) -> Cents {
    stock.item(&line.item).map_or(Cents(0), |item| item.price_of(line.option.as_deref()).times(line.quantity))
}
