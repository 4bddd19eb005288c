//! The subset file: a list of tasks with a checksum that shows whether somebody changed it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use umpire_model::Digest;

#[derive(Debug, thiserror::Error)]
pub enum SubsetError {
    #[error("the subset file cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    #[error("a subset needs at least one task")]
    Empty,
    #[error("a subset names a task once")]
    DuplicateTask,
    #[error("the task ids do not have the checksum the file states: expected {computed}, found {stated}")]
    Checksum { computed: String, stated: String },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subset {
    #[serde(default)]
    pub description: Option<String>,
    pub task_ids: Vec<i64>,
    pub checksum: String,
}

impl Subset {
    /// Makes a subset of these tasks.
    pub fn new(description: Option<String>, task_ids: Vec<i64>) -> Result<Self, SubsetError> {
        let checksum = checksum(&task_ids);
        Self { description, task_ids, checksum }.checked()
    }

    /// Reads a subset file.
    pub fn from_json(json: &[u8]) -> Result<Self, SubsetError> {
        serde_json::from_slice::<Self>(json)?.checked()
    }

    fn checked(self) -> Result<Self, SubsetError> {
        if self.task_ids.is_empty() {
            return Err(SubsetError::Empty);
        }
        let distinct: BTreeSet<i64> = self.task_ids.iter().copied().collect();
        if distinct.len() != self.task_ids.len() {
            return Err(SubsetError::DuplicateTask);
        }
        let computed = checksum(&self.task_ids);
        if computed != self.checksum {
            return Err(SubsetError::Checksum { computed, stated: self.checksum });
        }
        Ok(self)
    }
}

/// The SHA-256 of the sorted ids as a JSON array without spaces.
fn checksum(task_ids: &[i64]) -> String {
    let mut sorted = task_ids.to_vec();
    sorted.sort_unstable();
    let ids: Vec<String> = sorted.iter().map(i64::to_string).collect();
    Digest::of(format!("[{}]", ids.join(",")).as_bytes()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_sorted_ids() {
        // sha256sum of the seven bytes `[1,2,3]`.
        const OF_1_2_3: &str = "a615eeaee21de5179de080de8c3052c8da901138406ba71c38c032845f7d54f4";
        let subset = Subset::new(None, vec![3, 1, 2]).expect("a subset");
        assert_eq!(subset.checksum, OF_1_2_3);
        let json = serde_json::to_vec(&subset).expect("JSON");
        assert_eq!(Subset::from_json(&json).expect("the same"), subset);
    }

    #[test]
    fn changed_empty_and_repeating_subsets_are_refused() {
        assert!(matches!(Subset::new(None, vec![]), Err(SubsetError::Empty)));
        assert!(matches!(Subset::new(None, vec![1, 1]), Err(SubsetError::DuplicateTask)));
        let changed = br#"{"task_ids": [1], "checksum": "0"}"#;
        assert!(matches!(Subset::from_json(changed), Err(SubsetError::Checksum { .. })));
        let unknown_key = br#"{"task_ids": [1], "checksum": "0", "name": "x"}"#;
        assert!(matches!(Subset::from_json(unknown_key), Err(SubsetError::Json(_))));
    }
}
