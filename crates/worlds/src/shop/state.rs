//! Everything a visitor can change, as it is read by checks and patched by initial states.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::calendar::{Day, TODAY};
use super::catalogue::{Catalogue, slug_of};
use super::money::Cents;

/// More than this of one thing is a mistake or a business customer.
pub const MAX_QUANTITY: u32 = 20;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    pub signed_in: bool,
    pub profile: Profile,
    pub addresses: BTreeMap<String, Address>,
    pub default_address: String,
    pub cart: Cart,
    /// Choices made on the way through the checkout; empty again once the order is placed.
    pub checkout: Checkout,
    pub orders: BTreeMap<String, Order>,
    /// By product id.
    pub wishlist: BTreeMap<String, Wish>,
    /// What this visitor wrote, by review id.
    pub reviews: BTreeMap<String, OwnReview>,
    /// Code to the order it was used for.
    pub coupons_used: BTreeMap<String, String>,
    pub newsletter: Newsletter,
    /// The last number given out of each kind.
    pub sequences: Sequences,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    pub name: String,
    pub email: String,
    pub phone: String,
    pub language: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Address {
    pub label: String,
    pub name: String,
    pub street: String,
    pub city: String,
    pub region: String,
    pub postcode: String,
    pub phone: String,
}

impl Address {
    pub fn one_line(&self) -> String {
        format!("{}, {}, {}, {} {}", self.name, self.street, self.city, self.region, self.postcode)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cart {
    /// By [`Choice::key`].
    pub lines: BTreeMap<String, Line>,
    #[serde(default)]
    pub coupon: Option<String>,
}

/// A product in one colour and, where it has sizes, one size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    pub product: String,
    pub colour: String,
    #[serde(default)]
    pub size: Option<String>,
}

impl Choice {
    /// `LM-1042-sage-king`: stable, and readable in a check.
    pub fn key(&self) -> String {
        let mut key = format!("{}-{}", self.product, slug_of(&self.colour));
        if let Some(size) = &self.size {
            key.push('-');
            key.push_str(&slug_of(size));
        }
        key
    }

    /// `Sage, King`.
    pub fn words(&self) -> String {
        match &self.size {
            Some(size) => format!("{}, {size}", self.colour),
            None => self.colour.clone(),
        }
    }

    /// Unit price, if the product exists in this colour and size.
    pub fn price(&self, catalogue: &Catalogue) -> Option<Cents> {
        let product = catalogue.product(&self.product)?;
        product.colour(&self.colour)?;
        product.price_in(self.size.as_deref())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    #[serde(flatten)]
    pub choice: Choice,
    pub quantity: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkout {
    #[serde(default)]
    pub address: Option<String>,
    #[serde(default)]
    pub shipping: Option<Shipping>,
    #[serde(default)]
    pub payment: Option<Payment>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shipping {
    Standard,
    Express,
    Pickup,
}

impl Shipping {
    pub const ALL: [Self; 3] = [Self::Standard, Self::Express, Self::Pickup];

    pub fn code(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Express => "express",
            Self::Pickup => "pickup",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Standard => "Standard delivery",
            Self::Express => "Express delivery",
            Self::Pickup => "Store pickup",
        }
    }

    pub fn promise(self) -> &'static str {
        match self {
            Self::Standard => "3 to 5 working days",
            Self::Express => "Next working day if ordered before noon",
            Self::Pickup => "Ready within 2 hours at our Alder Street store",
        }
    }

    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.code() == code)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Payment {
    #[serde(rename = "visa-4417")]
    Visa,
    #[serde(rename = "mastercard-0932")]
    Mastercard,
    #[serde(rename = "invoice")]
    Invoice,
}

impl Payment {
    pub const ALL: [Self; 3] = [Self::Visa, Self::Mastercard, Self::Invoice];

    pub fn code(self) -> &'static str {
        match self {
            Self::Visa => "visa-4417",
            Self::Mastercard => "mastercard-0932",
            Self::Invoice => "invoice",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Visa => "Visa ending in 4417",
            Self::Mastercard => "Mastercard ending in 0932",
            Self::Invoice => "Invoice",
        }
    }

    pub fn note(self) -> &'static str {
        match self {
            Self::Visa => "Expires 08/2028",
            Self::Mastercard => "Expires 01/2027",
            Self::Invoice => "Pay within 30 days of delivery",
        }
    }

    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|payment| payment.code() == code)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderStatus {
    Processing,
    Shipped,
    Delivered,
    Cancelled,
}

impl OrderStatus {
    pub const ALL: [Self; 4] = [Self::Processing, Self::Shipped, Self::Delivered, Self::Cancelled];

    pub fn code(self) -> &'static str {
        match self {
            Self::Processing => "processing",
            Self::Shipped => "shipped",
            Self::Delivered => "delivered",
            Self::Cancelled => "cancelled",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Processing => "Processing",
            Self::Shipped => "Shipped",
            Self::Delivered => "Delivered",
            Self::Cancelled => "Cancelled",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    pub placed: Day,
    pub status: OrderStatus,
    #[serde(default)]
    pub delivered: Option<Day>,
    /// By [`Choice::key`].
    pub lines: BTreeMap<String, OrderLine>,
    pub address: Address,
    pub shipping: Shipping,
    pub payment: Payment,
    #[serde(default)]
    pub coupon: Option<String>,
    pub discount_cents: Cents,
    pub shipping_cents: Cents,
    pub total_cents: Cents,
    #[serde(default)]
    pub cancel_reason: Option<String>,
    #[serde(default)]
    pub return_request: Option<ReturnRequest>,
}

impl Order {
    /// Days after delivery within which goods may come back.
    pub const RETURN_DAYS: i32 = 30;

    pub fn subtotal(&self) -> Cents {
        self.lines.values().map(|line| line.unit_cents.times(line.quantity)).sum()
    }

    pub fn return_until(&self) -> Option<Day> {
        self.delivered.map(|day| day.plus(Self::RETURN_DAYS))
    }

    /// Delivered, not too long ago, and not asked for yet.
    pub fn may_be_returned(&self) -> bool {
        self.return_request.is_none() && self.return_until().is_some_and(|until| until >= TODAY)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderLine {
    #[serde(flatten)]
    pub choice: Choice,
    pub quantity: u32,
    pub unit_cents: Cents,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReturnRequest {
    pub requested: Day,
    /// Keys of the order's lines.
    pub lines: Vec<String>,
    pub reason: String,
    pub comment: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wish {
    pub added: Day,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnReview {
    pub product: String,
    pub date: Day,
    pub stars: u32,
    pub title: String,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Newsletter {
    pub subscribed: bool,
    pub frequency: String,
    pub format: String,
    /// Topic code to whether it is wanted.
    pub topics: BTreeMap<String, bool>,
    pub share_with_partners: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sequences {
    pub order: u32,
    pub address: u32,
    pub review: u32,
}

impl State {
    /// Says what in this state points nowhere. Pages skip such things, but a task that relies on them is wrong.
    pub fn check(&self, catalogue: &Catalogue) -> Result<(), String> {
        for (key, line) in &self.cart.lines {
            if *key != line.choice.key() || line.choice.price(catalogue).is_none() {
                return Err(format!("cart line `{key}` is no product, colour and size of this shop"));
            }
            if line.quantity == 0 || line.quantity > MAX_QUANTITY {
                return Err(format!("cart line `{key}` has a quantity outside 1..={MAX_QUANTITY}"));
            }
        }
        if let Some(id) = self.wishlist.keys().find(|id| catalogue.product(id).is_none()) {
            return Err(format!("there is no product `{id}` to wish for"));
        }
        if !self.addresses.contains_key(&self.default_address) {
            return Err(format!("the default address `{}` does not exist", self.default_address));
        }
        Ok(())
    }
}
