//! The onlooker as it is compiled from `extension/src`: the files of the extension, and the same scripts by themselves.

use std::fs;
use std::io;
use std::path::Path;

use umpire_browser::OnlookerScripts;

macro_rules! dist {
    ($path:literal) => {
        ($path, include_str!(concat!("../../../../extension/dist/", $path)))
    };
}

const AMONG_PAGE: (&str, &str) = dist!("main-world.js");

/// What only the extension has.
const AROUND: [(&str, &str); 8] = [
    dist!("manifest.json"),
    dist!("worker/worker.js"),
    dist!("worker/recording.js"),
    dist!("worker/pictures.js"),
    dist!("worker/secrets.js"),
    dist!("popup/popup.html"),
    dist!("popup/popup.css"),
    dist!("popup/popup.js"),
];

macro_rules! icon {
    ($path:literal) => {
        ($path, include_bytes!(concat!("../../../../extension/dist/", $path)))
    };
}

const ICONS: [(&str, &[u8]); 4] =
    [icon!("icons/16.png"), icon!("icons/32.png"), icon!("icons/48.png"), icon!("icons/128.png")];

/// The parts of the script that works apart from the page; the last one starts it.
const APART: [(&str, &str); 19] = [
    dist!("page/channel.js"),
    dist!("page/roots.js"),
    dist!("page/roles.js"),
    dist!("page/names.js"),
    dist!("page/addresses.js"),
    dist!("page/secrets.js"),
    dist!("page/controls.js"),
    dist!("page/locators.js"),
    dist!("page/portrait.js"),
    dist!("page/frames.js"),
    dist!("page/settle.js"),
    dist!("page/deeds.js"),
    dist!("page/clicks.js"),
    dist!("page/typing.js"),
    dist!("page/keys.js"),
    dist!("page/scrolls.js"),
    dist!("page/dialogs.js"),
    dist!("page/journeys.js"),
    dist!("page/start.js"),
];

/// For injection over the protocol.
pub fn onlooker_scripts() -> OnlookerScripts {
    let parts: String = APART.iter().map(|(_, source)| *source).collect();
    OnlookerScripts { among_page: AMONG_PAGE.1.to_owned(), apart: format!("(() => {{\n{parts}}})();\n") }
}

/// Writes the unpacked extension into a folder.
pub fn unpack_extension(folder: &Path) -> io::Result<()> {
    let texts = AROUND.iter().chain(&APART).chain([&AMONG_PAGE]);
    let texts = texts.map(|(path, content)| (*path, content.as_bytes()));
    for (path, content) in texts.chain(ICONS) {
        let path = folder.join(path);
        if let Some(above) = path.parent() {
            fs::create_dir_all(above)?;
        }
        fs::write(path, content)?;
    }
    Ok(())
}
