//! Programs of Debian's packages: browsers and shells. Packages change the whole system, so only root installs them
//! unasked.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use anyhow::{Result, bail};

use crate::step;

/// A program that a test needs, and the packages that bring it.
pub struct Program {
    /// Names another one than Debian's.
    variable: &'static str,
    path: &'static str,
    packages: &'static [&'static str],
}

const fn program(
    variable: &'static str,
    path: &'static str,
    packages: &'static [&'static str],
) -> Program {
    Program {
        variable,
        path,
        packages,
    }
}

/// One installation brings both: the page's tests drive Chromium by themselves, those of the core by its driver.
const CHROMIUM_PACKAGES: &[&str] = &["chromium", "chromium-driver"];
const SHELL_PACKAGES: &[&str] = &["zsh", "fish"];

pub const CHROMIUM: Program = program("CHROME_PATH", "/usr/bin/chromium", CHROMIUM_PACKAGES);
pub const CHROMEDRIVER: Program =
    program("CHROMEDRIVER", "/usr/bin/chromedriver", CHROMIUM_PACKAGES);
pub const FIREFOX: Program = program("FIREFOX_PATH", "/usr/bin/firefox-esr", &["firefox-esr"]);
pub const ZSH: Program = program("ZSH_PATH", "/usr/bin/zsh", SHELL_PACKAGES);
pub const FISH: Program = program("FISH_PATH", "/usr/bin/fish", SHELL_PACKAGES);
/// Tells how much memory a program took.
pub const TIME: Program = program("TIME_PATH", "/usr/bin/time", &["time"]);
/// Refuses a program's calls of the system, or stops it at one.
pub const STRACE: Program = program("STRACE_PATH", "/usr/bin/strace", &["strace"]);
pub const QEMU_ARM64: Program = program("QEMU_ARM64_PATH", "/usr/bin/qemu-aarch64", &["qemu-user"]);
pub const WINE: Program = program("WINE_PATH", "/usr/bin/wine", &["wine", "wine64"]);

impl Program {
    /// Where it is; it is installed if need be.
    pub fn find(&self) -> Result<PathBuf> {
        static TURN: Mutex<()> = Mutex::new(());
        let _turn = step::lock(&TURN);
        let given = env::var_os(self.variable).map(PathBuf::from);
        let program = given.clone().unwrap_or_else(|| self.path.into());
        let packages = self.packages.join(" ");
        if !program.exists() && given.is_none() && Path::new("/usr/bin/apt-get").exists() {
            if step::said(Command::new("id").arg("-u"))? != "0" {
                let install = format!("sudo apt-get install {packages}");
                bail!(
                    "{} is not there: {install}, or set {}",
                    self.path,
                    self.variable
                );
            }
            step::run("apt-get update", apt().arg("update"))?;
            let install = format!("install {packages}");
            step::run(&install, apt().args(["install", "-y"]).args(self.packages))?;
        }
        if !program.exists() {
            bail!("{} is not there; set {}", program.display(), self.variable);
        }
        Ok(program)
    }
}

fn apt() -> Command {
    let mut apt = Command::new("apt-get");
    // Another installation may be going on; waiting for it is better than failing.
    apt.env("DEBIAN_FRONTEND", "noninteractive")
        .args(["-o", "DPkg::Lock::Timeout=600"]);
    apt
}
