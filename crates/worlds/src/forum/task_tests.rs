//! The forum's tasks against its data.
