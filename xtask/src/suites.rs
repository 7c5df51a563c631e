//! The suites that look at the package from outside: what each needs, and how it is run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::counts::{self, Counts};
use crate::package::{self, Flavour};
use crate::{browser, nodes, npm, pack, paths, shells, site, step, vscode};

/// A folder of `tests/` whose `*.test.mjs` files Node's test runner runs on the packed package.
pub struct Suite {
    pub name: &'static str,
    limit: Duration,
    /// On each chosen Node version instead of the system's.
    every_node: bool,
    /// It spends most of its time waiting for shells, pages and windows, so it runs beside what needs the
    /// processor.
    pub waits: bool,
    /// Files that run at once.
    at_once: usize,
    needs: &'static [Need],
}

#[derive(PartialEq, Eq)]
enum Need {
    Browser,
    Firefox,
    Nodes,
    Shells,
    Site,
    VsCode,
    OldestVsCode,
}

pub const SUITES: [Suite; 15] = [
    Suite {
        name: "node",
        limit: minutes(15),
        every_node: true,
        waits: false,
        at_once: 1,
        needs: &[Need::Nodes],
    },
    Suite {
        name: "command",
        limit: minutes(10),
        every_node: false,
        waits: true,
        at_once: 1,
        needs: &[],
    },
    Suite {
        name: "memory",
        limit: minutes(10),
        every_node: false,
        waits: true,
        at_once: 1,
        needs: &[],
    },
    Suite {
        name: "packaging",
        limit: minutes(15),
        every_node: false,
        waits: false,
        at_once: 1,
        needs: &[Need::Nodes, Need::Browser],
    },
    Suite {
        name: "runtimes",
        limit: minutes(10),
        every_node: false,
        waits: false,
        at_once: 1,
        needs: &[Need::Nodes],
    },
    Suite {
        name: "complexity",
        limit: minutes(15),
        every_node: false,
        waits: false,
        at_once: 1,
        needs: &[],
    },
    Suite {
        name: "types",
        limit: minutes(10),
        every_node: false,
        waits: false,
        at_once: 1,
        needs: &[],
    },
    Suite {
        name: "peers",
        limit: minutes(10),
        every_node: false,
        waits: false,
        at_once: 1,
        needs: &[],
    },
    Suite {
        name: "sdk",
        limit: minutes(10),
        every_node: false,
        waits: false,
        at_once: 1,
        needs: &[],
    },
    Suite {
        name: "tokens",
        limit: minutes(10),
        every_node: false,
        waits: false,
        at_once: 1,
        needs: &[],
    },
    Suite {
        name: "shells",
        limit: minutes(15),
        every_node: false,
        waits: true,
        at_once: 4,
        needs: &[Need::Shells],
    },
    Suite {
        name: "browser",
        limit: minutes(10),
        every_node: false,
        waits: true,
        at_once: 1,
        needs: &[Need::Browser],
    },
    Suite {
        name: "vscode",
        limit: minutes(15),
        every_node: false,
        waits: true,
        at_once: 1,
        needs: &[Need::Browser, Need::Shells, Need::VsCode],
    },
    Suite {
        name: "vscode-oldest",
        limit: minutes(15),
        every_node: false,
        waits: true,
        at_once: 1,
        needs: &[Need::Browser, Need::OldestVsCode],
    },
    Suite {
        name: "www",
        limit: minutes(20),
        every_node: false,
        waits: true,
        at_once: 1,
        needs: &[Need::Browser, Need::Firefox, Need::Site],
    },
];

const fn minutes(count: u64) -> Duration {
    Duration::from_secs(count * 60)
}

/// These run when they are named, and not with the others.
const BY_NAME_ONLY: [&str; 1] = ["vscode-oldest"];

impl Suite {
    pub fn is_by_name_only(&self) -> bool {
        BY_NAME_ONLY.contains(&self.name)
    }

    pub fn folder(&self) -> PathBuf {
        paths::repo("tests").join(self.name)
    }

    /// Runs the suite; one row of results for each Node version that it runs on.
    pub fn run(&self, package: &Packed) -> Result<Vec<(String, Counts, Duration)>> {
        let files = test_files(&self.folder())?;
        let environment = self.set_up(package)?;
        let runs: Vec<(String, PathBuf)> = if self.every_node {
            let versions = nodes::binaries()?;
            let label = |version: &str| format!("{} on Node {version}", self.name);
            versions
                .into_iter()
                .map(|(version, node)| (label(&version), node))
                .collect()
        } else {
            vec![(self.name.to_owned(), PathBuf::from("node"))]
        };
        let mut rows = Vec::new();
        for (label, node) in runs {
            let mut command = Command::new(node);
            command
                .current_dir(paths::repo(""))
                .args(["--test", "--test-reporter=tap"])
                .args(self.concurrency())
                .args(&files)
                .envs(&environment);
            let started = Instant::now();
            let counts = run_tap(&label, &mut command, self.limit)?;
            rows.push((label, counts, started.elapsed()));
        }
        Ok(rows)
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

    /// Node 18 has no option for it, and runs one file at a time on two cores anyway.
    fn concurrency(&self) -> Option<String> {
        (self.at_once > 1).then(|| format!("--test-concurrency={}", self.at_once))
    }

    fn environment(&self, package: &Packed) -> Result<BTreeMap<&'static str, PathBuf>> {
        let mut variables = BTreeMap::from([
            ("TURNKEEPER_TARBALL", package.tarball.clone()),
            ("TURNKEEPER_TARBALL_PANIC", package.tarball_panic.clone()),
            ("TURNKEEPER_APP", package.app.clone()),
            ("TURNKEEPER_APP_PANIC", package.app_panic.clone()),
        ]);
        for need in self.needs {
            match need {
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
                    site::build(&package.tarball)?;
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

/// Both flavours of the package, packed, and an app that has each installed.
pub struct Packed {
    tarball: PathBuf,
    tarball_panic: PathBuf,
    app: PathBuf,
    app_panic: PathBuf,
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

    pub fn make() -> Result<Packed> {
        package::make(Flavour::Published)?;
        package::make(Flavour::PanicProbe)?;
        let packed = Packed {
            tarball: pack::pack(Flavour::Published)?,
            tarball_panic: pack::pack(Flavour::PanicProbe)?,
            app: paths::target("app"),
            app_panic: paths::target("app-panic"),
        };
        pack::install(&packed.tarball, &packed.app)?;
        pack::install(&packed.tarball_panic, &packed.app_panic)?;
        Ok(packed)
    }
}

fn test_files(folder: &Path) -> Result<Vec<PathBuf>> {
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
