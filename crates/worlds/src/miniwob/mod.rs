//! `MiniWoB++` as a foreign world: pages that set a small task, and reward it, by themselves.
//!
//! The pages are not ours. They come in the `html` folder of the Python package `miniwob`, whose files a suite names by
//! folder and digest; [`Folder`] reads them once and serves them from memory on an origin of their own. [`import`] makes a
//! suite of such a folder, one task an environment, one initial state a seed. [`Episode`] is what such a state asks for; it
//! is begun as the package's own Python environment does it.

mod environments;
mod episode;
mod folder;
mod import;

pub use episode::{Episode, NotAnEpisode, Report};
pub use folder::{Folder, FolderError};
pub use import::{ImportError, ImportOptions, Imported, import};

/// Where the pages are served.
pub const HOST: &str = "miniwob.localhost";
/// The name of the world's one site.
pub const SITE: &str = "miniwob";
