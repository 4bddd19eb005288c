//! Customers: add and edit.

use super::{Outcome, Refusal, field, invalid, required};
use crate::Request;
use crate::kit::calendar::TODAY;
use crate::kit::flash;
use crate::shop_admin::ShopAdmin;
use crate::shop_admin::state::{Customer, GROUPS};

impl ShopAdmin {
    pub(in crate::shop_admin) fn add_customer(&mut self, request: &Request) -> Outcome {
        let customer = self.customer_in(request, None)?;
        let id = self.state.take_id("C");
        let location = format!("/customers/{id}");
        self.state.customers.insert(id, customer);
        Ok(flash::then(&location, "customer-saved"))
    }

    pub(in crate::shop_admin) fn save_customer(&mut self, id: &str, request: &Request) -> Outcome {
        let since = self.desk().customer(id).ok_or(Refusal::Missing)?.since;
        let customer = Customer { since, ..self.customer_in(request, Some(id))? };
        if self.ledger.customer(id) == Some(&customer) {
            self.state.customers.remove(id);
        } else {
            self.state.customers.insert(id.to_owned(), customer);
        }
        Ok(flash::then(&format!("/customers/{id}"), "customer-saved"))
    }

    /// The customer a form describes; `id` is the one it is about, if it exists already.
    fn customer_in(&self, request: &Request, id: Option<&str>) -> Result<Customer, Refusal> {
        let email = required(request, "email", "An email address", 100)?;
        let is_address =
            email.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
        if !is_address || email.contains(char::is_whitespace) {
            return invalid("That is not an email address.");
        }
        let taken = |(other, customer): &(String, &Customer)| {
            Some(other.as_str()) != id && customer.email.eq_ignore_ascii_case(&email)
        };
        if let Some((other, _)) = self.desk().customers().iter().find(|entry| taken(entry)) {
            return invalid(format!("Customer {other} already has this email address."));
        }
        let group = field(request, "group");
        if !GROUPS.contains(&group.as_str()) {
            return invalid("Choose a customer group.");
        }
        Ok(Customer {
            name: required(request, "name", "A name", 80)?,
            email,
            phone: field(request, "phone").chars().take(30).collect(),
            city: field(request, "city").chars().take(60).collect(),
            group,
            since: TODAY,
            newsletter: request.form("newsletter").is_some(),
        })
    }
}
