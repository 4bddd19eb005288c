//! Kinds of places: how they are called, how often they occur, what they are named after, when they open.

use super::hours::Pattern;

pub struct Category {
    pub slug: &'static str,
    pub name: &'static str,
    pub plural: &'static str,
    pub group: Group,
    pub pattern: Pattern,
    /// How often it occurs among a hundred or so places.
    pub weight: usize,
    /// Names; `{}` stands for one of `words`, `@` for the town.
    pub forms: &'static [&'static str],
    pub words: &'static [&'static str],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    Food,
    Shops,
    Services,
    Culture,
    Health,
    Travel,
    Outdoors,
}

impl Group {
    pub const ALL: [Self; 7] =
        [Self::Food, Self::Shops, Self::Services, Self::Culture, Self::Health, Self::Travel, Self::Outdoors];

    pub fn name(self) -> &'static str {
        match self {
            Self::Food => "Food and drink",
            Self::Shops => "Shops",
            Self::Services => "Services",
            Self::Culture => "Culture",
            Self::Health => "Health",
            Self::Travel => "Travel",
            Self::Outdoors => "Outdoors",
        }
    }

    pub fn code(self) -> &'static str {
        match self {
            Self::Food => "food",
            Self::Shops => "shops",
            Self::Services => "services",
            Self::Culture => "culture",
            Self::Health => "health",
            Self::Travel => "travel",
            Self::Outdoors => "outdoors",
        }
    }
}

const THINGS: &[&str] = &[
    "Copper Kettle",
    "Blue Heron",
    "Old Ferry",
    "Wooden Spoon",
    "Green Lantern",
    "Second Breakfast",
    "Salt Barrel",
    "Quiet Corner",
    "Three Bells",
    "Larder",
    "Yellow Door",
    "Paper Boat",
    "Wandering Goat",
    "Long Table",
    "Brass Bell",
    "Fig Tree",
    "Iron Stove",
    "Rye Field",
    "Open Window",
    "Silver Trout",
    "Tin Roof",
    "Last Stop",
    "Winter Garden",
    "Nutmeg",
    "Hungry Owl",
    "Slow River",
    "Red Awning",
    "Clay Pot",
    "Pocket Watch",
    "Summer House",
];
const FAMILIES: &[&str] = &[
    "Abernethy",
    "Brandt",
    "Castellan",
    "Dovecote",
    "Ellery",
    "Farrow",
    "Gallagher",
    "Hargreave",
    "Ingram",
    "Jessop",
    "Kowal",
    "Lindqvist",
    "Marchetti",
    "Norwood",
    "Okonjo",
    "Pemberton",
    "Quillfeather",
    "Rosales",
    "Sandoval",
    "Thackeray",
    "Underhill",
    "Vasko",
    "Whitlock",
    "Yarrow",
    "Zeller",
    "Ostrander",
    "Penhale",
    "Tremaine",
];
const SAINTS: &[&str] = &[
    "Saint Aldith",
    "Saint Brannoc",
    "Saint Cuthra",
    "Saint Eluned",
    "Saint Ifor",
    "Saint Maud",
    "Saint Orla",
    "All Hallows",
];

const fn category(
    names: (&'static str, &'static str, &'static str),
    group: Group,
    pattern: Pattern,
    weight: usize,
    forms: &'static [&'static str],
    words: &'static [&'static str],
) -> Category {
    Category { slug: names.0, name: names.1, plural: names.2, group, pattern, weight, forms, words }
}

pub const CATEGORIES: &[Category] = &[
    category(
        ("restaurant", "Restaurant", "Restaurants"),
        Group::Food,
        Pattern::Meals,
        12,
        &["The {}", "{} Kitchen", "{} Dining Room", "{} Grill"],
        THINGS,
    ),
    category(
        ("cafe", "Café", "Cafés"),
        Group::Food,
        Pattern::Morning,
        10,
        &["{} Café", "The {} Coffee House", "Café {}", "{} Tea Room"],
        THINGS,
    ),
    category(
        ("bakery", "Bakery", "Bakeries"),
        Group::Food,
        Pattern::Morning,
        5,
        &["{} Bakery", "{} & Daughters Bakers", "{} Bread House"],
        FAMILIES,
    ),
    category(
        ("pub", "Pub", "Pubs"),
        Group::Food,
        Pattern::Evening,
        6,
        &["The {} Inn", "The {} Arms", "{} Tavern"],
        THINGS,
    ),
    category(
        ("supermarket", "Supermarket", "Supermarkets"),
        Group::Shops,
        Pattern::Shop,
        5,
        &["{} Food Market", "{} Provisions"],
        FAMILIES,
    ),
    category(
        ("bookshop", "Bookshop", "Bookshops"),
        Group::Shops,
        Pattern::Shop,
        3,
        &["{} Books", "The {} Bookshop"],
        THINGS,
    ),
    category(
        ("hardware", "Hardware store", "Hardware stores"),
        Group::Shops,
        Pattern::Shop,
        3,
        &["{} Hardware", "{} Tools and Timber"],
        FAMILIES,
    ),
    category(
        ("bicycles", "Bicycle shop", "Bicycle shops"),
        Group::Shops,
        Pattern::Shop,
        3,
        &["{} Cycles", "{} Bicycle Works"],
        FAMILIES,
    ),
    category(
        ("florist", "Florist", "Florists"),
        Group::Shops,
        Pattern::Shop,
        3,
        &["{} Flowers", "{} Florist"],
        FAMILIES,
    ),
    category(
        ("bank", "Bank", "Banks"),
        Group::Services,
        Pattern::Office,
        3,
        &["{} Savings Bank", "Bank of {} & Sons"],
        FAMILIES,
    ),
    category(
        ("post-office", "Post office", "Post offices"),
        Group::Services,
        Pattern::Shop,
        2,
        &["Post Office {}"],
        &["Central", "East", "West", "North", "South", "Harbour", "Market"],
    ),
    category(
        ("hairdresser", "Hairdresser", "Hairdressers"),
        Group::Services,
        Pattern::Shop,
        4,
        &["{} Hair", "Salon {}", "{} Barbers"],
        FAMILIES,
    ),
    category(
        ("police", "Police station", "Police stations"),
        Group::Services,
        Pattern::Always,
        1,
        &["{} Police Station"],
        &["Central", "Riverside", "Northern", "Southern"],
    ),
    category(
        ("school", "School", "Schools"),
        Group::Services,
        Pattern::Office,
        3,
        &["{} School", "{} Primary School"],
        SAINTS,
    ),
    category(
        ("cinema", "Cinema", "Cinemas"),
        Group::Culture,
        Pattern::Evening,
        2,
        &["{} Cinema", "The {} Picture House"],
        &["Regal", "Orpheum", "Alhambra", "Electric", "Lux", "Rialto", "Odeon Hall", "Coronet"],
    ),
    category(
        ("gallery", "Gallery", "Galleries"),
        Group::Culture,
        Pattern::Culture,
        2,
        &["{} Gallery", "Gallery {}"],
        FAMILIES,
    ),
    category(
        ("church", "Church", "Churches"),
        Group::Culture,
        Pattern::Culture,
        3,
        &["{} Church", "Church of {}"],
        SAINTS,
    ),
    category(
        ("pharmacy", "Pharmacy", "Pharmacies"),
        Group::Health,
        Pattern::Shop,
        5,
        &["{} Pharmacy", "{} Chemists"],
        FAMILIES,
    ),
    category(
        ("dentist", "Dentist", "Dentists"),
        Group::Health,
        Pattern::Office,
        4,
        &["{} Dental Practice", "Dr {} Dental Surgery"],
        FAMILIES,
    ),
    category(
        ("clinic", "Clinic", "Clinics"),
        Group::Health,
        Pattern::Office,
        2,
        &["{} Clinic", "{} Medical Centre"],
        SAINTS,
    ),
    category(
        ("veterinary", "Veterinary surgery", "Veterinary surgeries"),
        Group::Health,
        Pattern::Office,
        2,
        &["{} Vets", "{} Animal Hospital"],
        FAMILIES,
    ),
    category(
        ("hotel", "Hotel", "Hotels"),
        Group::Travel,
        Pattern::Always,
        5,
        &["Hotel {}", "The {} Hotel", "{} Guest House"],
        THINGS,
    ),
    category(
        ("fuel", "Fuel station", "Fuel stations"),
        Group::Travel,
        Pattern::Always,
        3,
        &["{} Fuel", "{} Service Station"],
        FAMILIES,
    ),
    category(
        ("charging", "Charging station", "Charging stations"),
        Group::Travel,
        Pattern::Always,
        3,
        &["{} Charge Point"],
        &["Volt", "Amber", "Current", "Spark", "Meridian", "Dynamo", "Tesserae", "Galvan"],
    ),
    category(
        ("car-park", "Car park", "Car parks"),
        Group::Travel,
        Pattern::Always,
        3,
        &["{} Car Park"],
        &["Central", "Market", "Riverside", "Arcade", "Theatre", "Hilltop", "Arena", "Mill"],
    ),
    category(
        ("park", "Park", "Parks"),
        Group::Outdoors,
        Pattern::Always,
        4,
        &["{} Park", "{} Gardens", "{} Green"],
        &[
            "Victory",
            "Jubilee",
            "Memorial",
            "Priory",
            "Heron",
            "Coronation",
            "Larkfield",
            "Willow",
            "Founders'",
            "Harebell",
            "Mayor's",
            "Bishop's",
        ],
    ),
    category(
        ("playground", "Playground", "Playgrounds"),
        Group::Outdoors,
        Pattern::Always,
        2,
        &["{} Playground"],
        &["Dragon", "Pirate", "Squirrel", "Rainbow", "Castle", "Meadow"],
    ),
    category(
        ("pool", "Swimming pool", "Swimming pools"),
        Group::Outdoors,
        Pattern::Culture,
        2,
        &["{} Baths", "{} Swimming Pool"],
        &["Victoria", "Riverside", "Marine", "Central", "Olympic", "Lido"],
    ),
    category(
        ("bus-station", "Bus station", "Bus stations"),
        Group::Travel,
        Pattern::Always,
        0,
        &["@ Bus Station"],
        &[""],
    ),
    category(
        ("town-hall", "Town hall", "Town halls"),
        Group::Services,
        Pattern::Office,
        0,
        &["@ Town Hall"],
        &[""],
    ),
    category(("university", "University", "Universities"), Group::Culture, Pattern::Office, 0, &[], &[]),
    category(("museum", "Museum", "Museums"), Group::Culture, Pattern::Culture, 0, &[], &[]),
    category(("theatre", "Theatre", "Theatres"), Group::Culture, Pattern::Evening, 0, &[], &[]),
    category(("observatory", "Observatory", "Observatories"), Group::Culture, Pattern::Evening, 0, &[], &[]),
    category(("bridge", "Bridge", "Bridges"), Group::Outdoors, Pattern::Always, 0, &[], &[]),
    category(("castle", "Castle", "Castles"), Group::Culture, Pattern::Culture, 0, &[], &[]),
    category(
        ("botanical-garden", "Botanical garden", "Botanical gardens"),
        Group::Outdoors,
        Pattern::Culture,
        0,
        &[],
        &[],
    ),
    category(("library", "Library", "Libraries"), Group::Culture, Pattern::Culture, 0, &[], &[]),
];

/// What nobody can rate: the authorities.
const UNRATED: [&str; 3] = ["police", "town-hall", "school"];

impl Category {
    pub fn of_slug(slug: &str) -> Option<&'static Self> {
        CATEGORIES.iter().find(|category| category.slug == slug)
    }

    pub fn takes_reviews(&self) -> bool {
        !UNRATED.contains(&self.slug)
    }
}
