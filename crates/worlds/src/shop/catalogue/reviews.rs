//! Reviews, put together from sentences so that no two shelves read alike.

use umpire_model::Random;

use super::Review;
use super::departments::Category;
use super::products::pick;
use crate::kit::calendar::TODAY;

const AUTHORS: &[&str] = &[
    "Priya N.",
    "Tomasz W.",
    "Grace O.",
    "Elin S.",
    "Marcus B.",
    "Yuki T.",
    "Farah K.",
    "Dieter H.",
    "Lucía M.",
    "Owen P.",
    "Chiara R.",
    "Sam D.",
    "Ngozi A.",
    "Hannah L.",
    "Pavel J.",
    "Beatriz C.",
    "Arjun V.",
    "Molly F.",
    "Henrik E.",
    "Zoe G.",
    "Ibrahim Y.",
    "Ruth Q.",
    "Callum I.",
    "Freya U.",
];

/// Titles and opening sentences by number of stars, from one.
const TITLES: [&[&str]; 5] = [
    &["Sent it back", "Not what I hoped for", "Disappointed", "Broke early"],
    &["Could be better", "Looks nicer than it is", "Not quite there", "Meh"],
    &["It is fine", "Does the job", "Some good, some not", "Average"],
    &["Very good", "Happy with it", "Nearly perfect", "Good value"],
    &["Love it", "Exactly right", "Bought a second one", "Best in the house", "Worth every cent"],
];

const OPENINGS: [&[&str]; 5] = [
    &[
        "I wanted to like this, but it failed within a fortnight.",
        "Mine arrived with a dent and the replacement was no better.",
        "The pictures flatter it a great deal.",
    ],
    &[
        "It works, just not very well.",
        "For this price I expected a better finish.",
        "I use it less than I thought I would.",
    ],
    &[
        "Neither good nor bad, it simply works.",
        "Decent quality with a few rough edges.",
        "It took me a while to get used to it.",
    ],
    &[
        "I have had this for three months and would buy it again.",
        "Well made and just the size I needed.",
        "One small flaw aside, this is a lovely thing.",
    ],
    &[
        "I have recommended this to half of my street.",
        "From the first day this has been a joy to use.",
        "I cannot find anything to complain about.",
        "This replaced one I had for ten years, and it is better in every way.",
    ],
];

/// Remarks that fit anything; the first clause carries the word a reader would look for.
const REMARKS: &[&str] = &[
    "The packaging was all card and easy to recycle.",
    "Delivery took two days longer than promised.",
    "Delivery was quick and the driver was kind.",
    "The colour is a little darker than on the screen.",
    "The colour is exactly as shown.",
    "I bought it as a gift for my sister and she was delighted.",
    "It was a gift, and it came nicely wrapped.",
    "The instructions are only pictures, but they are good pictures.",
    "The instructions could be clearer.",
    "There was a scratch on the underside, which nobody will see.",
    "It feels sturdy without being heavy.",
    "It is heavier than it looks.",
    "Customer service answered within the hour.",
    "It smelled a bit of varnish for the first week.",
];

fn category_remarks(slug: &str) -> &'static [&'static str] {
    match slug {
        "lighting" => &[
            "The light is warm and does not flicker.",
            "The cable is too short for my room.",
            "The switch is hard to find in the dark.",
        ],
        "kitchen" => &[
            "It cleans up in seconds.",
            "The handle stays cool even on a high flame.",
            "The handle gets hot, so keep a cloth nearby.",
        ],
        "furniture" => &[
            "Assembly took twenty minutes with a cup of tea in between.",
            "One leg wobbles unless you tighten it often.",
            "The wood has a beautiful grain.",
        ],
        "bed-and-bath" => &[
            "It became softer after the second wash.",
            "It shrank slightly in the wash.",
            "It is soft and dries quickly.",
        ],
        "garden" => &[
            "It survived the whole winter outside.",
            "A bit of rust showed up after the first rain.",
            "The robins found it before I did.",
        ],
        "stationery" => &[
            "No bleed-through, even with wet ink.",
            "It fits my desk perfectly.",
            "The corners wear quickly in a bag.",
        ],
        "electronics" => &[
            "The battery lasts for days.",
            "The battery drains faster than advertised.",
            "Pairing worked at the first attempt.",
        ],
        _ => &[
            "It stayed dry through a night of rain.",
            "The zip catches now and then.",
            "It packs down smaller than I expected.",
        ],
    }
}

pub fn generate(category: &Category, random: &mut Random) -> Vec<Review> {
    let count = match random.below(10) {
        0 => 0,
        1..=5 => random.between(2, 9),
        _ => random.between(10, 24),
    };
    // How good the product is: decides how its stars are spread.
    let quality = random.between(20, 95) as u32;
    let mut reviews: Vec<Review> = (0..count).map(|_| review(category, quality, random)).collect();
    reviews.sort_by_key(|review| std::cmp::Reverse(review.date));
    reviews
}

fn review(category: &Category, quality: u32, random: &mut Random) -> Review {
    let stars = 1 + (0..4).filter(|_| random.chance(quality)).count();
    let words = |table: &[&'static [&'static str]; 5]| table.get(stars - 1).copied().unwrap_or_default();
    let opening = pick(random, words(&OPENINGS));
    let remarks = [
        random.chance(75).then(|| pick(random, REMARKS)),
        random.chance(60).then(|| pick(random, category_remarks(category.slug))),
    ];
    Review {
        author: pick(random, AUTHORS),
        date: TODAY.minus(random.between(1, 700) as i32),
        stars: stars as u32,
        title: pick(random, words(&TITLES)),
        opening,
        remarks,
    }
}
