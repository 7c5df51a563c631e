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
use crate::package::Flavour;
use crate::tools::{self, WASM_TARGET};
use crate::{npm, paths, step};

/// A Wasm module of the package by the entry that carries it, which names the folder of its glue, too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Module(&'static str);

/// A module as the package holds it; see `js/build/bundle.mjs`.
const DEFLATED: &str = "turnkeeper_bg.deflate";

/// The module of all machines, which no entry of its own carries. In development it is the only one.
pub const ALL: Module = Module("");

/// The detectors of other agents, which the module of all machines leaves out.
pub const PEERS: Module = Module("peers");

/// What judges the events of other people's agents in their plugins, and in hooks where no program is.
pub const WATCH: Module = Module("watch");

/// The readers of saved sessions.
pub const SESSIONS: Module = Module("sessions");

/// The page's view of saved sessions; no part of the package.
pub const ANALYSIS: Module = Module("analysis");

/// Every module of the published package, the one that takes longest first.
pub const MODULES: [Module; 10] = [
    ALL,
    Module("others"),
    PEERS,
    WATCH,
    SESSIONS,
    Module("loop-detector"),
    Module("ghost-block"),
    Module("history-deduper"),
    Module("summary-injector"),
    Module("terminal-selector"),
];

impl Module {
    fn name(self) -> &'static str {
        match self {
            ALL => "all machines",
            Self(entry) => entry,
        }
    }

    fn crate_name(self) -> String {
        match self {
            ALL => "turnkeeper-wasm".to_owned(),
            Self(entry) => format!("turnkeeper-{entry}-wasm"),
        }
    }

    /// Whether a build for tests has a panic that they can reach.
    fn has_probe(self) -> bool {
        matches!(self, ALL | PEERS)
    }

    /// Where cargo puts it.
    fn compiled(self, flavour: Flavour) -> PathBuf {
        let name = self.crate_name().replace('-', "_");
        let folder = match self.profile(flavour) {
            "dev" => "debug",
            profile => profile,
        };
        paths::target(WASM_TARGET).join(format!("{folder}/{name}.wasm"))
    }

    /// That of the readers of sessions, which have megabytes to read, is for speed. The page's tests read little.
    fn profile(self, flavour: Flavour) -> &'static str {
        match flavour {
            Flavour::Published if self == SESSIONS => "wasm-sessions",
            Flavour::Quick if self == ANALYSIS => "dev",
            _ => flavour.profile(),
        }
    }

    fn glue(self, glue: &Path) -> PathBuf {
        glue.join(self.0)
    }
}

/// The crates that modules have inside.
pub fn crates_of(modules: &[Module]) -> Result<Crates> {
    let names: Vec<String> = modules.iter().map(|it| it.crate_name()).collect();
    Crates::inside(&names, WASM_TARGET)
}

/// Writes `turnkeeper.js`, `turnkeeper.d.ts` and `turnkeeper_bg.wasm` of each module into `glue`, once: several jobs
/// need the types while the package is made.
pub fn build(modules: &[Module], flavour: Flavour, glue: &Path) -> Result<()> {
    static MADE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    let mut made = step::lock(&MADE);
    let modules: Vec<Module> = modules
        .iter()
        .copied()
        .filter(|module| !made.contains(&module.glue(glue)))
        .collect();
    if modules.is_empty() {
        return Ok(());
    }
    tools::target(WASM_TARGET)?;
    let bindgen = tools::own("bindgen")?;
    let mut deflate = None;
    if flavour == Flavour::Published {
        npm::ci("js")?;
        deflate = Some(tools::own("deflate")?);
    }
    // The readers of sessions ask for exact numbers of a crate that all have inside, which the published modules are
    // smaller without.
    let is_apart = |it: &&Module| flavour == Flavour::Published && **it == SESSIONS;
    let (apart, together): (Vec<&Module>, Vec<&Module>) = modules.iter().partition(is_apart);
    for modules in [together, apart] {
        compile(&modules, flavour)?;
    }
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let finished = step::side_by_side(cores, &modules, |module| {
        finish(
            *module,
            flavour,
            &module.glue(glue),
            &bindgen,
            deflate.as_deref(),
        )
    });
    finished.into_iter().collect::<Result<()>>()?;
    made.extend(modules.iter().map(|module| module.glue(glue)));
    Ok(())
}

/// Makes the glue of a compiled module; with what deflates it, smaller, too.
fn finish(
    module: Module,
    flavour: Flavour,
    glue: &Path,
    bindgen: &Path,
    deflate: Option<&Path>,
) -> Result<()> {
    let compiled = module.compiled(flavour);
    let stamp = stamp(&compiled)?;
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
fn compile(modules: &[&Module], flavour: Flavour) -> Result<()> {
    let Some(first) = modules.first() else {
        return Ok(());
    };
    let profile = first.profile(flavour);
    let mut cargo = cargo("build", profile, &same_everywhere(WASM_TARGET)?);
    for module in modules {
        let name = module.crate_name();
        cargo.args(["--package", &name]);
        if module.has_probe() && flavour != Flavour::Published {
            cargo.arg(format!("--features={name}/panic-probe"));
        }
    }
    if profile == "dev" {
        // Compiled once, and wasm-bindgen reads half as much.
        cargo.args(["--config", "profile.dev.incremental=false"]);
        cargo.args(["--config", "profile.dev.debug=false"]);
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
pub fn cargo_test(flags: &str) -> Command {
    let mut cargo = cargo("test", Flavour::Quick.profile(), flags);
    cargo.args(["--package", "turnkeeper-core"]);
    cargo
}

fn cargo(subcommand: &str, profile: &str, flags: &str) -> Command {
    let mut cargo = tools::cargo();
    cargo
        .args([subcommand, "--profile", profile])
        .args(["--target", WASM_TARGET])
        .args(["--config", flags])
        // These would replace the flags in .cargo/config.toml instead of joining them.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    cargo
}

/// Compiler flags that give the files of this machine, which panics name, the same names on every
/// machine, so that every checkout builds the same bytes. Cargo joins them to those of
/// .cargo/config.toml.
pub fn same_everywhere(target: &str) -> Result<String> {
    let mut renamed = vec![(paths::root(), "/turnkeeper".to_owned())];
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
    let sources = Path::new(&sysroot).join("lib/rustlib/src/rust");
    Ok((sources, format!("/rustc/{commit}")))
}

fn rustc(arguments: &[&str]) -> Result<String> {
    step::said(&mut step::command("rustc", arguments))
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

/// A hash of everything that the glue is made from.
fn stamp(compiled: &Path) -> Result<String> {
    let mut parts = include_bytes!("wasm.rs").to_vec();
    for file in ["js/package-lock.json", "Cargo.lock"] {
        parts.extend(fs::read(paths::repo(file))?);
    }
    let module = fs::read(compiled);
    parts.extend(module.with_context(|| format!("cargo built no {}", compiled.display()))?);
    Ok(format!("{:016x}", fingerprint(&parts)))
}
