//! Child processes that cannot outlive the runner
