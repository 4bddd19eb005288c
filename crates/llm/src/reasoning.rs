//! Reasoning that a model writes into its reply between marks, which is not part of what it says.

const BEGIN: &str = "<think>";
const END: &str = "</think>";

/// The reply without it. Some servers swallow the opening mark, and a reply that was cut off lacks the closing one.
pub(crate) fn without_reasoning(reply: &str) -> String {
    let opened = reply.find(BEGIN);
    let mut rest = match reply.find(END) {
        Some(end) if opened.is_none_or(|begin| begin > end) => &reply[end + END.len()..],
        _ => reply,
    };
    let mut said = String::new();
    while let Some(begin) = rest.find(BEGIN) {
        said.push_str(&rest[..begin]);
        let thoughts = &rest[begin + BEGIN.len()..];
        rest = thoughts.find(END).map_or("", |end| &thoughts[end + END.len()..]);
    }
    said.push_str(rest);
    said.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_said_is_left() {
        for (reply, said) in [
            ("plain", "plain"),
            ("<think>hm</think>\n\nClick [3]", "Click [3]"),
            ("hm, so</think>Click [3]", "Click [3]"),
            ("a <think>b</think> c <think>d</think> e", "a  c  e"),
            ("<think>cut off", ""),
            ("said <think>cut off", "said"),
            ("", ""),
        ] {
            assert_eq!(without_reasoning(reply), said, "{reply}");
        }
    }
}
