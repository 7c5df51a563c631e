//! The suites that look at the package from outside: what each needs, and how it is run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::counts::{self, Counts};
use crate::package::{self, Flavour, quick_app};
use crate::{browser, nodes, npm, pack, paths, shells, site, step, vscode};

/// A folder of `tests/` whose `*.test.mjs` files Node's test runner runs on the packed package.
pub struct Suite {
    pub name: &'static str,
    /// The seconds that it takes on two cores that do nothing else, for each of its Nodes: the longest begin first.
    pub seconds: u32,
    limit: Duration,
    on: On,
    /// Files that run at once.
    at_once: usize,
    /// The beginnings of the names of files that run after all suites, when nothing else does.
    pub alone: &'static [&'static str],
    needs: &'static [Need],
}

/// The Nodes that a suite runs on.
enum On {
    /// The one that builds the package.
    System,
    /// The newest, which starts soonest: for suites that start one again and again.
    Newest,
    /// Each that is chosen.
    Each,
}

#[derive(PartialEq, Eq)]
enum Need {
    Agents,
    Browser,
    Firefox,
    Nodes,
    Shells,
    Site,
    VsCode,
    OldestVsCode,
}

pub const SUITES: [Suite; 16] = [
    Suite {
        on: On::Each,
        ..Suite::new("node", 70, &[Need::Nodes])
    },
    Suite {
        on: On::Newest,
        ..Suite::new("command", 140, &[])
    },
    Suite {
        on: On::Newest,
        ..Suite::new("agents", 150, &[Need::Agents])
    },
    Suite::new("memory", 65, &[]),
    Suite::new("packaging", 45, &[Need::Nodes, Need::Browser]),
    Suite::new("runtimes", 10, &[Need::Nodes]),
    Suite::new("complexity", 30, &[]),
    Suite::new("types", 25, &[]),
    Suite::new("peers", 20, &[]),
    Suite::new("sdk", 35, &[]),
    Suite::new("tokens", 1, &[]),
    Suite {
        at_once: 4,
        ..Suite::new("shells", 130, &[Need::Shells])
    },
    Suite::new("browser", 15, &[Need::Browser, Need::Firefox]),
    // A real VS Code loses what a quick command printed where the processors are busy with other tests.
    Suite {
        alone: &["conversation", "example", "terminals"],
        ..Suite::new("vscode", 90, &[Need::Browser, Need::Shells, Need::VsCode])
    },
    Suite::new("vscode-oldest", 100, &[Need::Browser, Need::OldestVsCode]),
    Suite::new("www", 170, &[Need::Browser, Need::Firefox, Need::Site]),
];

/// Files of the suite `node` that ask nothing of the engine beyond its language: models, tables of cases,
/// documents and arguments that the package refuses by itself. Among the Nodes that run unasked only the newest, which
/// is the quickest, runs them; that the package calls nothing which the oldest lacks, its types say.
const FOR_ONE_NODE: [&str; 32] = [
    "cache-arithmetic",
    "command-lines",
    "directory-effects",
    "document-links",
    "documents",
    "environment-block",
    "environment-rounds",
    "exact-copies",
    "file-copies",
    "file-copy-forms",
    "ghost-block-limits",
    "ghost-block-placement",
    "ghost-block-prefix",
    "ghost-block-properties",
    "glossary",
    "history-deduper",
    "injector-properties",
    "look-alike-paths",
    "loops",
    "names",
    "random-cuts",
    "replay-input",
    "responses-copies",
    "second-results",
    "seed-trace",
    "seeds",
    "superseded-files",
    "terminal-peers",
    "vscode-late-shells",
    "whole-histories",
    "workspace-copies",
    "wrong-input-terminals",
];

const fn minutes(count: u64) -> Duration {
    Duration::from_secs(count * 60)
}

/// A machine that is half as fast, and has other work, needs several times as long as a quiet one.
const LIMIT: Duration = minutes(30);

/// The agents that the user chose, instead of those that start quickly.
static AGENTS: OnceLock<String> = OnceLock::new();

/// The suite `agents` runs with these: names with commas between them, or `all`.
pub fn choose_agents(list: &str) -> Result<()> {
    AGENTS
        .set(list.to_owned())
        .or_else(|_| bail!("the agents are chosen once"))
}

/// These run when they are named, and not with the others.
const BY_NAME_ONLY: [&str; 1] = ["vscode-oldest"];

impl Suite {
    const fn new(name: &'static str, seconds: u32, needs: &'static [Need]) -> Suite {
        Suite {
            name,
            seconds,
            limit: LIMIT,
            on: On::System,
            at_once: 1,
            alone: &[],
            needs,
        }
    }

    pub fn is_by_name_only(&self) -> bool {
        BY_NAME_ONLY.contains(&self.name)
    }

    pub fn folder(&self) -> PathBuf {
        paths::repo("tests").join(self.name)
    }

    /// Runs the suite without what runs alone; one row of results for each Node version that it runs on.
    pub fn run(&self, package: &Packed) -> Result<Vec<(String, Counts, Duration)>> {
        let mut files = test_files(&self.folder())?;
        files.retain(|file| !begins_with(file, self.alone));
        if !matches!(self.on, On::Each) {
            let node = self.one_node()?;
            let row = self.run_files(self.name, &node, &files, self.at_once, package)?;
            return Ok(vec![row]);
        }
        let mut rows = Vec::new();
        let binaries = nodes::binaries()?;
        let newest = binaries.last_key_value().map(|(version, _)| version);
        for (version, node) in &binaries {
            let label = format!("{} on Node {version}", self.name);
            let runs_all = Some(version) == newest || nodes::were_chosen();
            let is_for_it = |file: &&PathBuf| runs_all || !is_for_one_node(file);
            let files: Vec<PathBuf> = files.iter().filter(is_for_it).cloned().collect();
            rows.push(self.run_files(&label, node, &files, self.at_once, package)?);
        }
        Ok(rows)
    }

    /// The Node of a run on one.
    fn one_node(&self) -> Result<PathBuf> {
        let newest = match self.on {
            On::Newest => nodes::newest()?,
            On::System | On::Each => None,
        };
        Ok(newest.unwrap_or_else(|| PathBuf::from("node")))
    }

    /// Runs those of its files whose names begin with one of `beginnings`, or all if there is none, on one
    /// Node, when no other suite runs.
    pub fn run_some(
        &self,
        beginnings: &[&str],
        at_once: usize,
        package: &Packed,
    ) -> Result<Counts> {
        let mut files = test_files(&self.folder())?;
        files.retain(|file| beginnings.is_empty() || begins_with(file, beginnings));
        let node = self.one_node()?;
        let (_, counts, _) = self.run_files(self.name, &node, &files, at_once, package)?;
        Ok(counts)
    }

    fn run_files(
        &self,
        label: &str,
        node: &Path,
        files: &[PathBuf],
        at_once: usize,
        package: &Packed,
    ) -> Result<(String, Counts, Duration)> {
        let environment = self.set_up(package)?;
        let mut command = Command::new(node);
        command
            .current_dir(paths::repo(""))
            .args(["--test", "--test-reporter=tap"])
            .args(concurrency(at_once))
            .args(files)
            .envs(&environment);
        let started = Instant::now();
        let counts = run_tap(label, &mut command, self.limit)?;
        Ok((label.to_owned(), counts, started.elapsed()))
    }

    /// One suite at a time, since several need the same things.
    fn set_up(&self, package: &Packed) -> Result<BTreeMap<&'static str, PathBuf>> {
        static TURN: Mutex<()> = Mutex::new(());
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        npm::ci("tests")?;
        if self.folder().join("package-lock.json").exists() {
            npm::ci(&format!("tests/{}", self.name))?;
        }
        self.environment(package)
    }

    fn environment(&self, package: &Packed) -> Result<BTreeMap<&'static str, PathBuf>> {
        let mut variables = BTreeMap::from([
            ("TURNKEEPER_TARBALL", package.tarball.clone()),
            ("TURNKEEPER_APP", package.app.clone()),
            ("TURNKEEPER_APP_PANIC", quick_app()),
        ]);
        for need in self.needs {
            match need {
                Need::Agents => {
                    let agents = AGENTS.get().map_or("", String::as_str);
                    variables.insert("TURNKEEPER_AGENTS", agents.into());
                    // Some of them run on nothing older.
                    if let Some(node) = nodes::newest()? {
                        variables.insert("TURNKEEPER_NODE24", node);
                    }
                }
                Need::Browser => {
                    variables.insert("TURNKEEPER_CHROME", browser::chromium()?);
                }
                Need::Firefox => {
                    if let Some(firefox) = browser::firefox() {
                        variables.insert("TURNKEEPER_FIREFOX", firefox.browser);
                        variables.insert("TURNKEEPER_GECKODRIVER", firefox.driver);
                    }
                }
                Need::Nodes => {
                    let binaries = serde_json::to_string(&nodes::binaries()?)?;
                    variables.insert("TURNKEEPER_NODES", binaries.into());
                }
                Need::Shells => {
                    let shells = shells::shells()?;
                    variables.insert("TURNKEEPER_ZSH", shells.zsh);
                    variables.insert("TURNKEEPER_FISH", shells.fish);
                }
                Need::Site => {
                    site::build(&package.app)?;
                    variables.insert("TURNKEEPER_SITE", paths::target("site"));
                }
                Need::VsCode | Need::OldestVsCode => {
                    let vscode = match need {
                        Need::VsCode => vscode::vscode()?,
                        _ => vscode::oldest_vscode()?,
                    };
                    npm::ci("tests/vscode")?;
                    variables.insert("TURNKEEPER_CODE_SERVER", vscode.code_server);
                    variables.insert("TURNKEEPER_NODE24", vscode.node);
                }
            }
        }
        Ok(variables)
    }
}

/// The package, packed, and an app that has it installed.
pub struct Packed {
    tarball: PathBuf,
    app: PathBuf,
}

impl Packed {
    /// The app that has the published flavour installed.
    pub fn app(&self) -> &Path {
        &self.app
    }

    /// The published flavour, as it is uploaded.
    pub fn tarball(&self) -> &Path {
        &self.tarball
    }

    /// The published flavour.
    pub fn make() -> Result<Packed> {
        package::make(Flavour::Published)?;
        let tarball = pack::pack()?;
        let app = paths::target("app");
        pack::install(&tarball, &app)?;
        Ok(Packed { tarball, app })
    }

    /// The same, and the quick flavour, which one test of the suite `node` asks for.
    pub fn make_both() -> Result<Packed> {
        let packed = Self::make()?;
        package::make(Flavour::Quick)?;
        Ok(packed)
    }

    /// The quick flavour alone, which is not packed.
    pub fn make_quick() -> Result<Packed> {
        package::make(Flavour::Quick)?;
        let (tarball, app) = (package::tarball(), quick_app());
        Ok(Packed { tarball, app })
    }
}

/// Node 18 has no option for it, and runs one file at a time on two cores anyway.
fn concurrency(at_once: usize) -> Option<String> {
    (at_once > 1).then(|| format!("--test-concurrency={at_once}"))
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

fn is_for_one_node(file: &Path) -> bool {
    FOR_ONE_NODE
        .iter()
        .any(|name| file.ends_with(format!("{name}.test.mjs")))
}

/// Whether a test file's name begins with one of these.
pub fn begins_with(file: &Path, beginnings: &[&str]) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    beginnings
        .iter()
        .any(|beginning| name.starts_with(beginning))
}

fn run_tap(label: &str, command: &mut Command, limit: Duration) -> Result<Counts> {
    let outcome = step::attempt(label, command, Some(limit))?;
    let mut counts = counts::tap(&outcome.output);
    if !outcome.success || counts.passed == 0 {
        // A runner that ended badly failed, even if it counted no failure.
        counts.failed = counts.failed.max(1);
    }
    if counts.failed > 0 {
        let failures = counts::tap_failures(&outcome.output);
        let shown = if failures.is_empty() {
            &outcome.output
        } else {
            &failures
        };
        println!(
            "{}\n(all of it: {})",
            step::last_lines(shown, 200),
            outcome.log.display()
        );
    }
    if outcome.timed_out {
        println!("{label}: ended after {} minutes", limit.as_secs() / 60);
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
        for suite in SUITES.iter().filter(|suite| !suite.is_by_name_only()) {
            assert!(words.contains(&suite.name), "{}", suite.name);
        }
    }

    #[test]
    fn what_one_node_runs_is_there() {
        for name in FOR_ONE_NODE {
            let file = paths::repo("tests/node").join(format!("{name}.test.mjs"));
            assert!(file.exists() && is_for_one_node(&file), "{name}");
        }
        assert!(!is_for_one_node(Path::new("ghost-block.test.mjs")));
    }
}
