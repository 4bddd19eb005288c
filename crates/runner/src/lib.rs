//! Plan, schedule, resume
