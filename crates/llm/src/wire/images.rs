//! Images inside JSON: data URLs and base64 fields.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::Value;
use umpire_model::Media;

use super::Image;
use super::reading::{Read, no};

/// Shorter base64 is no picture.
const SHORTEST: usize = 64;

pub(super) fn data_url(image: &Image) -> String {
    format!("data:{};base64,{}", image.mime, STANDARD.encode(&image.content))
}

pub(super) fn base64_of(image: &Image) -> String {
    STANDARD.encode(&image.content)
}

pub(super) fn from_data_url(url: &str, place: &str) -> Read<Image> {
    let Some((mime, data)) = split_data_url(url) else {
        return Err(no(format!("{place}: an image by address cannot be translated; send it as a data URL")));
    };
    from_base64(mime, data, place)
}

pub(super) fn from_base64(mime: &str, data: &str, place: &str) -> Read<Image> {
    if !mime.starts_with("image/") {
        return Err(no(format!("{place}: `{mime}` is not an image, and nothing else can be translated")));
    }
    let content = STANDARD.decode(data).map_err(|_| no(format!("{place}: the image is not base64")))?;
    Ok(Image { mime: mime.to_owned(), content: Bytes::from(content) })
}

fn split_data_url(url: &str) -> Option<(&str, &str)> {
    url.strip_prefix("data:")?.split_once(";base64,")
}

/// The same request with `keep`'s name for each image in the image's place. Requests are compared, recorded and shown
/// this way: a screenshot as base64 is a third longer than itself and says nothing to a reader.
pub(crate) fn without_images(body: &Value, keep: &mut dyn FnMut(Media, &[u8]) -> String) -> Value {
    match body {
        Value::String(text) => match split_data_url(text).and_then(|(mime, data)| kept(mime, data, keep)) {
            Some(name) => Value::String(name),
            None => body.clone(),
        },
        Value::Array(items) => items.iter().map(|item| without_images(item, keep)).collect(),
        Value::Object(fields) => {
            let mime = ["media_type", "mimeType", "mime_type"]
                .into_iter()
                .find_map(|name| fields.get(name)?.as_str());
            let one = |(name, value): (&String, &Value)| {
                let image =
                    mime.filter(|_| name == "data").and_then(|mime| kept(mime, value.as_str()?, keep));
                (name.clone(), image.map_or_else(|| without_images(value, keep), Value::String))
            };
            Value::Object(fields.iter().map(one).collect())
        }
        _ => body.clone(),
    }
}

fn kept(mime: &str, data: &str, keep: &mut dyn FnMut(Media, &[u8]) -> String) -> Option<String> {
    if data.len() < SHORTEST {
        return None;
    }
    let media = match mime {
        "image/png" => Media::Png,
        "image/jpeg" | "image/jpg" => Media::Jpeg,
        mime if mime.starts_with("image/") => Media::Bytes,
        _ => return None,
    };
    Some(keep(media, &STANDARD.decode(data).ok()?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_spelling_of_an_image_is_replaced_and_nothing_else() {
        let image = Image { mime: "image/png".into(), content: Bytes::from(vec![7; 100]) };
        let (url, data) = (data_url(&image), base64_of(&image));
        let body = json!({
            "a": {"image_url": {"url": url}}, "b": [{"type": "base64", "media_type": "image/png", "data": data}],
            "c": {"inlineData": {"mimeType": "image/jpeg", "data": data}}, "d": {"data": data, "mimeType": "text/plain"},
            "e": {"data": data}, "f": "data:image/png;base64,!!!", "g": 5
        });
        let mut seen = Vec::new();
        let clean = without_images(&body, &mut |media, content| {
            seen.push((media, content.len()));
            "kept".to_owned()
        });
        assert_eq!(seen, [(Media::Png, 100), (Media::Png, 100), (Media::Jpeg, 100)]);
        assert_eq!(clean["a"]["image_url"]["url"], "kept");
        assert_eq!(clean["b"][0]["data"], "kept");
        assert_eq!(clean["c"]["inlineData"]["data"], "kept");
        for untouched in ["d", "e", "f", "g"] {
            assert_eq!(clean[untouched], body[untouched], "{untouched}");
        }
    }

    #[test]
    fn an_image_survives_its_data_url() {
        let image = Image { mime: "image/jpeg".into(), content: Bytes::from_static(&[0, 255, 1, 2]) };
        assert_eq!(from_data_url(&data_url(&image), "here"), Ok(image));
        for url in [
            "https://example.org/a.png",
            "data:image/png,abc",
            "data:image/png;base64,%",
            "data:text/html;base64,AAAA",
        ] {
            assert!(from_data_url(url, "here").is_err(), "{url}");
        }
    }
}
