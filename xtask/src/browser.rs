//! Chromium and its driver.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::step;

pub struct Browser {
    pub chrome: PathBuf,
    pub driver: PathBuf,
}

/// The browser named by `CHROME_PATH` and `CHROMEDRIVER`, else Debian's, installed if need be.
pub fn chromium() -> Result<Browser> {
    let browser = Browser {
        chrome: named("CHROME_PATH", "/usr/bin/chromium"),
        driver: named("CHROMEDRIVER", "/usr/bin/chromedriver"),
    };
    if !browser.chrome.exists() || !browser.driver.exists() {
        install()?;
    }
    for program in [&browser.chrome, &browser.driver] {
        if !program.exists() {
            bail!(
                "{} is not there; set CHROME_PATH and CHROMEDRIVER",
                program.display()
            );
        }
    }
    Ok(browser)
}

fn named(variable: &str, usual: &str) -> PathBuf {
    env::var_os(variable).map_or_else(|| PathBuf::from(usual), PathBuf::from)
}

fn install() -> Result<()> {
    if !Path::new("/usr/bin/apt-get").exists() {
        bail!(
            "the browser suites need Chromium and chromedriver; set CHROME_PATH and CHROMEDRIVER"
        );
    }
    step::run("apt-get update", &mut apt(&["update"])?)?;
    step::run(
        "install Chromium",
        &mut apt(&["install", "-y", "chromium", "chromium-driver"])?,
    )
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
