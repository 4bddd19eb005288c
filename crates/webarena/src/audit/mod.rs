//! Task files under suspicion: checks that a wrong attempt passes or a right one fails.
