//! The Node versions that the package is tested on: the oldest and the newest, unless others are asked
//! for.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::Result;

use crate::{npm, paths, step, tools};

pub const MAJORS: [&str; 3] = ["20", "22", "24"];
const NEWEST: &str = "24";
const BY_DEFAULT: [&str; 2] = ["20", NEWEST];

static CHOSEN: OnceLock<Vec<String>> = OnceLock::new();

/// Takes these versions, or `all`, instead of the oldest and the newest.
pub fn choose<'a>(versions: impl Iterator<Item = &'a String>) {
    let chosen: Vec<String> = versions.cloned().collect();
    CHOSEN.get_or_init(|| match chosen.iter().any(|version| version == "all") {
        true => MAJORS.map(str::to_owned).to_vec(),
        false => chosen,
    });
}

/// Each chosen version's binary.
pub fn binaries() -> Result<BTreeMap<String, PathBuf>> {
    if !IS_PACKAGED {
        step::skip(
            "Node versions",
            "packaged for Linux on x86-64 only; the suite runs on `node`",
        );
        return Ok(BTreeMap::from([(
            "system".to_owned(),
            PathBuf::from("node"),
        )]));
    }
    let by_default = || BY_DEFAULT.map(str::to_owned).to_vec();
    let chosen = CHOSEN.get_or_init(by_default).iter();
    chosen
        .map(|major| Ok((major.clone(), packaged(major)?)))
        .collect()
}

/// The newest one's binary, chosen or not, unless there is none for this system.
pub fn newest() -> Result<Option<PathBuf>> {
    IS_PACKAGED.then(|| packaged(NEWEST)).transpose()
}

const IS_PACKAGED: bool = cfg!(all(target_os = "linux", target_arch = "x86_64"));

/// The lock file in `tests/js/nodes` names the exact versions; they are npm packages that carry the binary
/// itself, so no install script runs.
fn packaged(major: &str) -> Result<PathBuf> {
    let lock = fs::read(paths::repo("tests/js/nodes/package-lock.json"))?;
    let home = tools::install_once(
        &format!("nodes-{:016x}", fingerprint(&lock)),
        "node_modules/node-24/bin/node",
        install,
    )?;
    Ok(home.join(format!("node_modules/node-{major}/bin/node")))
}

fn install(folder: &Path) -> Result<()> {
    for file in ["package.json", "package-lock.json", ".npmrc"] {
        fs::copy(paths::repo("tests/js/nodes").join(file), folder.join(file))?;
    }
    step::run("install Node 20, 22 and 24", &mut npm::ci_command(folder))
}

/// FNV-1a: enough to tell two lock files apart, and the same with every compiler.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
