//! Screenshots on their way to a judge: near-identical ones collapsed, sizes bounded, work done once.
