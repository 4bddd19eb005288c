//! What can be set on Weightroom.

use crate::settings::{
    Arrangement, ChoiceLook, Description, Growth, Holds, List, Look, Matrix, Owner, Page, Saved,
    SessionWords, TokenRules, block, choice, inverted, text, toggle,
};

const PROFILE: Page = Page {
    slug: "profile",
    title: "Profile",
    lead: "Your public face among the weights.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[block(
        "public",
        "Public profile",
        "",
        Holds::Controls(
            Saved::Button("Save profile"),
            &[
                text("full_name", 50, "Leila Rahimi", "Full name", ""),
                text("homepage", 60, "rahimi-lab.example", "Homepage", ""),
                text(
                    "interests",
                    160,
                    "Small speech models for small languages.",
                    "Research interests",
                    "At most 160 characters.",
                ),
                toggle("show_email", Look::Checkbox, false, "Show my e-mail address", ""),
                toggle(
                    "show_activity",
                    Look::Checkbox,
                    true,
                    "Show my activity",
                    "Likes, discussions, uploads.",
                ),
                toggle("show_organisations", Look::Checkbox, true, "Show organisations I belong to", ""),
            ],
        ),
    )],
};

const REPOSITORIES: Page = Page {
    slug: "repositories",
    title: "Repositories",
    lead: "Defaults for models, data sets and demos.",
    arrangement: Arrangement::Tabs,
    late: false,
    blocks: &[
        block(
            "defaults",
            "Defaults",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    choice(
                        "new_visibility",
                        ChoiceLook::Radio,
                        &[("public", "Public"), ("gated", "Gated"), ("private", "Private")],
                        "public",
                        "New repositories are",
                        "",
                    ),
                    choice(
                        "licence",
                        ChoiceLook::Listbox,
                        &[
                            ("none", "No licence"),
                            ("open", "Open weights"),
                            ("research", "Research only"),
                            ("commercial", "Commercial"),
                        ],
                        "none",
                        "Default licence",
                        "",
                    ),
                    toggle("public_downloads", Look::Switch, true, "Show download counts", ""),
                ],
            ),
        ),
        block(
            "requests",
            "Access requests",
            "",
            Holds::Controls(
                Saved::Button("Save access rules"),
                &[
                    toggle("auto_approve", Look::Checkbox, true, "Approve requests automatically", ""),
                    toggle(
                        "share_requester",
                        Look::Checkbox,
                        false,
                        "Share requesters' addresses with co-authors",
                        "",
                    ),
                ],
            ),
        ),
        block(
            "storage",
            "Stored checkpoints",
            "Old files that count against your quota.",
            Holds::List("checkpoints"),
        ),
    ],
};

const COMMUNITY: Page = Page {
    slug: "community",
    title: "Community",
    lead: "Discussions and the people in them.",
    arrangement: Arrangement::Stack,
    late: true,
    blocks: &[
        block(
            "talk",
            "Discussions",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    toggle(
                        "open_discussions",
                        Look::Switch,
                        true,
                        "Anyone may open discussions on my models",
                        "",
                    ),
                    inverted("bot_comments", Look::Switch, true, "Block comments of bots", ""),
                    toggle(
                        "not_for_all",
                        Look::Flip,
                        false,
                        "Show models marked as not for all audiences",
                        "",
                    ),
                    choice(
                        "mentions",
                        ChoiceLook::Select,
                        &[("anyone", "Anyone"), ("following", "People I follow"), ("nobody", "Nobody")],
                        "anyone",
                        "Who may mention me",
                        "",
                    ),
                ],
            ),
        ),
        block("blocked", "Blocked users", "", Holds::List("blocked")),
    ],
};

const TOKENS: Page = Page {
    slug: "tokens",
    title: "Access tokens",
    lead: "Tokens let scripts act for you. Give each as little as it needs.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[
        block("list", "Your tokens", "", Holds::Tokens),
        block(
            "policy",
            "Policy",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    toggle(
                        "token_leak_scan",
                        Look::SwitchBox,
                        true,
                        "Revoke tokens found in public code",
                        "",
                    ),
                    toggle("token_mail", Look::SwitchBox, true, "Write to me before a token expires", ""),
                ],
            ),
        ),
    ],
};

const SECURITY: Page = Page {
    slug: "security",
    title: "Authentication",
    lead: "Prove that you are you.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[
        block(
            "factors",
            "Factors",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    toggle(
                        "two_factor",
                        Look::Switch,
                        false,
                        "Two-factor authentication",
                        "Codes from an authenticator.",
                    )
                    .asking("You need your authenticator at the next sign-in. Continue?"),
                    toggle("git_passwords", Look::Pressed, true, "Allow passwords for git", ""),
                    inverted("unsigned_commits", Look::Switch, true, "Refuse unsigned commits", ""),
                ],
            ),
        ),
        block("sessions", "Sessions", "", Holds::Sessions),
        block("apps", "Connected applications", "", Holds::Apps),
    ],
};

const NOTIFICATIONS: Page = Page {
    slug: "notifications",
    title: "Notifications",
    lead: "Choose what reaches you.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[block("matrix", "By subject", "", Holds::Mail("Update notifications"))],
};

const PRIVACY: Page = Page {
    slug: "privacy",
    title: "Privacy and data",
    lead: "What we log, what we learn from it, and how to get it out.",
    arrangement: Arrangement::Tabs,
    late: false,
    blocks: &[
        block(
            "logging",
            "Logging",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    toggle("inference_logs", Look::Switch, true, "Keep my prompts to hosted models", ""),
                    inverted("prompt_training", Look::Switch, true, "Opt out of training on my prompts", ""),
                    choice(
                        "log_retention",
                        ChoiceLook::Listbox,
                        &[("none", "Do not keep"), ("30", "30 days"), ("365", "One year")],
                        "365",
                        "Keep request logs",
                        "",
                    ),
                ],
            ),
        ),
        block(
            "partners",
            "Sponsors",
            "",
            Holds::Controls(
                Saved::Button("Save sponsor choices"),
                &[
                    toggle("sponsored_models", Look::Checkbox, true, "Show sponsored models", ""),
                    toggle("cloud_partners", Look::Checkbox, true, "Share my usage with cloud partners", ""),
                    toggle("recruiters", Look::Checkbox, true, "Show my profile to recruiters", ""),
                ],
            ),
        ),
        block("history", "Playground history", "", Holds::List("prompts")),
        block("copy", "Export", "", Holds::Export),
        block("leave", "Delete", "", Holds::Deletion),
    ],
};

const DISPLAY: Page = Page {
    slug: "display",
    title: "Display",
    lead: "Easy on the eyes at three in the morning.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[block(
        "look",
        "Interface",
        "",
        Holds::Controls(
            Saved::AtOnce,
            &[
                choice(
                    "theme",
                    ChoiceLook::Select,
                    &[("light", "Light"), ("dark", "Dark")],
                    "light",
                    "Theme",
                    "",
                ),
                toggle("compact_lists", Look::Pressed, false, "Compact lists", ""),
                toggle("widget_autorun", Look::Switch, true, "Run demo widgets by themselves", ""),
            ],
        ),
    )],
};

const COOKIES: Page = Page {
    slug: "cookies",
    title: "Cookies",
    lead: "A short page.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[block(
        "cookies",
        "Cookies",
        "",
        Holds::Controls(
            Saved::Button("Save cookies"),
            &[
                toggle("cookies_needed", Look::Checkbox, true, "Session", "").locked(),
                toggle("cookies_telemetry", Look::Checkbox, true, "Telemetry", ""),
                toggle("cookies_marketing", Look::Checkbox, true, "Marketing", ""),
            ],
        ),
    )],
};

pub(super) const DESCRIPTION: Description = Description {
    site: "models",
    brand: "Weightroom",
    owner: Owner {
        name: "Leila Rahimi",
        handle: "lrahimi",
        email: "leila@rahimi-lab.example",
        city: "Zurich, Switzerland",
    },
    pages: &[PROFILE, REPOSITORIES, COMMUNITY, TOKENS, SECURITY, NOTIFICATIONS, PRIVACY, DISPLAY, COOKIES],
    mail: Matrix {
        groups: &[
            (
                "Repositories",
                &[
                    ("discussions", "New discussions"),
                    ("replies", "Replies to you"),
                    ("pulls", "Pull requests"),
                    ("access", "Access requests"),
                    ("failures", "Failed builds"),
                    ("likes", "Likes"),
                ],
            ),
            (
                "Following",
                &[
                    ("uploads", "New models"),
                    ("papers", "Daily papers"),
                    ("collections", "Changed collections"),
                ],
            ),
            (
                "Weightroom",
                &[
                    ("billing", "Billing"),
                    ("incidents", "Incidents"),
                    ("launches", "Launches"),
                    ("surveys", "Surveys"),
                    ("sponsors", "Sponsors"),
                ],
            ),
        ],
        channels: &[("web", "Web"), ("email", "E-mail")],
        locked: ("billing", "email"),
    },
    lists: &[
        List {
            id: "checkpoints",
            remove: "Delete",
            empty: "No stored checkpoints.",
            growth: Growth::Never,
            clear: None,
        },
        List {
            id: "blocked",
            remove: "Unblock",
            empty: "Nobody is blocked.",
            growth: Growth::Typed("User to block"),
            clear: None,
        },
        List {
            id: "prompts",
            remove: "Delete",
            empty: "No prompts are kept.",
            growth: Growth::Never,
            clear: Some(("Delete all prompts", "Delete every prompt you tried in the playground?")),
        },
        List {
            id: "starred",
            remove: "Unstar",
            empty: "No stars yet.",
            growth: Growth::Elsewhere,
            clear: None,
        },
    ],
    tokens: TokenRules {
        noun: "access token",
        prefix: "wr_",
        scopes: &[
            ("models:read", "Download models, private ones too"),
            ("models:write", "Upload and change models"),
            ("datasets:read", "Download data sets"),
            ("datasets:write", "Upload and change data sets"),
            ("inference", "Call hosted models"),
            ("discussions:write", "Write in discussions"),
            ("billing:read", "Read invoices"),
        ],
        need_expiry: &["models:write", "datasets:write"],
        names: &[
            "nightly-eval",
            "laptop",
            "paper-demo",
            "ci-upload",
            "thesis-cluster",
            "colab",
            "old-desktop",
            "webhook",
            "dataset-mirror",
        ],
    },
    sessions: SessionWords {
        end: "Revoke",
        end_all: "Revoke all other sessions",
        question: "Revoke every session but this one?",
        devices: &[
            ("Cluster login node", "Weightroom CLI"),
            ("MacBook Pro", "Safari 18"),
            ("Conference laptop", "Chrome 134"),
            ("Pixel 9", "Chrome 134"),
            ("Workstation", "Firefox 136"),
            ("Notebook server", "Weightroom CLI"),
        ],
    },
    export_parts: &[
        ("models", "Models"),
        ("datasets", "Data sets"),
        ("discussions", "Discussions"),
        ("logs", "Request logs"),
        ("prompts", "Playground prompts"),
    ],
    permissions: &[
        ("read", "Read your private repositories"),
        ("write", "Push to your repositories"),
        ("profile", "See your e-mail address"),
        ("inference", "Use your inference credits"),
    ],
    apps: &[
        "Tensorboard Cloud",
        "Paperclip",
        "AutoCard",
        "Evalhound",
        "Gradient Notes",
        "Quantize-it",
        "LeaderboardBot",
        "Modelmirror",
    ],
};
