//! The boxes beside the news: the weather of the towns, and the closing prices.

use umpire_model::Random;

use super::vocabulary::PLACES_OF_NEWS;
use crate::kit::calendar::{Day, TODAY};
use crate::kit::text::{choose, slug};

pub struct Weather {
    pub place: &'static str,
    pub slug: String,
    pub days: Vec<Forecast>,
}

pub struct Forecast {
    pub day: Day,
    pub sky: &'static str,
    pub high: i64,
    pub low: i64,
    pub rain_percent: i64,
    pub wind: i64,
}

const SKIES: &[&str] =
    &["Sunny", "Bright spells", "Cloudy", "Light rain", "Showers", "Fog, then sun", "Sleet", "Windy"];
const FORECAST_DAYS: i32 = 6;

pub fn weather(seed: u64) -> Vec<Weather> {
    let mut random = Random::stream(seed, "news weather");
    let places = PLACES_OF_NEWS.iter().map(|place| {
        let mild = random.between(5, 13);
        let days = (0..FORECAST_DAYS).map(|ahead| {
            let high = mild + random.between(-2, 4);
            Forecast {
                day: TODAY.plus(ahead),
                sky: choose(&mut random, SKIES),
                high,
                low: high - random.between(3, 8),
                rain_percent: random.between(1, 19) * 5,
                wind: random.between(6, 62),
            }
        });
        Weather { place, slug: slug(place), days: days.collect() }
    });
    places.collect()
}

pub struct Share {
    pub symbol: &'static str,
    pub company: &'static str,
    pub trade: &'static str,
    /// In pence.
    pub close: i64,
    pub change: i64,
    pub volume: u64,
}

const COMPANIES: &[(&str, &str, &str)] = &[
    ("ANSL", "Ansel & Daughters", "Shipbuilding"),
    ("BRKS", "Brackley Sound Ferries", "Transport"),
    ("CMRW", "Castlemere Waterworks", "Utilities"),
    ("DRAY", "Upper Dray Brewing", "Food and drink"),
    ("EMTX", "Eastmoor Textiles", "Manufacturing"),
    ("GHBK", "Greyharbour Bank", "Finance"),
    ("KELP", "Kelp & Co", "Food and drink"),
    ("LDRS", "Lindersby Robotics", "Technology"),
    ("MHIL", "Marrow Hill Quarries", "Materials"),
    ("NWCK", "Nether Wick Seeds", "Farming"),
    ("OXBW", "Oxbow Timber", "Materials"),
    ("QLLN", "Quillan Optics", "Technology"),
    ("SLTM", "Saltmarsh Tidal Power", "Utilities"),
    ("SLVF", "Silverford Publishing", "Media"),
    ("TARN", "Tarn Vale Dairies", "Food and drink"),
    ("THQY", "Thornquay Containers", "Transport"),
    ("WXCB", "Wexcombe Assurance", "Finance"),
    ("LGHT", "Lighthouse Mutual", "Finance"),
];

pub fn shares(seed: u64) -> Vec<Share> {
    let mut random = Random::stream(seed, "news shares");
    let shares = COMPANIES.iter().map(|&(symbol, company, trade)| Share {
        symbol,
        company,
        trade,
        close: random.between(62, 4_800),
        change: random.between(-48, 52),
        volume: random.between(9_000, 2_400_000) as u64,
    });
    shares.collect()
}
