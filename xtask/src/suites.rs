//! The suites that look at the package from outside: what each needs, and how it is run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock};

use anyhow::{Context, Result, bail};

use crate::counts::{self, Counts};
use crate::debian::{CHROMIUM, FIREFOX, FISH, STRACE, ZSH};
use crate::package::Flavour;
use crate::packed::{Depth, packed};
use crate::rows::{Row, timed};
use crate::wasm::Effort;
use crate::{nodes, npm, paths, program, site, step, vscode};

/// A folder of `tests/` whose `*.test.mjs` files Node's test runner runs on the packed package.
pub struct Suite {
    pub name: &'static str,
    parts: Parts,
    /// Files that run at once.
    at_once: usize,
    /// Nothing else runs beside it.
    pub alone: bool,
    /// It runs when it is named, and not with the others.
    pub by_name_only: bool,
    needs: &'static [Need],
}

/// The parts of a suite that each depth runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parts {
    /// The deep one runs the files named `*.deep.test.mjs`, the short one the others.
    ByFile,
    /// Every file, in the deep one alone.
    Deep,
    /// Every file: in the short one on the Node that builds the package, in the deep one on others.
    EachNode,
    /// Every file, each time in another browser.
    EachBrowser,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Agents,
    Chromium,
    Firefox,
    Nodes,
    /// The program `turnkeeper`.
    Shells,
    Site,
    Strace,
    VsCode,
    OldestVsCode,
    Platforms,
}

/// The longest begin first.
pub const SUITES: [Suite; 17] = [
    Suite::new("command", Parts::ByFile, &[Need::Strace]),
    Suite::new(
        "www",
        Parts::ByFile,
        &[Need::Chromium, Need::Site, Need::Firefox],
    ),
    Suite::new("agents", Parts::ByFile, &[Need::Agents]),
    Suite {
        at_once: 4,
        ..Suite::new("shells", Parts::Deep, &[Need::Shells])
    },
    Suite::new("node", Parts::EachNode, &[Need::Nodes]),
    Suite::new("memory", Parts::Deep, &[]),
    Suite::new("packaging", Parts::Deep, &[Need::Nodes, Need::Chromium]),
    Suite::new("sdk", Parts::Deep, &[]),
    Suite::new("complexity", Parts::Deep, &[]),
    Suite::new("types", Parts::Deep, &[]),
    Suite::new("peers", Parts::Deep, &[]),
    Suite::new("browser", Parts::EachBrowser, &[]),
    Suite::new("runtimes", Parts::Deep, &[Need::Nodes]),
    Suite::new("tokens", Parts::Deep, &[]),
    // A real VS Code loses what a quick command printed where the processors are busy with other tests.
    Suite {
        alone: true,
        ..Suite::new(
            "vscode",
            Parts::Deep,
            &[Need::Chromium, Need::Shells, Need::VsCode],
        )
    },
    Suite {
        by_name_only: true,
        ..Suite::new(
            "vscode-oldest",
            Parts::Deep,
            &[Need::Chromium, Need::OldestVsCode],
        )
    },
    // It compiles the program for other systems, and needs what emulates them.
    Suite {
        by_name_only: true,
        ..Suite::new("platforms", Parts::Deep, &[Need::Platforms])
    },
];

/// The milliseconds that a test may take: a machine that is half as fast, and has other work, needs several times as
/// long as a quiet one.
const LIMIT: &str = "--test-timeout=1800000";

/// The agents that the suite `agents` runs with: names with commas between them, or `all`; without it, those that start
/// quickly.
pub static AGENTS: OnceLock<String> = OnceLock::new();

impl Suite {
    const fn new(name: &'static str, parts: Parts, needs: &'static [Need]) -> Suite {
        Suite {
            name,
            parts,
            at_once: 1,
            alone: false,
            by_name_only: false,
            needs,
        }
    }

    pub fn is_part_of(&self, depth: Depth) -> bool {
        depth == Depth::Deep || self.parts != Parts::Deep
    }

    pub fn folder(&self) -> PathBuf {
        paths::repo("tests/js").join(self.name)
    }

    /// Runs the suite; a row of results for each Node version that it runs on.
    pub fn run(&self, depth: Depth) -> Vec<Row> {
        let runs = match self.runs(depth) {
            Ok(runs) => runs,
            Err(error) => return vec![timed(self.name, || Err(error))],
        };
        let each = |(label, node): (String, PathBuf)| {
            timed(&label, || {
                let files = self.files(depth)?;
                self.run_files(&label, &node, &files, depth, self.at_once)
            })
        };
        runs.into_iter().map(each).collect()
    }

    /// The Nodes that it runs on, and what each run is called. In the deep one most suites take the newest, which
    /// starts in half the time.
    fn runs(&self, depth: Depth) -> Result<Vec<(String, PathBuf)>> {
        let system = PathBuf::from("node");
        let name = self.name.to_owned();
        Ok(match (self.parts, depth) {
            (Parts::EachNode, Depth::Deep) => nodes::binaries()?
                .into_iter()
                .map(|(version, node)| (format!("{name} on Node {version}"), node))
                .collect(),
            (Parts::ByFile, Depth::Deep) => vec![(name, nodes::newest()?.unwrap_or(system))],
            _ => vec![(name, system)],
        })
    }

    fn files(&self, depth: Depth) -> Result<Vec<PathBuf>> {
        let mut files = test_files(&self.folder())?;
        if self.parts == Parts::ByFile {
            files.retain(|file| is_deep(file) == (depth == Depth::Deep));
        }
        Ok(files)
    }

    /// Runs those of its files whose names begin with one of `beginnings`.
    pub fn run_some(&self, beginnings: &[&str], at_once: usize) -> Result<Counts> {
        let mut files = test_files(&self.folder())?;
        files.retain(|file| begins_with(file, beginnings));
        self.run_files(self.name, Path::new("node"), &files, Depth::Short, at_once)
    }

    fn run_files(
        &self,
        label: &str,
        node: &Path,
        files: &[PathBuf],
        depth: Depth,
        at_once: usize,
    ) -> Result<Counts> {
        let environment = self.set_up(depth)?;
        let mut command = Command::new(node);
        command
            .current_dir(paths::repo(""))
            .args(["--test", "--test-reporter=spec"])
            // Node 18 does not know it.
            .args((self.parts != Parts::EachNode).then_some(LIMIT))
            .args((at_once > 1).then(|| format!("--test-concurrency={at_once}")))
            .args(files)
            .envs(&environment);
        run_node(label, &mut command)
    }

    /// One suite at a time, since several need the same things.
    fn set_up(&self, depth: Depth) -> Result<BTreeMap<&'static str, PathBuf>> {
        static TURN: Mutex<()> = Mutex::new(());
        let package = packed(depth)?;
        let _turn = step::lock(&TURN);
        npm::ci("tests/js")?;
        if self.folder().join("package-lock.json").exists() {
            npm::ci(&format!("tests/js/{}", self.name))?;
        }
        let mut variables = BTreeMap::from([
            ("TURNKEEPER_TARBALL", package.tarball().to_owned()),
            ("TURNKEEPER_APP", package.app().to_owned()),
        ]);
        if depth.flavour() == Flavour::Quick {
            variables.insert("TURNKEEPER_PANIC_PROBE", "1".into());
        }
        for need in self.needs_of(depth) {
            need.provide(depth, &mut variables)?;
        }
        Ok(variables)
    }

    /// Firefox and other Nodes than the one that builds the package are for the deep run.
    fn needs_of(&self, depth: Depth) -> Vec<Need> {
        let is_short = |need: &Need| !matches!(need, Need::Firefox | Need::Nodes | Need::Agents);
        match (self.parts, depth) {
            (Parts::EachBrowser, Depth::Short) => vec![Need::Chromium],
            (Parts::EachBrowser, Depth::Deep) => vec![Need::Firefox],
            (_, Depth::Short) => self.needs.iter().copied().filter(is_short).collect(),
            (_, Depth::Deep) => self.needs.to_vec(),
        }
    }
}

impl Need {
    fn provide(self, depth: Depth, variables: &mut BTreeMap<&'static str, PathBuf>) -> Result<()> {
        match self {
            Need::Agents => {
                let agents = AGENTS.get().map_or("", String::as_str);
                variables.insert("TURNKEEPER_AGENTS", agents.into());
                // Some of them run on nothing older.
                if let Some(node) = nodes::newest()? {
                    variables.insert("TURNKEEPER_NODE24", node);
                }
            }
            Need::Chromium => {
                variables.insert("TURNKEEPER_CHROME", CHROMIUM.find()?);
            }
            Need::Firefox => {
                variables.insert("TURNKEEPER_FIREFOX", FIREFOX.find()?);
            }
            Need::Nodes => {
                let binaries = serde_json::to_string(&nodes::binaries()?)?;
                variables.insert("TURNKEEPER_NODES", binaries.into());
            }
            Need::Shells => {
                variables.insert("TURNKEEPER_ZSH", ZSH.find()?);
                variables.insert("TURNKEEPER_FISH", FISH.find()?);
            }
            Need::Strace => match STRACE.find() {
                Ok(strace) => drop(variables.insert("TURNKEEPER_STRACE", strace)),
                // Its tests skip themselves.
                Err(error) => step::skip(
                    "the tests of calls that a system refuses",
                    &error.to_string(),
                ),
            },
            Need::Site => {
                site::build(&packed(depth)?, Effort::Quick)?;
                variables.insert("TURNKEEPER_SITE", paths::target("site"));
            }
            Need::Platforms => {
                let foreign = serde_json::to_string(&program::emulated()?)?;
                variables.insert("TURNKEEPER_PLATFORMS", foreign.into());
            }
            Need::VsCode | Need::OldestVsCode => {
                let vscode = match self {
                    Need::VsCode => vscode::vscode()?,
                    _ => vscode::oldest_vscode()?,
                };
                npm::ci("tests/js/vscode")?;
                variables.insert("TURNKEEPER_CODE_SERVER", vscode.code_server);
                variables.insert("TURNKEEPER_NODE24", vscode.node);
            }
        }
        Ok(())
    }
}

/// The test files of a folder, in order.
pub fn test_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(".test.mjs") {
            files.push(path);
        }
    }
    if files.is_empty() {
        bail!("{} has no *.test.mjs", folder.display());
    }
    files.sort();
    Ok(files)
}

fn is_deep(file: &Path) -> bool {
    file.to_string_lossy().ends_with(".deep.test.mjs")
}

/// Whether a test file's name begins with one of these.
pub fn begins_with(file: &Path, beginnings: &[&str]) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    beginnings
        .iter()
        .any(|beginning| name.starts_with(beginning))
}

fn run_node(label: &str, command: &mut Command) -> Result<Counts> {
    let outcome = step::attempt(label, command)?;
    let mut counts = counts::node(&outcome.output);
    if !outcome.success || counts.passed == 0 {
        // A runner that ended badly failed, even if it counted no failure.
        counts.failed = counts.failed.max(1);
    }
    if counts.failed > 0 {
        let failures = step::last_lines(counts::node_failures(&outcome.output), 200);
        println!("{failures}\n(all of it: {})", outcome.log.display());
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forge_runs_every_suite() {
        let workflow = paths::repo(".github/workflows/test.yml");
        let workflow = fs::read_to_string(workflow).expect("the workflow");
        let words: Vec<&str> = workflow.split([' ', '\n']).collect();
        for suite in SUITES.iter().filter(|suite| !suite.by_name_only) {
            assert!(words.contains(&suite.name), "{}", suite.name);
        }
    }

    #[test]
    fn every_suite_has_files_at_each_depth_that_it_is_part_of() {
        for suite in &SUITES {
            for depth in [Depth::Short, Depth::Deep] {
                let files = suite.files(depth).expect("a folder");
                assert!(
                    !suite.is_part_of(depth) || !files.is_empty(),
                    "{}",
                    suite.name
                );
            }
        }
    }
}
