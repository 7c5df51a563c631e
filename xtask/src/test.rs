//! `cargo xtask test [SUITE…]`: every check and every test, each counted, whatever fails before it.

use std::iter;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::checks::CHECKS;
use crate::counts;
pub use crate::counts::Counts;
use crate::machines::{self, MACHINES, Machine};
use crate::suites::{self, Packed, SUITES, Suite};
use crate::{browser, demo, nodes, package, paths, shapes, step, tools, wasm};

/// For compiling and for running, each: a machine half as fast, with nothing built, has room.
const LIMIT: Duration = Duration::from_secs(40 * 60);

/// Jobs at once. Twice the two cores that this is made for: with three of them the cores had nothing to do for a
/// fifth of the time, since shells, pages and windows are mostly waited for.
const LANES: usize = 4;

/// A line of the closing table.
pub struct Row {
    name: String,
    counts: Counts,
    time: Duration,
}

/// A job that runs beside others.
#[derive(Clone, Copy)]
enum Job {
    Checks,
    Rust,
    Wasm,
    Demo,
    Suite(&'static Suite),
}

impl Job {
    fn all() -> impl Iterator<Item = Job> {
        let first = [Job::Checks, Job::Rust, Job::Wasm, Job::Demo];
        first.into_iter().chain(SUITES.iter().map(Job::Suite))
    }

    fn name(self) -> &'static str {
        match self {
            Job::Checks => "checks",
            Job::Rust => "rust",
            Job::Wasm => "wasm",
            Job::Demo => "demo",
            Job::Suite(suite) => suite.name,
        }
    }

    /// Whether it runs when it is named, and not with the others.
    fn is_by_name_only(self) -> bool {
        matches!(self, Job::Suite(suite) if suite.is_by_name_only())
    }

    fn needs_package(self) -> bool {
        matches!(self, Job::Demo | Job::Suite(_))
    }

    /// The seconds that it takes on two cores that do nothing else, once built: the longest begin first.
    fn seconds(self) -> u32 {
        match self {
            // They say soonest what is easiest to mend.
            Job::Checks => u32::MAX,
            Job::Rust => 60,
            Job::Wasm => 50,
            Job::Demo => 5,
            Job::Suite(suite) => suite.seconds,
        }
    }

    /// The part of it that runs when nothing else does; none without a package, whose lack has been told.
    fn run_alone(self, packed: Option<&Packed>) -> Option<Row> {
        let Job::Suite(suite) = self else { return None };
        let packed = packed.filter(|_| !suite.alone.is_empty())?;
        let label = format!("{}, alone", suite.name);
        step::heading(&label);
        Some(timed(&label, || suite.run_some(suite.alone, 1, packed)))
    }

    fn run(self, packed: Option<&Packed>) -> Vec<Row> {
        step::heading(self.name());
        match self {
            Job::Checks => checks(),
            Job::Rust => vec![timed("rust", rust)],
            Job::Wasm => wasm(),
            Job::Demo => match packed {
                Some(packed) => vec![timed("demo", || demo::check(packed).map(|()| Counts::ONE))],
                None => vec![without_package("demo")],
            },
            Job::Suite(suite) => run_suite(suite, packed),
        }
    }
}

pub fn run(arguments: &[String]) -> Result<()> {
    let Chosen { names, is_quick } = chosen(arguments)?;
    let machines: Vec<&str> = MACHINES.iter().map(|machine| machine.name).collect();
    let known: Vec<&str> = Job::all().map(Job::name).collect();
    let is_known = |name: &&&str| known.contains(*name) || machines.contains(*name);
    if let Some(name) = names.iter().find(|name| !is_known(name)) {
        bail!(
            "there is no suite `{name}`; there are {}, and the machines {}",
            known.join(", "),
            machines.join(", ")
        );
    }
    let machines = MACHINES.iter().filter(|it| names.contains(&it.name));
    let machines: Vec<&Machine> = machines.collect();
    let wanted = |job: &Job| match names.is_empty() {
        true => !job.is_by_name_only(),
        false => names.contains(&job.name()),
    };
    let jobs: Vec<Job> = Job::all().filter(wanted).collect();

    let mut rows = Vec::new();
    if is_quick {
        // The suite `peers` has the name of a machine, which is meant then.
        let is_machine = |job: &Job| machines.iter().any(|it| it.name == job.name());
        if machines.is_empty() || !jobs.iter().all(is_machine) {
            bail!(
                "--quick is for a machine's tests, as in `cargo xtask test loop_detector --quick`"
            );
        }
        for machine in machines {
            step::heading(machine.name);
            rows.extend(machines::run_quickly(machine));
        }
        return close(&rows);
    }
    let mut packed = side_by_side(&jobs, &mut rows);
    rows.extend(jobs.iter().filter_map(|job| job.run_alone(packed.as_ref())));
    if packed.is_none() && !machines.is_empty() {
        packed = pack(&mut rows, Packed::make);
    }
    for machine in machines {
        step::heading(machine.name);
        rows.extend(machines::run(machine, packed.as_ref()));
    }
    close(&rows)
}

/// Runs jobs in lanes, the first of which begins with the package, if a job needs it; the package. The rows
/// are in the order of the jobs.
fn side_by_side(jobs: &[Job], rows: &mut Vec<Row>) -> Option<Packed> {
    let mut waiting: Vec<usize> = (0..jobs.len()).collect();
    // The last is taken first.
    waiting.sort_by_key(|at| jobs[*at].seconds());
    let lanes = Lanes {
        jobs,
        waiting: Mutex::new(waiting),
        changed: Condvar::new(),
        packed: OnceLock::new(),
    };
    let mut done: Vec<(usize, Vec<Row>)> = thread::scope(|scope| {
        let others: Vec<_> = (1..LANES).map(|_| scope.spawn(|| lanes.run())).collect();
        if jobs.iter().any(|job| job.needs_package()) {
            lanes.deliver(pack(rows, Packed::make_both));
        }
        let mut done = lanes.run();
        let ends = others.into_iter().map(|lane| lane.join());
        done.extend(ends.flat_map(|rows| rows.expect("a job that fails does not panic")));
        done
    });
    done.sort_by_key(|(at, _)| *at);
    rows.extend(done.into_iter().flat_map(|(_, rows)| rows));
    lanes.packed.into_inner().flatten()
}

/// Jobs that wait for a lane. What needs no package does not wait for it.
struct Lanes<'a> {
    jobs: &'a [Job],
    /// The last is taken first.
    waiting: Mutex<Vec<usize>>,
    changed: Condvar,
    /// Nothing as long as it is made.
    packed: OnceLock<Option<Packed>>,
}

impl Lanes<'_> {
    fn run(&self) -> Vec<(usize, Vec<Row>)> {
        let run = |at: usize| {
            let packed = self.packed.get().and_then(Option::as_ref);
            (at, self.jobs[at].run(packed))
        };
        iter::from_fn(|| self.next()).map(run).collect()
    }

    fn deliver(&self, packed: Option<Packed>) {
        let _ = self.packed.set(packed);
        drop(self.waiting());
        self.changed.notify_all();
    }

    /// The longest job that can begin, which may have to be waited for.
    fn next(&self) -> Option<usize> {
        let is_ready = |at: &usize| self.packed.get().is_some() || !self.jobs[*at].needs_package();
        let mut waiting = self.waiting();
        loop {
            if waiting.is_empty() {
                return None;
            }
            if let Some(at) = waiting.iter().rposition(is_ready) {
                return Some(waiting.remove(at));
            }
            let woken = self.changed.wait(waiting);
            waiting = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<usize>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Chosen<'a> {
    /// Suites and machines.
    names: Vec<&'a str>,
    is_quick: bool,
}

/// The arguments; `--nodes LIST` is for the suites that run on each version, `--agents LIST`
/// for the one with other people's agents.
fn chosen(arguments: &[String]) -> Result<Chosen<'_>> {
    let mut names = Vec::new();
    let mut is_quick = false;
    let mut arguments = arguments.iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        match argument {
            "--nodes" => nodes::choose(arguments.next().context("--nodes needs a list")?)?,
            "--agents" => {
                suites::choose_agents(arguments.next().context("--agents needs a list")?)?
            }
            "--quick" => is_quick = true,
            name => names.push(name),
        }
    }
    Ok(Chosen { names, is_quick })
}

fn checks() -> Vec<Row> {
    let check =
        |(name, check): &(&str, fn() -> Result<()>)| timed(name, || check().map(|()| Counts::ONE));
    CHECKS.iter().map(check).collect()
}

fn rust() -> Result<Counts> {
    let natively = || Ok(shapes::cargo("test"));
    cargo_test("cargo test", natively, &["--no-fail-fast"])
}

/// The module that users run is built for release; this is the core with checks against overflow, in Node, in
/// Chromium and in Firefox.
fn wasm() -> Vec<Row> {
    let mut rows = vec![timed("wasm", || wasm_in("Node", &[]))];
    let capabilities = paths::repo("tests/webdriver.json");
    let in_browser = |browser, driver_variable, driver: PathBuf| {
        let variables = [
            ("WASM_BINDGEN_USE_BROWSER", PathBuf::from("1")),
            ("WASM_BINDGEN_TEST_WEBDRIVER_JSON", capabilities.clone()),
            (driver_variable, driver),
        ];
        timed(&format!("wasm, {browser}"), || wasm_in(browser, &variables))
    };
    if let Some(driver) = browser::chromedriver() {
        rows.push(in_browser("Chromium", "CHROMEDRIVER", driver));
    }
    if let Some(firefox) = browser::firefox() {
        rows.push(in_browser("Firefox", "GECKODRIVER", firefox.driver));
    }
    rows
}

fn wasm_in(place: &str, variables: &[(&str, PathBuf)]) -> Result<Counts> {
    tools::wasm_target()?;
    let runner = tools::wasm_bindgen()?.join("wasm-bindgen-test-runner");
    let cargo = || {
        let mut cargo = wasm::cargo_test()?;
        cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", &runner);
        // Seconds; of the 20 that it takes for enough, a browser beside other work needs more.
        cargo.env("WASM_BINDGEN_TEST_TIMEOUT", "200");
        cargo.envs(variables.iter().map(|(name, value)| (name, value)));
        Ok(cargo)
    };
    let label = format!("cargo test on 32 bits, {place}");
    cargo_test(&label, cargo, &["--test=all"])
}

/// Compiles tests and runs them, each within its own time. The arguments after `--` choose among the tests
/// that were compiled.
pub fn cargo_test(
    label: &str,
    cargo_test: impl Fn() -> Result<Command>,
    of: &[&str],
) -> Result<Counts> {
    let compiled = of.split(|argument| *argument == "--").next();
    let mut command = cargo_test()?;
    command.arg("--no-run").args(compiled.unwrap_or_default());
    let compiling = step::attempt(&format!("{label}, compiling"), &mut command, Some(LIMIT))?;
    if !compiling.success {
        return Ok(shown_failure(&compiling, Counts::default()));
    }
    let outcome = step::attempt(label, cargo_test()?.args(of), Some(LIMIT))?;
    let counts = counts::cargo(&outcome.output);
    if !outcome.success || counts.passed == 0 {
        return Ok(shown_failure(&outcome, counts));
    }
    Ok(counts)
}

/// Shows the end of what failed, which counts as a failure even if no test did.
fn shown_failure(outcome: &step::Outcome, counts: Counts) -> Counts {
    let end = step::last_lines(&outcome.output, 120);
    println!("{end}\n(all of it: {})", outcome.log.display());
    Counts {
        failed: counts.failed.max(1),
        ..counts
    }
}

/// The package that the suites look at from outside.
fn pack(rows: &mut Vec<Row>, make: impl Fn() -> Result<Packed>) -> Option<Packed> {
    step::heading("package");
    let mut packed = None;
    rows.push(timed("build and pack", || {
        packed = Some(make()?);
        Ok(Counts::ONE)
    }));
    if packed.is_some() {
        rows.push(timed("sizes", || {
            package::check_size().map(|()| Counts::ONE)
        }));
    }
    packed
}

/// Without a package every suite has failed.
fn run_suite(suite: &Suite, packed: Option<&Packed>) -> Vec<Row> {
    let Some(packed) = packed else {
        return vec![without_package(suite.name)];
    };
    let started = Instant::now();
    match suite.run(packed) {
        Ok(results) => results.into_iter().map(Row::from).collect(),
        Err(error) => {
            println!("  FAILED  {}: {error:#}", suite.name);
            vec![Row::failed(suite.name, started.elapsed())]
        }
    }
}

/// A suite that cannot run.
pub fn without_package(name: &str) -> Row {
    println!("  {name} is not run: there is no package");
    Row::failed(name, Duration::ZERO)
}

pub fn timed(name: &str, work: impl FnOnce() -> Result<Counts>) -> Row {
    let started = Instant::now();
    match work() {
        Ok(counts) => Row {
            name: name.to_owned(),
            counts,
            time: started.elapsed(),
        },
        Err(error) => {
            println!("  FAILED  {name}: {error:#}");
            Row::failed(name, started.elapsed())
        }
    }
}

impl From<(String, Counts, Duration)> for Row {
    fn from((name, counts, time): (String, Counts, Duration)) -> Row {
        Row { name, counts, time }
    }
}

impl Row {
    fn failed(name: &str, time: Duration) -> Row {
        Row {
            name: name.to_owned(),
            counts: Counts {
                passed: 0,
                failed: 1,
            },
            time,
        }
    }
}

fn close(rows: &[Row]) -> Result<()> {
    let mut total = Counts::default();
    println!(
        "\n  {:<28} {:>7} {:>7} {:>9}",
        "", "passed", "failed", "seconds"
    );
    for Row { name, counts, time } in rows {
        total.add(*counts);
        let seconds = time.as_secs_f64();
        println!(
            "  {name:<28} {:>7} {:>7} {seconds:>9.1}",
            counts.passed, counts.failed
        );
    }
    println!("\n{} passed, {} failed", total.passed, total.failed);
    // The line above is the last: tools that read it expect nothing after it.
    if total.failed > 0 {
        std::process::exit(1);
    }
    Ok(())
}
