//! `cargo xtask test`: what a change breaks, within minutes from nothing; with `--deep`, the rest. Every job is counted,
//! whatever fails before it.

use std::time::Instant;

use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches};

use crate::checks::CHECKS;
use crate::debian::{CHROMEDRIVER, CHROMIUM};
use crate::machines::{self, MACHINES, Machine};
use crate::package::{self, Flavour};
use crate::packed::packed;
use crate::rows::{Counts, Row, cargo_test, close, timed};
use crate::suites::{self, SUITES};
use crate::{demo, nodes, paths, shapes, step, tools, wasm};

/// The short way finds in minutes what a change breaks; the deep one is everything else.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    Short,
    Deep,
}

impl Depth {
    /// The package that is tested from outside: the published one takes minutes more.
    pub fn flavour(self) -> Flavour {
        match self {
            Self::Short => Flavour::Quick,
            Self::Deep => Flavour::Published,
        }
    }
}

/// When a job runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// One after the other: two cargos would wait for each other.
    Compiling,
    /// Beside those that compile.
    Beside,
    /// After all others, with the machine for itself.
    Alone,
    /// Only when it is named.
    WhenNamed,
}

/// Jobs beside the one that compiles. They mostly wait for what they start: shells, pages and windows.
const LANES: usize = 2;

/// Random cases of each property in Rust: the library's own number, and many.
const SHORT_CASES: &str = "256";
const DEEP_CASES: &str = "1000";

/// Work with a name.
struct Job {
    name: &'static str,
    is_check: bool,
    turn: Turn,
    run: Box<dyn Fn() -> Vec<Row> + Sync>,
}

impl Job {
    fn of_rows(
        name: &'static str,
        turn: Turn,
        run: impl Fn() -> Vec<Row> + Sync + 'static,
    ) -> Self {
        Self {
            name,
            is_check: false,
            turn,
            run: Box::new(run),
        }
    }

    fn new(
        name: &'static str,
        turn: Turn,
        work: impl Fn() -> Result<Counts> + Sync + 'static,
    ) -> Self {
        Self::of_rows(name, turn, move || vec![timed(name, &work)])
    }

    /// One that passes or fails as a whole.
    fn whole(name: &'static str, turn: Turn, work: fn() -> Result<()>) -> Self {
        Self::new(name, turn, move || work().map(|()| Counts::ONE))
    }

    /// Whether the user means it by this word: all checks have one beside their own names.
    fn is_named(&self, word: &str) -> bool {
        self.name == word || (word == "checks" && self.is_check)
    }
}

/// The jobs of a depth, in the order in which they begin.
fn jobs(depth: Depth) -> Vec<Job> {
    let mut jobs = vec![
        Job::of_rows("package", Turn::Compiling, move || package(depth)),
        Job::new("rust", Turn::Compiling, move || rust(depth)),
    ];
    for check in CHECKS.iter().filter(|check| check.depth == depth) {
        let job = Job::whole(check.name, check.turn, check.run);
        jobs.push(Job {
            is_check: true,
            ..job
        });
    }
    for suite in SUITES.iter().filter(|suite| suite.is_part_of(depth)) {
        let run = move || suite.run(depth);
        jobs.push(Job::of_rows(suite.name, suite.turn, run));
    }
    match depth {
        Depth::Short => jobs.push(Job::whole("demo", Turn::Beside, demo::check)),
        Depth::Deep => jobs.push(Job::new("wasm", Turn::Compiling, wasm_in_chromium)),
    }
    jobs
}

/// The arguments as they are written.
pub fn arguments() -> Vec<Arg> {
    let option = |name: &'static str, about: &'static str| Arg::new(name).long(name).help(about);
    let versions = nodes::MAJORS.into_iter().chain(["all"]);
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
        option("nodes", "The Node versions of the suites that run on several: 20,24, or all")
            .value_delimiter(',')
            .value_parser(PossibleValuesParser::new(versions)),
        option("agents", "The agents of other people: names with commas between them, or all"),
    ]
}

pub fn run(given: &ArgMatches) -> Result<()> {
    let started = Instant::now();
    let is_quick = given.get_flag("quick");
    let depth = match given.get_flag("deep") {
        true => Depth::Deep,
        false => Depth::Short,
    };
    if let Some(versions) = given.get_many::<String>("nodes") {
        nodes::choose(versions);
    }
    if let Some(list) = given.get_one::<String>("agents") {
        suites::AGENTS.get_or_init(|| list.clone());
    }
    let mut jobs = jobs(depth);
    let names: Vec<&String> = given.get_many("names").into_iter().flatten().collect();
    let mut machines: Vec<&Machine> = Vec::new();
    // A suite may have the name of a machine, which is meant with `--quick`.
    let is_meant = |job: &Job, name: &str| !is_quick && job.is_named(name);
    for name in &names {
        if !jobs.iter().any(|job| is_meant(job, name)) {
            let machine = MACHINES.iter().find(|machine| machine.name == **name);
            machines.push(machine.with_context(|| unknown(name, depth))?);
        }
    }
    jobs.retain(|job| match names.is_empty() {
        true => job.turn != Turn::WhenNamed,
        false => names.iter().any(|name| is_meant(job, name)),
    });
    let mut rows = run_jobs(jobs);
    for machine in machines {
        println!("\n{}", machine.name);
        rows.extend(machines::run(machine, is_quick));
    }
    close(&rows, started.elapsed());
    Ok(())
}

/// Runs the jobs that compile one after the other, the others beside them, and those that are alone in the end.
fn run_jobs(jobs: Vec<Job>) -> Vec<Row> {
    let of = |turn| move |job: &Job| job.turn == turn;
    let (alone, others): (Vec<_>, Vec<_>) = jobs.into_iter().partition(of(Turn::Alone));
    let (compiling, others): (Vec<_>, Vec<_>) = others.into_iter().partition(of(Turn::Compiling));
    let mut lists = vec![compiling];
    lists.extend(others.into_iter().map(|job| vec![job]));
    let run = |jobs: &Vec<Job>| -> Vec<Row> { jobs.iter().flat_map(|job| (job.run)()).collect() };
    let mut rows = step::side_by_side(1 + LANES, &lists, run);
    rows.push(run(&alone));
    rows.into_iter().flatten().collect()
}

fn unknown(name: &str, depth: Depth) -> String {
    if depth == Depth::Short && jobs(Depth::Deep).iter().any(|job| job.is_named(name)) {
        return format!("`{name}` runs with --deep");
    }
    let names: Vec<&str> = jobs(depth).iter().map(|job| job.name).collect();
    let machines = MACHINES.map(|machine| machine.name);
    format!(
        "there is no suite `{name}`; there are {}, all `checks`, and the machines {}",
        names.join(", "),
        machines.join(", ")
    )
}

/// The package that the suites look at from outside; the published one must not be too large.
fn package(depth: Depth) -> Vec<Row> {
    let one = |done: Result<()>| done.map(|()| Counts::ONE);
    let mut rows = vec![timed("package", || one(packed(depth.flavour()).map(drop)))];
    if depth == Depth::Deep {
        rows.push(timed("sizes", || one(package::check_size())));
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
        cargo
    };
    cargo_test("cargo test", natively, of)
}

/// The module that users run is built for release; this is the core on 32 bits with checks against overflow, in
/// Chromium.
fn wasm_in_chromium() -> Result<Counts> {
    tools::target(tools::WASM_TARGET)?;
    CHROMIUM.find()?;
    let driver = CHROMEDRIVER.find()?;
    let runner = wasm::test_runner()?;
    let flags = wasm::same_everywhere(tools::WASM_TARGET)?;
    let cargo = || {
        let mut cargo = wasm::cargo_test(&flags);
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
        cargo
    };
    cargo_test("cargo test as Wasm", cargo, &["--test=all"])
}
