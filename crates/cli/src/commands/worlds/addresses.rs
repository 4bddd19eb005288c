//! The sites name each other by host alone, as on port 80. On another port, their answers have to say it, and what
//! browsers send has to lose it again.

use http::header::{CONTENT_TYPE, LOCATION};
use hyper::body::Bytes;

/// Adds the port to the built-in hosts in an answer: where it redirects to, and what its text links to.
pub fn with_port(response: &mut http::Response<Bytes>, hosts: &[&str], port: u16) {
    let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
    if let Some(Ok(moved)) = location.map(|target| add_port(target, hosts, port).parse()) {
        response.headers_mut().insert(LOCATION, moved);
    }
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_text = ["text/", "application/json"].iter().any(|text| kind.starts_with(text));
    if is_text && let Ok(text) = std::str::from_utf8(response.body()) {
        *response.body_mut() = add_port(text, hosts, port).into();
    }
}

fn add_port(text: &str, hosts: &[&str], port: u16) -> String {
    let mut changed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("http://") {
        let (before, address) = rest.split_at(at + "http://".len());
        changed.push_str(before);
        let end = address.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-')));
        let (host, behind) = address.split_at(end.unwrap_or(address.len()));
        changed.push_str(host);
        if hosts.contains(&host) && !behind.starts_with(':') {
            changed.push(':');
            changed.push_str(&port.to_string());
        }
        rest = behind;
    }
    changed + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_built_in_hosts_get_the_port() {
        let hosts = ["shop.localhost", "hub.localhost"];
        for (before, after) in [
            ("<a href=\"http://shop.localhost/c/x\">", "<a href=\"http://shop.localhost:81/c/x\">"),
            ("const A = \"http://hub.localhost\";", "const A = \"http://hub.localhost:81\";"),
            ("http://shop.localhost:90/", "http://shop.localhost:90/"),
            (
                "http://my-shop.localhost/ http://www.w3.org/2000/svg",
                "http://my-shop.localhost/ http://www.w3.org/2000/svg",
            ),
            ("http://", "http://"),
            ("é http://shop.localhost", "é http://shop.localhost:81"),
        ] {
            assert_eq!(add_port(before, &hosts, 81), after);
        }
    }

    #[test]
    fn redirects_and_text_change_and_pictures_do_not() {
        let response = |kind: &str| {
            let builder = http::Response::builder().header(LOCATION, "http://hub.localhost/x");
            builder
                .header(CONTENT_TYPE, kind)
                .body(Bytes::from_static(b"http://hub.localhost"))
                .expect("response")
        };
        let mut page = response("text/html; charset=utf-8");
        with_port(&mut page, &["hub.localhost"], 81);
        assert_eq!(page.headers()[LOCATION], "http://hub.localhost:81/x");
        assert_eq!(page.body(), "http://hub.localhost:81");
        let mut picture = response("image/svg+xml");
        with_port(&mut picture, &["hub.localhost"], 81);
        assert_eq!(picture.body(), "http://hub.localhost");
    }
}
