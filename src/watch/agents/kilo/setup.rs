use crate::agents::opencode;
use crate::setup::{Setup, Surroundings};

pub(super) fn setup(around: &Surroundings) -> Setup {
    opencode::setup::of("kilo", around)
}
