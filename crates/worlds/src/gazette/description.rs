//! What can be set in a reader's account of the Harbour Gazette.

use crate::settings::{
    Arrangement, ChoiceLook, Description, Growth, Holds, List, Look, Matrix, Owner, Page, Saved,
    SessionWords, TokenRules, block, choice, inverted, text, toggle,
};

const DETAILS: Page = Page {
    slug: "details",
    title: "Reader details",
    lead: "How we address you and what others see under your letters.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[
        block(
            "reader",
            "You",
            "",
            Holds::Controls(
                Saved::Button("Save details"),
                &[
                    text(
                        "pen_name",
                        40,
                        "P. Winterbourne",
                        "Pen name",
                        "Printed under your comments and letters.",
                    ),
                    text("town", 40, "Whitby", "Town", "Printed after your pen name. May be left empty."),
                    choice(
                        "comment_signature",
                        ChoiceLook::Radio,
                        &[
                            ("name", "Pen name and town"),
                            ("initials", "Initials only"),
                            ("hidden", "“A reader”"),
                        ],
                        "name",
                        "Sign comments with",
                        "",
                    ),
                ],
            ),
        ),
        block(
            "profile",
            "Reader profile",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    toggle("public_profile", Look::SwitchBox, true, "Public page with all my comments", ""),
                    inverted("subscriber_badge", Look::SwitchBox, true, "Hide that I am a subscriber", ""),
                ],
            ),
        ),
    ],
};

const NEWSLETTERS: Page = Page {
    slug: "newsletters",
    title: "Newsletters and alerts",
    lead: "Tick what you would like to receive, and where.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[
        block("matrix", "Subscriptions", "", Holds::Mail("Update subscriptions")),
        block(
            "delivery",
            "Delivery",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    choice(
                        "mail_time",
                        ChoiceLook::Select,
                        &[("dawn", "Before six"), ("morning", "At breakfast"), ("evening", "After work")],
                        "morning",
                        "Daily letters arrive",
                        "",
                    ),
                    toggle("holiday_pause", Look::Flip, false, "Pause everything while I am away", ""),
                    inverted("open_tracking", Look::Switch, true, "Do not record which letters I open", ""),
                ],
            ),
        ),
    ],
};

const READING: Page = Page {
    slug: "reading",
    title: "Reading record",
    lead: "What the Gazette remembers of what you read.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[
        block(
            "record",
            "Record",
            "",
            Holds::Controls(
                Saved::Button("Save reading record"),
                &[
                    toggle("reading_history", Look::Checkbox, true, "Remember the articles I open", ""),
                    toggle(
                        "personal_front_page",
                        Look::Checkbox,
                        true,
                        "Arrange the front page to my taste",
                        "",
                    ),
                    inverted(
                        "shared_with_publisher",
                        Look::Checkbox,
                        true,
                        "Do not pass my reading habits on to the publisher's other papers",
                        "",
                    ),
                ],
            ),
        ),
        block("articles", "Articles you opened", "", Holds::List("articles")),
        block("kept", "Clippings", "Articles you kept.", Holds::List("clippings")),
    ],
};

const DISCUSSION: Page = Page {
    slug: "discussion",
    title: "Discussion",
    lead: "Letters to the editor and comments below articles.",
    arrangement: Arrangement::Tabs,
    late: false,
    blocks: &[
        block(
            "rules",
            "What you see",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    toggle("comments_shown", Look::Switch, true, "Show comments below articles", ""),
                    inverted("heated_threads", Look::Switch, true, "Fold heated threads", ""),
                    choice(
                        "comment_order",
                        ChoiceLook::Listbox,
                        &[
                            ("oldest", "Oldest first"),
                            ("newest", "Newest first"),
                            ("editors", "Editors' choice"),
                        ],
                        "oldest",
                        "Order of comments",
                        "",
                    ),
                    toggle("graphic_images", Look::Pressed, true, "Show graphic images without warning", ""),
                ],
            ),
        ),
        block(
            "replies",
            "Who may answer",
            "",
            Holds::Controls(
                Saved::Button("Save reply rules"),
                &[choice(
                    "reply_rules",
                    ChoiceLook::Radio,
                    &[("all", "All readers"), ("subscribers", "Subscribers"), ("nobody", "Nobody")],
                    "all",
                    "Replies to my comments",
                    "",
                )],
            ),
        ),
        block(
            "silenced",
            "Silenced readers",
            "Their comments stay hidden from you.",
            Holds::List("silenced"),
        ),
    ],
};

const ADVERTISING: Page = Page {
    slug: "advertising",
    title: "Advertising",
    lead: "Advertisers pay for the harbour pilot's column.",
    arrangement: Arrangement::Stack,
    late: true,
    blocks: &[block(
        "ads",
        "Your choices",
        "",
        Holds::Controls(
            Saved::AtOnce,
            &[
                toggle("ads_by_reading", Look::Switch, true, "Advertisements that match what I read", ""),
                toggle("ads_by_postcode", Look::Switch, true, "Advertisements that match my postcode", ""),
                inverted("address_rental", Look::Switch, true, "Do not rent out my postal address", "")
                    .asking("Letters already ordered by advertisers will still arrive. Go on?"),
                toggle("sponsored_letters", Look::Pressed, true, "Sponsored newsletters", ""),
            ],
        ),
    )],
};

const ACCESS: Page = Page {
    slug: "access",
    title: "Access",
    lead: "One subscription, one reader, a few devices.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[
        block(
            "sign-in",
            "Signing in",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    toggle("mail_links", Look::Switch, true, "Sign in by a link sent by e-mail", ""),
                    toggle("stay_signed_in", Look::Flip, true, "Stay signed in on this device", ""),
                ],
            ),
        ),
        block("sessions", "Devices", "", Holds::Sessions),
        block("family", "Shared access", "People who read on your subscription.", Holds::List("family")),
    ],
};

const DATA: Page = Page {
    slug: "data",
    title: "Data protection",
    lead: "Your rights as a reader.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[
        block(
            "consents",
            "Consents",
            "",
            Holds::Controls(
                Saved::Button("Record my consents"),
                &[
                    toggle(
                        "phone_calls",
                        Look::Checkbox,
                        true,
                        "The Gazette may telephone me about my subscription",
                        "",
                    ),
                    toggle(
                        "archive_letters",
                        Look::Checkbox,
                        true,
                        "My letters may stay in the public archive",
                        "",
                    ),
                    toggle(
                        "voice_model",
                        Look::Checkbox,
                        true,
                        "My comments may teach the Gazette's reading assistant",
                        "",
                    ),
                ],
            ),
        ),
        block("copy", "Copy of your data", "", Holds::Export),
        block("erasure", "Erasure", "", Holds::Deletion),
    ],
};

const DISPLAY: Page = Page {
    slug: "display",
    title: "Display",
    lead: "Ink and paper.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[block(
        "page",
        "Page",
        "",
        Holds::Controls(
            Saved::Button("Apply"),
            &[
                choice(
                    "theme",
                    ChoiceLook::Radio,
                    &[("paper", "Paper"), ("night", "Night")],
                    "paper",
                    "Colours",
                    "",
                ),
                choice(
                    "type_size",
                    ChoiceLook::Listbox,
                    &[("small", "Small print"), ("normal", "Normal"), ("large", "Large print")],
                    "normal",
                    "Type size",
                    "",
                ),
                toggle("moving_pictures", Look::Checkbox, true, "Play moving pictures by themselves", ""),
            ],
        ),
    )],
};

const COOKIES: Page = Page {
    slug: "cookies",
    title: "Cookies and partners",
    lead: "We work with 214 partners. You need none of them to read.",
    arrangement: Arrangement::Tabs,
    late: false,
    blocks: &[
        block(
            "cookies",
            "Purposes",
            "",
            Holds::Controls(
                Saved::Button("Save and close"),
                &[
                    toggle("cookies_needed", Look::Checkbox, true, "Needed for reading", "").locked(),
                    toggle("cookies_measuring", Look::Checkbox, true, "Measuring", ""),
                    toggle("cookies_profiles", Look::Checkbox, true, "Profiles for advertising", ""),
                    toggle("cookies_social", Look::Checkbox, false, "Buttons of social networks", ""),
                ],
            ),
        ),
        block(
            "interest",
            "Legitimate interest",
            "Partners that do not ask. You may object.",
            Holds::Controls(
                Saved::Button("Save objections"),
                &[
                    inverted("li_fraud", Look::SwitchBox, true, "Object to fraud scoring", ""),
                    inverted("li_panels", Look::SwitchBox, true, "Object to audience panels", ""),
                    inverted("li_product", Look::SwitchBox, true, "Object to product development", ""),
                ],
            ),
        ),
    ],
};

pub(super) const DESCRIPTION: Description = Description {
    site: "gazette",
    brand: "The Harbour Gazette",
    owner: Owner {
        name: "Philippa Winterbourne",
        handle: "p.winterbourne",
        email: "philippa@quayside.example",
        city: "Whitby, United Kingdom",
    },
    pages: &[DETAILS, NEWSLETTERS, READING, DISCUSSION, ADVERTISING, ACCESS, DATA, DISPLAY, COOKIES],
    mail: Matrix {
        groups: &[
            (
                "Daily",
                &[
                    ("dawn", "The Dawn Edition"),
                    ("tides", "Tides and weather"),
                    ("markets", "Fish market prices"),
                    ("evening", "The Evening Lamp"),
                ],
            ),
            (
                "Weekly",
                &[
                    ("weekend", "Weekend reading"),
                    ("kitchen", "The Galley"),
                    ("books", "Book post"),
                    ("gardens", "Salt-wind gardens"),
                    ("puzzles", "Puzzles"),
                    ("history", "From the archive"),
                ],
            ),
            (
                "As it happens",
                &[
                    ("breaking", "Breaking news"),
                    ("storms", "Storm warnings"),
                    ("account", "Invoices"),
                    ("events", "Reader events"),
                    ("offers", "Reader offers"),
                    ("partners", "Messages from partners"),
                ],
            ),
        ],
        channels: &[("email", "E-mail"), ("phone", "Phone alert"), ("post", "Post")],
        locked: ("account", "email"),
    },
    lists: &[
        List {
            id: "articles",
            remove: "Strike out",
            empty: "Nothing on record.",
            growth: Growth::Never,
            clear: Some(("Erase the record", "Erase the whole record of what you read?")),
        },
        List {
            id: "clippings",
            remove: "Throw away",
            empty: "No clippings.",
            growth: Growth::Elsewhere,
            clear: None,
        },
        List {
            id: "silenced",
            remove: "Hear again",
            empty: "You silence nobody.",
            growth: Growth::Typed("Pen name of a reader"),
            clear: None,
        },
        List {
            id: "family",
            remove: "End access of",
            empty: "Only you.",
            growth: Growth::Never,
            clear: None,
        },
    ],
    tokens: TokenRules::NONE,
    sessions: SessionWords {
        end: "Remove",
        end_all: "Remove all other devices",
        question: "Remove every device but this one from your subscription?",
        devices: &[
            ("Kindle Fire", "Gazette e-paper"),
            ("iPhone SE", "Gazette app"),
            ("Office desktop", "Edge 134"),
            ("Samsung Tab", "Gazette e-paper"),
            ("Daughter's laptop", "Safari 18"),
            ("Nokia X20", "Gazette app"),
        ],
    },
    export_parts: &[
        ("invoices", "Invoices"),
        ("comments", "Comments and letters"),
        ("reading", "Reading record"),
        ("profile", "Advertising profile"),
        ("consents", "Record of consents"),
    ],
    permissions: &[],
    apps: &[],
};
