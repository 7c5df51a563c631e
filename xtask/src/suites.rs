//! The suites that look at the package from outside: what each needs, and how it is run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use anyhow::{Context, Result, ensure};

use crate::debian::{CHROMIUM, FIREFOX, FISH, STRACE, ZSH};
use crate::package::Flavour;
use crate::packed::packed;
use crate::rows::{Counts, Row, count_tests, timed};
use crate::test::{Depth, Turn};
use crate::{nodes, npm, paths, program, site, step, vscode};

/// A folder of `tests/js` whose `*.test.mjs` files Node's test runner runs on the packed package. The deep run has
/// those named `*.deep.test.mjs` and the short run the others, where there are both; otherwise either has all.
pub struct Suite {
    pub name: &'static str,
    /// The needs of its short run, if it has one.
    short: Option<&'static [Need]>,
    deep: &'static [Need],
    /// Files that run at once.
    at_once: usize,
    pub turn: Turn,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Agents,
    Chromium,
    /// It runs once on each chosen Node.
    EachNode,
    Firefox,
    /// It starts the chosen Nodes itself.
    Nodes,
    OldestVsCode,
    Platforms,
    Shells,
    Site,
    Strace,
    VsCode,
}
use Need::*;

/// The longest begin first.
#[rustfmt::skip]
pub const SUITES: [Suite; 17] = [
    suite("command", Some(&[Strace]), &[Strace]),
    suite("www", Some(&[Chromium, Site]), &[Chromium, Site, Firefox]),
    suite("agents", Some(&[]), &[Agents]),
    Suite { at_once: 4, ..suite("shells", None, &[Shells]) },
    suite("node", Some(&[]), &[EachNode]),
    suite("memory", None, &[]),
    suite("packaging", None, &[Nodes, Chromium]),
    suite("sdk", None, &[]),
    suite("complexity", None, &[]),
    suite("types", None, &[]),
    suite("peers", None, &[]),
    suite("browser", Some(&[Chromium]), &[Firefox]),
    suite("runtimes", None, &[Nodes]),
    suite("tokens", None, &[]),
    // A real VS Code loses what a quick command printed where the processors are busy with other tests.
    Suite { turn: Turn::Alone, ..suite("vscode", None, &[Chromium, Shells, VsCode]) },
    Suite { turn: Turn::WhenNamed, ..suite("vscode-oldest", None, &[Chromium, OldestVsCode]) },
    // It compiles the program for other systems, and needs what emulates them.
    Suite { turn: Turn::WhenNamed, ..suite("platforms", None, &[Platforms]) },
];

const fn suite(name: &'static str, short: Option<&'static [Need]>, deep: &'static [Need]) -> Suite {
    Suite {
        name,
        short,
        deep,
        at_once: 1,
        turn: Turn::Beside,
    }
}

/// The milliseconds that a test may take: a machine that is half as fast, and has other work, needs several times as
/// long as a quiet one.
const LIMIT: &str = "--test-timeout=1800000";

/// The agents that the suite `agents` runs with: names with commas between them, or `all`; without it, those that start
/// quickly.
pub static AGENTS: OnceLock<String> = OnceLock::new();

impl Suite {
    pub fn is_part_of(&self, depth: Depth) -> bool {
        depth == Depth::Deep || self.short.is_some()
    }

    pub fn folder(&self) -> PathBuf {
        paths::repo("tests/js").join(self.name)
    }

    /// Runs the suite; a row of results for each Node version that it runs on.
    pub fn run(&self, depth: Depth) -> Vec<Row> {
        let run = |label: &str, node: Result<PathBuf>| {
            timed(label, || {
                self.run_files(label, &node?, &self.files(depth)?, depth, self.at_once)
            })
        };
        if !self.needs(depth).contains(&EachNode) {
            return vec![run(self.name, self.node(depth))];
        }
        let each = |(version, node)| run(&format!("{} on Node {version}", self.name), Ok(node));
        match nodes::binaries() {
            Ok(nodes) => nodes.into_iter().map(each).collect(),
            Err(error) => vec![run(self.name, Err(error))],
        }
    }

    /// Those that have both a short and a deep run take the newest in the deep one, which starts in half the time.
    fn node(&self, depth: Depth) -> Result<PathBuf> {
        let newest = match (depth, self.short) {
            (Depth::Deep, Some(_)) => nodes::newest()?,
            _ => None,
        };
        Ok(newest.unwrap_or_else(|| PathBuf::from("node")))
    }

    fn needs(&self, depth: Depth) -> &'static [Need] {
        match (depth, self.short) {
            (Depth::Short, Some(needs)) => needs,
            _ => self.deep,
        }
    }

    fn files(&self, depth: Depth) -> Result<Vec<PathBuf>> {
        let is_deep = |file: &PathBuf| file.to_string_lossy().ends_with(".deep.test.mjs");
        let files = test_files(&self.folder())?;
        let (deep, short): (Vec<_>, Vec<_>) = files.into_iter().partition(is_deep);
        Ok(match depth {
            Depth::Deep if !deep.is_empty() => deep,
            _ => short,
        })
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
        let mut command = step::command(node, &["--test", "--test-reporter=spec", LIMIT]);
        command
            .args((at_once > 1).then(|| format!("--test-concurrency={at_once}")))
            .args(files)
            .envs(self.set_up(depth)?);
        count_tests(label, &mut command)
    }

    /// One suite at a time, since several need the same things.
    fn set_up(&self, depth: Depth) -> Result<BTreeMap<&'static str, PathBuf>> {
        static TURN: Mutex<()> = Mutex::new(());
        let tarball = packed(depth.flavour())?;
        let _turn = step::lock(&TURN);
        npm::ci("tests/js")?;
        if self.folder().join("package-lock.json").exists() {
            npm::ci(&format!("tests/js/{}", self.name))?;
        }
        let mut variables = BTreeMap::from([
            ("TURNKEEPER_TARBALL", tarball),
            ("TURNKEEPER_APP", depth.flavour().app()),
        ]);
        if depth == Depth::Short {
            variables.insert("TURNKEEPER_PANIC_PROBE", "1".into());
        }
        for need in self.needs(depth) {
            need.provide(depth, &mut variables)?;
        }
        Ok(variables)
    }
}

impl Need {
    fn provide(self, depth: Depth, variables: &mut BTreeMap<&'static str, PathBuf>) -> Result<()> {
        match self {
            Agents => {
                let agents = AGENTS.get().map_or("", String::as_str);
                variables.insert("TURNKEEPER_AGENTS", agents.into());
                // Some of them run on nothing older.
                if let Some(node) = nodes::newest()? {
                    variables.insert("TURNKEEPER_NODE24", node);
                }
            }
            Chromium => {
                variables.insert("TURNKEEPER_CHROME", CHROMIUM.find()?);
            }
            EachNode => {}
            Firefox => {
                variables.insert("TURNKEEPER_FIREFOX", FIREFOX.find()?);
            }
            Nodes => {
                let binaries = serde_json::to_string(&nodes::binaries()?)?;
                variables.insert("TURNKEEPER_NODES", binaries.into());
            }
            Shells => {
                variables.insert("TURNKEEPER_ZSH", ZSH.find()?);
                variables.insert("TURNKEEPER_FISH", FISH.find()?);
            }
            Strace => match STRACE.find() {
                Ok(strace) => drop(variables.insert("TURNKEEPER_STRACE", strace)),
                // Its tests skip themselves.
                Err(error) => step::skip(
                    "the tests of calls that a system refuses",
                    &error.to_string(),
                ),
            },
            Site => {
                site::build(depth.flavour(), Flavour::Quick)?;
                variables.insert("TURNKEEPER_SITE", paths::target("site"));
            }
            Platforms => {
                let foreign = serde_json::to_string(&program::emulated()?)?;
                variables.insert("TURNKEEPER_PLATFORMS", foreign.into());
            }
            VsCode | OldestVsCode => {
                let vscode = vscode::installed(match self {
                    VsCode => vscode::NEWEST,
                    _ => vscode::OLDEST,
                })?;
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
    ensure!(!files.is_empty(), "{} has no *.test.mjs", folder.display());
    files.sort();
    Ok(files)
}

/// Whether a test file's name begins with one of these.
pub fn begins_with(file: &Path, beginnings: &[&str]) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    beginnings
        .iter()
        .any(|beginning| name.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forge_runs_every_suite() {
        let workflow = paths::repo(".github/workflows/test.yml");
        let workflow = fs::read_to_string(workflow).expect("the workflow");
        let words: Vec<&str> = workflow.split([' ', '\n']).collect();
        for suite in SUITES.iter().filter(|suite| suite.turn != Turn::WhenNamed) {
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
