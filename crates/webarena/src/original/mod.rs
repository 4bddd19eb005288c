//! WebArena's own evaluator, as it was before WebArena Verified.
