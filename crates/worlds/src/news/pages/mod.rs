//! The paper's pages, one file per family.

pub(super) mod article;
pub(super) mod authors;
pub(super) mod boxes;
pub(super) mod front;
pub(super) mod layout;
pub(super) mod lists;
pub(super) mod reader;
