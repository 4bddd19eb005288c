//! What the released evaluator gets wrong, line by line, and what strict evaluation makes of it. Names of tests are those
//! of the list: `a…` scores that should not be 1.0, `b…` tasks nobody can pass, `c…` correct answers rejected, `d…`
//! crashes. Weaknesses of single value types are tested with the types, in `umpire-rules`.

mod attempts;
mod crashes;
mod rejected;
mod undeserved;
mod unpassable;
