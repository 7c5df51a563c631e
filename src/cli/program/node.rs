//! The way back for systems that do not let the program run: a copy of the package, whose hook Node runs.

use std::path::{Path, PathBuf};
use std::{env, fs};

use turnkeeper_watch::setup::HOOK_FILE;

use super::on_path;
use crate::files::replace_bytes;
use crate::problem::{InFile, Problem, Result};
use crate::state::installed::private;

/// The parts of the package that the hook needs.
const NEEDED: &[&str] = &["turnkeeper-hook", "watch", "errors"];

/// The copy in a state folder.
pub(crate) struct NodePackage {
    folder: PathBuf,
}

impl NodePackage {
    pub(crate) fn below(state: &Path) -> Self {
        NodePackage {
            folder: state.join("package"),
        }
    }

    pub(crate) fn hook(&self) -> PathBuf {
        self.folder.join("dist").join(HOOK_FILE)
    }

    /// Whether there is a Node that runs the hook.
    pub(crate) fn has_node(&self) -> bool {
        self.link().exists() || !on_path("node").is_empty()
    }

    /// Copies the package, and links the Node that runs it, for agents that are started without a shell's PATH.
    pub(crate) fn write(&self) -> Result<()> {
        let Some(package) = env::var_os("TURNKEEPER_PACKAGE").map(PathBuf::from) else {
            let why = "cannot be written: the hook for Node is in the npm package (npx turnkeeper install --node)";
            return Err(Problem::new(&self.folder, why));
        };
        private(self.folder.parent().unwrap_or(&self.folder))?;
        for below in ["dist", "dist/modules"] {
            let (from, to) = (package.join(below), self.folder.join(below));
            fs::create_dir_all(&to).writing(&to)?;
            for entry in fs::read_dir(&from).reading(&from)?.flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let is_needed = name.ends_with("js")
                    && NEEDED
                        .iter()
                        .any(|it| name.strip_prefix(it).is_some_and(|it| it.starts_with('.')));
                if is_needed {
                    copy(&entry.path(), &to.join(name))?;
                }
            }
        }
        copy(
            &package.join("package.json"),
            &self.folder.join("package.json"),
        )?;
        self.link_node()
    }

    pub(crate) fn remove(&self) -> Result<()> {
        if self.folder.join("package.json").exists() {
            fs::remove_dir_all(&self.folder).writing(&self.folder)?;
        }
        Ok(())
    }

    fn link(&self) -> PathBuf {
        self.folder.join("node")
    }

    #[cfg(unix)]
    fn link_node(&self) -> Result<()> {
        let all = on_path("node");
        let runs = |node: &&PathBuf| super::version_of(node).is_ok_and(|it| is_new_enough(&it));
        let lasting = all.iter().filter(|node| !is_passing(node)).find(runs);
        let Some(node) = lasting.or_else(|| all.iter().find(runs)) else {
            return Err(Problem::new(
                &self.folder,
                "needs Node 18 or later on the PATH",
            ));
        };
        let link = self.link();
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(node, &link).writing(&link)
    }

    #[cfg(not(unix))]
    fn link_node(&self) -> Result<()> {
        Ok(())
    }
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    replace_bytes(to, &fs::read(from).reading(from)?)
}

#[cfg(unix)]
fn is_new_enough(version: &str) -> bool {
    let major = version
        .strip_prefix('v')
        .and_then(|it| it.split('.').next());
    major
        .and_then(|it| it.parse().ok())
        .is_some_and(|it: u32| it >= 18)
}

/// Whether a name is one that the next upgrade, or the end of a shell, takes away: a folder of one version, or of a
/// shell's session.
#[cfg(unix)]
fn is_passing(node: &Path) -> bool {
    node.starts_with("/nix/store")
        || node.iter().any(|part| {
            let part = part.to_string_lossy();
            let version = part.trim_start_matches(|it: char| !it.is_ascii_digit());
            let numbers = version
                .split('.')
                .take_while(|it| it.parse::<u32>().is_ok())
                .count();
            numbers >= 2 || part == "Cellar" || part == "fnm_multishells"
        })
}
