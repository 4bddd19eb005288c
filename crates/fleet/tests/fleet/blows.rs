//! What is done to a fleet on purpose, here and by `cargo xtask chaos`.

#[derive(Clone, Copy, Debug)]
pub enum Blow {
    Worker,
    Planner,
    Queue,
    Index,
    CutFromQueue,
    CutFromBoth,
}

/// Every seed deals all of them.
pub const DECK: [Blow; 8] = [
    Blow::Worker,
    Blow::Worker,
    Blow::Worker,
    Blow::Planner,
    Blow::Queue,
    Blow::Index,
    Blow::CutFromQueue,
    Blow::CutFromBoth,
];
