//! Programs of Debian's packages: browsers and shells. Packages change the whole system, so only root installs them
//! unasked.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use anyhow::{Context, Result, bail};

use crate::step;

/// A program that a test needs, and the packages that bring it.
pub struct Program {
    /// Names another one than Debian's.
    variable: &'static str,
    path: &'static str,
    packages: &'static [&'static str],
}

/// One installation brings both: the page's tests drive Chromium by themselves, those of the core by its driver.
const CHROMIUM_PACKAGES: &[&str] = &["chromium", "chromium-driver"];
const SHELL_PACKAGES: &[&str] = &["zsh", "fish"];

pub const CHROMIUM: Program = Program {
    variable: "CHROME_PATH",
    path: "/usr/bin/chromium",
    packages: CHROMIUM_PACKAGES,
};
pub const CHROMEDRIVER: Program = Program {
    variable: "CHROMEDRIVER",
    path: "/usr/bin/chromedriver",
    packages: CHROMIUM_PACKAGES,
};
pub const FIREFOX: Program = Program {
    variable: "FIREFOX_PATH",
    path: "/usr/bin/firefox-esr",
    packages: &["firefox-esr"],
};
pub const ZSH: Program = Program {
    variable: "ZSH_PATH",
    path: "/usr/bin/zsh",
    packages: SHELL_PACKAGES,
};
pub const FISH: Program = Program {
    variable: "FISH_PATH",
    path: "/usr/bin/fish",
    packages: SHELL_PACKAGES,
};

/// Tells how much memory a program took.
pub const TIME: Program = Program {
    variable: "TIME_PATH",
    path: "/usr/bin/time",
    packages: &["time"],
};

/// Refuses a program's calls of the system, or stops it at one.
pub const STRACE: Program = Program {
    variable: "STRACE_PATH",
    path: "/usr/bin/strace",
    packages: &["strace"],
};
pub const QEMU_ARM64: Program = Program {
    variable: "QEMU_ARM64_PATH",
    path: "/usr/bin/qemu-aarch64",
    packages: &["qemu-user"],
};
pub const WINE: Program = Program {
    variable: "WINE_PATH",
    path: "/usr/bin/wine",
    packages: &["wine", "wine64"],
};

impl Program {
    /// Where it is; it is installed if need be.
    pub fn find(&self) -> Result<PathBuf> {
        static TURN: Mutex<()> = Mutex::new(());
        let _turn = step::lock(&TURN);
        let program =
            env::var_os(self.variable).map_or_else(|| PathBuf::from(self.path), PathBuf::from);
        if !program.exists() && program == Path::new(self.path) {
            self.install()?;
        }
        if !program.exists() {
            bail!("{} is not there; set {}", program.display(), self.variable);
        }
        Ok(program)
    }

    fn install(&self) -> Result<()> {
        if !Path::new("/usr/bin/apt-get").exists() {
            bail!("{} is not there; set {}", self.path, self.variable);
        }
        let packages = self.packages.join(" ");
        if !is_root()? {
            bail!(
                "{} is not there: sudo apt-get install {packages}, or set {}",
                self.path,
                self.variable
            );
        }
        step::run("apt-get update", apt().arg("update"))?;
        step::run(
            &format!("install {packages}"),
            apt().args(["install", "-y"]).args(self.packages),
        )
    }
}

fn is_root() -> Result<bool> {
    let user = Command::new("id").arg("-u").output();
    Ok(user.context("cannot start id")?.stdout.trim_ascii() == b"0")
}

fn apt() -> Command {
    let mut apt = Command::new("apt-get");
    // Another installation may be going on; waiting for it is better than failing.
    apt.env("DEBIAN_FRONTEND", "noninteractive")
        .args(["-o", "DPkg::Lock::Timeout=600"]);
    apt
}
