//! Pictures: an avatar for every account and group, a mark for every project.

/// Initials on a ground whose colour follows from the name.
pub fn avatar(name: &str) -> String {
    const GROUNDS: [&str; 8] =
        ["#155e63", "#8a4b2a", "#4d5b8c", "#6b7a2f", "#7d3c5d", "#2f6f4f", "#a0672b", "#52616b"];
    let sum = name.bytes().fold(7_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
    let ground = GROUNDS[sum % GROUNDS.len()];
    let letters: String = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter_map(|word| word.chars().next())
        .take(2)
        .map(|c| c.to_ascii_uppercase())
        .collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 40 40\"><rect width=\"40\" height=\"40\" rx=\"6\" \
         fill=\"{ground}\"/><text x=\"20\" y=\"26\" font-family=\"sans-serif\" font-size=\"16\" font-weight=\"600\" \
         fill=\"#fdf8ef\" text-anchor=\"middle\">{letters}</text></svg>"
    )
}
