//! What can be set on Murmur.

use crate::settings::{
    Arrangement, ChoiceLook, Description, Growth, Holds, List, Look, Matrix, Named, Owner, Page, Saved,
    SessionWords, TokenRules, block, choice, inverted, text, toggle,
};

const AUDIENCE: &[Named] = &[
    ("everyone", "Everyone"),
    ("followers", "People who follow me"),
    ("mutual", "People I follow back"),
    ("nobody", "Nobody"),
];

const PROFILE: Page = Page {
    slug: "profile",
    title: "Edit profile",
    lead: "How you introduce yourself on Murmur.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[
        block(
            "about",
            "About you",
            "",
            Holds::Controls(
                Saved::Button("Save profile"),
                &[
                    text("display_name", 40, "Noor Castellan", "Display name", ""),
                    text("bio", 160, "Ceramics, tide tables, bad puns.", "Bio", "At most 160 characters."),
                    text(
                        "location",
                        40,
                        "Ostend",
                        "Location",
                        "Shown next to your name. Leave it empty to show nothing.",
                    ),
                    text("website", 60, "castellan-pots.example", "Website", ""),
                ],
            ),
        ),
        block(
            "badges",
            "What your profile shows",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    toggle("show_birthday", Look::Switch, true, "Birthday", "Day and month, never the year."),
                    toggle("show_joined", Look::Switch, true, "Month you joined", ""),
                    toggle(
                        "show_likes",
                        Look::Flip,
                        true,
                        "Posts you liked",
                        "A tab of your profile that anyone can open.",
                    ),
                ],
            ),
        ),
    ],
};

const AUDIENCE_PAGE: Page = Page {
    slug: "audience",
    title: "Audience and visibility",
    lead: "Who sees your posts and who can find you.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[
        block(
            "posts",
            "Your posts",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    toggle(
                        "private_account",
                        Look::Switch,
                        false,
                        "Private account",
                        "Only people you approve see your posts.",
                    )
                    .asking("This changes who can see everything you ever posted. Go on?"),
                    inverted(
                        "listed_by_search_engines",
                        Look::Switch,
                        true,
                        "Keep my profile out of search engines",
                        "While this is off, search engines may list your profile and posts.",
                    ),
                    toggle(
                        "photo_location",
                        Look::Pressed,
                        false,
                        "Add location to photos",
                        "Takes the place from the picture.",
                    ),
                    choice("tagging", ChoiceLook::Listbox, AUDIENCE, "everyone", "Who can tag you", ""),
                ],
            ),
        ),
        block(
            "found",
            "Being found",
            "",
            Holds::Controls(
                Saved::Button("Save discoverability"),
                &[
                    toggle(
                        "found_by_email",
                        Look::Checkbox,
                        true,
                        "People who have my e-mail address can find me",
                        "",
                    ),
                    toggle(
                        "found_by_phone",
                        Look::Checkbox,
                        true,
                        "People who have my phone number can find me",
                        "",
                    ),
                    toggle(
                        "suggested_to_others",
                        Look::Checkbox,
                        true,
                        "Suggest my account to others",
                        "Based on whom you and they follow.",
                    ),
                    toggle(
                        "contact_upload",
                        Look::Checkbox,
                        false,
                        "Keep my phone's address book on Murmur",
                        "Used to find people you know.",
                    ),
                ],
            ),
        ),
    ],
};

const SAFETY: Page = Page {
    slug: "safety",
    title: "Safety",
    lead: "Keep away what and whom you do not want to meet.",
    arrangement: Arrangement::Tabs,
    late: false,
    blocks: &[
        block(
            "content",
            "Content",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    toggle("show_sensitive", Look::SwitchBox, false, "Show media that may be sensitive", ""),
                    inverted(
                        "rude_replies",
                        Look::Switch,
                        true,
                        "Hide replies that look rude",
                        "You can still open them one by one.",
                    ),
                    toggle("spoilers", Look::Flip, true, "Blur posts marked as spoilers", ""),
                ],
            ),
        ),
        block(
            "blocked",
            "Blocked people",
            "They cannot see your posts or write to you.",
            Holds::List("blocked"),
        ),
        block(
            "muted",
            "Muted words",
            "Posts with these words stay out of your feed.",
            Holds::List("muted_words"),
        ),
        block(
            "messages",
            "Messages",
            "",
            Holds::Controls(
                Saved::Button("Save message rules"),
                &[
                    choice(
                        "message_requests",
                        ChoiceLook::Radio,
                        AUDIENCE,
                        "everyone",
                        "Who can write to you",
                        "",
                    ),
                    toggle(
                        "read_receipts",
                        Look::Checkbox,
                        true,
                        "Tell others when I have read their message",
                        "",
                    ),
                    toggle("typing_shown", Look::Checkbox, true, "Show when I am writing", ""),
                ],
            ),
        ),
    ],
};

const NOTIFICATIONS: Page = Page {
    slug: "notifications",
    title: "Notifications",
    lead: "What we tell you about, and where.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[
        block(
            "pace",
            "How often",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    choice(
                        "digest",
                        ChoiceLook::Select,
                        &[
                            ("daily", "Every day"),
                            ("weekly", "Every week"),
                            ("monthly", "Every month"),
                            ("never", "Never"),
                        ],
                        "weekly",
                        "Summary by e-mail",
                        "The posts you missed.",
                    ),
                    toggle("quiet_hours", Look::Pressed, false, "Quiet between 22:00 and 7:00", ""),
                ],
            ),
        ),
        block("matrix", "By topic", "", Holds::Mail("Save notifications")),
    ],
};

const ADS: Page = Page {
    slug: "ads",
    title: "Ads and personalisation",
    lead: "What advertisers learn about you, and what we make of it.",
    arrangement: Arrangement::Accordion,
    late: true,
    blocks: &[
        block(
            "ad-basis",
            "What ads are based on",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    toggle("ads_activity", Look::Switch, true, "Use what I do on Murmur", ""),
                    toggle(
                        "ads_partners",
                        Look::Switch,
                        true,
                        "Use what partners know about me",
                        "Shops and apps that work with us.",
                    ),
                    toggle("ads_location", Look::Flip, true, "Use where I have been", ""),
                ],
            ),
        ),
        block(
            "ad-reach",
            "Ads elsewhere",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    inverted(
                        "ads_audience_export",
                        Look::Switch,
                        true,
                        "Do not share my interests with other ad networks",
                        "",
                    ),
                    toggle("ads_social", Look::Pressed, true, "Show my likes next to ads my friends see", ""),
                ],
            ),
        ),
        block(
            "interests",
            "Interests we noticed",
            "Taken from what you read and like.",
            Holds::List("interests"),
        ),
    ],
};

const SECURITY: Page = Page {
    slug: "security",
    title: "Security and access",
    lead: "Where you are signed in, and who else may act for you.",
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
                    toggle(
                        "login_alerts",
                        Look::SwitchBox,
                        true,
                        "Tell me about sign-ins from new devices",
                        "",
                    ),
                    choice(
                        "two_step",
                        ChoiceLook::Listbox,
                        &[
                            ("off", "Off"),
                            ("app", "Authenticator app"),
                            ("text", "Text message"),
                            ("key", "Security key"),
                        ],
                        "off",
                        "Two-step verification",
                        "A second proof when you sign in.",
                    ),
                    inverted(
                        "password_reset_open",
                        Look::Switch,
                        true,
                        "Ask for my e-mail address before a password reset",
                        "",
                    ),
                ],
            ),
        ),
        block("sessions", "Where you are signed in", "", Holds::Sessions),
        block("apps", "Connected apps", "", Holds::Apps),
    ],
};

const DATA: Page = Page {
    slug: "data",
    title: "Your data",
    lead: "What we keep, a copy of it, and how to leave.",
    arrangement: Arrangement::Accordion,
    late: false,
    blocks: &[
        block(
            "use",
            "How we use your posts",
            "",
            Holds::Controls(
                Saved::Button("Save data use"),
                &[
                    inverted(
                        "model_training",
                        Look::Checkbox,
                        true,
                        "Keep my posts out of the training of Murmur's language models",
                        "",
                    ),
                    toggle(
                        "research_access",
                        Look::Checkbox,
                        true,
                        "Let universities study my public posts",
                        "",
                    ),
                    choice(
                        "post_lifetime",
                        ChoiceLook::Select,
                        &[
                            ("forever", "Keep for ever"),
                            ("year", "Delete after a year"),
                            ("quarter", "Delete after three months"),
                            ("week", "Delete after a week"),
                        ],
                        "forever",
                        "Old posts",
                        "",
                    ),
                ],
            ),
        ),
        block("history", "Searches you made", "Only you see them.", Holds::List("searches")),
        block("copy", "A copy of your data", "", Holds::Export),
        block("leave", "Leave Murmur", "", Holds::Deletion),
    ],
};

const COOKIES: Page = Page {
    slug: "cookies",
    title: "Cookies",
    lead: "What this browser remembers for us and for others.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[block(
        "cookies",
        "Cookie choices",
        "",
        Holds::Controls(
            Saved::Button("Save cookie choices"),
            &[
                toggle("cookies_needed", Look::SwitchBox, true, "Necessary", "Keeps you signed in.").locked(),
                toggle(
                    "cookies_preferences",
                    Look::SwitchBox,
                    true,
                    "Preferences",
                    "Remembers language and layout.",
                ),
                toggle("cookies_statistics", Look::SwitchBox, false, "Statistics", "Counts visits."),
                toggle(
                    "cookies_marketing",
                    Look::SwitchBox,
                    false,
                    "Marketing",
                    "Follows you to other sites.",
                ),
            ],
        ),
    )],
};

const DISPLAY: Page = Page {
    slug: "display",
    title: "Display",
    lead: "Colours, movement and order.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[block(
        "look",
        "Look and feel",
        "",
        Holds::Controls(
            Saved::AtOnce,
            &[
                choice(
                    "theme",
                    ChoiceLook::Radio,
                    &[("light", "Light"), ("dark", "Dark")],
                    "light",
                    "Theme",
                    "",
                ),
                toggle("autoplay", Look::Switch, true, "Play videos by themselves", ""),
                choice(
                    "feed_order",
                    ChoiceLook::Listbox,
                    &[("best", "Best first"), ("newest", "Newest first")],
                    "best",
                    "Order of the feed",
                    "",
                ),
            ],
        ),
    )],
};

pub(super) const DESCRIPTION: Description = Description {
    site: "social",
    brand: "Murmur",
    owner: Owner {
        name: "Noor Castellan",
        handle: "noorcastellan",
        email: "noor@castellan-pots.example",
        city: "Ostend, Belgium",
    },
    pages: &[PROFILE, AUDIENCE_PAGE, SAFETY, NOTIFICATIONS, ADS, SECURITY, DATA, COOKIES, DISPLAY],
    mail: Matrix {
        groups: &[
            (
                "About you",
                &[
                    ("replies", "Replies to your posts"),
                    ("mentions", "Mentions"),
                    ("likes", "Likes"),
                    ("reposts", "Reposts"),
                    ("follows", "New followers"),
                    ("requests", "Message requests"),
                ],
            ),
            (
                "From people you follow",
                &[
                    ("posts", "New posts"),
                    ("live", "Live rooms"),
                    ("birthdays", "Birthdays"),
                    ("polls", "Polls that end"),
                ],
            ),
            (
                "From Murmur",
                &[
                    ("security", "Security notices"),
                    ("trends", "Trends near you"),
                    ("suggestions", "People you may know"),
                    ("features", "New features"),
                    ("surveys", "Surveys"),
                    ("offers", "Offers from partners"),
                ],
            ),
        ],
        channels: &[("push", "Push"), ("email", "E-mail"), ("sms", "SMS")],
        locked: ("security", "email"),
    },
    lists: &[
        List {
            id: "blocked",
            remove: "Unblock",
            empty: "You have not blocked anyone.",
            growth: Growth::Elsewhere,
            clear: None,
        },
        List {
            id: "muted_words",
            remove: "Unmute",
            empty: "No muted words.",
            growth: Growth::Typed("Word or phrase to mute"),
            clear: None,
        },
        List {
            id: "interests",
            remove: "Forget",
            empty: "Nothing noticed so far.",
            growth: Growth::Never,
            clear: None,
        },
        List {
            id: "searches",
            remove: "Delete",
            empty: "No searches are kept.",
            growth: Growth::Never,
            clear: Some((
                "Delete all searches",
                "Delete every search you made? They cannot be brought back.",
            )),
        },
        List {
            id: "saved",
            remove: "Remove",
            empty: "Nothing saved.",
            growth: Growth::Elsewhere,
            clear: None,
        },
    ],
    tokens: TokenRules::NONE,
    sessions: SessionWords {
        end: "Log out",
        end_all: "Log out everywhere else",
        question: "Log out of every device but this one?",
        devices: &[
            ("iPhone 15", "Murmur for iOS"),
            ("Galaxy A54", "Murmur for Android"),
            ("iPad mini", "Safari 18"),
            ("MacBook Air", "Firefox 136"),
            ("Windows laptop", "Edge 134"),
            ("Moto G84", "Murmur for Android"),
            ("Steam Deck", "Firefox 135"),
        ],
    },
    export_parts: &[
        ("posts", "Posts and replies"),
        ("messages", "Messages"),
        ("media", "Photos and videos"),
        ("likes", "Likes and saved posts"),
        ("followers", "Followers and following"),
        ("ads", "Ad interests"),
        ("logins", "Sign-in history"),
    ],
    permissions: &[
        ("read", "Read your posts"),
        ("write", "Post in your name"),
        ("messages", "Read your messages"),
        ("follow", "Follow and unfollow people"),
        ("profile", "Change your profile"),
    ],
    apps: &[
        "Threadbare",
        "Postwright",
        "Crossfeed",
        "Snapquilt",
        "Tidepool Stats",
        "Birdhouse Scheduler",
        "Quotecard",
        "Gallerybot",
        "Unfollowed",
        "Pollster Pro",
    ],
};
