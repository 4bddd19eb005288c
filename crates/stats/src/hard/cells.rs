//! Attempts put together as the likelihood meets them.

use super::attempts::{Pool, Row};

/// What attempts share that differ in nothing but their task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cell {
    pub agent: u32,
    pub steps: u32,
    pub exhausted: bool,
}

impl Cell {
    fn of(row: &Row) -> Self {
        Self { agent: row.agent as u32, steps: row.steps, exhausted: row.exhausted }
    }

    /// Every cell of a pool once, in order.
    pub fn all_of(pool: &Pool) -> Vec<Self> {
        let mut cells: Vec<Self> = pool.rows.iter().map(Self::of).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

/// Attempts of one outcome, by task.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// Those of task `t` are at `starts[t]..starts[t + 1]`.
    pub starts: Vec<u32>,
    pub cells: Vec<u32>,
    pub tasks: Vec<u32>,
}

impl Rows {
    pub fn of(pool: &Pool, cells: &[Cell], success: bool) -> Self {
        let mut rows = Self { starts: vec![0], ..Self::default() };
        let mut kept = pool.rows.iter().filter(|row| row.success == success).peekable();
        for task in 0..pool.tasks.len() {
            while let Some(row) = kept.next_if(|row| row.task == task) {
                let cell = cells.partition_point(|other| *other < Cell::of(row));
                rows.cells.push(cell as u32);
                rows.tasks.push(task as u32);
            }
            rows.starts.push(rows.cells.len() as u32);
        }
        rows
    }
}
