//! What cannot be undone on the built-in sites, for the guard.

use umpire_model::{GuardRule, Irreversible};

/// Requests that delete accounts, spend money or publish something, on any built-in site.
pub fn irreversible_requests() -> Vec<GuardRule> {
    use Irreversible::{AccountDeletion, ExternalPost, Purchase};
    [
        (AccountDeletion, "http://hub.localhost/delete"),
        (AccountDeletion, "http://code.localhost/**/settings/delete"),
        (Purchase, "http://shop.localhost/checkout/review"),
        (Purchase, "http://travel.localhost/flights/*"),
        (Purchase, "http://travel.localhost/stays/*"),
        // The marketplaces share their ways of selling.
        (Purchase, "http://*.localhost/checkout"),
        (Purchase, "http://*.localhost/book/*"),
        (ExternalPost, "http://forum.localhost/submit"),
        (ExternalPost, "http://forum.localhost/post/*/comment"),
        (ExternalPost, "http://forum.localhost/messages/*"),
        (ExternalPost, "http://shop.localhost/product/*/review"),
        (ExternalPost, "http://news.localhost/article/*/comments"),
    ]
    .map(|(kind, url)| GuardRule::new(kind, url))
    .into()
}
