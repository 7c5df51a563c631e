//! `cargo xtask reproduce`: a second checkout, in another folder, builds the same package to the byte.

use std::fs;
use std::path::Path;
use std::process;

use anyhow::{Result, ensure};

use crate::package::{self, Flavour};
use crate::{step, tools};

pub fn run() -> Result<()> {
    let changes = uncommitted()?;
    ensure!(
        changes.is_empty(),
        "commit first: the second checkout has only what is committed\n{changes}"
    );
    package::make(Flavour::Published)?;
    compare()
}

/// The same after the package has been built; what is not committed is not compared.
pub fn check() -> Result<()> {
    if !uncommitted()?.is_empty() {
        step::skip("reproduce", "there are changes that are not committed");
        return Ok(());
    }
    compare()
}

fn uncommitted() -> Result<String> {
    step::said(&mut step::command("git", &["status", "--porcelain"]))
}

/// Builds a clone, which is removed in the end.
fn compare() -> Result<()> {
    let name = format!("turnkeeper-second-checkout-{}", process::id());
    let checkout = std::env::temp_dir().join(name);
    let mut clone = step::command("git", &["clone", "--quiet", "."]);
    clone.arg(&checkout);
    let compared = step::run("git clone", &mut clone).and_then(|()| build_and_compare(&checkout));
    let _ = fs::remove_dir_all(&checkout);
    compared
}

fn build_and_compare(checkout: &Path) -> Result<()> {
    let mut build = tools::cargo();
    build
        .current_dir(checkout)
        .args(["xtask", "build"])
        .env_remove("CARGO_TARGET_DIR");
    tools::run_cargo("build the second checkout, some minutes", &mut build)?;
    let mut diff = step::command("diff", &["--brief", "--recursive"]);
    diff.arg(Flavour::Published.folder())
        .arg(checkout.join("pkg"));
    step::run("compare the packages, byte for byte", &mut diff)
}
