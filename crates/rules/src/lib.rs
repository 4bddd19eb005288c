//! Verdicts by rule
