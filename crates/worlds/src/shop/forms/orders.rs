use super::{Submission, done};
use crate::Response;
use crate::kit::calendar::TODAY;
use crate::shop::pages::Problems;
use crate::shop::pages::orders::{self, CANCEL_REASONS, RETURN_REASONS};
use crate::shop::state::{OrderStatus, ReturnRequest};

const MAX_COMMENT: usize = 1_000;

impl Submission<'_> {
    pub(super) fn cancel_order(&mut self, id: &str) -> Response {
        let Some(order) = self.state.orders.get(id) else {
            return self.not_found();
        };
        if order.status != OrderStatus::Processing {
            let problem = format!(
                "This order is {} and can no longer be cancelled.",
                order.status.label().to_lowercase()
            );
            return orders::detail(&self.visit(), id, order, &Problems::from([("status", problem)]));
        }
        let reason = CANCEL_REASONS
            .into_iter()
            .find(|reason| *reason == self.field("reason"))
            .unwrap_or(CANCEL_REASONS[0]);
        if let Some(order) = self.state.orders.get_mut(id) {
            order.status = OrderStatus::Cancelled;
            order.cancel_reason = Some(reason.to_owned());
        }
        done(&format!("/account/orders/{id}"), "order-cancelled")
    }

    pub(super) fn request_return(&mut self, id: &str) -> Response {
        let Some(order) = self.state.orders.get(id) else {
            return self.not_found();
        };
        if !order.may_be_returned() {
            let problem = "This order cannot be returned.".to_owned();
            return orders::detail(&self.visit(), id, order, &Problems::from([("status", problem)]));
        }
        let lines: Vec<String> = order
            .lines
            .keys()
            .filter(|key| self.request.form.iter().any(|(n, v)| n == "line" && v == *key))
            .cloned()
            .collect();
        let reason = self.field("reason").to_owned();
        let comment = self.field("comment").to_owned();
        let mut problems = Problems::new();
        if lines.is_empty() {
            problems.insert("line", "Please choose at least one item.".to_owned());
        }
        if !RETURN_REASONS.contains(&reason.as_str()) {
            problems.insert("reason", "Please choose a reason.".to_owned());
        }
        if comment.chars().count() > MAX_COMMENT {
            problems.insert("comment", "The comment is too long.".to_owned());
        }
        if !problems.is_empty() {
            return orders::return_form(&self.visit(), id, order, &problems);
        }
        if let Some(order) = self.state.orders.get_mut(id) {
            order.return_request = Some(ReturnRequest { requested: TODAY, lines, reason, comment });
        }
        done(&format!("/account/orders/{id}"), "return-requested")
    }
}
