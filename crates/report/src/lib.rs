//! Tables and pages of a run
