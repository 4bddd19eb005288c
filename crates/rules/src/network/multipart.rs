//! `multipart/form-data` (RFC 7578), as browsers write it.

/// Names and values of the parts. The value of a file is its file name: a check is about which file was given.
pub(super) fn fields(body: &[u8], content_type: &str) -> Vec<(String, String)> {
    let Some(boundary) = parameter(content_type, "boundary") else { return Vec::new() };
    // The first delimiter stands at the start of the body; with a line break before it all are alike.
    let body = format!("\r\n{}", String::from_utf8_lossy(body));
    let delimiter = format!("\r\n--{boundary}");
    body.split(&delimiter)
        .skip(1)
        .take_while(|part| !part.starts_with("--"))
        .filter_map(|part| field(part.trim_start_matches([' ', '\t']).strip_prefix("\r\n")?))
        .collect()
}

fn field(part: &str) -> Option<(String, String)> {
    let (head, value) = part.split_once("\r\n\r\n")?;
    let disposition = head.split("\r\n").find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("content-disposition").then_some(value)
    })?;
    let value = parameter(disposition, "filename").unwrap_or_else(|| value.to_owned());
    Some((parameter(disposition, "name")?, value))
}

/// The value of a `; name=value` parameter, with or without quotes. Semicolons inside quotes do not end it.
fn parameter(header: &str, wanted: &str) -> Option<String> {
    let (_, mut rest) = header.split_once(';')?;
    loop {
        let (name, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => after.split_at(after.find(';').unwrap_or(after.len())),
        };
        if name.trim().eq_ignore_ascii_case(wanted) {
            // Browsers write a quote and a line break inside a name as percent escapes.
            return Some(value.trim().replace("%22", "\"").replace("%0D%0A", "\r\n"));
        }
        rest = next.trim_start().strip_prefix(';')?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "--XX\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nA -- b\r\nsecond line\r\n\
        --XX\r\ncontent-disposition: form-data; filename=\"a;b.png\"; name=\"photo\"\r\nContent-Type: image/png\r\n\r\n\u{1}\u{2}\r\n\
        --XX\r\nContent-Disposition: form-data; name=\"empty\"\r\n\r\n\r\n--XX--\r\n";

    #[test]
    fn parts() {
        let expected = [("title", "A -- b\r\nsecond line"), ("photo", "a;b.png"), ("empty", "")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        for content_type in
            ["multipart/form-data; boundary=XX", "multipart/form-data; charset=utf-8; Boundary=\"XX\""]
        {
            assert_eq!(fields(BODY.as_bytes(), content_type), expected, "{content_type}");
        }
    }

    #[test]
    fn what_is_not_multipart_has_no_fields() {
        for (body, content_type) in [
            (BODY, "multipart/form-data"),
            (BODY, "multipart/form-data; boundary=YY"),
            ("", "multipart/form-data; boundary=XX"),
            ("--XX", "multipart/form-data; boundary=XX"),
            ("--XX\r\n\r\n\r\n--XX--", "multipart/form-data; boundary=XX"),
            (
                "--XX\r\nContent-Disposition: form-data\r\n\r\nx\r\n--XX--",
                "multipart/form-data; boundary=\"XX",
            ),
        ] {
            assert_eq!(fields(body.as_bytes(), content_type), [], "{body:?} {content_type}");
        }
    }
}
