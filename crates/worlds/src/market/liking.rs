//! Whether a thing that was bought or booked is one that a person would have wanted, for those who score attempts
//! afterwards. It is told from the stock, so it holds for what no page had to say.

use super::atlas::Place;
use super::item::Item;
use super::stock::Stock;
use super::storefront::storefront;

/// Whether the thing `id` of a marketplace has the value `value` of the attribute `key`: for numbers, whether it keeps
/// the limit. `home` is city and address, which distances are measured from. None where the marketplace or the thing does
/// not exist, or things have no such attribute.
pub fn suits(
    seed: u64,
    host: &str,
    id: &str,
    (key, value): (&str, &str),
    home: Option<(&str, &str)>,
) -> Option<bool> {
    let site = storefront(host.strip_suffix(".localhost")?)?;
    let stock = Stock::of_seed(site, seed);
    let item = stock.item(id)?;
    match key {
        "rating" => Some(f64::from(item.rating) >= value.parse::<f64>().ok()? * 10.0),
        "distance" => {
            let (city, address) = home?;
            let tenths = item.place?.point().tenths_to(Place::parse(city, address)?.point());
            Some(tenths as f64 <= value.parse::<f64>().ok()? * 10.0)
        }
        key => at_most(item, key, value).or_else(|| has(item, key, value)),
    }
}

fn at_most(item: &Item, key: &str, value: &str) -> Option<bool> {
    let (_, number) = item.numbers.iter().find(|(name, _)| *name == key)?;
    Some(*number <= value.parse().ok()?)
}

fn has(item: &Item, key: &str, value: &str) -> Option<bool> {
    item.facts.iter().any(|(name, _)| *name == key).then(|| item.has(key, value))
}
