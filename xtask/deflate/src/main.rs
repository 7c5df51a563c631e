//! Deflates a file with patience: `deflate FROM TO`.

#![forbid(unsafe_code)]

use std::num::NonZeroU64;
use std::{env, fs};

use anyhow::{Context, Result};
use zopfli::{Format, Options};

/// More gain less than a thousandth.
const ITERATIONS: NonZeroU64 = NonZeroU64::new(5).unwrap();

fn main() -> Result<()> {
    let mut arguments = env::args_os().skip(1);
    let usage = "usage: deflate FROM TO";
    let bytes = fs::read(arguments.next().context(usage)?)?;
    let options = Options {
        iteration_count: ITERATIONS,
        ..Options::default()
    };
    let mut deflated = Vec::new();
    zopfli::compress(options, Format::Deflate, &bytes[..], &mut deflated)?;
    fs::write(arguments.next().context(usage)?, deflated)?;
    Ok(())
}
