//! From Rust to the modules and the glue that the TypeScript imports.

use std::env;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

use anyhow::{Context, Result};

use crate::crates::Crates;
use crate::nodes::fingerprint;
use crate::tools::{self, WASM_TARGET};
use crate::{npm, paths, step};

/// A Wasm module of the package: all machines, all but the detector, or one alone.
#[derive(Clone, Copy)]
pub struct Module {
    /// The folder of its glue, and the entry that carries it; none for the module of all.
    entry: Option<&'static str>,
    crate_name: &'static str,
    /// Whether a build for tests has a panic that they can reach.
    has_probe: bool,
}

/// A module as the package holds it; see `js/build/bundle.mjs`.
const DEFLATED: &str = "turnkeeper_bg.deflate";

/// The module of all machines. In development it is the only one.
pub const ALL: Module = Module {
    entry: None,
    crate_name: "turnkeeper-wasm",
    has_probe: true,
};

/// The detectors of other agents, which the module of all machines leaves out.
pub const PEERS: Module = Module {
    has_probe: true,
    ..Module::of("peers", "turnkeeper-peers-wasm")
};

/// What judges the events of other people's agents in their plugins, and in hooks where no program is.
pub const WATCH: Module = Module::of("watch", "turnkeeper-watch-wasm");

/// The readers of saved sessions.
pub const SESSIONS: Module = Module::of("sessions", "turnkeeper-sessions-wasm");

/// The page's view of saved sessions; no part of the package.
pub const ANALYSIS: Module = Module::of("analysis", "turnkeeper-analysis-wasm");

/// Every module of the published package, the one that takes longest first.
pub const MODULES: [Module; 10] = [
    ALL,
    Module::of("others", "turnkeeper-others-wasm"),
    PEERS,
    WATCH,
    SESSIONS,
    Module::of("loop-detector", "turnkeeper-loop-detector-wasm"),
    Module::of("ghost-block", "turnkeeper-ghost-block-wasm"),
    Module::of("history-deduper", "turnkeeper-history-deduper-wasm"),
    Module::of("summary-injector", "turnkeeper-summary-injector-wasm"),
    Module::of("terminal-selector", "turnkeeper-terminal-selector-wasm"),
];

impl Module {
    const fn of(entry: &'static str, crate_name: &'static str) -> Self {
        Self {
            entry: Some(entry),
            crate_name,
            has_probe: false,
        }
    }

    fn name(self) -> &'static str {
        self.entry.unwrap_or("all machines")
    }

    /// Where cargo puts it.
    fn compiled(self, effort: Effort) -> PathBuf {
        let name = self.crate_name.replace('-', "_");
        paths::target(WASM_TARGET).join(format!("{}/{name}.wasm", effort.profile()))
    }

    fn glue(self, glue: &Path) -> PathBuf {
        self.entry
            .map_or_else(|| glue.to_owned(), |entry| glue.join(entry))
    }
}

/// The work that goes into a module.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// As it is published.
    Full,
    /// Soon there, for a look while one works.
    Quick,
}

impl Effort {
    fn profile(self) -> &'static str {
        match self {
            Self::Full => "wasm",
            Self::Quick => "wasm-quick",
        }
    }
}

/// The crates that modules have inside.
pub fn crates_of(modules: &[Module]) -> Result<Crates> {
    let names: Vec<&str> = modules.iter().map(|it| it.crate_name).collect();
    Crates::inside(&names, WASM_TARGET)
}

/// Writes `turnkeeper.js`, `turnkeeper.d.ts` and `turnkeeper_bg.wasm` of each module into `glue`.
pub fn build(modules: &[Module], effort: Effort, glue: &Path) -> Result<()> {
    tools::wasm_target()?;
    let bindgen = tools::own("bindgen")?;
    let deflate = match effort {
        Effort::Full => {
            npm::ci("js")?;
            Some(tools::own("deflate")?)
        }
        Effort::Quick => None,
    };
    // The readers of sessions ask for exact numbers of a crate that all have inside, which the published modules are
    // smaller without.
    let is_apart = |it: &&Module| effort == Effort::Full && it.crate_name == SESSIONS.crate_name;
    let (apart, together): (Vec<&Module>, Vec<&Module>) = modules.iter().partition(is_apart);
    for modules in [together, apart] {
        compile(&modules, effort)?;
    }
    let waiting = Mutex::new(modules.iter());
    let work = || {
        std::iter::from_fn(|| step::lock(&waiting).next()).try_for_each(|module| {
            let compiled = module.compiled(effort);
            finish(
                *module,
                &bindgen,
                &compiled,
                &module.glue(glue),
                deflate.as_deref(),
            )
        })
    };
    thread::scope(|scope| {
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().expect("a step that fails does not panic"))
    })
}

/// Makes the glue of a compiled module; with what deflates it, smaller, too.
fn finish(
    module: Module,
    bindgen: &Path,
    compiled: &Path,
    glue: &Path,
    deflate: Option<&Path>,
) -> Result<()> {
    let stamp = stamp(compiled)?;
    let stamp_file = glue.join(".stamp");
    if fs::read_to_string(&stamp_file).is_ok_and(|last| last == stamp) {
        let label = format!("wasm-bindgen and wasm-opt, {}", module.name());
        step::skip(&label, "the module has not changed");
        return Ok(());
    }
    for file in [
        "turnkeeper.js", "turnkeeper.d.ts", "turnkeeper_bg.wasm", DEFLATED, ".stamp",
    ] {
        let _ = fs::remove_file(glue.join(file));
    }
    fs::create_dir_all(glue)?;
    let mut bindgen = Command::new(bindgen);
    bindgen.arg(compiled).arg(glue);
    step::run(&format!("wasm-bindgen, {}", module.name()), &mut bindgen)?;
    if let Some(deflate) = deflate {
        optimise(module, glue)?;
        let mut deflate = Command::new(deflate);
        deflate
            .arg(glue.join("turnkeeper_bg.wasm"))
            .arg(glue.join(DEFLATED));
        step::run(&format!("deflate, {}", module.name()), &mut deflate)?;
    }
    fs::write(stamp_file, stamp)?;
    Ok(())
}

/// Several modules at once, so that each crate inside is compiled once.
fn compile(modules: &[&Module], effort: Effort) -> Result<()> {
    if modules.is_empty() {
        return Ok(());
    }
    let mut cargo = cargo("build", effort)?;
    for module in modules {
        cargo.args(["--package", module.crate_name]);
        if module.has_probe && effort == Effort::Quick {
            cargo.arg(format!("--features={}/panic-probe", module.crate_name));
        }
    }
    let names: Vec<&str> = modules.iter().map(|it| it.name()).collect();
    let label = format!("compile to Wasm: {}", names.join(", "));
    tools::run_cargo(&label, &mut cargo)
}

/// The setting of cargo that runs tests in a browser.
pub fn test_runner() -> Result<String> {
    let runner = serde_json::to_string(&[&*tools::own("test-runner")?.to_string_lossy()])?;
    Ok(format!("target.{WASM_TARGET}.runner={runner}"))
}

/// The tests that run as Wasm: of the crates that the quick modules are made from.
pub fn cargo_test() -> Result<Command> {
    let mut cargo = cargo("test", Effort::Quick)?;
    cargo.args(["--package", "turnkeeper-core"]);
    Ok(cargo)
}

fn cargo(subcommand: &str, effort: Effort) -> Result<Command> {
    let mut cargo = tools::cargo();
    cargo
        .args([subcommand, "--profile", effort.profile()])
        .args(["--target", WASM_TARGET])
        .args(["--config", &same_everywhere(WASM_TARGET)?])
        // These would replace the flags in .cargo/config.toml instead of joining them.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    Ok(cargo)
}

/// Compiler flags that give the files of this machine, which panics name, the same names on every
/// machine, so that every checkout builds the same bytes. Cargo joins them to those of
/// .cargo/config.toml.
pub fn same_everywhere(target: &str) -> Result<String> {
    let mut renamed = vec![(paths::repo(""), "/turnkeeper".to_owned())];
    if let Some(sources) = registry_sources() {
        for index in fs::read_dir(&sources)? {
            renamed.push((index?.path(), "/registry".to_owned()));
        }
    }
    renamed.push(standard_library()?);
    let flags: Vec<String> = renamed
        .iter()
        .map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()))
        .collect();
    let flags = serde_json::to_string(&flags)?;
    Ok(format!("target.{target}.rustflags={flags}"))
}

fn registry_sources() -> Option<PathBuf> {
    let home = match env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => env::home_dir()?.join(".cargo"),
    };
    Some(home.join("registry/src")).filter(|sources| sources.is_dir())
}

/// Where the standard library's sources are if they are installed, and what the compiler calls them
/// if they are not.
fn standard_library() -> Result<(PathBuf, String)> {
    let sysroot = rustc(&["--print", "sysroot"])?;
    let version = rustc(&["--version", "--verbose"])?;
    let commit = version
        .lines()
        .find_map(|line| line.strip_prefix("commit-hash: "))
        .context("rustc does not say which commit it was built from")?;
    let sources = Path::new(sysroot.trim()).join("lib/rustlib/src/rust");
    Ok((sources, format!("/rustc/{commit}")))
}

fn rustc(arguments: &[&str]) -> Result<String> {
    let answered = Command::new("rustc")
        .current_dir(paths::repo(""))
        .args(arguments)
        .output()
        .context("cannot start rustc")?;
    Ok(String::from_utf8(answered.stdout)?)
}

fn optimise(module: Module, glue: &Path) -> Result<()> {
    let file = glue.join("turnkeeper_bg.wasm");
    let mut optimiser = npm::tool("wasm-opt");
    optimiser.args([
        "-O3",
        // An engine compiles a function whole when it is first called, so those with one caller stay functions
        // of their own: the largest at the start is 7 KB instead of 14, and the module is smaller, too.
        "--one-caller-inline-max-function-size=1",
        // Small functions that do not call any other stay, too, which takes no time that could be measured.
        "--flexible-inline-max-function-size=5",
        // Rust's stack begins at address 0, and nothing else is there.
        "--low-memory-unused",
        // Copies of a generic function stand beside each other, which takes 2 % off the compressed module.
        "--reorder-functions-by-name",
        "--strip-debug",
        "--strip-producers",
    ]);
    optimiser.arg(&file).arg("-o").arg(&file);
    step::run(&format!("wasm-opt, {}", module.name()), &mut optimiser)
}

/// Everything that the glue is made from.
fn stamp(compiled: &Path) -> Result<String> {
    let module =
        fs::read(compiled).with_context(|| format!("cargo built no {}", compiled.display()))?;
    let packages = fs::read(paths::repo("js/package-lock.json"))?;
    let crates = fs::read(paths::repo("Cargo.lock"))?;
    Ok(format!(
        "module {:016x}\npackages {:016x}\ncrates {:016x}\nbuilt by {:016x}\n",
        fingerprint(&module),
        fingerprint(&packages),
        fingerprint(&crates),
        fingerprint(include_bytes!("wasm.rs")),
    ))
}
