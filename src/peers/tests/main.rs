//! Every test of the peers that looks at them from outside, as one program.

#![allow(unreachable_pub, reason = "nothing of a program of tests is reachable")]

mod fixtures;
#[path = "twins/main.rs"]
mod twins;
