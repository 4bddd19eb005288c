use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// An account on a website: whose it is, how one gets in, and how one sees that one is in. `[accounts.NAME]` in
/// `suite.toml` and `umpire.toml`; what the latter says goes first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AccountSpec {
    /// Address of the site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// What sessions call `{{account.user}}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where the password is kept, such as `accounts/shop/password`; never the password itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// Recorded session that logs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub login: Option<PathBuf>,
    /// Storage state in Playwright's format, instead of the one that `umpire account capture` keeps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<PathBuf>,
    /// Hosts that logging in may reach, besides those of the site and of the recorded session.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<LoginCheck>,
}

/// How one sees that one is logged in: all of it must hold on one page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LoginCheck {
    /// Page to look at; the site's own if not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// What the address must begin with once the page is there: sites send strangers elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lands_on: Option<String>,
    /// Texts that the page must show.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shows: Vec<String>,
    /// Texts that it must not show.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hides: Vec<String>,
    /// CSS selectors of elements that must be there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub has: Vec<String>,
    /// CSS selectors of elements that must not be there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<String>,
    /// Names of cookies that the site must have set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cookies: Vec<String>,
}

impl LoginCheck {
    /// Whether it would let everything pass.
    pub fn is_empty(&self) -> bool {
        Self { url: None, ..self.clone() } == Self::default()
    }
}

impl AccountSpec {
    /// The same with files relative to a folder.
    #[must_use]
    pub fn anchored(mut self, folder: &Path) -> Self {
        for file in [&mut self.login, &mut self.state].into_iter().flatten() {
            *file = folder.join(&*file);
        }
        self
    }

    /// What this one says, and for the rest what is said below it.
    #[must_use]
    pub fn over(self, below: &Self) -> Self {
        Self {
            site: self.site.or_else(|| below.site.clone()),
            user: self.user.or_else(|| below.user.clone()),
            email: self.email.or_else(|| below.email.clone()),
            name: self.name.or_else(|| below.name.clone()),
            password: self.password.or_else(|| below.password.clone()),
            login: self.login.or_else(|| below.login.clone()),
            state: self.state.or_else(|| below.state.clone()),
            hosts: if self.hosts.is_empty() { below.hosts.clone() } else { self.hosts },
            check: self.check.or_else(|| below.check.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upper_one_goes_first_and_the_lower_one_fills_in() {
        let suite = AccountSpec {
            site: Some("http://a.example/".to_owned()),
            email: Some("suite@a.example".to_owned()),
            ..AccountSpec::default()
        };
        let own = AccountSpec { email: Some("me@a.example".to_owned()), ..AccountSpec::default() };
        let both = own.over(&suite);
        assert_eq!(
            (both.site.as_deref(), both.email.as_deref()),
            (Some("http://a.example/"), Some("me@a.example"))
        );
    }

    #[test]
    fn a_check_that_only_names_a_page_checks_nothing() {
        let check = LoginCheck { url: Some("http://a.example/".to_owned()), ..LoginCheck::default() };
        assert!(check.is_empty());
        assert!(!LoginCheck { shows: vec!["Log out".to_owned()], ..check }.is_empty());
    }
}
