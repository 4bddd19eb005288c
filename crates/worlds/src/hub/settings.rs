//! The settings the hub offers, with their words: the one place that pages, search and state checks read them from.

/// How a privacy setting is drawn and saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Widget {
    /// A native checkbox, saved with its card's button.
    Checkbox,
    /// An ARIA switch, saved at once by script.
    Switch,
    /// A bare `div` whose state is only a class, saved at once by script; the web has many of those.
    Flip,
}

pub(super) struct PrivacySetting {
    pub id: &'static str,
    pub label: &'static str,
    pub detail: &'static str,
    pub widget: Widget,
    /// The label says the opposite of the stored value: switched on means that data does not flow.
    pub inverted: bool,
}

const fn setting(
    id: &'static str,
    widget: Widget,
    label: &'static str,
    detail: &'static str,
) -> PrivacySetting {
    PrivacySetting { id, label, detail, widget, inverted: false }
}

const fn inverted(id: &'static str, label: &'static str, detail: &'static str) -> PrivacySetting {
    PrivacySetting { id, label, detail, widget: Widget::Switch, inverted: true }
}

pub(super) const PRIVACY: [PrivacySetting; 14] = [
    setting(
        "found_by_email",
        Widget::Checkbox,
        "Let people who have my e-mail address find me",
        "Contacts who saved your address see your profile when they join Orrery.",
    ),
    setting(
        "found_by_phone",
        Widget::Checkbox,
        "Let people who have my phone number find me",
        "Also used to suggest you to people you may know.",
    ),
    setting("show_birthday", Widget::Checkbox, "Show my birthday to contacts", "The year is never shown."),
    setting(
        "show_city",
        Widget::Checkbox,
        "Show my city on my public profile",
        "Taken from your profile page.",
    ),
    setting(
        "listed_by_search_engines",
        Widget::Checkbox,
        "Let search engines list my public profile",
        "It can take some weeks until a change shows.",
    ),
    setting(
        "location_history",
        Widget::Switch,
        "Location history",
        "Saves where you go with your signed-in devices, for the map timeline.",
    ),
    setting(
        "search_history",
        Widget::Switch,
        "Search history",
        "Saves what you search for in mail, files and maps.",
    ),
    setting(
        "viewing_history",
        Widget::Switch,
        "Viewing history",
        "Saves which photos and videos you opened.",
    ),
    setting(
        "voice_recordings",
        Widget::Switch,
        "Keep voice recordings",
        "Keeps what you say to the assistant.",
    ),
    inverted(
        "improve_services",
        "Do not use my content to improve Orrery services",
        "While this is off, samples of your documents and photos may be reviewed to improve our models.",
    ),
    inverted(
        "online_status",
        "Hide when I was last online",
        "While this is off, contacts see when you last opened an Orrery app.",
    ),
    setting("read_receipts", Widget::Flip, "Read receipts", "Senders see when you have read their message."),
    setting("typing_indicator", Widget::Flip, "Typing indicator", "Others see that you are writing."),
    setting(
        "link_previews",
        Widget::Flip,
        "Link previews",
        "Pages you link to are fetched to show a preview.",
    ),
];

pub(super) fn privacy_setting(id: &str) -> Option<&'static PrivacySetting> {
    PRIVACY.iter().find(|setting| setting.id == id)
}

/// Purposes of the consent manager: id, label, explanation.
pub(super) const PURPOSES: [(&str, &str, &str); 4] = [
    ("preferences", "Remember my preferences", "Keeps language and layout on this device."),
    ("measurement", "Measure usage", "Counts visits and clicks to find pages that do not work."),
    ("ads", "Personalised ads", "Lets the ad service recognise this browser."),
    ("partners", "Share with partners", "Passes an identifier on to 38 partner companies."),
];

pub(super) const CHANNELS: [(&str, &str); 4] =
    [("email", "E-mail"), ("sms", "SMS"), ("push", "Push"), ("post", "Post")];

pub(super) const MAIL_TOPICS: [(&str, &str); 14] = [
    ("security", "Security alerts"),
    ("billing", "Billing and invoices"),
    ("storage", "Storage warnings"),
    ("product", "Product updates"),
    ("tips", "Tips and tutorials"),
    ("offers", "Offers and discounts"),
    ("surveys", "Surveys and research"),
    ("events", "Events near you"),
    ("family", "Family group"),
    ("shared", "Files shared with you"),
    ("memories", "Photo memories"),
    ("calendar", "Calendar reminders"),
    ("community", "Community answers"),
    ("developer", "Developer news"),
];

/// This one cannot be switched off.
pub(super) const LOCKED_CELL: (&str, &str) = ("security", "email");

pub(super) const EXPORT_PARTS: [(&str, &str); 8] = [
    ("mail", "Mail"),
    ("contacts", "Contacts"),
    ("calendar", "Calendar"),
    ("drive", "Drive files"),
    ("photos", "Photos"),
    ("maps", "Map timeline"),
    ("searches", "Search history"),
    ("settings", "Account settings"),
];

pub(super) const EXPORT_FORMATS: [(&str, &str); 3] =
    [("html", "Web pages (HTML)"), ("json", "Machine-readable (JSON)"), ("csv", "Tables (CSV)")];

pub(super) const EXPORT_DELIVERIES: [(&str, &str); 2] =
    [("link", "Download link by e-mail"), ("drive", "Add to Orrery Drive")];

/// Scope id, what it allows.
pub(super) const SCOPES: [(&str, &str); 8] = [
    ("profile:read", "Read your profile"),
    ("mail:read", "Read mail"),
    ("mail:send", "Send mail"),
    ("files:read", "Read files"),
    ("files:write", "Create and change files"),
    ("calendar:read", "Read calendars"),
    ("calendar:write", "Change calendars"),
    ("billing:read", "Read invoices"),
];

/// Expiry id, label, days; the last one has no end.
pub(super) const EXPIRIES: [(&str, &str, Option<i32>); 5] = [
    ("7", "7 days", Some(7)),
    ("30", "30 days", Some(30)),
    ("90", "90 days", Some(90)),
    ("365", "1 year", Some(365)),
    ("never", "No expiry", None),
];

/// Permission id of connected apps, wording on the page.
pub(super) const PERMISSIONS: [(&str, &str); 8] = [
    ("profile", "See your name and profile picture"),
    ("email-read", "Read your e-mail"),
    ("email-send", "Send e-mail in your name"),
    ("contacts", "See your contacts"),
    ("calendar-read", "See your calendar"),
    ("calendar-write", "Add events to your calendar"),
    ("files-read", "Open files in your Drive"),
    ("location", "See your current location"),
];

pub(super) const LOG_KINDS: [(&str, &str); 7] = [
    ("sign-in", "Sign-in"),
    ("failed-sign-in", "Failed sign-in"),
    ("password", "Password"),
    ("recovery", "Recovery and two-step"),
    ("apps", "Apps and tokens"),
    ("privacy", "Privacy and data"),
    ("devices", "Devices"),
];

pub(super) const LANGUAGES: [(&str, &str); 6] = [
    ("en", "English"),
    ("nl", "Nederlands"),
    ("pt", "Português"),
    ("de", "Deutsch"),
    ("fr", "Français"),
    ("pl", "Polski"),
];

pub(super) const PRONOUNS: [(&str, &str); 4] =
    [("unset", "Prefer not to say"), ("she", "she/her"), ("he", "he/him"), ("they", "they/them")];

pub(super) const DELETION_REASONS: [(&str, &str); 5] = [
    ("", "Choose a reason"),
    ("unused", "I no longer use it"),
    ("privacy", "I am worried about my privacy"),
    ("mail", "I get too many e-mails"),
    ("other", "Something else"),
];

/// The wording that goes with `id` in one of the tables above; the id itself if it has none.
pub(super) fn label_of<'a>(table: &[(&'a str, &'a str)], id: &'a str) -> &'a str {
    table.iter().find(|(known, _)| *known == id).map_or(id, |(_, label)| label)
}
