//! What can be set at Brightwell.

use crate::settings::{
    Arrangement, ChoiceLook, Description, Growth, Holds, List, Look, Matrix, Named, Owner, Page, Saved,
    SessionWords, TokenRules, block, choice, inverted, text, toggle,
};

const WHO: &[Named] = &[
    ("everyone", "Anyone on the internet"),
    ("learners", "Learners at Brightwell"),
    ("class", "People in my courses"),
    ("me", "Only me"),
];

const PROFILE: Page = Page {
    slug: "profile",
    title: "Public profile",
    lead: "What fellow learners and employers can read about you.",
    arrangement: Arrangement::Accordion,
    late: false,
    blocks: &[
        block(
            "person",
            "Name and introduction",
            "",
            Holds::Controls(
                Saved::Button("Update profile"),
                &[
                    text(
                        "full_name",
                        50,
                        "Tomasz Juhasz",
                        "Full name",
                        "As it should stand on certificates.",
                    ),
                    text("headline", 60, "Nurse, learning statistics", "Headline", ""),
                    text(
                        "about",
                        240,
                        "I work nights and study on the tram home.",
                        "About me",
                        "At most 240 characters.",
                    ),
                ],
            ),
        ),
        block(
            "sharing",
            "Who can see it",
            "",
            Holds::Controls(
                Saved::Button("Update visibility"),
                &[
                    choice(
                        "profile_visible_to",
                        ChoiceLook::Radio,
                        WHO,
                        "everyone",
                        "Profile visible to",
                        "",
                    ),
                    toggle("show_certificates", Look::Checkbox, true, "List my certificates", ""),
                    toggle("show_courses", Look::Checkbox, true, "List courses I am taking", ""),
                    toggle("show_grades", Look::Checkbox, false, "Show my grades", ""),
                    toggle("recruiter_contact", Look::Checkbox, true, "Let recruiters contact me", ""),
                ],
            ),
        ),
    ],
};

const PRIVACY: Page = Page {
    slug: "privacy",
    title: "Privacy",
    lead: "How your learning is watched, shared and studied.",
    arrangement: Arrangement::Accordion,
    late: false,
    blocks: &[
        block(
            "class",
            "In the classroom",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    toggle("online_status", Look::Switch, true, "Show others when I am online", ""),
                    inverted(
                        "shared_progress",
                        Look::Switch,
                        true,
                        "Hide my progress from other learners",
                        "",
                    ),
                    toggle("leaderboard", Look::Pressed, true, "Take part in the leaderboard", ""),
                    choice(
                        "direct_messages",
                        ChoiceLook::Listbox,
                        &[
                            ("all", "Any learner"),
                            ("class", "People in my courses"),
                            ("teachers", "Teachers only"),
                        ],
                        "all",
                        "Who may write to me",
                        "",
                    ),
                ],
            ),
        ),
        block(
            "studies",
            "Research and improvement",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    toggle(
                        "learning_research",
                        Look::SwitchBox,
                        true,
                        "Use my learning data for research",
                        "Without your name.",
                    ),
                    toggle(
                        "essay_training",
                        Look::SwitchBox,
                        true,
                        "Use my essays to improve automatic feedback",
                        "",
                    ),
                    inverted(
                        "webcam_recordings",
                        Look::Switch,
                        true,
                        "Delete exam recordings after grading",
                        "While this is off, recordings of your webcam are kept for two years.",
                    )
                    .asking("This holds for every exam you take from now on. Is that right?"),
                ],
            ),
        ),
        block("history", "Recently opened lessons", "", Holds::List("lessons")),
    ],
};

const MAIL: Page = Page {
    slug: "mail",
    title: "E-mail and reminders",
    lead: "We write to keep you going. Say when it is too much.",
    arrangement: Arrangement::Stack,
    late: true,
    blocks: &[
        block(
            "goal",
            "Weekly goal",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    choice(
                        "goal_days",
                        ChoiceLook::Select,
                        &[
                            ("0", "No goal"),
                            ("1", "1 day"),
                            ("3", "3 days"),
                            ("5", "5 days"),
                            ("7", "Every day"),
                        ],
                        "3",
                        "Days of learning a week",
                        "",
                    ),
                    toggle("goal_reminder", Look::Flip, true, "Remind me when I fall behind", ""),
                ],
            ),
        ),
        block("matrix", "What we send", "", Holds::Mail("Save e-mail preferences")),
    ],
};

const OFFERS: Page = Page {
    slug: "offers",
    title: "Offers and partners",
    lead: "Universities and companies that would like to meet you.",
    arrangement: Arrangement::Accordion,
    late: false,
    blocks: &[
        block(
            "recommend",
            "Recommendations",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    toggle(
                        "recommend_by_activity",
                        Look::Switch,
                        true,
                        "Recommend courses by what I study",
                        "",
                    ),
                    toggle("recommend_by_job", Look::Switch, true, "Recommend courses by my job", ""),
                ],
            ),
        ),
        block(
            "partners",
            "Partners",
            "",
            Holds::Controls(
                Saved::Button("Save partner choices"),
                &[
                    toggle(
                        "partner_profile",
                        Look::Checkbox,
                        true,
                        "Share my profile with partner universities",
                        "",
                    ),
                    toggle("partner_ads", Look::Checkbox, true, "Show me ads of partners on other sites", ""),
                    toggle("employer_reports", Look::Checkbox, false, "Report my results to my employer", ""),
                ],
            ),
        ),
    ],
};

const SECURITY: Page = Page {
    slug: "security",
    title: "Sign-in and security",
    lead: "Keep your certificates yours.",
    arrangement: Arrangement::Accordion,
    late: false,
    blocks: &[
        block(
            "proof",
            "Second proof",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    choice(
                        "two_step",
                        ChoiceLook::Radio,
                        &[("off", "None"), ("app", "Code from an app"), ("sms", "Code by text message")],
                        "off",
                        "Ask for a second proof",
                        "",
                    ),
                    toggle("exam_check", Look::Switch, true, "Ask for my password before exams", ""),
                ],
            ),
        ),
        block("sessions", "Where you are signed in", "", Holds::Sessions),
        block("apps", "Learning tools with access", "", Holds::Apps),
    ],
};

const CLASSROOM: Page = Page {
    slug: "classroom",
    title: "Classroom",
    lead: "How lessons look and what appears beside them.",
    arrangement: Arrangement::Accordion,
    late: false,
    blocks: &[
        block(
            "reading",
            "Reading",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    choice(
                        "text_size",
                        ChoiceLook::Listbox,
                        &[
                            ("small", "Small"),
                            ("normal", "Normal"),
                            ("large", "Large"),
                            ("huge", "Very large"),
                        ],
                        "normal",
                        "Text size",
                        "",
                    ),
                    toggle("easy_font", Look::Pressed, false, "Font that is easy on dyslexic readers", ""),
                    toggle("lesson_autoplay", Look::Switch, true, "Start the next lesson by itself", ""),
                ],
            ),
        ),
        block(
            "forum",
            "Discussion",
            "",
            Holds::Controls(
                Saved::AtOnce,
                &[
                    inverted(
                        "strangers_reply",
                        Look::Switch,
                        true,
                        "Hide answers from people outside my course",
                        "",
                    ),
                    toggle(
                        "anonymous_posts",
                        Look::Flip,
                        false,
                        "Post without my name",
                        "Teachers still see it.",
                    ),
                ],
            ),
        ),
        block("ignored", "Ignored learners", "You do not see what they write.", Holds::List("ignored")),
    ],
};

const DATA: Page = Page {
    slug: "data",
    title: "Your records",
    lead: "Everything you did here is yours.",
    arrangement: Arrangement::Accordion,
    late: false,
    blocks: &[
        block("drafts", "Unsubmitted drafts", "", Holds::List("drafts")),
        block("copy", "Transcript and data", "", Holds::Export),
        block("leave", "Close your account", "", Holds::Deletion),
    ],
};

const COOKIES: Page = Page {
    slug: "cookies",
    title: "Cookie settings",
    lead: "Not the kind we serve in the canteen.",
    arrangement: Arrangement::Stack,
    late: false,
    blocks: &[block(
        "cookies",
        "Categories",
        "",
        Holds::Controls(
            Saved::Button("Save my cookie settings"),
            &[
                toggle("cookies_needed", Look::Switch, true, "Needed to learn here", "").locked(),
                toggle("cookies_functional", Look::Switch, true, "Functional", "Subtitles, playback speed."),
                toggle("cookies_analytics", Look::Switch, true, "Analytics", "Which lessons people leave."),
                toggle(
                    "cookies_targeting",
                    Look::Switch,
                    false,
                    "Targeting",
                    "Reminds you of courses elsewhere.",
                ),
            ],
        ),
    )],
};

pub(super) const DESCRIPTION: Description = Description {
    site: "learning",
    brand: "Brightwell",
    owner: Owner {
        name: "Tomasz Juhasz",
        handle: "tomasz.juhasz",
        email: "tomasz.juhasz@postal.example",
        city: "Graz, Austria",
    },
    pages: &[PROFILE, PRIVACY, MAIL, OFFERS, SECURITY, CLASSROOM, DATA, COOKIES],
    mail: Matrix {
        groups: &[
            (
                "Your courses",
                &[
                    ("deadlines", "Deadlines"),
                    ("grades", "Grades"),
                    ("announcements", "Announcements of teachers"),
                    ("feedback", "Feedback on your work"),
                    ("streaks", "Streaks and badges"),
                ],
            ),
            (
                "Discussion",
                &[
                    ("answers", "Answers to your questions"),
                    ("mentions", "Mentions"),
                    ("peer", "Requests for peer review"),
                ],
            ),
            (
                "From Brightwell",
                &[
                    ("receipts", "Receipts"),
                    ("catalogue", "New courses"),
                    ("discounts", "Discounts"),
                    ("partners", "Messages from partners"),
                    ("stories", "Stories of other learners"),
                    ("panels", "Invitations to interviews"),
                ],
            ),
        ],
        channels: &[("email", "E-mail"), ("push", "Push"), ("sms", "SMS"), ("post", "Post")],
        locked: ("receipts", "email"),
    },
    lists: &[
        List {
            id: "lessons",
            remove: "Forget",
            empty: "No lessons are remembered.",
            growth: Growth::Never,
            clear: Some(("Forget all lessons", "Forget which lessons you opened? Your grades stay.")),
        },
        List {
            id: "ignored",
            remove: "Listen again to",
            empty: "You ignore nobody.",
            growth: Growth::Typed("Name of a learner"),
            clear: None,
        },
        List {
            id: "drafts",
            remove: "Discard",
            empty: "No drafts.",
            growth: Growth::Never,
            clear: Some(("Discard all drafts", "Discard all drafts? Nobody can bring them back.")),
        },
        List {
            id: "wishlist",
            remove: "Remove",
            empty: "Nothing on your list.",
            growth: Growth::Elsewhere,
            clear: None,
        },
    ],
    tokens: TokenRules::NONE,
    sessions: SessionWords {
        end: "Sign out",
        end_all: "Sign out everywhere but here",
        question: "Sign out on all other devices? Unsaved answers there are lost.",
        devices: &[
            ("iPad Air", "Brightwell app"),
            ("Ward computer 3", "Edge 134"),
            ("Pixel 8", "Brightwell app"),
            ("Library terminal", "Firefox 128"),
            ("Chromebook", "Chrome 134"),
            ("Redmi Note", "Brightwell app"),
        ],
    },
    export_parts: &[
        ("transcript", "Transcript"),
        ("essays", "Essays and answers"),
        ("posts", "Discussion posts"),
        ("recordings", "Exam recordings"),
        ("activity", "Activity log"),
    ],
    permissions: &[
        ("grades", "See your grades"),
        ("calendar", "See your deadlines"),
        ("submit", "Hand in work for you"),
        ("classmates", "See who is in your courses"),
    ],
    apps: &[
        "Flashdeck",
        "Citewright",
        "Gradebook Glance",
        "Lecture Notes AI",
        "Campus Calendar",
        "Groupie",
        "Quiz Pal",
        "Plagiarism Guard",
    ],
};
