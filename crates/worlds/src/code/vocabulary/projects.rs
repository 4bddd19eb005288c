//! The groups and projects of the code host, as tables. What happened in them follows from the seed.

use super::super::state::Visibility::{self, Internal, Private, Public};

pub struct GroupWords {
    pub slug: &'static str,
    pub name: &'static str,
    pub about: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Rust,
    Python,
    TypeScript,
    Go,
}

impl Language {
    pub const ALL: [Self; 4] = [Self::Go, Self::Python, Self::Rust, Self::TypeScript];

    pub fn name(self) -> &'static str {
        match self {
            Self::Rust => "Rust",
            Self::Python => "Python",
            Self::TypeScript => "TypeScript",
            Self::Go => "Go",
        }
    }

    pub fn colour(self) -> &'static str {
        match self {
            Self::Rust => "#b7532b",
            Self::Python => "#3a6ea5",
            Self::TypeScript => "#2b6cb0",
            Self::Go => "#159aa6",
        }
    }
}

pub struct ProjectWords {
    pub namespace: &'static str,
    pub slug: &'static str,
    pub language: Language,
    pub visibility: Visibility,
    pub about: &'static str,
    pub topics: &'static [&'static str],
    /// What issues, commits and files are about: parts of the program, as one speaks of them.
    pub parts: [&'static str; 6],
}

pub const GROUPS: &[GroupWords] = &[
    GroupWords {
        slug: "saltmarsh",
        name: "Saltmarsh",
        about: "Tide, weather and water data for small harbours.",
    },
    GroupWords { slug: "ironwren", name: "Ironwren", about: "Infrastructure that a team of three can run." },
    GroupWords {
        slug: "papercrane",
        name: "Paper Crane",
        about: "Tools for people who write long documents.",
    },
    GroupWords { slug: "lanternworks", name: "Lanternworks", about: "Home automation without a cloud." },
    GroupWords {
        slug: "openorchard",
        name: "Open Orchard",
        about: "Software for growers, co-operatives and markets.",
    },
    GroupWords { slug: "tallyhouse", name: "Tallyhouse", about: "Bookkeeping and money, in the open." },
    GroupWords {
        slug: "wayfarers",
        name: "Wayfarers",
        about: "Timetables, routes and maps for people on foot.",
    },
];

const fn project(
    namespace: &'static str,
    slug: &'static str,
    language: Language,
    visibility: Visibility,
    about: &'static str,
    topics: &'static [&'static str],
    parts: [&'static str; 6],
) -> ProjectWords {
    ProjectWords { namespace, slug, language, visibility, about, topics, parts }
}

use Language::{Go, Python, Rust, TypeScript};

// A table: one project a line.
#[rustfmt::skip]
pub const PROJECTS: &[ProjectWords] = &[
    project("saltmarsh", "tidepool", Rust, Public, "Predicts tides from harmonic constants and serves them over HTTP.", &["tides", "forecast", "http"], ["harmonic solver", "station index", "forecast cache", "chart renderer", "datum converter", "HTTP handler"]),
    project("saltmarsh", "buoywatch", Python, Public, "Collects readings from moored buoys and raises alarms.", &["sensors", "alerts"], ["buoy poller", "alarm rule engine", "reading store", "gap filler", "mail notifier", "map view"]),
    project("saltmarsh", "harbour-board", TypeScript, Public, "The display that hangs in the harbour master's office.", &["dashboard", "display"], ["berth table", "wind dial", "clock widget", "layout editor", "offline mode", "print view"]),
    project("saltmarsh", "gale-archive", Go, Internal, "Forty years of storm records, deduplicated and searchable.", &["archive", "search"], ["record importer", "duplicate finder", "full-text index", "query parser", "backup job", "year browser"]),
    project("saltmarsh", "nautical-units", Rust, Public, "Conversions between the units that charts and instruments use.", &["library", "units"], ["unit parser", "rounding table", "locale formatter", "depth type", "error reporter", "fuzz harness"]),
    project("ironwren", "hoist", Go, Public, "Rolls services out to a handful of machines and back again.", &["deploy", "cli"], ["rollout planner", "health probe", "lock file", "rollback command", "inventory reader", "log streamer"]),
    project("ironwren", "cellar", Rust, Public, "Encrypted backups to anything that can hold files.", &["backup", "encryption"], ["chunk store", "key vault", "prune command", "restore wizard", "upload queue", "snapshot list"]),
    project("ironwren", "plumbline", Go, Public, "Watches certificates, disks and queues, and says something once.", &["monitoring", "alerts"], ["check scheduler", "silence list", "certificate probe", "disk probe", "status page", "webhook sender"]),
    project("ironwren", "jetty", TypeScript, Public, "A small reverse proxy console.", &["proxy", "console"], ["route table", "header editor", "access log", "rate limiter", "upstream picker", "theme switch"]),
    project("ironwren", "fuse-box", Python, Private, "Feature flags with an audit trail.", &["flags"], ["flag resolver", "audit log", "client SDK", "rule editor", "cache layer", "admin page"]),
    project("papercrane", "folio", Rust, Public, "Turns a folder of Markdown into a book.", &["markdown", "publishing"], ["page breaker", "footnote parser", "cross-reference pass", "table renderer", "theme loader", "watch mode"]),
    project("papercrane", "margin-notes", TypeScript, Public, "Comments in the margin of any web page.", &["annotation", "browser"], ["highlight anchor", "comment thread", "sidebar", "sync client", "permission dialog", "export menu"]),
    project("papercrane", "citebook", Python, Public, "Keeps references tidy and cites them in nine styles.", &["references", "library"], ["style engine", "duplicate merger", "DOI lookup", "import wizard", "author parser", "bibliography export"]),
    project("papercrane", "proofline", Python, Public, "Checks prose for the mistakes that spelling checkers miss.", &["linter", "writing"], ["sentence splitter", "rule loader", "quote checker", "report writer", "editor plugin", "dictionary cache"]),
    project("papercrane", "inkdrop-sync", Go, Internal, "Moves drafts between devices without losing a word.", &["sync"], ["merge algorithm", "conflict viewer", "device registry", "delta encoder", "retry loop", "quota check"]),
    project("lanternworks", "lamplighter", Rust, Public, "The hub: talks to lamps, blinds and sensors in the house.", &["home", "hub"], ["device pairing", "scene editor", "schedule engine", "radio driver", "state store", "voice bridge"]),
    project("lanternworks", "hearth-app", TypeScript, Public, "The app for the hub, for phones and old tablets.", &["app", "home"], ["room list", "dimmer control", "login screen", "push channel", "settings page", "onboarding tour"]),
    project("lanternworks", "drywell", Python, Public, "Learns when a house uses water and warns about leaks.", &["sensors", "statistics"], ["leak detector", "meter reader", "usage chart", "training job", "threshold form", "test suite"]),
    project("lanternworks", "switchback", Go, Public, "A message broker small enough for a router.", &["broker", "mqtt"], ["topic tree", "session store", "retained message store", "bridge mode", "auth plugin", "metrics endpoint"]),
    project("lanternworks", "firmware-lamp", Rust, Private, "Firmware of the reference lamp.", &["embedded"], ["boot loader", "dimming curve", "watchdog", "flash layout", "radio stack", "test rig"]),
    project("openorchard", "rootstock", Python, Public, "Plans plantings, grafts and harvests over many years.", &["farming", "planning"], ["field map", "rotation planner", "graft register", "harvest forecast", "weather import", "label printer"]),
    project("openorchard", "market-stall", TypeScript, Public, "A till for market stalls that works without a network.", &["pos", "offline"], ["basket screen", "price list", "receipt printer", "day report", "card reader", "stock counter"]),
    project("openorchard", "cratecount", Go, Public, "Counts crates in and out of a shared cold store.", &["inventory"], ["scan endpoint", "crate ledger", "member invoice", "door sensor", "stock report", "label format"]),
    project("openorchard", "seedbank", Python, Public, "A catalogue of seeds and who is willing to share them.", &["catalogue", "exchange"], ["variety search", "offer form", "request inbox", "photo upload", "germination log", "mail digest"]),
    project("openorchard", "frostline", Rust, Public, "Frost warnings from a few cheap thermometers.", &["forecast", "sensors"], ["sensor gateway", "dew point model", "warning rule engine", "text message sender", "calibration tool", "night view"]),
    project("tallyhouse", "ledgerline", Rust, Public, "Plain-text double-entry bookkeeping with checks that explain themselves.", &["bookkeeping", "cli"], ["journal parser", "balance check", "currency table", "report query", "import filter", "lock date"]),
    project("tallyhouse", "invoice-press", TypeScript, Public, "Invoices, reminders and credit notes.", &["invoices", "pdf"], ["number sequence", "tax table", "PDF layout", "reminder job", "customer list", "payment matching"]),
    project("tallyhouse", "bankfeed", Python, Public, "Reads statements of two hundred banks.", &["import", "banking"], ["statement parser", "bank registry", "amount reader", "duplicate guard", "date detection", "charset guesser"]),
    project("tallyhouse", "dues", Go, Public, "Membership fees for clubs and societies.", &["membership"], ["fee schedule", "member import", "direct debit file", "family discount", "exit form", "annual letter"]),
    project("tallyhouse", "audit-room", TypeScript, Private, "Where auditors and clients exchange documents.", &["audit"], ["upload area", "request list", "sign-off step", "watermark", "access log", "retention job"]),
    project("wayfarers", "footpath", Rust, Public, "Routes for walkers: stiles, mud and views included.", &["routing", "maps"], ["path graph", "slope cost", "surface table", "turn list", "elevation model", "route export"]),
    project("wayfarers", "timetable-kit", Python, Public, "Reads, checks and repairs public transport timetables.", &["transit", "gtfs"], ["feed reader", "calendar merge", "stop matcher", "shape simplifier", "validation report", "transfer table"]),
    project("wayfarers", "last-bus", TypeScript, Public, "Tells you when to leave the pub.", &["transit", "app"], ["departure board", "walking time", "stop list", "delay banner", "location prompt", "widget"]),
    project("wayfarers", "cairn", Go, Public, "A tile server for hiking maps.", &["maps", "tiles"], ["tile cache", "contour layer", "style sheet", "label placement", "hill shading", "font stack"]),
    project("wayfarers", "hut-booking", Python, Public, "Beds in mountain huts, shared fairly.", &["booking"], ["bed calendar", "group booking", "warden view", "cancellation rule", "waiting list", "deposit refund"]),
    project("icalder", "birdcount", Python, Public, "Tallies what visits the feeder.", &["hobby", "sensors"], ["species picker", "daily tally", "photo queue", "season chart", "CSV export", "feeder log"]),
    project("icalder", "rota", TypeScript, Public, "Who does the dishes, decided by a computer.", &["household"], ["week view", "swap request", "fairness score", "reminder mail", "holiday rule", "guest mode"]),
    project("icalder", "dotfiles", Go, Private, "My machine, as text.", &["config"], ["shell prompt", "editor setup", "install script", "key map", "font choice", "backup hook"]),
    project("icalder", "letterpress", Rust, Internal, "Prints one letter a week from a queue of drafts.", &["printing", "hobby"], ["draft queue", "paper size", "address block", "font measure", "print spooler", "stamp counter"]),
    project("osei_k", "pocket-planner", TypeScript, Public, "A planner that fits on one sheet.", &["planner"], ["sheet layout", "fold guide", "week counter", "holiday import", "colour theme", "PDF writer"]),
    project("tbrandt", "signal-garden", Rust, Public, "Synthesizers that grow.", &["audio", "art"], ["oscillator bank", "patch graph", "envelope editor", "MIDI input", "scale tuner", "recording"]),
    project("lucia_ferro", "stitchcraft", Python, Public, "Knitting patterns from pictures.", &["craft", "images"], ["colour quantizer", "chart preview", "yarn estimator", "row counter", "pattern PDF", "gauge form"]),
];
