//! Every test of the peers that looks at them from outside, as one program.

mod fixtures;
#[path = "twins/main.rs"]
mod twins;
