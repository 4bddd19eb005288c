//! Orders: cancel, ship, remark.

use super::{Outcome, Refusal, field, invalid, required};
use crate::kit::flash;
use crate::shop_admin::ShopAdmin;
use crate::shop_admin::state::{Note, Order, OrderStatus, Shipment};
use crate::shop_admin::vocabulary::CARRIERS;
use crate::{Request, Response};

impl ShopAdmin {
    pub(in crate::shop_admin) fn cancel_order(&mut self, id: &str) -> Outcome {
        let order = self.order(id)?;
        if !order.status.is_open() {
            return invalid("Only orders that have not been shipped can be cancelled.");
        }
        Ok(self.keep(id, Order { status: OrderStatus::Cancelled, ..order }, "order-cancelled"))
    }

    pub(in crate::shop_admin) fn ship_order(&mut self, id: &str, request: &Request) -> Outcome {
        let order = self.order(id)?;
        if !order.status.is_open() {
            return invalid("This order cannot be shipped.");
        }
        let carrier = field(request, "carrier");
        if !CARRIERS.contains(&carrier.as_str()) {
            return invalid("Choose a carrier.");
        }
        let tracking = required(request, "tracking", "A tracking number", 40)?;
        if !tracking.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-') {
            return invalid("A tracking number has letters, digits and hyphens only.");
        }
        let shipment = Some(Shipment { carrier, tracking });
        Ok(self.keep(id, Order { status: OrderStatus::Shipped, shipment, ..order }, "order-shipped"))
    }

    pub(in crate::shop_admin) fn add_note(&mut self, id: &str, request: &Request) -> Outcome {
        let mut order = self.order(id)?;
        let text = required(request, "text", "A comment", 1_000)?;
        order.notes.push(Note { text, customer_notified: request.form("notify").is_some() });
        Ok(self.keep(id, order, "note-added"))
    }

    fn order(&self, id: &str) -> Result<Order, Refusal> {
        self.desk().order(id).cloned().ok_or(Refusal::Missing)
    }

    fn keep(&mut self, id: &str, order: Order, message: &'static str) -> Response {
        self.state.orders.insert(id.to_owned(), order);
        flash::then(&format!("/orders/{id}"), message)
    }
}
