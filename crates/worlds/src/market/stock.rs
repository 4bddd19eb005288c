//! The stock of a site: made once per seed, never changed, shared by all worlds of that seed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use umpire_model::Random;

use super::item::Item;
use super::storefront::Storefront;
use crate::kit::by_seed::BySeed;

pub struct Stock {
    /// By id, ascending.
    items: Vec<Item>,
    by_id: HashMap<String, usize>,
}

/// Of one seed, by key of the storefront; each is stocked when somebody first enters it.
type Stocks = Mutex<HashMap<&'static str, Arc<Stock>>>;

static STOCKS: BySeed<Stocks> = BySeed::new();

impl Stock {
    pub fn of_seed(storefront: &'static Storefront, seed: u64) -> Arc<Self> {
        let stocks = STOCKS.get(seed, |_| Stocks::default());
        let mut stocks = stocks.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(stocks.entry(storefront.key).or_insert_with(|| Arc::new(Self::made(storefront, seed))))
    }

    fn made(storefront: &Storefront, seed: u64) -> Self {
        let mut random = Random::stream(seed, storefront.key);
        let items = (storefront.trade.stock)(&mut random, storefront.origin);
        let by_id = items.iter().enumerate().map(|(at, item)| (item.id.clone(), at)).collect();
        Self { items, by_id }
    }

    pub fn items(&self) -> &[Item] {
        &self.items
    }

    pub fn item(&self, id: &str) -> Option<&Item> {
        self.by_id.get(id).and_then(|at| self.items.get(*at))
    }
}
