//! Estimators: pure functions over tables
