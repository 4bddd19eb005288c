use super::{Submission, done};
use crate::Response;
use crate::kit::calendar::TODAY;
use crate::shop::state::Wish;

impl Submission<'_> {
    pub(super) fn add_wish(&mut self) -> Response {
        let Some(product) = self.catalogue.product(self.field("product")) else {
            return self.not_found();
        };
        self.state.wishlist.entry(product.id.clone()).or_insert(Wish { added: TODAY });
        done(self.back(), "wish-added")
    }

    pub(super) fn remove_wish(&mut self) -> Response {
        let id = self.field("product").to_owned();
        match self.state.wishlist.remove(&id) {
            Some(_) => done(self.back(), "wish-removed"),
            None => Response::see_other(self.back()),
        }
    }
}
