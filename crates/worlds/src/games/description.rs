//! What can be set on Quarterdeck.

use crate::settings::{
    Arrangement, ChoiceLook, Description, Growth, Holds, List, Look, Matrix, Named, Owner, Page, Saved,
    SessionWords, TokenRules, block, choice, inverted, text, toggle,
};

const WHO: &[Named] = &[("public", "Public"), ("friends", "Friends only"), ("private", "Private")];

const PROFILE: Page = Page {
    slug: "profile",
    title: "Profile privacy",
    lead: "Choose what the crew sees.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[
        block(
            "card",
            "Player card",
            "",
            Holds::Controls(
                Saved::Button("Save player card"),
                &[
                    text("gamertag", 24, "SaltyPixel", "Player name", "Others see this in every game."),
                    text("tagline", 80, "One more dive.", "Tagline", ""),
                    choice(
                        "country",
                        ChoiceLook::Select,
                        &[("hidden", "Do not show"), ("is", "Iceland"), ("no", "Norway"), ("pt", "Portugal")],
                        "is",
                        "Flag",
                        "",
                    ),
                ],
            ),
        ),
        block(
            "privacy",
            "Who can see",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    choice("profile_visibility", ChoiceLook::Listbox, WHO, "public", "My profile", ""),
                    choice("games_visibility", ChoiceLook::Listbox, WHO, "public", "Games I own", ""),
                    choice("friends_visibility", ChoiceLook::Listbox, WHO, "public", "My friends list", ""),
                    inverted(
                        "playtime_shown",
                        Look::Switch,
                        true,
                        "Always keep my total playtime private",
                        "",
                    ),
                    toggle("wishlist_public", Look::Pressed, true, "Public wishlist", ""),
                ],
            ),
        ),
    ],
};

const SAFETY: Page = Page {
    slug: "safety",
    title: "Chat and safety",
    lead: "Voice, text and strangers.",
    arrangement: Arrangement::Tabs,
    late: false,
    blocks: &[
        block(
            "chat",
            "Chat",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    choice(
                        "chat_filter",
                        ChoiceLook::Radio,
                        &[
                            ("none", "No filter"),
                            ("mild", "Hide strong language"),
                            ("strict", "Hide strong language and slurs"),
                        ],
                        "none",
                        "Text filter",
                        "",
                    ),
                    toggle("voice_recording", Look::Switch, true, "Record voice chat for moderation", ""),
                    toggle("stranger_voice", Look::Flip, true, "Hear players I do not know", ""),
                ],
            ),
        ),
        block(
            "content",
            "Store content",
            "",
            Holds::Controls(
                Saved::Button("Save content filter"),
                &[
                    toggle("show_mature", Look::Checkbox, false, "Games with strong violence", ""),
                    toggle("show_adult", Look::Checkbox, false, "Games for adults only", ""),
                    toggle("show_early", Look::Checkbox, true, "Unfinished games", ""),
                ],
            ),
        ),
        block("blocked", "Blocked players", "They cannot invite you or talk to you.", Holds::List("blocked")),
        block(
            "invites",
            "Invitations",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    inverted("open_invites", Look::SwitchBox, true, "Only friends may invite me", ""),
                    toggle("gift_offers", Look::SwitchBox, true, "Accept gifts from anyone", ""),
                ],
            ),
        ),
    ],
};

const SECURITY: Page = Page {
    slug: "security",
    title: "Security",
    lead: "Your library is worth guarding.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[
        block(
            "guard",
            "Deck guard",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    choice(
                        "guard",
                        ChoiceLook::Radio,
                        &[
                            ("off", "Off"),
                            ("email", "Codes by e-mail"),
                            ("app", "Codes from the Quarterdeck app"),
                        ],
                        "email",
                        "Deck guard",
                        "",
                    ),
                    toggle("trade_hold", Look::Switch, true, "Hold trades for three days", "").asking(
                        "Trades made by a thief could go through at once while this is off. Change it?",
                    ),
                    toggle("remember_payment", Look::Flip, true, "Keep my card for the next purchase", ""),
                ],
            ),
        ),
        block("sessions", "Authorised devices", "", Holds::Sessions),
        block("apps", "Linked services", "", Holds::Apps),
    ],
};

const NEWS: Page = Page {
    slug: "news",
    title: "News and offers",
    lead: "Sales end. So can our messages about them.",
    arrangement: Arrangement::Stack,
    late: true,
    blocks: &[
        block("matrix", "Message preferences", "", Holds::Mail("Save message preferences")),
        block(
            "sale",
            "Sales",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[toggle("popup_offers", Look::Switch, true, "Show offers when the launcher starts", "")],
            ),
        ),
    ],
};

const ADS: Page = Page {
    slug: "store",
    title: "Store preferences",
    lead: "What the store recommends, and why.",
    arrangement: Arrangement::Accordion,
    late: false,
    blocks: &[
        block(
            "personal",
            "Recommendations and ads",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    toggle("recommend_playtime", Look::Switch, true, "Recommend by what I play", ""),
                    toggle("recommend_friends", Look::Switch, true, "Recommend by what friends play", ""),
                    inverted(
                        "ads_publishers",
                        Look::Switch,
                        true,
                        "Stop publishers from sending me targeted ads",
                        "",
                    ),
                ],
            ),
        ),
        block(
            "tags",
            "Tags left out",
            "Games with these tags are not shown to you.",
            Holds::List("excluded_tags"),
        ),
        block("dismissed", "Ignored games", "", Holds::List("ignored_games")),
    ],
};

const DISPLAY: Page = Page {
    slug: "display",
    title: "Launcher",
    lead: "How Quarterdeck behaves on your machine.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[block(
        "launcher",
        "Launcher",
        "",
        Holds::Controls(
            Saved::Button("Apply changes"),
            &[
                toggle("trailer_autoplay", Look::Switch, true, "Play trailers by themselves", ""),
                toggle("animated_covers", Look::Pressed, true, "Animated covers", ""),
                choice(
                    "start_page",
                    ChoiceLook::Listbox,
                    &[("store", "Store"), ("library", "Library"), ("news", "News")],
                    "store",
                    "Start with",
                    "",
                ),
                choice(
                    "bandwidth",
                    ChoiceLook::Select,
                    &[("full", "Unlimited"), ("half", "Half"), ("night", "Only at night")],
                    "full",
                    "Download speed",
                    "",
                ),
            ],
        ),
    )],
};

const DATA: Page = Page {
    slug: "data",
    title: "Data and account",
    lead: "Saves, logs and leaving.",
    arrangement: Arrangement::Accordion,
    late: false,
    blocks: &[
        block(
            "collected",
            "What is collected",
            "",
            Holds::Controls(
                Saved::Button("Save data choices"),
                &[
                    toggle("hardware_survey", Look::Checkbox, true, "Hardware survey", ""),
                    toggle("crash_reports", Look::Checkbox, true, "Crash reports", ""),
                    toggle(
                        "gameplay_statistics",
                        Look::Checkbox,
                        true,
                        "Gameplay statistics for developers",
                        "",
                    ),
                    toggle("replay_training", Look::Checkbox, true, "Use my replays to train game bots", ""),
                ],
            ),
        ),
        block("saves", "Cloud saves", "", Holds::List("saves")),
        block("copy", "Copy of your data", "", Holds::Export),
        block("leave", "Delete account", "", Holds::Deletion),
    ],
};

const COOKIES: Page = Page {
    slug: "cookies",
    title: "Cookies and browsing",
    lead: "The store is a website, too.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[block(
        "cookies",
        "Cookie preferences",
        "",
        Holds::Controls(
            Saved::Button("Save cookie preferences"),
            &[
                toggle("cookies_needed", Look::SwitchBox, true, "Required", "").locked(),
                toggle("cookies_youtube", Look::SwitchBox, true, "Video players of others", ""),
                toggle("cookies_analytics", Look::SwitchBox, true, "Store analytics", ""),
                toggle("cookies_campaigns", Look::SwitchBox, true, "Campaign tracking", ""),
            ],
        ),
    )],
};

pub(super) const DESCRIPTION: Description = Description {
    site: "games",
    brand: "Quarterdeck",
    owner: Owner {
        name: "Elin Ivarsen",
        handle: "saltypixel",
        email: "elin@ivarsen.example",
        city: "Reykjavik, Iceland",
    },
    pages: &[PROFILE, SAFETY, SECURITY, NEWS, ADS, DISPLAY, DATA, COOKIES],
    mail: Matrix {
        groups: &[
            (
                "Store",
                &[
                    ("wishlist", "Wishlist games on sale"),
                    ("seasonal", "Seasonal sales"),
                    ("preorders", "Pre-orders"),
                    ("receipts", "Receipts"),
                    ("refunds", "Refunds"),
                ],
            ),
            (
                "Community",
                &[
                    ("invites", "Game invitations"),
                    ("friends", "Friend requests"),
                    ("comments", "Comments on reviews"),
                    ("groups", "Group events"),
                ],
            ),
            (
                "Games you own",
                &[
                    ("updates", "Updates"),
                    ("servers", "Server maintenance"),
                    ("beta", "Beta tests"),
                    ("tournaments", "Tournaments"),
                ],
            ),
        ],
        channels: &[("launcher", "Launcher"), ("email", "E-mail"), ("phone", "Phone")],
        locked: ("receipts", "email"),
    },
    lists: &[
        List {
            id: "blocked",
            remove: "Unblock",
            empty: "Nobody is blocked.",
            growth: Growth::Typed("Player name to block"),
            clear: None,
        },
        List {
            id: "excluded_tags",
            remove: "Allow",
            empty: "No tags are left out.",
            growth: Growth::Typed("Tag to leave out"),
            clear: None,
        },
        List {
            id: "ignored_games",
            remove: "Show again",
            empty: "No game is ignored.",
            growth: Growth::Elsewhere,
            clear: None,
        },
        List {
            id: "saves",
            remove: "Delete save of",
            empty: "No saves in the cloud.",
            growth: Growth::Never,
            clear: Some((
                "Delete all cloud saves",
                "Delete every save in the cloud? Games on other machines start from the beginning.",
            )),
        },
        List {
            id: "wishlist",
            remove: "Remove",
            empty: "Your wishlist is empty.",
            growth: Growth::Elsewhere,
            clear: None,
        },
    ],
    tokens: TokenRules::NONE,
    sessions: SessionWords {
        end: "Deauthorise",
        end_all: "Deauthorise all other devices",
        question: "Deauthorise every device but this one? Running games close without saving.",
        devices: &[
            ("Gaming PC", "Quarterdeck launcher"),
            ("Steam Deck", "Quarterdeck for Linux"),
            ("Internet café 17", "Chrome 134"),
            ("Pixel 7", "Quarterdeck mobile"),
            ("Brother's laptop", "Quarterdeck launcher"),
            ("ROG Ally", "Quarterdeck launcher"),
        ],
    },
    export_parts: &[
        ("purchases", "Purchases"),
        ("playtime", "Playtime"),
        ("chat", "Chat logs"),
        ("friends", "Friends"),
        ("reports", "Moderation reports"),
    ],
    permissions: &[
        ("games", "See your games"),
        ("achievements", "See your achievements"),
        ("trade", "Trade items for you"),
        ("friends", "See your friends"),
    ],
    apps: &[
        "Tradewinds",
        "Achievement Tracker",
        "Clip Cove",
        "Squadfinder",
        "LootLedger",
        "StreamMast",
        "Modharbour",
        "PriceBuoy",
    ],
};
