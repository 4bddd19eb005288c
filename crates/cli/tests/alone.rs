//! A run on one machine needs no server: the runner calls nobody, and only its own browser can call it.

use std::collections::BTreeSet;
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{folder, umpire};

const LIMIT: Duration = Duration::from_mins(2);
/// As `/proc/net/tcp` writes it.
const LISTENS: &str = "0A";
const LOOPBACK: [&str; 2] = ["0100007F", "00000000000000000000000001000000"];

/// One of a process's TCP sockets.
#[derive(Debug)]
struct Socket {
    address: String,
    port: String,
    listens: bool,
}

fn sockets_of(process: u32) -> Vec<Socket> {
    let held: BTreeSet<String> = fs::read_dir(format!("/proc/{process}/fd"))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|file| fs::read_link(file.path()).ok())
        .filter_map(|link| Some(link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned()))
        .collect();
    let tables =
        ["/proc/net/tcp", "/proc/net/tcp6"].map(|table| fs::read_to_string(table).unwrap_or_default());
    let socket = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (address, port) = fields.get(1)?.split_once(':')?;
        held.contains(*fields.get(9)?).then(|| Socket {
            address: address.to_owned(),
            port: port.to_owned(),
            listens: fields[3] == LISTENS,
        })
    };
    tables.iter().flat_map(|table| table.lines().filter_map(socket)).collect()
}

#[test]
fn a_run_without_a_fleet_calls_nobody_and_listens_to_its_own_machine_alone() {
    let folder = folder();
    let mut command = umpire(folder.path());
    command.args(["run", "--suite", "smoke", "--agent", "oracle", "--filter", "id=hub-password-age"]);
    let mut runner = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("umpire starts");
    let began = Instant::now();
    let (mut own_ports, mut others) = (BTreeSet::new(), Vec::new());
    let status = loop {
        for socket in sockets_of(runner.id()) {
            if socket.listens {
                assert!(LOOPBACK.contains(&socket.address.as_str()), "open to others: {socket:?}");
                own_ports.insert(socket.port);
            } else {
                others.push(socket);
            }
        }
        if let Some(status) = runner.try_wait().expect("asked") {
            break status;
        }
        if began.elapsed() > LIMIT {
            let _ = (runner.kill(), runner.wait());
            panic!("the run does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    assert!(status.success(), "{status}");
    assert!(!own_ports.is_empty(), "the browser's way out was not seen, so nothing was");
    // A connection that somebody made to us is at one of our ports; any other is one that we made.
    let made: Vec<&Socket> = others.iter().filter(|socket| !own_ports.contains(&socket.port)).collect();
    assert!(made.is_empty(), "the runner called somebody: {made:?}");
}
