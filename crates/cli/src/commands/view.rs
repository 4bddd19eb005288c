use std::io::IsTerminal;
use std::path::Path;
use std::process::{Command, Stdio};

use umpire_store::Run;

use crate::commands::report::write_html;
use crate::exit::Exit;
use crate::failure::Failure;

/// Writes the report and opens it, where there is somebody to look at it.
pub fn view(run: &Run, out: &Path) -> Result<Exit, Failure> {
    let index = write_html(run, out)?;
    say!("{}", index.display());
    if std::io::stdout().is_terminal() {
        let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
        let shown = Command::new(opener).arg(&index).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !shown.is_ok_and(|status| status.success()) {
            say!("open it in a browser; {opener} did not");
        }
    }
    Ok(Exit::Ok)
}
