//! Everything the clerk can change. Products, orders and customers that nobody touched follow from the seed; one that
//! was changed here has its whole record in the state.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::kit::calendar::Day;
use crate::shop::money::Cents;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Number of the next promotion, customer or note.
    pub next_id: u32,
    /// By article number.
    pub products: BTreeMap<String, Listing>,
    /// By order number.
    pub orders: BTreeMap<String, Order>,
    /// By customer number.
    pub customers: BTreeMap<String, Customer>,
    /// Reviews that came in lately, by id; older ones are part of the shop's catalogue.
    pub reviews: BTreeMap<String, Review>,
    pub promotions: BTreeMap<String, Promotion>,
    /// By address.
    pub pages: BTreeMap<String, ContentPage>,
}

impl State {
    /// `promo-501`: unique in this world.
    pub fn take_id(&mut self, kind: &str) -> String {
        let id = format!("{kind}-{}", self.next_id);
        self.next_id = self.next_id.saturating_add(1);
        id
    }
}

/// What the shop shows of a product.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listing {
    pub name: String,
    pub price_cents: Cents,
    pub stock: u32,
    pub enabled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderStatus {
    Pending,
    Processing,
    Shipped,
    Complete,
    Cancelled,
}

impl OrderStatus {
    pub const ALL: [Self; 5] =
        [Self::Pending, Self::Processing, Self::Shipped, Self::Complete, Self::Cancelled];

    pub fn code(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Processing => "processing",
            Self::Shipped => "shipped",
            Self::Complete => "complete",
            Self::Cancelled => "cancelled",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::Processing => "Processing",
            Self::Shipped => "Shipped",
            Self::Complete => "Complete",
            Self::Cancelled => "Cancelled",
        }
    }

    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.code() == code)
    }

    /// Nothing has left the warehouse yet.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::Processing)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    pub placed: Day,
    /// Customer number.
    pub customer: String,
    pub status: OrderStatus,
    pub lines: Vec<OrderLine>,
    pub payment: String,
    pub shipment: Option<Shipment>,
    /// Remarks of the staff, oldest first.
    pub notes: Vec<Note>,
}

impl Order {
    pub fn total(&self) -> Cents {
        self.lines.iter().map(|line| line.unit_cents.times(line.quantity)).sum()
    }

    pub fn pieces(&self) -> u32 {
        self.lines.iter().fold(0, |sum, line| sum.saturating_add(line.quantity))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderLine {
    /// Article number.
    pub product: String,
    pub quantity: u32,
    pub unit_cents: Cents,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shipment {
    pub carrier: String,
    pub tracking: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    pub text: String,
    /// Whether the customer got a mail with it.
    pub customer_notified: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Customer {
    pub name: String,
    pub email: String,
    pub phone: String,
    pub city: String,
    pub group: String,
    pub since: Day,
    pub newsletter: bool,
}

/// The customer groups the shop knows.
pub const GROUPS: [&str; 4] = ["General", "Wholesale", "Trade", "Loyalty"];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReviewStatus {
    Pending,
    Approved,
    Rejected,
}

impl ReviewStatus {
    pub const ALL: [Self; 3] = [Self::Pending, Self::Approved, Self::Rejected];

    pub fn code(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::Approved => "Approved",
            Self::Rejected => "Rejected",
        }
    }

    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.code() == code)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Review {
    pub product: String,
    pub nickname: String,
    pub stars: u32,
    pub title: String,
    pub text: String,
    pub date: Day,
    pub status: ReviewStatus,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Promotion {
    pub name: String,
    /// Empty for one that needs no code.
    pub code: String,
    pub discount: Discount,
    pub starts: Day,
    pub ends: Day,
    pub active: bool,
    pub uses: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Discount {
    Percent(u32),
    AmountCents(Cents),
    FreeShipping,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContentPage {
    pub title: String,
    pub content: String,
    pub enabled: bool,
}
