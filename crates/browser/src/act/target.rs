//! From the way an action names its target to the element meant.

use umpire_model::Target;

use super::ActError;
use crate::observation::quoted;
use crate::{Element, Observation};

/// How many names an error offers instead.
const SUGGESTIONS: usize = 5;

/// What an action is aimed at.
#[derive(Clone, Debug)]
pub enum Aim<'o> {
    Element(&'o Element),
    Point { x: f64, y: f64 },
}

/// Finds the target among the elements seen. Names are compared with white space collapsed, and without regard to case
/// only if no name matches as written.
pub fn resolve<'o>(target: &Target, seen: &'o Observation) -> Result<Aim<'o>, ActError> {
    match target {
        Target::Point { x, y } => Ok(Aim::Point { x: *x, y: *y }),
        // Only the page can find these, see `locate`.
        Target::Css(_) | Target::XPath(_) => {
            Err(ActError::NotFound { wanted: target.to_string(), found: String::new() })
        }
        Target::Mark(mark) => seen.element(*mark).map(Aim::Element).ok_or_else(|| ActError::NotFound {
            wanted: target.to_string(),
            found: match seen.elements.last() {
                Some(last) => format!("; marks go from [1] to [{}]", last.mark),
                None => "; no element has a mark".to_owned(),
            },
        }),
        Target::Named { role, name, nth } => {
            let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
            let matching = |same: fn(&str, &str) -> bool| -> Vec<&'o Element> {
                let elements = seen.elements.iter();
                elements
                    .filter(|element| element.role.eq_ignore_ascii_case(role) && same(&element.name, &name))
                    .collect()
            };
            let mut found = matching(|a, b| a == b);
            if found.is_empty() {
                found = matching(|a, b| a.to_lowercase() == b.to_lowercase());
            }
            match (*nth as usize).checked_sub(1).and_then(|place| found.get(place)) {
                Some(element) => Ok(Aim::Element(element)),
                None if found.is_empty() => {
                    Err(ActError::NotFound { wanted: target.to_string(), found: closest(role, &name, seen) })
                }
                None => Err(ActError::NotFound {
                    wanted: target.to_string(),
                    found: format!("; there {}", count(found.len(), "such element")),
                }),
            }
        }
    }
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("is 1 {what}") } else { format!("are {number} {what}s") }
}

/// The nearest names, those of the role first: `; closest are button "Save", link "Saved items"`.
fn closest(role: &str, name: &str, seen: &Observation) -> String {
    let wanted = name.to_lowercase();
    let mut ranked: Vec<(usize, &Element)> = seen
        .elements
        .iter()
        .filter(|element| !element.name.is_empty())
        .map(|element| {
            let other_role = usize::from(!element.role.eq_ignore_ascii_case(role)) * 4;
            (distance(&wanted, &element.name.to_lowercase()) + other_role, element)
        })
        .filter(|(distance, element)| {
            element.role.eq_ignore_ascii_case(role) || *distance <= wanted.chars().count().max(8)
        })
        .collect();
    ranked.sort_by_key(|(distance, element)| (*distance, element.mark));
    let mut names: Vec<String> = Vec::new();
    for (_, element) in ranked {
        let name = format!("{} {}", element.role, quoted(&element.name));
        if !names.contains(&name) {
            names.push(name);
        }
        if names.len() == SUGGESTIONS {
            break;
        }
    }
    if names.is_empty() { String::new() } else { format!("; closest are {}", names.join(", ")) }
}

/// Edits from one name to another; a name inside the other is near whatever its length.
fn distance(a: &str, b: &str) -> usize {
    if !a.is_empty() && (a.contains(b) || b.contains(a)) {
        return 1;
    }
    // Long names differ enough in their beginnings.
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(80).collect(), b.chars().take(80).collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// How errors call an element.
pub(super) fn describe(element: &Element) -> String {
    format!("{} {}", element.role, quoted(&element.name))
}

#[cfg(test)]
mod tests {
    use umpire_model::{Rect, Viewport};

    use super::*;
    use crate::{ElementState, NodeRef};

    fn page(names: &[(&str, &str)]) -> Observation {
        let elements = names.iter().zip(1..).map(|((role, name), mark)| Element {
            mark,
            role: (*role).to_owned(),
            name: (*name).to_owned(),
            tag: String::new(),
            value: None,
            state: ElementState::default(),
            options: Vec::new(),
            href: None,
            rect: Rect { x: 0.0, y: 0.0, width: 1.0, height: 1.0 },
            visible: true,
            node: NodeRef { session: "s".into(), backend_node_id: i64::from(mark) },
        });
        Observation {
            url: String::new(),
            title: String::new(),
            tabs: Vec::new(),
            viewport: Viewport::default(),
            elements: elements.collect(),
            outline: String::new(),
            outline_marks: Vec::new(),
            screenshot: Vec::new(),
            dialogs: Vec::new(),
        }
    }

    fn mark(target: &str, seen: &Observation) -> Result<u32, String> {
        let umpire_model::Action::Click(target) = format!("click {target}").parse().expect("an action")
        else {
            unreachable!("a click was written");
        };
        match resolve(&target, seen) {
            Ok(Aim::Element(element)) => Ok(element.mark),
            Ok(Aim::Point { .. }) => Err("a point".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn targets_are_found_by_mark_name_and_place() {
        let seen =
            page(&[("button", "Delete"), ("link", "Delete"), ("button", "Delete"), ("button", "save")]);
        assert_eq!(mark("[2]", &seen), Ok(2));
        assert_eq!(mark("button \"Delete\"", &seen), Ok(1));
        assert_eq!(mark("button \"Delete\" #2", &seen), Ok(3));
        assert_eq!(mark("button \" Save \"", &seen), Ok(4));
    }

    #[test]
    fn exact_names_win_over_those_in_another_case() {
        let seen = page(&[("button", "SAVE"), ("button", "Save")]);
        assert_eq!(mark("button \"Save\"", &seen), Ok(2));
    }

    #[test]
    fn errors_name_what_is_there_instead() {
        let seen = page(&[("button", "Save changes"), ("link", "Privacy"), ("button", "Delete")]);
        let error = mark("button \"Save\"", &seen).expect_err("no such button");
        assert!(
            error.starts_with("there is no button \"Save\" on the page; closest are button \"Save changes\""),
            "{error}"
        );
        let error = mark("button \"Privacy\"", &seen).expect_err("it is a link");
        assert!(error.contains("link \"Privacy\""), "{error}");
        let error = mark("button \"Delete\" #3", &seen).expect_err("only one");
        assert!(error.ends_with("there is 1 such element"), "{error}");
        let error = mark("[9]", &seen).expect_err("only three");
        assert!(error.ends_with("marks go from [1] to [3]"), "{error}");
    }

    #[test]
    fn distances_are_edits() {
        for (a, b, edits) in
            [("kitten", "sitting", 3), ("", "abc", 3), ("save", "save", 1), ("flaw", "lawn", 2)]
        {
            assert_eq!(distance(a, b), edits, "{a} → {b}");
        }
    }
}
