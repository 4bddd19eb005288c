//! The stock of a site: made once per seed, never changed, shared by all worlds of that seed.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use umpire_model::Random;

use super::item::Item;
use super::storefront::Storefront;

pub struct Stock {
    /// By id, ascending.
    items: Vec<Item>,
    by_id: HashMap<String, usize>,
}

type Cache = HashMap<(u64, &'static str), Arc<Stock>>;

static CACHE: LazyLock<Mutex<Cache>> = LazyLock::new(Mutex::default);
/// Stocks of several seeds at once are rare; a fuzzer's many seeds shall not fill the memory.
const KEPT: usize = 64;

impl Stock {
    pub fn of_seed(storefront: &'static Storefront, seed: u64) -> Arc<Self> {
        let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stock) = cache.get(&(seed, storefront.key)) {
            return Arc::clone(stock);
        }
        if cache.len() >= KEPT {
            cache.clear();
        }
        let mut random = Random::stream(seed, storefront.key);
        let items = (storefront.trade.stock)(&mut random, storefront.origin);
        let by_id = items.iter().enumerate().map(|(at, item)| (item.id.clone(), at)).collect();
        let stock = Arc::new(Self { items, by_id });
        cache.insert((seed, storefront.key), Arc::clone(&stock));
        stock
    }

    pub fn items(&self) -> &[Item] {
        &self.items
    }

    pub fn item(&self, id: &str) -> Option<&Item> {
        self.by_id.get(id).and_then(|at| self.items.get(*at))
    }
}
