//! Texts with names to be filled in, as prompts are written: `{{task}}`.

/// A name in a template that nobody fills in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no `{{{{{name}}}}}` here; known are {}", known.join(", "))]
pub struct UnknownName {
    /// From 1.
    pub line: usize,
    pub name: String,
    pub known: Vec<String>,
}

/// A template with its names filled in. What is filled in is not looked at again, so text of a page cannot ask for
/// anything.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        text.push_str(before);
        let Some((name, after)) = after.split_once("}}") else {
            text.push_str("{{");
            rest = after;
            continue;
        };
        text.push_str(values.iter().find(|(known, _)| *known == name.trim()).map_or("", |(_, value)| value));
        rest = after;
    }
    text.push_str(rest);
    text.trim().to_owned()
}

/// Finds names that are not known, before anything is asked.
pub fn check(template: &str, names: &[&str]) -> Result<(), UnknownName> {
    for (number, line) in template.lines().enumerate() {
        for after in line.split("{{").skip(1) {
            let name = after.split("}}").next().unwrap_or_default().trim();
            if !names.contains(&name) {
                return Err(UnknownName {
                    line: number + 1,
                    name: name.to_owned(),
                    known: names.iter().map(|name| (*name).to_owned()).collect(),
                });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_not_looked_at_again() {
        assert_eq!(
            fill("Do {{ task }}, then {{task}}.", &[("task", "{{task}}")]),
            "Do {{task}}, then {{task}}."
        );
        assert_eq!(fill("{{unknown}}x {{ y", &[]), "x {{ y");
    }

    #[test]
    fn an_unknown_name_is_told_with_its_line() {
        assert_eq!(check("{{a}}\n{{ b }}", &["a", "b"]), Ok(()));
        let error = check("{{a}}\n{{c}}", &["a", "b"]).expect_err("unknown");
        assert_eq!((error.line, error.to_string().as_str()), (2, "there is no `{{c}}` here; known are a, b"));
    }
}
