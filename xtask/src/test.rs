//! `cargo xtask test`: what a change breaks, within minutes from nothing; with `--deep`, the rest. Every job is counted,
//! whatever fails before it.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::{Arg, ArgAction, ArgMatches};

use crate::checks::{self, Check};
pub use crate::counts::Counts;
use crate::debian::{CHROMEDRIVER, CHROMIUM};
use crate::machines::{self, MACHINES, Machine};
use crate::packed::{Depth, packed};
use crate::rows::{Row, cargo_test, close, timed};
use crate::suites::{self, SUITES, Suite};
use crate::{demo, nodes, package, paths, shapes, step, tools, wasm};

/// Jobs beside the one that compiles. They mostly wait for what they start: shells, pages and windows.
const LANES: usize = 2;

/// Random cases of each property in Rust: the library's own number, and many.
const SHORT_CASES: &str = "256";
const DEEP_CASES: &str = "1000";

/// Work with a name.
#[derive(Clone, Copy)]
enum Job {
    Package,
    Rust,
    Wasm,
    Demo,
    Check(&'static Check),
    Suite(&'static Suite),
}

impl Job {
    /// The jobs that compile, one after the other: two cargos would wait for each other.
    fn compiling(depth: Depth) -> Vec<Job> {
        let first = [Job::Package, Job::Rust];
        let checks = checks::of(depth).filter(|check| check.compiles);
        let mut jobs: Vec<Job> = first.into_iter().chain(checks.map(Job::Check)).collect();
        if depth == Depth::Deep {
            jobs.push(Job::Wasm);
        }
        jobs
    }

    /// The others, the longest suites first.
    fn others(depth: Depth) -> Vec<Job> {
        let checks = checks::of(depth).filter(|check| !check.compiles);
        let suites = SUITES.iter().filter(|suite| suite.is_part_of(depth));
        let mut jobs: Vec<Job> = checks
            .map(Job::Check)
            .chain(suites.map(Job::Suite))
            .collect();
        if depth == Depth::Short {
            jobs.push(Job::Demo);
        }
        jobs
    }

    fn name(self) -> &'static str {
        match self {
            Job::Package => "package",
            Job::Rust => "rust",
            Job::Wasm => "wasm",
            Job::Demo => "demo",
            Job::Check(check) => check.name,
            Job::Suite(suite) => suite.name,
        }
    }

    /// Whether the user means it by this word: all checks have one beside their own names.
    fn is_named(self, word: &str) -> bool {
        self.name() == word || (word == "checks" && matches!(self, Job::Check(_)))
    }

    /// Whether it runs when it is named, and not with the others.
    fn is_by_name_only(self) -> bool {
        matches!(self, Job::Suite(suite) if suite.by_name_only)
    }

    /// Whether it has the machine for itself, after the others.
    fn is_alone(self) -> bool {
        matches!(self, Job::Suite(suite) if suite.alone)
    }

    fn run(self, depth: Depth) -> Vec<Row> {
        let one = |done: Result<()>| done.map(|()| Counts::ONE);
        match self {
            Job::Package => package(depth),
            Job::Rust => vec![timed("rust", || rust(depth))],
            Job::Wasm => vec![timed("wasm, Chromium", wasm_in_chromium)],
            Job::Demo => vec![timed("demo", || one(demo::check(&packed(depth)?)))],
            Job::Check(check) => vec![timed(check.name, || one((check.run)()))],
            Job::Suite(suite) => suite.run(depth),
        }
    }
}

pub struct Arguments {
    names: Vec<String>,
    deep: bool,
    quick: bool,
    nodes: Option<String>,
    agents: Option<String>,
}

/// The arguments as they are written.
pub fn arguments() -> Vec<Arg> {
    let option = |name: &'static str, about: &'static str| Arg::new(name).long(name).help(about);
    vec![
        Arg::new("names")
            .num_args(0..)
            .help("Only these checks or suites, or a machine such as `loop_detector`"),
        option(
            "deep",
            "What takes longer: the published package, other Nodes, Firefox, real agents, a real VS Code",
        )
        .action(ArgAction::SetTrue),
        option("quick", "Of the machines named, what says soonest whether a change is right")
            .action(ArgAction::SetTrue)
            .requires("names")
            .conflicts_with("deep"),
        option("nodes", "The Node versions of the suites that run on several: 18,24, or all"),
        option("agents", "The agents of other people: names with commas between them, or all"),
    ]
}

impl Arguments {
    pub fn of(given: &ArgMatches) -> Arguments {
        let text = |name: &str| given.get_one::<String>(name).cloned();
        let names = given.get_many::<String>("names").into_iter().flatten();
        Arguments {
            names: names.cloned().collect(),
            deep: given.get_flag("deep"),
            quick: given.get_flag("quick"),
            nodes: text("nodes"),
            agents: text("agents"),
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let started = Instant::now();
    let depth = match arguments.deep {
        true => Depth::Deep,
        false => Depth::Short,
    };
    if let Some(list) = &arguments.nodes {
        let majors = nodes::majors(list)?;
        nodes::CHOSEN.get_or_init(|| majors);
    }
    if let Some(list) = &arguments.agents {
        suites::AGENTS.get_or_init(|| list.clone());
    }
    let (jobs, machines) = named(&arguments.names, depth, arguments.quick)?;
    let wanted = |job: &Job| match jobs.is_empty() {
        true => machines.is_empty() && !job.is_by_name_only(),
        false => jobs.iter().any(|name| job.is_named(name)),
    };
    let compiling = Job::compiling(depth).into_iter().filter(wanted).collect();
    let others = Job::others(depth).into_iter().filter(wanted);
    let (alone, others) = others.partition::<Vec<Job>, _>(|job| job.is_alone());

    let mut rows = side_by_side(compiling, others, depth);
    rows.extend(alone.into_iter().flat_map(|job| job.run(depth)));
    for machine in machines {
        step::heading(machine.name);
        rows.extend(machines::run(machine, arguments.quick));
    }
    close(&rows, started.elapsed());
    Ok(())
}

/// Runs the jobs that compile one after the other, and the others beside them.
fn side_by_side(compiling: Vec<Job>, others: Vec<Job>, depth: Depth) -> Vec<Row> {
    let waiting = Mutex::new(VecDeque::from(others));
    let next = || step::lock(&waiting).pop_front();
    let help = || -> Vec<Row> {
        std::iter::from_fn(next)
            .flat_map(|job| job.run(depth))
            .collect()
    };
    thread::scope(|scope| {
        let lanes: Vec<_> = (0..LANES).map(|_| scope.spawn(help)).collect();
        let mut rows: Vec<Row> = compiling
            .into_iter()
            .flat_map(|job| job.run(depth))
            .collect();
        rows.extend(help());
        let ends = lanes.into_iter().map(|lane| lane.join());
        rows.extend(ends.flat_map(|rows| rows.expect("a job that fails does not panic")));
        rows
    })
}

/// The jobs and machines that the user means.
fn named(
    names: &[String],
    depth: Depth,
    is_quick: bool,
) -> Result<(Vec<&str>, Vec<&'static Machine>)> {
    // A suite may have the name of a machine, which is meant with `--quick`.
    let is_job = |name: &&str| !is_quick && jobs(depth).any(|job| job.is_named(name));
    let names = names.iter().map(String::as_str);
    let (jobs, machines): (Vec<&str>, Vec<&str>) = names.partition(is_job);
    let machine = |name: &str| machines::named(name).with_context(|| unknown(name, depth));
    let machines = machines.into_iter().map(machine).collect::<Result<_>>()?;
    Ok((jobs, machines))
}

fn jobs(depth: Depth) -> impl Iterator<Item = Job> {
    Job::compiling(depth).into_iter().chain(Job::others(depth))
}

fn unknown(name: &str, depth: Depth) -> String {
    if depth == Depth::Short && jobs(Depth::Deep).any(|job| job.is_named(name)) {
        return format!("`{name}` runs with --deep");
    }
    let names: Vec<&str> = jobs(depth).map(Job::name).collect();
    let machines: Vec<&str> = MACHINES.iter().map(|machine| machine.name).collect();
    format!(
        "there is no suite `{name}`; there are {}, all `checks`, and the machines {}",
        names.join(", "),
        machines.join(", ")
    )
}

/// The package that the suites look at from outside; the published one must not be too large.
fn package(depth: Depth) -> Vec<Row> {
    let mut rows = vec![timed("package", || packed(depth).map(|_| Counts::ONE))];
    if depth == Depth::Deep {
        rows.push(timed("sizes", || {
            package::check_size().map(|()| Counts::ONE)
        }));
    }
    rows
}

/// The deep run has more random cases, and the tests that take their time.
fn rust(depth: Depth) -> Result<Counts> {
    let (cases, of) = match depth {
        Depth::Short => (SHORT_CASES, &["--no-fail-fast"][..]),
        Depth::Deep => (
            DEEP_CASES,
            &["--no-fail-fast", "--", "--include-ignored"][..],
        ),
    };
    let natively = || {
        let mut cargo = shapes::cargo("test");
        cargo.env("PROPTEST_CASES", cases);
        Ok(cargo)
    };
    cargo_test("cargo test", natively, of)
}

/// The module that users run is built for release; this is the core on 32 bits with checks against overflow, in
/// Chromium.
fn wasm_in_chromium() -> Result<Counts> {
    tools::wasm_target()?;
    CHROMIUM.find()?;
    let driver = CHROMEDRIVER.find()?;
    let runner = wasm::test_runner()?;
    let cargo = || {
        let mut cargo = wasm::cargo_test()?;
        cargo
            .args(["--config", &runner])
            // Seconds; of the 20 that it takes for enough, a browser beside other work needs more.
            .env("WASM_BINDGEN_TEST_TIMEOUT", "200")
            .env("WASM_BINDGEN_USE_BROWSER", "1")
            .env(
                "WASM_BINDGEN_TEST_WEBDRIVER_JSON",
                paths::repo("tests/js/webdriver.json"),
            )
            .env("CHROMEDRIVER", &driver);
        Ok(cargo)
    };
    cargo_test("cargo test as Wasm", cargo, &["--test=all"])
}
