//! Lines of the form `Label: value`, in all the ways models write them.

use regex::Regex;

use crate::answer::json::{self, JsonProblem};
use serde_json::{Map, Value};

/// The prose of an answer and the JSON objects in it, kept apart: a line inside an object is not a line of the answer.
pub(super) struct Parts {
    /// The answer with every object blanked out; all places stay what they were.
    pub prose: String,
    pub objects: Vec<Map<String, Value>>,
}

impl Parts {
    pub(super) fn of(answer: &str) -> Result<Self, JsonProblem> {
        let mut prose = answer.to_owned();
        let mut objects = Vec::new();
        for (place, object) in json::objects(answer)? {
            let blank = answer[place.clone()].replace(|c: char| c != '\n', " ");
            // A blank is one byte for each byte of the object, so that places found later are places of the answer.
            let width = place.len();
            let blank = format!("{blank:<width$}");
            prose.replace_range(place.clone(), &blank[..width]);
            objects.push(object);
        }
        Ok(Self { prose, objects })
    }
}

/// A label at the beginning of a line, with its value.
pub(super) struct Labelled<'a> {
    pub value: &'a str,
    /// The whole line, or both lines where the value stands under its label.
    pub place: std::ops::Range<usize>,
}

/// The pattern of a label: marks of lists, headings and emphasis before it, a colon of either width after it.
pub(super) fn label(name: &str) -> Regex {
    // `>` and quotation marks are missing among the marks on purpose: a quoted line is somebody else's.
    let pattern = format!(
        r"(?i)^[\s*_#\-+•`\[(|]*(?:[0-9]+\s*[.)][\s*_]*)?{name}[\s*_`\x22'”]*(?:[:：](?P<value>.*)|(?P<bare>))$"
    );
    Regex::new(&pattern).expect("built from constants")
}

/// All lines with the label. A label that stands alone, as headings do, has the next line that is not empty as its value,
/// if that is as short as a value is.
pub(super) fn labelled<'a>(text: &'a str, label: &Regex) -> Vec<Labelled<'a>> {
    let mut found = Vec::new();
    let mut lines = places_of_lines(text).into_iter().peekable();
    while let Some(line) = lines.next() {
        let Some(parts) = label.captures(&text[line.clone()]) else { continue };
        let value = parts.name("value").map_or("", |value| value.as_str());
        if value.contains(char::is_alphanumeric) {
            found.push(Labelled { value, place: line });
            continue;
        }
        while lines.next_if(|next| text[next.clone()].trim().is_empty()).is_some() {}
        let is_short = |text: &str| {
            (1..=2).contains(&text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).count())
        };
        if let Some(next) = lines.peek().cloned().filter(|next| is_short(&text[next.clone()])) {
            found.push(Labelled { value: &text[next.clone()], place: line.start..next.end });
        }
    }
    found
}

fn places_of_lines(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut start = 0;
    let mut places = Vec::new();
    for line in text.split_inclusive('\n') {
        let end = start + line.trim_end_matches(['\n', '\r']).len();
        places.push(start..end);
        start += line.len();
    }
    places
}
