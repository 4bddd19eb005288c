//! One program for all of these: linking each by itself would take longer than running them.

mod audit;
mod differences;
mod import_and_export;
mod support;
mod vectors_rules_network;
mod vectors_rules_strict;
mod vectors_rules_tasks;
mod vectors_rules_units_network;
mod vectors_rules_values;
mod weaknesses;
