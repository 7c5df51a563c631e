//! The Node versions that the package is tested on.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::{npm, paths, step, tools};

const MAJORS: [&str; 4] = ["18", "20", "22", "24"];

/// Each major version's binary. The lock file in `tests/nodes` names the exact versions; they are
/// npm packages that carry the binary itself, so no install script runs.
pub fn binaries() -> Result<BTreeMap<String, PathBuf>> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        step::skip(
            "Node versions",
            "packaged for Linux on x86-64 only; the suite runs on `node`",
        );
        return Ok(BTreeMap::from([(
            "system".to_owned(),
            PathBuf::from("node"),
        )]));
    }
    let lock = fs::read(paths::repo("tests/nodes/package-lock.json"))?;
    let home = tools::install_once(
        &format!("nodes-{:016x}", fingerprint(&lock)),
        "node_modules/node-24/bin/node",
        install,
    )?;
    let binary = |major: &str| {
        home.join(format!("node_modules/node-{major}"))
            .join("bin/node")
    };
    Ok(MAJORS
        .iter()
        .map(|major| (major.to_string(), binary(major)))
        .collect())
}

fn install(folder: &Path) -> Result<()> {
    for file in ["package.json", "package-lock.json", ".npmrc"] {
        fs::copy(paths::repo("tests/nodes").join(file), folder.join(file))?;
    }
    step::run(
        "install Node 18, 20, 22 and 24",
        &mut npm::ci_command(folder),
    )
}

/// FNV-1a: enough to tell two lock files apart, and the same with every compiler.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
