//! What cannot be undone on the built-in sites, for the guard.

use umpire_model::{GuardRule, Irreversible};

/// Requests that delete accounts or whole projects, spend money or publish something, on any built-in site.
pub fn irreversible_requests() -> Vec<GuardRule> {
    use Irreversible::{AccountDeletion, Deletion, ExternalPost, Purchase};
    [
        (AccountDeletion, "http://hub.localhost/delete"),
        // The sites with settings share their ways.
        (AccountDeletion, "http://*.localhost/settings/deletion"),
        (Deletion, "http://code.localhost/*/*/settings/delete"),
        (Purchase, "http://shop.localhost/checkout/review"),
        (Purchase, "http://travel.localhost/flights/*"),
        (Purchase, "http://travel.localhost/stays/*"),
        // The marketplaces share their ways of selling.
        (Purchase, "http://*.localhost/checkout"),
        (Purchase, "http://*.localhost/book/*"),
        (ExternalPost, "http://forum.localhost/submit"),
        (ExternalPost, "http://forum.localhost/post/*/edit"),
        (ExternalPost, "http://forum.localhost/post/*/comment"),
        (ExternalPost, "http://forum.localhost/comment/*/edit"),
        (ExternalPost, "http://forum.localhost/messages/*"),
        (ExternalPost, "http://forum.localhost/report"),
        (ExternalPost, "http://shop.localhost/product/*/review"),
        (ExternalPost, "http://news.localhost/article/*/comments"),
        (ExternalPost, "http://map.localhost/place/*/review"),
        (ExternalPost, "http://map.localhost/place/*/suggest"),
        (ExternalPost, "http://map.localhost/missing"),
        (ExternalPost, "http://encyclopedia.localhost/article/*/edit"),
        (ExternalPost, "http://encyclopedia.localhost/article/*/talk"),
        (ExternalPost, "http://code.localhost/*/*/issues/new"),
        (ExternalPost, "http://code.localhost/*/*/issues/*/comment"),
        (ExternalPost, "http://code.localhost/*/*/issues/*/edit"),
        (ExternalPost, "http://code.localhost/*/*/merge_requests/new"),
        (ExternalPost, "http://code.localhost/*/*/merge_requests/*/comment"),
        (ExternalPost, "http://code.localhost/*/*/merge_requests/*/merge"),
        (ExternalPost, "http://shop-admin.localhost/orders/*/note"),
        (ExternalPost, "http://shop-admin.localhost/orders/*/ship"),
        (ExternalPost, "http://shop-admin.localhost/pages/*"),
    ]
    .map(|(kind, url)| GuardRule::new(kind, url))
    .into()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet, VecDeque};

    use bytes::Bytes;
    use url::Url;

    use super::*;
    use crate::{World, site_hosts, site_names};

    /// What a visitor can send and take back again, or that is nobody else's business: settings, baskets, lists, votes,
    /// signing in and out, withdrawing what one wrote.
    const HARMLESS: [&str; 72] = [
        "http://*.localhost/sign-out",
        "http://*.localhost/settings/*/*",
        "http://*.localhost/settings/*/*/*",
        "http://*.localhost/settings/export",
        "http://*.localhost/settings/mail",
        "http://*.localhost/lists/*",
        "http://*.localhost/basket/add",
        "http://*.localhost/saved/*",
        "http://code.localhost/-/profile",
        "http://code.localhost/new",
        "http://code.localhost/*/*/branches",
        "http://code.localhost/*/*/branches/*/delete",
        "http://code.localhost/*/*/fork",
        "http://code.localhost/*/*/issues/*/assignee",
        "http://code.localhost/*/*/issues/*/labels",
        "http://code.localhost/*/*/issues/*/milestone",
        "http://code.localhost/*/*/issues/*/state",
        "http://code.localhost/*/*/labels",
        "http://code.localhost/*/*/labels/*/delete",
        "http://code.localhost/*/*/members",
        "http://code.localhost/*/*/members/*/*",
        "http://code.localhost/*/*/merge_requests/*/approve",
        "http://code.localhost/*/*/merge_requests/*/draft",
        "http://code.localhost/*/*/merge_requests/*/reviewer",
        "http://code.localhost/*/*/merge_requests/*/state",
        "http://code.localhost/*/*/milestones",
        "http://code.localhost/*/*/milestones/*/*",
        "http://code.localhost/*/*/settings",
        "http://code.localhost/*/*/settings/archive",
        "http://code.localhost/*/*/settings/deploy_keys",
        "http://code.localhost/*/*/settings/deploy_keys/*/remove",
        "http://code.localhost/*/*/settings/tokens",
        "http://code.localhost/*/*/settings/tokens/*/revoke",
        "http://code.localhost/*/*/settings/visibility",
        "http://encyclopedia.localhost/article/*/watch",
        "http://encyclopedia.localhost/preferences",
        "http://forum.localhost/c/*/mod/**",
        "http://forum.localhost/comment/*/delete",
        "http://forum.localhost/notifications/read",
        "http://forum.localhost/post/*/delete",
        "http://forum.localhost/settings/*",
        "http://forum.localhost/signout",
        "http://forum.localhost/u/*/block",
        "http://hub.localhost/ads",
        "http://hub.localhost/apps/*/remove",
        "http://hub.localhost/communication",
        "http://hub.localhost/data/request",
        "http://hub.localhost/devices/**",
        "http://hub.localhost/privacy/*",
        "http://hub.localhost/profile",
        "http://hub.localhost/security/**",
        "http://hub.localhost/tokens/**",
        "http://map.localhost/lists",
        "http://map.localhost/lists/*/*",
        "http://map.localhost/place/*/review/delete",
        "http://map.localhost/place/*/save",
        "http://map.localhost/settings",
        "http://news.localhost/authors/*/follow",
        "http://news.localhost/cookies",
        "http://news.localhost/newsletters",
        "http://search.localhost/history/**",
        "http://search.localhost/settings",
        // The shop's own people at work: what they keep can be changed again.
        "http://shop-admin.localhost/customers/*",
        "http://shop-admin.localhost/orders/*/cancel",
        "http://shop-admin.localhost/products",
        "http://shop-admin.localhost/products/*",
        "http://shop-admin.localhost/promotions/**",
        "http://shop-admin.localhost/reviews/**",
        "http://shop.localhost/account/**",
        "http://shop.localhost/cart/*",
        "http://shop.localhost/newsletter/join",
        "http://shop.localhost/wishlist/*",
    ];

    /// Pages of one shape that are looked at: they have the same forms.
    const PAGES_OF_A_SHAPE: usize = 4;

    #[test]
    fn every_form_of_every_site_is_guarded_or_known_to_be_harmless() {
        let guarded = irreversible_requests();
        let harmless: Vec<GuardRule> =
            HARMLESS.iter().map(|url| GuardRule::new(Irreversible::ExternalPost, url)).collect();
        let names = |rules: &[GuardRule], url: &str| rules.iter().any(|rule| rule.matches("POST", url));
        let sent = sent_by_forms();
        let strange: Vec<&String> =
            sent.iter().filter(|url| !names(&guarded, url) && !names(&harmless, url)).collect();
        assert!(strange.is_empty(), "neither guarded nor harmless: {strange:#?}");
        let both: Vec<&String> =
            sent.iter().filter(|url| names(&guarded, url) && names(&harmless, url)).collect();
        assert!(both.is_empty(), "guarded and harmless: {both:#?}");
        // The walk got to the forms that matter.
        for wanted in ["/settings/deletion", "/submit", "/issues/new", "/review", "/talk", "/settings/delete"]
        {
            assert!(sent.iter().any(|url| url.contains(wanted)), "no form was found for {wanted}");
        }
    }

    /// Where the forms of all pages that links lead to send what is typed. What scripts send by themselves (votes, marks,
    /// single settings) and forms behind another form (checkouts, bookings) are not among them.
    fn sent_by_forms() -> BTreeSet<String> {
        let sites: Vec<String> = site_names().into_iter().map(str::to_owned).collect();
        let world = World::create(&sites, 7, &serde_json::Value::Null).expect("every site is known");
        let is_site = |url: &Url| site_hosts().iter().any(|(host, _)| url.host_str() == Some(host));
        let mut open: VecDeque<Url> = site_hosts()
            .iter()
            .map(|(host, _)| Url::parse(&format!("http://{host}/")).expect("an address"))
            .collect();
        let (mut seen, mut shapes) = (BTreeSet::new(), BTreeMap::<_, usize>::new());
        let mut sent = BTreeSet::new();
        while let Some(mut url) = open.pop_front() {
            url.set_fragment(None);
            if !is_site(&url) || !seen.insert(url.to_string()) {
                continue;
            }
            let alike = shapes.entry(shape(&url)).or_default();
            *alike += 1;
            if *alike > PAGES_OF_A_SHAPE {
                continue;
            }
            let request = http::Request::get(url.as_str()).body(Bytes::new()).expect("a request");
            let response = world.serve(request);
            let onwards =
                response.headers().get("location").and_then(|to| to.to_str().ok()).map(str::to_owned);
            let page = String::from_utf8_lossy(response.body()).into_owned();
            sent.extend(actions(&page).filter_map(|action| url.join(&action).ok()).map(String::from));
            open.extend(values(&page, "href").chain(onwards).filter_map(|way| url.join(&way).ok()));
        }
        sent
    }

    /// The first part of the path, how many there are, and the last one behind what stands for one thing of many.
    fn shape(url: &Url) -> (String, usize, String) {
        let parts: Vec<&str> = url.path().split('/').filter(|part| !part.is_empty()).collect();
        let last = if parts.len() > 2 { parts.last().copied().unwrap_or_default() } else { "" };
        let first = parts.first().copied().unwrap_or_default();
        (format!("{}/{first}", url.host_str().unwrap_or_default()), parts.len(), last.to_owned())
    }

    /// Where a page's forms send, as far as they change something.
    fn actions(page: &str) -> impl Iterator<Item = String> {
        let tags = page.split("<form").skip(1).filter_map(|rest| rest.split_once('>'));
        tags.filter(|(tag, _)| tag.contains("method=\"post\""))
            .map(|(tag, _)| values(tag, "action").next().unwrap_or_default())
    }

    /// The values of an attribute, in the order of the page.
    fn values<'a>(page: &'a str, attribute: &'a str) -> impl Iterator<Item = String> + 'a {
        page.split(attribute)
            .skip(1)
            .filter_map(|rest| rest.strip_prefix("=\"")?.split_once('"'))
            .map(|(value, _)| value.replace("&amp;", "&"))
    }
}
