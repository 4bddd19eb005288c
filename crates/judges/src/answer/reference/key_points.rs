use super::python;

/// The list of key points as the release passes it on. A heading of another spelling leaves its marks behind.
pub fn key_points(answer: &str) -> String {
    // One pass, not until none is left: three line breaks become two.
    let answer = answer.replace("\n\n", "\n");
    let list = match answer.split("**Key Points**:").nth(1) {
        Some(after) => after,
        None => answer.rsplit("Key Points:").next().unwrap_or_default(),
    };
    let lines = python::lines(list).into_iter().map(|line| line.trim_start_matches(python::is_space));
    lines.collect::<Vec<_>>().join("\n")
}
