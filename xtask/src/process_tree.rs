//! A process with all its descendants, as `/proc` shows them.

use std::collections::BTreeMap;
use std::fs;

/// Clock ticks in a second, as Linux tells processes of theirs on every machine it runs on.
const TICKS: f64 = 100.0;

/// Process ids of a process and all its descendants.
pub fn tree(root: u32) -> Vec<u32> {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let pid = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok());
        if let Some(pid) = pid
            && let Some(parent) = field(&pid.to_string(), 1)
        {
            children.entry(parent as u32).or_default().push(pid);
        }
    }
    let mut found = vec![root];
    let mut next = 0;
    while let Some(pid) = found.get(next).copied() {
        found.extend(children.get(&pid).into_iter().flatten());
        next += 1;
    }
    found
}

/// A figure behind the name in a process's `stat`, counted from its state.
fn field(process: &str, place: usize) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(place)?.parse().ok()
}

/// Proportional memory of these processes, in MiB.
pub fn memory_mb(processes: &[u32]) -> f64 {
    let of_one = |pid: &u32| {
        let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
        let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        line.split_whitespace().next()?.parse::<f64>().ok()
    };
    processes.iter().filter_map(of_one).sum::<f64>() / 1024.0
}

/// CPU time by what processes are for, as far as it was seen before they ended.
#[derive(Default)]
pub struct CpuByKind(BTreeMap<u32, (String, f64)>);

impl CpuByKind {
    pub fn look(&mut self, processes: &[u32]) {
        for pid in processes {
            let name = pid.to_string();
            let Some(kind) = kind_of(&name) else { continue };
            let ticks = [11, 12].map(|place| field(&name, place).unwrap_or_default());
            self.0.insert(*pid, (kind, ticks.iter().sum::<u64>() as f64 / TICKS));
        }
    }

    /// Seconds by kind, most first.
    pub fn seconds(&self) -> Vec<(String, f64)> {
        let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
        for (kind, seconds) in self.0.values() {
            *sums.entry(kind).or_default() += seconds;
        }
        let mut sums: Vec<_> = sums.into_iter().map(|(kind, seconds)| (kind.to_owned(), seconds)).collect();
        sums.sort_by(|a, b| b.1.total_cmp(&a.1));
        sums
    }
}

/// What Chromium says a process of its own is for, or the program's name; none of a process that is ending.
fn kind_of(process: &str) -> Option<String> {
    let line = fs::read(format!("/proc/{process}/cmdline")).ok()?;
    let line = String::from_utf8_lossy(&line).replace('\0', " ");
    let program = line.split_whitespace().next()?.rsplit('/').next()?.to_owned();
    let kind = line.split_whitespace().find_map(|word| word.strip_prefix("--type="));
    Some(kind.map_or(program, str::to_owned))
}
