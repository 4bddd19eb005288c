//! What the shop sells, as a table: categories, their shelves, and the words products are named with.

/// A colour a product comes in.
#[derive(Debug, PartialEq, Eq)]
pub struct Colour {
    pub name: &'static str,
    pub hex: &'static str,
}

pub struct Category {
    pub slug: &'static str,
    pub name: &'static str,
    pub blurb: &'static str,
    pub brands: &'static [&'static str],
    pub colours: &'static [&'static str],
    /// A line of the specification that only this category has, and its values.
    pub trait_label: &'static str,
    pub trait_values: &'static [&'static str],
    /// Shortest and longest side in centimetres.
    pub sides: (i64, i64),
    /// Lightest and heaviest, in units of 100 g.
    pub weights: (i64, i64),
    pub subcategories: &'static [Subcategory],
}

pub struct Subcategory {
    pub slug: &'static str,
    pub name: &'static str,
    /// Ends every product name: `Halden Clamp-on Desk Lamp`.
    pub noun: &'static str,
    /// Stands before the noun.
    pub styles: [&'static str; 5],
    /// Lowest and highest price in dollars.
    pub prices: (u32, u32),
    pub sizes: Option<&'static SizeAxis>,
}

/// A second choice besides the colour.
pub struct SizeAxis {
    pub label: &'static str,
    /// Name and surcharge in percent of the base price.
    pub options: &'static [(&'static str, u32)],
}

pub const COLOURS: &[Colour] = &[
    Colour { name: "Black", hex: "#33322f" },
    Colour { name: "White", hex: "#fcfbf8" },
    Colour { name: "Cream", hex: "#efdfb9" },
    Colour { name: "Charcoal", hex: "#54585e" },
    Colour { name: "Sage", hex: "#8fa58a" },
    Colour { name: "Forest", hex: "#3b6149" },
    Colour { name: "Navy", hex: "#2f4567" },
    Colour { name: "Sky", hex: "#8db4d3" },
    Colour { name: "Teal", hex: "#2f7f80" },
    Colour { name: "Mustard", hex: "#d0a038" },
    Colour { name: "Terracotta", hex: "#c16a4b" },
    Colour { name: "Berry", hex: "#8c3153" },
    Colour { name: "Natural", hex: "#c49a67" },
    Colour { name: "Smoked", hex: "#6d4a33" },
    Colour { name: "Silver", hex: "#9aa1a9" },
];

const LENGTHS: SizeAxis = SizeAxis { label: "Length", options: &[("5 m", 0), ("10 m", 45), ("20 m", 95)] };
const DIAMETERS: SizeAxis =
    SizeAxis { label: "Size", options: &[("20 cm", 0), ("24 cm", 20), ("28 cm", 40)] };
const VOLUMES: SizeAxis =
    SizeAxis { label: "Volume", options: &[("0.5 litre", 0), ("1 litre", 30), ("2 litres", 70)] };
const BEDS: SizeAxis = SizeAxis { label: "Size", options: &[("Single", 0), ("Double", 25), ("King", 45)] };
const FIRMNESS: SizeAxis =
    SizeAxis { label: "Firmness", options: &[("Soft", 0), ("Medium", 0), ("Firm", 0)] };
const TOWELS: SizeAxis =
    SizeAxis { label: "Size", options: &[("Hand towel", 0), ("Bath towel", 80), ("Bath sheet", 140)] };
const POTS: SizeAxis = SizeAxis { label: "Size", options: &[("Small", 0), ("Medium", 45), ("Large", 110)] };
const CANS: SizeAxis =
    SizeAxis { label: "Volume", options: &[("1.5 litres", 0), ("5 litres", 40), ("9 litres", 75)] };
const PAPER: SizeAxis = SizeAxis { label: "Format", options: &[("A6", 0), ("A5", 25), ("A4", 60)] };
const NIBS: SizeAxis = SizeAxis { label: "Nib", options: &[("Fine", 0), ("Medium", 0), ("Broad", 0)] };
const LAPTOPS: SizeAxis = SizeAxis { label: "Size", options: &[("13-inch", 0), ("15-inch", 12)] };
const LAYOUTS: SizeAxis = SizeAxis { label: "Layout", options: &[("US", 0), ("UK", 0), ("Nordic", 5)] };
const SLEEPS: SizeAxis =
    SizeAxis { label: "Sleeps", options: &[("2 people", 0), ("3 people", 22), ("4 people", 48)] };
const BAGS: SizeAxis = SizeAxis { label: "Length", options: &[("Regular", 0), ("Long", 10)] };
const BOTTLES: SizeAxis =
    SizeAxis { label: "Volume", options: &[("500 ml", 0), ("750 ml", 18), ("1 litre", 30)] };
const PACKS: SizeAxis =
    SizeAxis { label: "Volume", options: &[("18 litres", 0), ("24 litres", 15), ("30 litres", 30)] };

const fn shelf(
    slug: &'static str,
    name: &'static str,
    noun: &'static str,
    styles: [&'static str; 5],
    prices: (u32, u32),
    sizes: Option<&'static SizeAxis>,
) -> Subcategory {
    Subcategory { slug, name, noun, styles, prices, sizes }
}

// A table: one shelf a line.
#[rustfmt::skip]
pub const CATEGORIES: &[Category] = &[
    Category {
        slug: "lighting",
        name: "Lighting",
        blurb: "Warm light for late evenings and clear light for early mornings.",
        brands: &["Oriel", "Northlight", "Lumenwright", "Tarn & Vale", "Halcyon Works"],
        colours: &["Black", "White", "Cream", "Sage", "Mustard", "Terracotta", "Silver"],
        trait_label: "Bulb fitting",
        trait_values: &["E27", "E14", "GU10", "Integrated LED"],
        sides: (12, 60),
        weights: (6, 64),
        subcategories: &[
            shelf("desk-lamps", "Desk lamps", "Desk Lamp", ["Clamp-on", "Jointed", "Dimmable", "Banker's", "Folding"], (24, 189), None),
            shelf("floor-lamps", "Floor lamps", "Floor Lamp", ["Arc", "Tripod", "Linen", "Reading", "Paper"], (59, 349), None),
            shelf("pendant-lights", "Pendant lights", "Pendant Light", ["Opal", "Rattan", "Domed", "Ribbed", "Pleated"], (39, 279), None),
            shelf("table-lamps", "Table lamps", "Table Lamp", ["Ceramic", "Linen", "Mushroom", "Cordless", "Glass"], (29, 210), None),
            shelf("string-lights", "String lights", "String Lights", ["Festoon", "Solar", "Micro", "Lantern", "Copper"], (12, 49), Some(&LENGTHS)),
        ],
    },
    Category {
        slug: "kitchen",
        name: "Kitchen",
        blurb: "Pans that outlive their owners, and kettles worth getting up for.",
        brands: &["Hearth & Ladle", "Castell", "Brackenhill", "Marlow Street", "Pentre"],
        colours: &["Black", "Cream", "Sage", "Navy", "Terracotta", "Berry", "Silver"],
        trait_label: "Dishwasher safe",
        trait_values: &["Yes", "No", "Top rack only"],
        sides: (8, 38),
        weights: (3, 58),
        subcategories: &[
            shelf("casseroles", "Casseroles", "Casserole", ["Cast Iron", "Enamelled", "Shallow", "Oval", "Stoneware"], (49, 229), Some(&DIAMETERS)),
            shelf("frying-pans", "Frying pans", "Frying Pan", ["Carbon Steel", "Non-stick", "Ceramic", "Cast Iron", "Copper Core"], (22, 139), Some(&DIAMETERS)),
            shelf("kitchen-knives", "Kitchen knives", "Kitchen Knife", ["Santoku", "Paring", "Bread", "Utility", "Carving"], (14, 165), None),
            shelf("kettles", "Kettles", "Kettle", ["Gooseneck", "Whistling", "Electric", "Stovetop", "Glass"], (28, 159), None),
            shelf("storage-jars", "Storage jars", "Storage Jar", ["Clip-top", "Stoneware", "Glass", "Airtight", "Cork-lid"], (6, 34), Some(&VOLUMES)),
        ],
    },
    Category {
        slug: "furniture",
        name: "Furniture",
        blurb: "Solid pieces that arrive flat, go together once and stay together.",
        brands: &["Ashdown Joinery", "Fennick", "Veldt Studio", "Moorcroft House", "Lind & Aker"],
        colours: &["Natural", "Smoked", "Black", "White", "Charcoal", "Forest"],
        trait_label: "Assembly",
        trait_values: &["Arrives assembled", "About 15 minutes", "About 40 minutes", "Two people needed"],
        sides: (32, 160),
        weights: (31, 390),
        subcategories: &[
            shelf("dining-chairs", "Dining chairs", "Dining Chair", ["Spindle", "Woven", "Upholstered", "Stacking", "Bentwood"], (59, 420), None),
            shelf("desks", "Desks", "Desk", ["Standing", "Writing", "Trestle", "Corner", "Wall"], (139, 890), None),
            shelf("bookcases", "Bookcases", "Bookcase", ["Open", "Ladder", "Low", "Narrow", "Modular"], (89, 640), None),
            shelf("side-tables", "Side tables", "Side Table", ["Nesting", "Drum", "Tray", "Round", "Drawer"], (39, 260), None),
            shelf("stools", "Stools", "Stool", ["Bar", "Milking", "Step", "Swivel", "Saddle"], (34, 210), None),
        ],
    },
    Category {
        slug: "bed-and-bath",
        name: "Bed & bath",
        blurb: "Everything soft between the shower and the morning alarm.",
        brands: &["Linden & Loom", "Softwater", "Oatfield", "Merrow", "Thistledown"],
        colours: &["White", "Cream", "Sage", "Sky", "Navy", "Mustard", "Terracotta", "Berry"],
        trait_label: "Wash at",
        trait_values: &["30 °C", "40 °C", "60 °C", "Hand wash only"],
        sides: (20, 60),
        weights: (3, 28),
        subcategories: &[
            shelf("duvet-covers", "Duvet covers", "Duvet Cover", ["Linen", "Percale", "Sateen", "Flannel", "Jersey"], (35, 165), Some(&BEDS)),
            shelf("pillows", "Pillows", "Pillow", ["Down", "Memory Foam", "Wool", "Buckwheat", "Latex"], (18, 95), Some(&FIRMNESS)),
            shelf("towels", "Towels", "Towel", ["Waffle", "Turkish", "Bamboo", "Organic", "Ribbed"], (9, 38), Some(&TOWELS)),
            shelf("throws", "Throws", "Throw", ["Wool", "Chunky Knit", "Herringbone", "Fleece", "Mohair"], (29, 180), None),
            shelf("bath-mats", "Bath mats", "Bath Mat", ["Cotton", "Cork", "Tufted", "Slatted", "Quick-dry"], (14, 72), None),
        ],
    },
    Category {
        slug: "garden",
        name: "Garden",
        blurb: "For window boxes, allotments and the bench you mean to sit on.",
        brands: &["Potter's Row", "Greenhithe", "Tansy", "Wren & Rake", "Old Orchard"],
        colours: &["Terracotta", "Charcoal", "Sage", "Forest", "Natural", "Cream"],
        trait_label: "Frost proof",
        trait_values: &["Yes", "No", "Down to −10 °C"],
        sides: (9, 70),
        weights: (3, 96),
        subcategories: &[
            shelf("planters", "Planters", "Planter", ["Glazed", "Fibrestone", "Hanging", "Trough", "Self-watering"], (12, 89), Some(&POTS)),
            shelf("hand-trowels", "Hand trowels", "Hand Trowel", ["Steel", "Forged", "Narrow", "Transplanting", "Children's"], (7, 46), None),
            shelf("watering-cans", "Watering cans", "Watering Can", ["Galvanised", "Long-spout", "Indoor", "Enamel", "Recycled"], (14, 58), Some(&CANS)),
            shelf("garden-benches", "Garden benches", "Garden Bench", ["Slatted", "Curved", "Folding", "Storage", "Two-seat"], (95, 520), None),
            shelf("bird-feeders", "Bird feeders", "Bird Feeder", ["Seed", "Window", "Hanging", "Squirrel-proof", "Ground"], (9, 64), None),
        ],
    },
    Category {
        slug: "stationery",
        name: "Stationery",
        blurb: "Paper that takes ink, and desks with room for it.",
        brands: &["Quillon", "Paper Mill Lane", "Foolscap", "Harrow & Ink", "Docket"],
        colours: &["Black", "Navy", "Forest", "Berry", "Mustard", "Sky", "Natural"],
        trait_label: "Made from",
        trait_values: &["Recycled paper", "Beech", "Aluminium", "Vegan leather", "Cotton canvas"],
        sides: (4, 42),
        weights: (1, 26),
        subcategories: &[
            shelf("notebooks", "Notebooks", "Notebook", ["Dotted", "Ruled", "Linen-bound", "Hardcover", "Spiral"], (6, 29), Some(&PAPER)),
            shelf("fountain-pens", "Fountain pens", "Fountain Pen", ["Piston", "Brushed", "Resin", "Slim", "Clear"], (18, 190), Some(&NIBS)),
            shelf("desk-organisers", "Desk organisers", "Desk Organiser", ["Stacked", "Drawer", "Felt", "Vertical", "Cork"], (14, 79), None),
            shelf("monitor-stands", "Monitor stands", "Monitor Stand", ["Raised", "Curved", "Shelf", "Adjustable", "Wide"], (29, 149), None),
            shelf("laptop-bags", "Laptop bags", "Laptop Bag", ["Waxed", "Felt", "Roll-top", "Messenger", "Slim"], (35, 189), Some(&LAPTOPS)),
        ],
    },
    Category {
        slug: "electronics",
        name: "Electronics",
        blurb: "Well-made things with plugs, repairable where we can find them.",
        brands: &["Kestrel Audio", "Nimbus", "Volta Nine", "Auralis", "Brightwire"],
        colours: &["Black", "White", "Silver", "Navy", "Teal", "Berry"],
        trait_label: "Connection",
        trait_values: &["USB-C", "Bluetooth 5.3", "Wi-Fi and Bluetooth", "3.5 mm jack"],
        sides: (5, 34),
        weights: (1, 42),
        subcategories: &[
            shelf("headphones", "Headphones", "Headphones", ["Over-ear", "Wireless", "Noise-cancelling", "Studio", "Open-back"], (39, 349), None),
            shelf("speakers", "Speakers", "Speaker", ["Bluetooth", "Bookshelf", "Portable", "Smart", "Party"], (35, 399), None),
            shelf("keyboards", "Keyboards", "Keyboard", ["Mechanical", "Low-profile", "Compact", "Split", "Wireless"], (29, 219), Some(&LAYOUTS)),
            shelf("chargers", "Chargers", "Charger", ["Wall", "Wireless", "Travel", "Car", "Magnetic"], (15, 89), None),
            shelf("webcams", "Webcams", "Webcam", ["HD", "4K", "Wide-angle", "Autofocus", "Clip-on"], (32, 199), None),
        ],
    },
    Category {
        slug: "outdoors",
        name: "Outdoors",
        blurb: "Light to carry, dry inside, and easy to find in the dark.",
        brands: &["Fellside Trail", "Cairn & Co", "Stormpetrel", "Lowland", "Ridgeway"],
        colours: &["Forest", "Charcoal", "Teal", "Mustard", "Navy", "Terracotta"],
        trait_label: "Season",
        trait_values: &["Spring to autumn", "All year", "Summer", "Winter"],
        sides: (8, 58),
        weights: (2, 49),
        subcategories: &[
            shelf("tents", "Tents", "Tent", ["Tunnel", "Dome", "Trekking", "Bell", "Pop-up"], (79, 520), Some(&SLEEPS)),
            shelf("sleeping-bags", "Sleeping bags", "Sleeping Bag", ["Down", "Mummy", "Summer", "Winter", "Quilted"], (45, 310), Some(&BAGS)),
            shelf("water-bottles", "Water bottles", "Water Bottle", ["Insulated", "Collapsible", "Filter", "Steel", "Glass"], (9, 49), Some(&BOTTLES)),
            shelf("daypacks", "Daypacks", "Daypack", ["Roll-top", "Ultralight", "Canvas", "Trail", "Packable"], (39, 179), Some(&PACKS)),
            shelf("head-torches", "Head torches", "Head Torch", ["Rechargeable", "Running", "Waterproof", "Compact", "Twin-beam"], (16, 98), None),
        ],
    },
];

/// The first word of a product's name; each is used at most once on a shelf.
pub const SERIES: &[&str] = &[
    "Halden", "Corrie", "Ambler", "Birke", "Calder", "Dunmore", "Elmet", "Garrick", "Hestan", "Isla", "Jura",
    "Kelso", "Lorne", "Merrick", "Nairn", "Orrin", "Penrose", "Rothay", "Selkirk", "Tarbet", "Ullin",
    "Vesper", "Wharfe", "Yarrow", "Arden", "Bexley", "Cotter", "Denholm", "Esker", "Fintry", "Holm", "Inver",
    "Keld", "Leven", "Moray", "Nevis", "Oban", "Pell", "Ronan", "Skye", "Tweed", "Usk", "Wick", "Alder",
    "Brae", "Strand", "Thirl", "Zennor",
];

/// Names that only partners use, besides what the shop's own goods leave of [`SERIES`].
#[rustfmt::skip]
pub const PARTNER_SERIES: &[&str] = &[
    "Annan", "Beauly", "Cree", "Deveron", "Endrick", "Findhorn", "Girvan", "Irvine", "Kinnel", "Lossie", "Monar",
    "Naver", "Ogle", "Quair", "Ruel", "Shiel", "Teviot", "Urr", "Vaila", "Whithorn", "Ythan", "Balloch",
    "Dochart", "Fillan",
];

pub fn colour(name: &str) -> Option<&'static Colour> {
    COLOURS.iter().find(|colour| colour.name == name)
}

pub fn category(slug: &str) -> Option<&'static Category> {
    CATEGORIES.iter().find(|category| category.slug == slug)
}

impl Category {
    pub fn subcategory(&self, slug: &str) -> Option<&'static Subcategory> {
        self.subcategories.iter().find(|subcategory| subcategory.slug == slug)
    }

    pub fn path(&self) -> String {
        format!("/c/{}", self.slug)
    }
}
