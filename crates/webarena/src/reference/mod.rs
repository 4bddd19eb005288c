//! WebArena Verified as released, case by case.
