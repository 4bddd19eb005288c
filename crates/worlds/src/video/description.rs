//! What can be set on Reelyard.

use crate::settings::{
    Arrangement, ChoiceLook, Description, Growth, Holds, List, Look, Matrix, Owner, Page, Saved,
    SessionWords, TokenRules, block, choice, inverted, text, toggle,
};

const PRIVACY: Page = Page {
    slug: "privacy",
    title: "Privacy",
    lead: "Who sees what you watch, like and follow.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[
        block(
            "visible",
            "On your channel page",
            "",
            Holds::Controls(
                Saved::Button("Save privacy"),
                &[
                    inverted(
                        "public_subscriptions",
                        Look::Switch,
                        true,
                        "Keep all my subscriptions private",
                        "",
                    ),
                    inverted(
                        "public_playlists",
                        Look::Switch,
                        true,
                        "Keep all my saved playlists private",
                        "",
                    ),
                    toggle("public_likes", Look::Switch, false, "Show videos I liked", ""),
                    choice(
                        "upload_visibility",
                        ChoiceLook::Select,
                        &[("public", "Public"), ("unlisted", "Unlisted"), ("private", "Private")],
                        "public",
                        "New uploads are",
                        "Can be changed for each video.",
                    ),
                ],
            ),
        ),
        block(
            "watch",
            "While you watch",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    toggle("watch_status", Look::Pressed, true, "Let friends see what I am watching", ""),
                    toggle(
                        "incognito_tv",
                        Look::Flip,
                        false,
                        "Watch on my TV without a trace",
                        "Nothing is added to your history there.",
                    ),
                ],
            ),
        ),
    ],
};

const HISTORY: Page = Page {
    slug: "history",
    title: "History",
    lead: "What Reelyard remembers of what you watched and searched for.",
    arrangement: Arrangement::Stack,
    late: true,
    blocks: &[
        block(
            "keeping",
            "What is kept",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    toggle(
                        "watch_history",
                        Look::Switch,
                        true,
                        "Keep my watch history",
                        "Recommendations are made from it.",
                    ),
                    toggle("search_history", Look::Switch, true, "Keep my search history", ""),
                    choice(
                        "auto_delete",
                        ChoiceLook::Listbox,
                        &[
                            ("never", "Never"),
                            ("3m", "After 3 months"),
                            ("18m", "After 18 months"),
                            ("36m", "After 36 months"),
                        ],
                        "never",
                        "Delete history automatically",
                        "",
                    ),
                ],
            ),
        ),
        block("watched", "Watched lately", "", Holds::List("watched")),
    ],
};

const COMMENTS: Page = Page {
    slug: "community",
    title: "Community",
    lead: "Comments, live chat and the people in them.",
    arrangement: Arrangement::Tabs,
    late: false,
    blocks: &[
        block(
            "comments",
            "Comments",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    choice(
                        "comment_review",
                        ChoiceLook::Radio,
                        &[
                            ("none", "Show all comments"),
                            ("some", "Hold those that may be unsuitable"),
                            ("all", "Hold all comments"),
                            ("closed", "No comments"),
                        ],
                        "none",
                        "Comments on my videos",
                        "",
                    ),
                    inverted("links_in_comments", Look::SwitchBox, true, "Block links in comments", ""),
                    toggle("live_chat", Look::SwitchBox, true, "Live chat during premieres", ""),
                ],
            ),
        ),
        block(
            "hidden",
            "Hidden channels",
            "Their videos are not recommended to you.",
            Holds::List("hidden_channels"),
        ),
        block(
            "words",
            "Blocked words",
            "Comments with these words are held back.",
            Holds::List("blocked_words"),
        ),
        block(
            "restricted",
            "Restricted mode",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[toggle(
                    "restricted_mode",
                    Look::Flip,
                    false,
                    "Leave out videos that may be unsuitable for young people",
                    "Holds for this account on every device.",
                )],
            ),
        ),
    ],
};

const PLAYBACK: Page = Page {
    slug: "playback",
    title: "Playback",
    lead: "Picture, sound and what comes next.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[block(
        "player",
        "Player",
        "",
        Holds::Controls(
            Saved::AtOnce,
            &[
                toggle("autoplay_next", Look::Switch, true, "Play the next video by itself", ""),
                toggle("hover_preview", Look::Pressed, true, "Play previews under the pointer", ""),
                choice(
                    "quality",
                    ChoiceLook::Listbox,
                    &[("auto", "Automatic"), ("saver", "Data saver"), ("high", "High")],
                    "auto",
                    "Picture quality",
                    "",
                ),
                choice(
                    "captions",
                    ChoiceLook::Select,
                    &[("off", "Never"), ("sound-off", "When the sound is off"), ("on", "Always")],
                    "off",
                    "Captions",
                    "",
                ),
                choice(
                    "theme",
                    ChoiceLook::Radio,
                    &[("light", "Light"), ("dark", "Dark")],
                    "light",
                    "Appearance",
                    "",
                ),
            ],
        ),
    )],
};

const NOTIFICATIONS: Page = Page {
    slug: "notifications",
    title: "Notifications",
    lead: "When Reelyard gets in touch.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[block("matrix", "Your preferences", "", Holds::Mail("Save preferences"))],
};

const ADS: Page = Page {
    slug: "ads",
    title: "Ads",
    lead: "Adverts pay for the yard. You decide how much they know.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[block(
        "basis",
        "Personalised ads",
        "",
        Holds::Controls(
            Saved::Button("Save ad choices"),
            &[
                toggle("ads_personal", Look::Checkbox, true, "Choose ads by what I watch", ""),
                toggle("ads_off_site", Look::Checkbox, true, "Choose ads by what I do on other sites", ""),
                toggle("ads_household", Look::Checkbox, true, "Use the same ads on all devices at home", ""),
                toggle("ads_gambling", Look::Checkbox, true, "Ads for gambling", ""),
                toggle("ads_alcohol", Look::Checkbox, true, "Ads for alcohol", ""),
                toggle("ads_dating", Look::Checkbox, true, "Ads for dating", ""),
                toggle("ads_diet", Look::Checkbox, true, "Ads for weight loss", ""),
            ],
        ),
    )],
};

const ACCOUNT: Page = Page {
    slug: "account",
    title: "Account",
    lead: "Your channel, your devices, and a way out.",
    arrangement: Arrangement::Accordion,
    late: false,
    blocks: &[
        block(
            "channel",
            "Channel",
            "",
            Holds::Controls(
                Saved::Button("Save channel"),
                &[
                    text("channel_name", 40, "Slow Locks", "Channel name", ""),
                    text(
                        "channel_about",
                        200,
                        "Narrowboats, lock gates and tea, at four miles an hour.",
                        "About",
                        "At most 200 characters.",
                    ),
                    toggle(
                        "show_subscriber_count",
                        Look::Checkbox,
                        true,
                        "Show how many people follow me",
                        "",
                    ),
                ],
            ),
        ),
        block("devices", "Signed-in devices", "", Holds::Sessions),
        block("apps", "Linked apps", "", Holds::Apps),
        block(
            "learning",
            "Your videos and machine learning",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[toggle(
                    "third_party_training",
                    Look::Switch,
                    false,
                    "Let other companies train models on my videos",
                    "",
                )
                .asking("Other companies keep what they have learnt. Change this?")],
            ),
        ),
        block("copy", "Download your data", "", Holds::Export),
        block("close", "Close the account", "", Holds::Deletion),
    ],
};

const COOKIES: Page = Page {
    slug: "cookies",
    title: "Cookies",
    lead: "Small files, large questions.",
    arrangement: Arrangement::Accordion,
    late: false,
    blocks: &[block(
        "cookies",
        "Manage cookies",
        "",
        Holds::Controls(
            Saved::Button("Confirm my choices"),
            &[
                toggle("cookies_needed", Look::Checkbox, true, "Strictly necessary cookies", "").locked(),
                toggle("cookies_player", Look::Checkbox, true, "Player settings", "Volume and quality."),
                toggle("cookies_audience", Look::Checkbox, true, "Audience measurement", ""),
                toggle("cookies_ads", Look::Checkbox, true, "Advertising partners", ""),
            ],
        ),
    )],
};

pub(super) const DESCRIPTION: Description = Description {
    site: "video",
    brand: "Reelyard",
    owner: Owner {
        name: "Gwen Aldous",
        handle: "slowlocks",
        email: "gwen@slowlocks.example",
        city: "Bath, United Kingdom",
    },
    pages: &[ACCOUNT, PRIVACY, HISTORY, NOTIFICATIONS, COMMENTS, PLAYBACK, ADS, COOKIES],
    mail: Matrix {
        groups: &[
            (
                "Channels you follow",
                &[
                    ("uploads", "New videos"),
                    ("premieres", "Premieres"),
                    ("live", "Live streams"),
                    ("posts", "Channel posts"),
                ],
            ),
            (
                "Your channel",
                &[
                    ("comments", "Comments on your videos"),
                    ("milestones", "Milestones"),
                    ("copyright", "Copyright claims"),
                    ("earnings", "Earnings"),
                ],
            ),
            (
                "From Reelyard",
                &[
                    ("recommended", "Recommended videos"),
                    ("news", "Product news"),
                    ("research", "Research invitations"),
                    ("deals", "Film deals"),
                ],
            ),
        ],
        channels: &[("app", "App"), ("email", "E-mail"), ("browser", "Browser")],
        locked: ("copyright", "email"),
    },
    lists: &[
        List {
            id: "watched",
            remove: "Forget",
            empty: "Nothing watched.",
            growth: Growth::Never,
            clear: Some((
                "Clear all watch history",
                "Clear everything you ever watched? Recommendations start anew.",
            )),
        },
        List {
            id: "hidden_channels",
            remove: "Show again",
            empty: "No channel is hidden.",
            growth: Growth::Elsewhere,
            clear: None,
        },
        List {
            id: "blocked_words",
            remove: "Allow",
            empty: "No blocked words.",
            growth: Growth::Typed("Word to block"),
            clear: None,
        },
        List {
            id: "watch_later",
            remove: "Remove",
            empty: "Nothing to watch later.",
            growth: Growth::Elsewhere,
            clear: None,
        },
    ],
    tokens: TokenRules::NONE,
    sessions: SessionWords {
        end: "Sign out",
        end_all: "Sign out of all other devices",
        question: "Sign out of every television, tablet and telephone but this browser?",
        devices: &[
            ("Living room TV", "Reelyard for TV"),
            ("Fairphone 5", "Reelyard app"),
            ("Kitchen tablet", "Reelyard app"),
            ("ThinkPad T14", "Firefox 136"),
            ("PlayStation 5", "Reelyard for consoles"),
            ("Hotel TV 412", "Reelyard for TV"),
            ("Old Nexus", "Reelyard app"),
        ],
    },
    export_parts: &[
        ("videos", "Uploaded videos"),
        ("history", "Watch history"),
        ("searches", "Search history"),
        ("comments", "Comments"),
        ("playlists", "Playlists"),
        ("subscriptions", "Subscriptions"),
    ],
    permissions: &[
        ("view", "See your channel"),
        ("upload", "Upload videos"),
        ("manage", "Delete videos"),
        ("history", "See your watch history"),
        ("chat", "Write in live chats"),
    ],
    apps: &[
        "Clipjack",
        "Subtitle Forge",
        "TV Guide Plus",
        "Chatterbox",
        "Streamdeckhand",
        "Playlist Mover",
        "Thumbsmith",
        "Watchparty",
        "Reel Stats",
    ],
};
