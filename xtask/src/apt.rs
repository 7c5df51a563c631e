//! Debian's packages. They change the whole system, so they are installed only by root, or where the
//! user has said that this command may.

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::step;

/// Set to anything but nothing or `0`, it lets this command install packages through sudo.
const ALLOWED: &str = "TURNKEEPER_INSTALL_PACKAGES";

/// Installs packages; `what` they are is said, and so is `otherwise` where they may not be installed.
pub fn install(what: &str, packages: &[&str], otherwise: &str) -> Result<()> {
    let system = System {
        has_apt: Path::new("/usr/bin/apt-get").exists(),
        is_root: is_root()?,
        is_allowed: env::var(ALLOWED).is_ok_and(|value| !matches!(value.as_str(), "" | "0")),
    };
    let Some(by) = system.may_install() else {
        bail!("{}", system.advice(packages, otherwise));
    };
    step::run("apt-get update", &mut apt(by, &["update"]))?;
    let mut command = apt(by, &["install", "-y"]);
    command.args(packages);
    step::run(&format!("install {what}"), &mut command)
}

struct System {
    has_apt: bool,
    is_root: bool,
    is_allowed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Root,
    Sudo,
}

impl System {
    fn may_install(&self) -> Option<By> {
        match self {
            Self { has_apt: false, .. } => None,
            Self { is_root: true, .. } => Some(By::Root),
            Self { is_allowed, .. } => is_allowed.then_some(By::Sudo),
        }
    }

    /// Advice for the user.
    fn advice(&self, packages: &[&str], otherwise: &str) -> String {
        if !self.has_apt {
            return otherwise.to_owned();
        }
        format!(
            "{otherwise}\n  sudo apt-get install {}\nor set {ALLOWED}=1, and this command does it",
            packages.join(" ")
        )
    }
}

fn is_root() -> Result<bool> {
    let user = Command::new("id")
        .arg("-u")
        .output()
        .context("cannot start id")?;
    Ok(user.stdout.trim_ascii() == b"0")
}

fn apt(by: By, arguments: &[&str]) -> Command {
    let mut command = match by {
        By::Root => Command::new("apt-get"),
        By::Sudo => {
            let mut sudo = Command::new("sudo");
            sudo.args(["--non-interactive", "apt-get"]);
            sudo
        }
    };
    // Another installation may be going on; waiting for it is better than failing.
    command
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(["-o", "DPkg::Lock::Timeout=600"])
        .args(arguments);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(has_apt: bool, is_root: bool, is_allowed: bool) -> System {
        System {
            has_apt,
            is_root,
            is_allowed,
        }
    }

    #[test]
    fn only_root_and_who_is_allowed_installs() {
        assert_eq!(system(true, true, false).may_install(), Some(By::Root));
        assert_eq!(system(true, true, true).may_install(), Some(By::Root));
        assert_eq!(system(true, false, true).may_install(), Some(By::Sudo));
        assert_eq!(system(true, false, false).may_install(), None);
        for (is_root, is_allowed) in [(false, false), (false, true), (true, true)] {
            assert_eq!(system(false, is_root, is_allowed).may_install(), None);
        }
    }

    #[test]
    fn the_advice_names_the_packages_where_they_can_be_had() {
        let needs = "the suite needs shells";
        let advice = system(true, false, false).advice(&["zsh", "fish"], needs);
        assert!(advice.starts_with(needs), "{advice}");
        assert!(advice.contains("apt-get install zsh fish\n"));
        assert!(advice.contains(ALLOWED));
        assert_eq!(
            system(false, false, false).advice(&["chromium"], needs),
            needs
        );
    }
}
