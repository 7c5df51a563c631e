//! `cargo xtask demo`: the package as a user gets it, on three saved sessions.

use std::process::Command;

use anyhow::{Result, bail};

use crate::package::{self, Flavour};
use crate::{pack, paths, step};

/// What `turnkeeper replay` answers with its exit code: 0 for a healthy session, 1 for a loop.
const SESSIONS: [(&str, i32); 3] = [
    ("preview-loop.jsonl", 1),
    ("chinese-chant.jsonl", 1),
    ("healthy.jsonl", 0),
];

pub fn run() -> Result<()> {
    package::make(Flavour::Published)?;
    let tarball = pack::pack(Flavour::Published)?;
    let app = paths::target("demo");
    pack::install(&tarball, &app)?;

    let mut wrong = Vec::new();
    for (name, expected) in SESSIONS {
        let session = paths::repo("tests/fixtures/sessions").join(name);
        step::heading(&format!("turnkeeper replay {name}"));
        let mut replay = Command::new(app.join("node_modules/.bin/turnkeeper"));
        replay.current_dir(&app).arg("replay").arg(&session);
        let code = step::show("turnkeeper replay", &mut replay)?;
        if code != expected {
            wrong.push(format!(
                "{name} ended with exit code {code} instead of {expected}"
            ));
        }
    }
    if wrong.is_empty() {
        println!("\nEach session got the expected verdict.");
        Ok(())
    } else {
        bail!("{}", wrong.join("; "))
    }
}
