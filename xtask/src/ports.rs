//! Sockets that listen for TCP, as `/proc` shows them: each by its inode, which is another one when a port is used again.

use std::collections::BTreeSet;
use std::fs;

/// How `/proc/net/tcp` writes that a socket listens.
const LISTENS: &str = "0A";

/// All of this machine.
pub fn listening() -> BTreeSet<u64> {
    let tables =
        ["/proc/net/tcp", "/proc/net/tcp6"].map(|table| fs::read_to_string(table).unwrap_or_default());
    let inode = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        (fields.get(3) == Some(&LISTENS)).then(|| fields.get(9)?.parse().ok()).flatten()
    };
    tables.iter().flat_map(|table| table.lines().filter_map(inode)).collect()
}

/// Those that a process holds.
pub fn listening_of(process: u32) -> BTreeSet<u64> {
    let listening = listening();
    let held = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let inodes = held.filter_map(|file| {
        let target = fs::read_link(file.path()).ok()?;
        target.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
    });
    inodes.filter(|inode| listening.contains(inode)).collect()
}

#[cfg(test)]
mod check {
    use super::*;

    #[test]
    fn a_listener_is_seen_until_it_is_closed() {
        let before = listening_of(std::process::id());
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let with = listening_of(std::process::id());
        let new: Vec<&u64> = with.difference(&before).collect();
        assert_eq!(new.len(), 1, "{with:?}");
        drop(listener);
        assert!(!listening().contains(new[0]));
    }
}
