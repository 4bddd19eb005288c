//! A network of its own for a Chromium, so that it really is elsewhere: its loopback is not ours.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use super::elsewhere::{Elsewhere, Ending};

/// Passes connections to a port on to the same port of the loopback.
const RELAY: &str = "
import socket, sys, threading
host, port = sys.argv[1], int(sys.argv[2])
def pump(a, b):
    try:
        while data := a.recv(65536):
            b.sendall(data)
    except OSError:
        pass
    for end in (a, b):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
listener = socket.create_server((host, port))
print('ready', flush=True)
while True:
    near, _ = listener.accept()
    far = socket.create_connection(('127.0.0.1', port))
    for pair in ((near, far), (far, near)):
        threading.Thread(target=pump, args=pair, daemon=True).start()
";

/// A network namespace, and a wire to it. Both go with this.
pub struct World {
    name: String,
    subnet: u8,
}

fn ip(arguments: &[&str]) -> bool {
    let done = Command::new("ip").args(arguments).output();
    done.is_ok_and(|output| output.status.success())
}

impl World {
    /// `None`, with a notice, where that is not permitted.
    pub fn make() -> Option<Self> {
        let subnet = (std::process::id() % 200) as u8 + 20;
        let world = Self { name: format!("umpire{}", std::process::id()), subnet };
        let (name, wire, far) = (world.name.as_str(), format!("uw{subnet}"), format!("ux{subnet}"));
        let (near_address, far_address) = (format!("{}/24", world.near()), format!("{}/24", world.far()));
        let is_made = ip(&["netns", "add", name])
            && ip(&["link", "add", &wire, "type", "veth", "peer", "name", &far, "netns", name])
            && ip(&["addr", "add", &near_address, "dev", &wire])
            && ip(&["link", "set", &wire, "up"])
            && ip(&["-n", name, "addr", "add", &far_address, "dev", &far])
            && ip(&["-n", name, "link", "set", &far, "up"])
            && ip(&["-n", name, "link", "set", "lo", "up"]);
        if !is_made {
            println!("skipped: network namespaces are not permitted here");
            return None;
        }
        Some(world)
    }

    /// This machine, as seen from there.
    pub fn near(&self) -> String {
        format!("10.213.{}.1", self.subnet)
    }

    fn far(&self) -> String {
        format!("10.213.{}.2", self.subnet)
    }

    fn inside(&self) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.name]);
        command
    }

    /// A Chromium in there, and what makes its port, which listens to its own loopback alone, known to others.
    pub fn chromium(&self) -> (Elsewhere, Ending) {
        let mut command = self.inside();
        command.arg(umpire_browser::chromium::find(None).expect("a Chromium"));
        let mut elsewhere = Elsewhere::with(command, &[]);
        let port = elsewhere.authority().rsplit(':').next().expect("a port").to_owned();
        let mut relay = self.inside();
        relay.args(["python3", "-c", RELAY, &self.far(), &port]).stdout(Stdio::piped());
        let mut relay = Ending::start(&mut relay).expect("python3 starts");
        let mut ready = String::new();
        let said = relay.0.stdout.take().expect("piped");
        BufReader::new(said).read_line(&mut ready).expect("it says that it listens");
        elsewhere.socket = elsewhere.socket.replace("127.0.0.1", &self.far());
        (elsewhere, relay)
    }

    /// Ports on which this process listens to everybody.
    pub fn gate_ports() -> Vec<u16> {
        let listed = Command::new("ss").args(["-Hltnp"]).output().expect("ss runs");
        let own = format!("pid={},", std::process::id());
        let text = String::from_utf8_lossy(&listed.stdout).into_owned();
        let open = text.lines().filter(|line| line.contains(&own));
        let local = open.filter_map(|line| line.split_whitespace().nth(3));
        local
            .filter(|address| !address.starts_with("127."))
            .filter_map(|address| address.rsplit(':').next()?.parse().ok())
            .collect()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        ip(&["link", "del", &format!("uw{}", self.subnet)]);
        ip(&["netns", "del", &self.name]);
    }
}
