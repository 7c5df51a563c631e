//! Debian's packages.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::step;

/// Installs packages; `what` they are is said, and so is `otherwise` where there is no apt-get.
pub fn install(what: &str, packages: &[&str], otherwise: &str) -> Result<()> {
    if !Path::new("/usr/bin/apt-get").exists() {
        bail!("{otherwise}");
    }
    step::run("apt-get update", &mut apt(&["update"])?)?;
    let mut command = apt(&["install", "-y"])?;
    command.args(packages);
    step::run(&format!("install {what}"), &mut command)
}

fn apt(arguments: &[&str]) -> Result<Command> {
    let user = Command::new("id")
        .arg("-u")
        .output()
        .context("cannot start id")?;
    let mut command = if user.stdout.trim_ascii() == b"0" {
        Command::new("apt-get")
    } else {
        let mut sudo = Command::new("sudo");
        sudo.args(["--non-interactive", "apt-get"]);
        sudo
    };
    // Another installation may be going on; waiting for it is better than failing.
    command
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(["-o", "DPkg::Lock::Timeout=600"])
        .args(arguments);
    Ok(command)
}
