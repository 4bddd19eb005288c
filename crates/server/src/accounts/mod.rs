//! Who is asking, and what they may do.
//!
//! Everybody has a signed visitor's id; some have an account and a session. Every form carries a token bound to that
//! identity, and there is one way to read a form, [`Checked`], which refuses one without it.

mod forms;
mod identity;
mod keys;
mod limits;
mod passwords;

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use zeroize::Zeroizing;

pub(crate) use self::forms::{Checked, Fields};
pub(crate) use self::identity::{
    SESSION_SECONDS, Who, identify, is_of_account, known_cookie, session_cookie,
};
pub(crate) use self::keys::{Keys, digest_of, random_id, random_seed, random_token};
pub(crate) use self::limits::{Limit, Limits};
pub use self::passwords::PasswordError;
pub(crate) use self::passwords::{decoy, hashed, is_right};

/// Where a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Address(IpAddr);

impl Address {
    /// One that is IPv4 in the clothes of IPv6 is taken for what it is.
    pub(crate) fn new(ip: IpAddr) -> Self {
        Self(ip.to_canonical())
    }

    pub(crate) fn is_this_machine(self) -> bool {
        self.0.is_loopback()
    }

    /// What limits count by. With IPv6 everybody has the addresses of a whole network, so the network counts.
    pub(crate) fn place(self) -> String {
        match self.0 {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => {
                let [a, b, c, d, ..] = ip.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
        }
    }
}

/// What an account is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Runs the place: accounts, queues, adjudication, the audit log.
    Operator,
    /// Labels what they are given.
    Annotator,
}

impl Role {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Annotator => "annotator",
        }
    }
}

impl FromStr for Role {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Operator, Self::Annotator].into_iter().find(|role| role.as_str() == text).ok_or(())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    pub name: String,
    pub role: Role,
}

/// An account to be made. The password is wiped when this is dropped.
#[derive(Clone)]
pub struct NewAccount {
    pub name: String,
    pub role: Role,
    pub password: Zeroizing<String>,
}

impl fmt::Debug for NewAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewAccount")
            .field("name", &self.name)
            .field("role", &self.role)
            .finish_non_exhaustive()
    }
}

/// Names stand in files of labels and in the audit log.
pub(crate) fn is_account_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-@".contains(c);
    (1..=60).contains(&name.len()) && name.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_an_address_or_with_ipv6_a_network() {
        let place = |text: &str| Address::new(text.parse().expect("an address")).place();
        assert_eq!(place("203.0.113.9"), "203.0.113.9");
        assert_eq!(place("::ffff:203.0.113.9"), "203.0.113.9");
        assert_eq!(place("2001:db8:1:2::1"), place("2001:db8:1:2:ffff::7"));
        assert_ne!(place("2001:db8:1:2::1"), place("2001:db8:1:3::1"));
    }
}
