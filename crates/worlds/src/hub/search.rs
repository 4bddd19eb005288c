//! The search over the hub's settings.

use super::settings::{LOG_KINDS, MAIL_TOPICS, PRIVACY};

/// A place in the hub that a search can lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    pub title: &'static str,
    pub page: &'static str,
    pub link: &'static str,
    /// Words people use for it.
    also: &'static str,
}

const fn hit(title: &'static str, page: &'static str, link: &'static str, also: &'static str) -> Hit {
    Hit { title, page, link, also }
}

const PLACES: [Hit; 32] = [
    hit("Display name", "Profile", "/profile", "rename nickname"),
    hit("Birthday", "Profile", "/profile", "age date of birth"),
    hit("Language", "Profile", "/profile", "locale translation"),
    hit("Change password", "Sign-in & security", "/security", "passphrase login"),
    hit(
        "Two-step verification",
        "Sign-in & security",
        "/security/two-factor",
        "2fa two-factor authenticator code",
    ),
    hit("Recovery e-mail", "Sign-in & security", "/security", "backup address email"),
    hit("Recovery phone", "Sign-in & security", "/security", "backup number mobile"),
    hit("Passkeys", "Sign-in & security", "/security", "fingerprint security key webauthn"),
    hit("Signed-in devices", "Devices & sessions", "/devices", "sessions computers phones"),
    hit("Sign out everywhere else", "Devices & sessions", "/devices", "log out logout revoke sessions"),
    hit("Cookie choices", "Privacy", "/privacy", "consent tracking receipt"),
    hit("Ad personalisation", "Ad settings", "/ads", "advertising targeted personalization"),
    hit("Sensitive ads", "Ad settings", "/ads", "limit alcohol gambling advertising"),
    hit("Ad topics", "Ad settings", "/ads", "interests advertising"),
    hit("Data from partners", "Ad settings", "/ads", "advertising third party"),
    hit("Request a copy of your data", "Data & export", "/data", "download takeout archive export gdpr"),
    hit("Create an API token", "API tokens", "/tokens/new", "access key secret developer"),
    hit("Revoke an API token", "API tokens", "/tokens", "access key developer"),
    hit("Apps with access", "Connected apps", "/apps", "third party oauth permissions disconnect"),
    hit("Theme", "Appearance", "/appearance", "dark light sepia colours mode"),
    hit("Text size", "Appearance", "/appearance", "font bigger smaller zoom"),
    hit("Reduce motion", "Appearance", "/appearance", "animation accessibility"),
    hit("Underline links", "Appearance", "/appearance", "accessibility"),
    hit("Compact lists", "Appearance", "/appearance", "density spacing"),
    hit("Autoplay previews", "Appearance", "/appearance", "video"),
    hit("Recent security events", "Activity log", "/activity", "history audit sign-ins"),
    hit("Failed sign-ins", "Activity log", "/activity?kind=failed-sign-in", "wrong password attempts"),
    hit("Delete your account", "Delete account", "/delete", "close remove erase"),
    hit("Public profile", "Profile", "/profile", "bio city"),
    hit("Message channels", "Communication", "/communication", "notifications newsletter sms push post"),
    hit("Sign out", "Devices & sessions", "/devices", "log out logout"),
    hit("Help", "Help", "/help", "support contact"),
];

/// Places whose title, page or synonyms contain every word of the query.
pub(super) fn find(query: &str) -> Vec<Hit> {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let privacy = PRIVACY.iter().map(|setting| hit(setting.label, "Privacy", "/privacy", setting.detail));
    let topics =
        MAIL_TOPICS.iter().map(|(_, label)| hit(label, "Communication", "/communication", "notifications"));
    let kinds = LOG_KINDS.iter().map(|(_, label)| hit(label, "Activity log", "/activity", "events history"));
    PLACES
        .into_iter()
        .chain(privacy)
        .chain(topics)
        .chain(kinds)
        .filter(|place| {
            let text = format!("{} {} {}", place.title, place.page, place.also).to_lowercase();
            words.iter().all(|word| text.contains(word.as_str()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_must_fit_and_synonyms_count() {
        let titles = |query: &str| find(query).iter().map(|hit| hit.title).collect::<Vec<_>>();
        assert_eq!(titles("2FA"), ["Two-step verification"]);
        assert_eq!(titles("dark mode"), ["Theme"]);
        assert!(titles("location").contains(&"Location history"));
        assert!(titles("location unicorn").is_empty());
        assert!(titles("   ").is_empty());
    }
}
