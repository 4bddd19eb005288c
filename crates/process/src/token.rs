use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _};

/// 128 random bits in hexadecimal: part of an address that must not be guessed by other processes of this machine.
pub fn random_token() -> io::Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    }))
}
