//! Keeps freed memory for the next attempt's step instead of giving it back to the system.
//!
//! An observation of a large page needs a few megabytes for some milliseconds, step after step. With the C library's
//! defaults, every one of these blocks may be mapped, cleared page by page, and unmapped again, which took up to a third
//! of an observation's time; whether it did depended on chance.
//!
//! The one unsafe call of this file sets two thresholds of the allocator. It is sound as long as no other thread allocates
//! yet with assumptions about them, and no allocator makes any; callers use it first thing in `main` all the same.
#![allow(unsafe_code)]

/// Blocks up to this size come from the heap, which is reused, and not from a mapping of their own.
#[cfg(target_env = "gnu")]
const LARGEST_REUSED: i32 = 32 << 20;
/// So much may lie unused at the end of the heap before it is given back.
#[cfg(target_env = "gnu")]
const LARGEST_KEPT: i32 = 64 << 20;

/// Without effect where the C library is another.
pub fn keep_freed_memory() {
    #[cfg(target_env = "gnu")]
    // SAFETY: `mallopt` takes two integers and changes thresholds only; it refuses values it does not know.
    unsafe {
        nix::libc::mallopt(nix::libc::M_MMAP_THRESHOLD, LARGEST_REUSED);
        nix::libc::mallopt(nix::libc::M_TRIM_THRESHOLD, LARGEST_KEPT);
    }
}
