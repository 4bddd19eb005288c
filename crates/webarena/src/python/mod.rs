//! What the reference inherits from Python: its JSON, its text of values, its truth, its patterns.
