//! Runs on disk: written, read, torn, damaged, mended, merged.

mod blobs;
mod damage;
mod fixtures;
mod journal;
mod merge;
mod redaction;
mod runs;
