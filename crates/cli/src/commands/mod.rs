//! One file per command.

pub mod confine;
pub mod demo;
pub mod doctor;
pub mod evaluate;
pub mod init;
pub mod report;
pub mod run;
pub mod show;
pub mod suite;
pub mod view;
