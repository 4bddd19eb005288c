//! Words that the country's names are made of.

/// Name of the country, and of its people.
pub const COUNTRIES: &[(&str, &str)] = &[
    ("Orrowmark", "Orrowmarkers"),
    ("Selvany", "Selvans"),
    ("Tarrowland", "Tarrowlanders"),
    ("Vescaria", "Vescarians"),
    ("Halmond", "Halmonders"),
    ("Ostermere", "Ostermerians"),
    ("Corvane", "Corvanians"),
    ("Lindoria", "Lindorians"),
];

pub const STEMS: &[&str] = &[
    "Aller", "Bram", "Carrow", "Darn", "Eske", "Fenn", "Garth", "Hollen", "Inver", "Jarrow", "Keld", "Lorn",
    "Mell", "Nant", "Orrin", "Pell", "Quern", "Rathen", "Sand", "Thorn", "Ulver", "Varn", "Wester", "Yarl",
    "Ash", "Birk", "Corm", "Drum", "Elling", "Farr", "Glen", "Harl", "Kirk", "Lang", "Marl", "Nether",
    "Oxen", "Penn", "Ravel", "Stell", "Tarn", "Under", "Whit", "Brind", "Calder", "Dunn", "Ember", "Fross",
];

pub const TOWN_ENDINGS: &[&str] = &[
    "mouth", "stead", "wick", "holm", "by", "ness", "combe", "dale", "haven", "minster", "bury", "leigh",
    "thorpe", "ford", "bridge", "worth", "gate", "field",
];

pub const RIVER_ENDINGS: &[&str] = &["a", "en", "ow", "et", "is", "or", "ey"];

pub const PEAK_FORMS: &[&str] =
    &["Mount {}", "{} Fell", "{} Horn", "Great {}", "{} Pike", "The {} Stack", "{} Crag", "{}'s Seat"];

pub const RANGES: &[&str] =
    &["Greyback Mountains", "Sawtooth Hills", "Lantern Range", "Cold Shoulder", "Weavers' Hills"];

pub const LAKE_FORMS: &[&str] = &["Lake {}", "{} Water", "Loch {}", "{} Mere"];

pub const REGION_FORMS: &[&str] =
    &["{}shire", "Vale of {}", "{} March", "Upper {}", "{} Coast", "{} Downs", "County {}", "{} Riding"];

pub const STREET_STEMS: &[&str] = &[
    "Alder", "Anchor", "Baker", "Beacon", "Bell", "Birch", "Bridge", "Canal", "Castle", "Cedar", "Chapel",
    "Cherry", "Church", "Clock", "Cooper", "Copper", "Cross", "Dock", "Drover", "Dyer", "Elm", "Farrier",
    "Ferry", "Fisher", "Forge", "Foundry", "Garden", "Glass", "Granary", "Guild", "Hazel", "Heron", "Hill",
    "Ivy", "Juniper", "King", "Lantern", "Larch", "Linden", "Lock", "Market", "Mason", "Meadow", "Mill",
    "Minster", "Nettle", "Orchard", "Park", "Pear", "Pilot", "Poplar", "Potter", "Priory", "Quarry", "Quay",
    "Queen", "Raven", "Reed", "River", "Rope", "Rowan", "Saddler", "Salt", "School", "Shepherd", "Ship",
    "Smith", "Spinner", "Stone", "Swan", "Tailor", "Tanner", "Temple", "Thistle", "Tower", "Union", "Vine",
    "Wall", "Water", "Weaver", "Well", "Wharf", "Willow", "Wool",
];

pub const STREET_ENDINGS: &[&str] =
    &["Street", "Street", "Street", "Road", "Road", "Lane", "Lane", "Avenue", "Row", "Way", "Walk"];

pub const DISTRICTS: &[&str] = &[
    "Northgate",
    "Castle Green",
    "Fishergate",
    "Mill Quarter",
    "Weavers' End",
    "Eastfield",
    "Westbank",
    "Priory Park",
    "Southmoor",
    "Lower Town",
    "Upper Town",
    "Gasworks",
    "The Meadows",
    "Quayside",
    "Tanners' Hill",
    "Saint Wick",
    "Ropewalk",
    "Orchard End",
    "Brickfields",
    "Station Quarter",
    "Hallam Rise",
    "Cinder Hill",
    "Lockside",
    "Bellevue",
];
