//! Pages a second from a served world: the front page of every host and the pages it links to, again and again, over
//! connections that stay open. The clients work on the same cores as the server.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const CLIENTS: usize = 4;
const LINKS_PER_HOST: usize = 12;
const LASTS: Duration = Duration::from_secs(5);
const PATIENCE: Duration = Duration::from_secs(10);

struct Page {
    host: String,
    path: String,
}

/// `status` is what `umpire --json worlds serve` printed.
pub fn measure(status: &str) -> Result<(), String> {
    let status: Value = serde_json::from_str(status).map_err(|error| error.to_string())?;
    let hosts: Vec<String> = status["sites"]
        .as_object()
        .into_iter()
        .flat_map(serde_json::Map::values)
        .filter_map(Value::as_array)
        .flatten()
        .filter_map(|url| url.as_str()?.strip_prefix("http://")?.strip_suffix('/').map(str::to_owned))
        .collect();
    let port = hosts.first().and_then(|host| host.rsplit(':').next()?.parse().ok());
    let port: u16 = port.ok_or("the status names no address")?;
    let pages = pages(&hosts, port)?;
    let started = Instant::now();
    let counts: Vec<Result<(usize, usize), String>> = std::thread::scope(|scope| {
        let pages = &pages;
        let clients: Vec<_> =
            (0..CLIENTS).map(|place| scope.spawn(move || ask_all(pages, place, port, started))).collect();
        clients
            .into_iter()
            .map(|client| client.join().unwrap_or_else(|_| Err("a client broke".to_owned())))
            .collect()
    });
    let seconds = started.elapsed().as_secs_f64();
    let (mut answered, mut bytes) = (0, 0);
    for count in counts {
        let (some, size) = count?;
        answered += some;
        bytes += size;
    }
    let line = json!({
        "pages": pages.len(),
        "hosts": hosts.len(),
        "requests": answered,
        "per_second": answered as f64 / seconds,
        "mean_kb": bytes as f64 / 1024.0 / answered.max(1) as f64,
    });
    println!("{line}");
    Ok(())
}

fn pages(hosts: &[String], port: u16) -> Result<Vec<Page>, String> {
    let mut pages = Vec::new();
    let mut client = Client::connect(port)?;
    for host in hosts {
        let front = client.get(&Page { host: host.clone(), path: "/".to_owned() })?;
        let front = String::from_utf8_lossy(&front.1);
        let mut paths = vec!["/"];
        for path in front.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let is_page = path.starts_with('/') && !path.contains('.') && !path.contains('&');
            if is_page && !paths.contains(&path) && paths.len() < LINKS_PER_HOST {
                paths.push(path);
            }
        }
        for path in paths {
            let page = Page { host: host.clone(), path: path.to_owned() };
            // A host for frames has no front page of its own.
            if client.get(&page)?.0 == 200 {
                pages.push(page);
            }
        }
    }
    if pages.is_empty() { Err("no page was found".to_owned()) } else { Ok(pages) }
}

/// Requests answered, and their bytes.
fn ask_all(pages: &[Page], place: usize, port: u16, started: Instant) -> Result<(usize, usize), String> {
    let mut client = Client::connect(port)?;
    let (mut answered, mut bytes) = (0, 0);
    let all = pages.iter().cycle().skip(place * pages.len() / CLIENTS);
    for page in all.take_while(|_| started.elapsed() < LASTS) {
        let (status, body) = client.get(page)?;
        if status != 200 {
            return Err(format!("http://{}{} answered {status}", page.host, page.path));
        }
        answered += 1;
        bytes += body.len();
    }
    Ok((answered, bytes))
}

struct Client(BufReader<TcpStream>);

impl Client {
    fn connect(port: u16) -> Result<Self, String> {
        let stream = TcpStream::connect(("127.0.0.1", port)).map_err(|error| error.to_string())?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(|error| error.to_string())?;
        stream.set_nodelay(true).map_err(|error| error.to_string())?;
        Ok(Self(BufReader::with_capacity(1 << 16, stream)))
    }

    fn get(&mut self, page: &Page) -> Result<(u16, Vec<u8>), String> {
        self.try_get(page).map_err(|error| format!("http://{}{}: {error}", page.host, page.path))
    }

    fn try_get(&mut self, page: &Page) -> std::io::Result<(u16, Vec<u8>)> {
        let request = format!("GET {} HTTP/1.1\r\nhost: {}\r\n\r\n", page.path, page.host);
        self.0.get_mut().write_all(request.as_bytes())?;
        let (mut status, mut length) = (0, 0);
        let mut line = String::new();
        loop {
            line.clear();
            self.0.read_line(&mut line)?;
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest.get(..3).and_then(|code| code.parse().ok()).unwrap_or_default();
            } else if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().unwrap_or_default();
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body)?;
        Ok((status, body))
    }
}
