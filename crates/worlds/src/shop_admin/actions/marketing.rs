//! Promotions and content pages.

use super::{Outcome, Refusal, day, field, invalid, required};
use crate::Request;
use crate::kit::flash;
use crate::shop::money::Cents;
use crate::shop_admin::ShopAdmin;
use crate::shop_admin::state::{ContentPage, Discount, Promotion};

impl ShopAdmin {
    pub(in crate::shop_admin) fn add_promotion(&mut self, request: &Request) -> Outcome {
        let promotion = self.promotion_in(request, None)?;
        let id = self.state.take_id("promo");
        self.state.promotions.insert(id, promotion);
        Ok(flash::then("/promotions", "promotion-saved"))
    }

    pub(in crate::shop_admin) fn save_promotion(&mut self, id: &str, request: &Request) -> Outcome {
        let uses = self.state.promotions.get(id).ok_or(Refusal::Missing)?.uses;
        let promotion = Promotion { uses, ..self.promotion_in(request, Some(id))? };
        self.state.promotions.insert(id.to_owned(), promotion);
        Ok(flash::then("/promotions", "promotion-saved"))
    }

    pub(in crate::shop_admin) fn delete_promotion(&mut self, id: &str) -> Outcome {
        self.state.promotions.remove(id).ok_or(Refusal::Missing)?;
        Ok(flash::then("/promotions", "promotion-deleted"))
    }

    /// The promotion a form describes; `id` is the one it is about, if it exists already.
    fn promotion_in(&self, request: &Request, id: Option<&str>) -> Result<Promotion, Refusal> {
        let name = required(request, "name", "A name", 80)?;
        let code = field(request, "code").to_uppercase();
        if code.len() > 20 || !code.chars().all(|letter| letter.is_ascii_alphanumeric()) {
            return invalid("A code has up to 20 letters and digits.");
        }
        let taken = self.state.promotions.iter().any(|(other, promotion)| {
            !code.is_empty() && Some(other.as_str()) != id && promotion.code == code
        });
        if taken {
            return invalid(format!("The code {code} is already in use."));
        }
        let amount = field(request, "amount");
        let discount = match field(request, "kind").as_str() {
            "percent" => match amount.parse() {
                Ok(percent @ 1..=100) => Discount::Percent(percent),
                _ => return invalid("A percentage is a whole number from 1 to 100."),
            },
            "amount" => match Cents::parse(&amount).filter(|amount| *amount > Cents(0)) {
                Some(amount) => Discount::AmountCents(amount),
                None => return invalid("An amount is written like 5.00."),
            },
            "shipping" => Discount::FreeShipping,
            _ => return invalid("Choose a kind of discount."),
        };
        let (starts, ends) = (day(request, "starts")?, day(request, "ends")?);
        if ends < starts {
            return invalid("A promotion cannot end before it starts.");
        }
        Ok(Promotion {
            name,
            code,
            discount,
            starts,
            ends,
            active: request.form("active").is_some(),
            uses: 0,
        })
    }

    pub(in crate::shop_admin) fn save_page(&mut self, address: &str, request: &Request) -> Outcome {
        let page = ContentPage {
            title: required(request, "title", "A title", 80)?,
            content: required(request, "content", "Some content", 4_000)?,
            enabled: request.form("enabled").is_some(),
        };
        *self.state.pages.get_mut(address).ok_or(Refusal::Missing)? = page;
        Ok(flash::then("/pages", "page-saved"))
    }
}
