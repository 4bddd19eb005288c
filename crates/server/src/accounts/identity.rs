//! From cookies to who is asking. Every page learns it from here.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{COOKIE, HeaderMap, HeaderValue, SET_COOKIE};

use umpire_arena::VoterId;

use super::{Account, Address, Keys, Role, digest_of, random_id};
use crate::error::PageError;
use crate::state::App;

const VISITOR: &str = "umpire_visitor";
const SESSION: &str = "umpire_session";
const KNOWN: &str = "umpire_known";
const FORM: &str = "form";
/// What the pseudonyms of accounts begin with.
const ACCOUNT: &str = "a-";
/// Enough of a digest that no two voters share it.
const VOTER_SHOWN: usize = 24;
const YEAR: u32 = 365 * 24 * 60 * 60;
/// A working day and some.
pub(crate) const SESSION_SECONDS: u32 = 12 * 60 * 60;

/// Who asks for a page.
#[derive(Clone, Debug)]
pub(crate) struct Who {
    /// Signed by us; stays the same for as long as the visitor keeps the cookie.
    pub visitor: String,
    pub account: Option<Account>,
    pub address: Address,
    /// Digest of the session's token.
    pub session: Option<String>,
    /// What forms of this identity carry.
    pub form_token: String,
    /// What the browser brought as the mark of an earlier sign-in.
    known: Option<String>,
}

impl Who {
    pub(crate) fn is_operator(&self) -> bool {
        self.account.as_ref().is_some_and(|account| account.role == Role::Operator)
    }

    /// The pseudonym under which this person votes. It tells nobody who they are, and an account has the same one
    /// wherever it signs in.
    pub(crate) fn voter(&self) -> VoterId {
        let (kind, of) = match &self.account {
            Some(account) => (ACCOUNT, digest_of(&format!("voter\0{}", account.name))),
            None => ("v-", digest_of(&format!("visitor\0{}", self.visitor))),
        };
        VoterId(format!("{kind}{}", of.chars().take(VOTER_SHOWN).collect::<String>()))
    }

    /// Where a vote comes from, as a keyed hash. People with accounts are known apart, even where they share an office and
    /// its address.
    pub(crate) fn origin(&self, keys: &Keys) -> Option<String> {
        self.account.is_none().then(|| keys.sign("origin of a vote", &self.address.place()))
    }

    pub(crate) fn signed_in(&self) -> Result<&Account, PageError> {
        self.account.as_ref().ok_or(PageError::SignIn)
    }

    pub(crate) fn operator(&self) -> Result<&Account, PageError> {
        let account = self.signed_in()?;
        if self.is_operator() {
            Ok(account)
        } else {
            Err(PageError::Forbidden("This is for operators.".to_owned()))
        }
    }

    /// Whether this browser was signed in under the name before.
    pub(crate) fn was_signed_in_as(&self, name: &str, keys: &Keys) -> bool {
        self.known.as_ref().is_some_and(|mark| keys.is_signed(KNOWN, &known_as(self, name), mark))
    }

    /// Whether a form's token was given to this identity. One of another session or visitor is no good.
    pub(crate) fn gave(&self, token: &str, keys: &Keys) -> bool {
        keys.is_signed(FORM, &bound_to(&self.visitor, self.session.as_deref()), token)
    }
}

/// The mark of a browser in which this account was signed in to: guesses of others at its name do not keep it out.
pub(crate) fn known_cookie(who: &Who, name: &str, keys: &Keys, is_secure: bool) -> String {
    set_cookie(KNOWN, &keys.sign(KNOWN, &known_as(who, name)), YEAR, is_secure)
}

fn known_as(who: &Who, name: &str) -> String {
    format!("{}\0{name}", who.visitor)
}

/// Whether a pseudonym is that of an account, which is the same person after a restart too.
pub(crate) fn is_of_account(voter: &VoterId) -> bool {
    voter.as_str().starts_with(ACCOUNT)
}

fn bound_to(visitor: &str, session: Option<&str>) -> String {
    format!("{visitor}\0{}", session.unwrap_or(""))
}

/// Puts a [`Who`] into every request, and gives newcomers their id.
pub(crate) async fn identify(
    State(app): State<App>,
    mut request: Request,
    next: Next,
) -> Result<Response, PageError> {
    let address = request.extensions().get::<Address>().copied();
    let address = if app.is_behind_proxy { forwarded(request.headers()).or(address) } else { address };
    let address = address.unwrap_or(Address::new(std::net::Ipv4Addr::UNSPECIFIED.into()));
    let known = cookie(request.headers(), VISITOR).and_then(|value| {
        let (id, signature) = value.split_once('.')?;
        app.keys.is_signed(VISITOR, id, signature).then(|| id.to_owned())
    });
    let is_new = known.is_none();
    let visitor = known.unwrap_or_else(random_id);
    let mut session = cookie(request.headers(), SESSION).map(digest_of);
    let account = match &session {
        Some(token) => app.database.session(token).await?,
        None => None,
    };
    if account.is_none() {
        session = None;
    }
    let form_token = app.keys.sign(FORM, &bound_to(&visitor, session.as_deref()));
    let known = cookie(request.headers(), KNOWN).map(str::to_owned);
    let may_read = !app.is_private || account.is_some() || is_open_to_all(request.uri().path());
    request.extensions_mut().insert(Who {
        visitor: visitor.clone(),
        account,
        address,
        session,
        form_token,
        known,
    });
    if !may_read {
        return Err(PageError::SignIn);
    }
    let mut response = next.run(request).await;
    if is_new {
        let value = format!("{visitor}.{}", app.keys.sign(VISITOR, &visitor));
        if let Ok(header) = HeaderValue::from_str(&set_cookie(VISITOR, &value, YEAR, app.secure_cookies)) {
            response.headers_mut().append(SET_COOKIE, header);
        }
    }
    Ok(response)
}

/// Whom the proxy next to us took the request from: the last entry is the one it wrote itself.
fn forwarded(headers: &HeaderMap) -> Option<Address> {
    let told = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    told.rsplit(',').next()?.trim().parse().ok().map(Address::new)
}

/// What a private server shows to strangers: the way in.
fn is_open_to_all(path: &str) -> bool {
    path == "/sign-in" || path.starts_with("/assets/")
}

/// The session's cookie; an empty token takes it away.
pub(crate) fn session_cookie(token: &str, is_secure: bool) -> String {
    set_cookie(SESSION, token, if token.is_empty() { 0 } else { SESSION_SECONDS }, is_secure)
}

fn set_cookie(name: &str, value: &str, seconds: u32, is_secure: bool) -> String {
    let secure = if is_secure { "; Secure" } else { "" };
    format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}")
}

fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(key, value)| (key == name).then_some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_out_of_reach_of_scripts_and_other_sites() {
        let set = session_cookie("abc", true);
        for part in ["HttpOnly", "SameSite=Lax", "Secure", "Path=/"] {
            assert!(set.contains(part), "{set}");
        }
        assert!(session_cookie("", true).contains("Max-Age=0"));
    }

    #[test]
    fn only_what_the_nearest_proxy_says_counts() {
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", HeaderValue::from_static("1.1.1.1, 203.0.113.9"));
        assert_eq!(forwarded(&headers), Some(Address::new([203, 0, 113, 9].into())));
        headers.append("x-forwarded-for", HeaderValue::from_static("nonsense"));
        assert_eq!(forwarded(&headers), None);
    }

    #[test]
    fn a_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, HeaderValue::from_static("a=1; umpire_session=x=y; umpire_visitor=z"));
        assert_eq!(cookie(&headers, SESSION), Some("x=y"));
        assert_eq!(cookie(&headers, "umpire"), None);
    }
}
