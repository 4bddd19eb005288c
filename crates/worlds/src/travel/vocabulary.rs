//! Cities, airlines and the words that stays are named and described with.

/// Code, name, region, then a position on the map in tenths of an hour's flight.
pub static CITIES: [(&str, &str, &str, i64, i64); 24] = [
    ("ALD", "Aldermoor", "Northern Reach", 4, 2),
    ("BRV", "Bravanne", "Sun Coast", 38, 61),
    ("CLV", "Calvessa", "Lakelands", 44, 30),
    ("DUN", "Dunhaven", "Northern Reach", 9, 11),
    ("ESP", "Esperanza Bay", "Sun Coast", 22, 74),
    ("FJL", "Fjellstad", "Ice Rim", 51, 3),
    ("GRH", "Greyharbour", "West Shore", 2, 34),
    ("HLM", "Halmere", "Lakelands", 36, 24),
    ("ISK", "Iskara", "Far East March", 88, 27),
    ("JUN", "Junipero", "Sun Coast", 30, 68),
    ("KAL", "Kalindra", "Spice Gulf", 79, 58),
    ("LMB", "Lombrook", "West Shore", 8, 41),
    ("MRS", "Marisol", "Sun Coast", 15, 66),
    ("NVK", "Novikari", "Far East March", 94, 15),
    ("ORL", "Orlanthe", "Heartland", 40, 44),
    ("PTA", "Port Ansel", "West Shore", 1, 48),
    ("QRN", "Quarrin", "Heartland", 49, 39),
    ("RVK", "Ravenskar", "Ice Rim", 62, 5),
    ("SNT", "Santoval", "Spice Gulf", 72, 66),
    ("TLL", "Tollgate", "Heartland", 33, 47),
    ("ULM", "Ulmaris", "Lakelands", 47, 21),
    ("VST", "Vestholm", "Ice Rim", 57, 9),
    ("WND", "Windermouth", "West Shore", 5, 28),
    ("ZEP", "Zephyra", "Spice Gulf", 84, 70),
];

pub static REGIONS: [(&str, &str); 7] = [
    ("Northern Reach", "Heather, slow ferries and light that lasts until eleven in June."),
    ("West Shore", "Old ports with new kitchens; bring something waterproof."),
    ("Sun Coast", "Long beaches, late dinners, and lemon trees in the car parks."),
    ("Lakelands", "Swim before breakfast, take the boat to lunch."),
    ("Heartland", "Market squares, river baths and the best railway pies anywhere."),
    ("Ice Rim", "Hot springs under cold skies. Pack two pairs of gloves."),
    ("Far East March", "Night markets, tea houses and mountains behind both."),
];
pub static ELSEWHERE: &str = "Warm water, warmer welcomes and a scent of cardamom.";

pub static AIRLINES: [(&str, &str); 7] = [
    ("SK", "Skylark"),
    ("NB", "Northbound Air"),
    ("CM", "Commodore"),
    ("LP", "Little Plane Company"),
    ("TW", "Tradewind"),
    ("AU", "Aurora Lines"),
    ("PG", "Pelican Green"),
];

pub static STAY_FIRST: &[&str] = &[
    "Amber",
    "Anchor",
    "Barley",
    "Blue Door",
    "Canary",
    "Cedar",
    "Copper",
    "Elder",
    "Fig Tree",
    "Garnet",
    "Harbour",
    "Ivory",
    "Juniper",
    "Lantern",
    "Linden",
    "Magpie",
    "Marble",
    "Olive",
    "Orchard",
    "Pepper",
    "Quiet",
    "Rookery",
    "Saffron",
    "Sundial",
    "Tamarind",
    "Velvet",
    "Weaver's",
    "Willow",
];
pub static NEIGHBOURHOODS: &[&str] = &[
    "Old Town",
    "Station Quarter",
    "Riverside",
    "University",
    "Harbour Front",
    "Garden Hill",
    "Mill District",
    "Market Square",
];
/// Id, label.
pub static AMENITIES: [(&str, &str); 9] = [
    ("wifi", "Free Wi-Fi"),
    ("breakfast", "Breakfast included"),
    ("pool", "Swimming pool"),
    ("parking", "Free parking"),
    ("gym", "Gym"),
    ("pets", "Pets welcome"),
    ("spa", "Spa"),
    ("kitchen", "Kitchen"),
    ("access", "Step-free access"),
];
/// Id, what stays of the kind are called, label.
pub static KINDS: [(&str, &[&str], &str); 4] = [
    ("hotel", &["Hotel", "Grand Hotel", "House Hotel"], "Hotels"),
    ("guesthouse", &["Guesthouse", "Inn", "Lodge"], "Guesthouses"),
    ("apartment", &["Apartments", "Lofts", "Residence"], "Apartments"),
    ("hostel", &["Hostel", "Bunkhouse"], "Hostels"),
];
pub static STAY_LINES: &[&str] = &[
    "Rooms look onto a courtyard where somebody is always watering something.",
    "The front desk speaks five languages and knows which bakery opens first.",
    "Small rooms, generous windows, and a lift that takes its time.",
    "A former weaving mill with high ceilings and very good curtains.",
    "Ask for a room at the back: the bells are charming until six.",
    "The owners live on the top floor and will lend you their bicycles.",
    "Renovated last winter, with new beds and the old tiles.",
    "Ten minutes on foot from the station, seven if it rains.",
];
