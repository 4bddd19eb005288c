//! One program for all of these: linking each by itself would take longer than running them.

mod drawings;
mod formats;
mod har;
mod html;
mod page_in_browser;
mod plots;
mod plots_in_browser;
mod summary;
mod synthetic;
