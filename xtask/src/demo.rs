//! `cargo xtask demo`: the package as a user gets it, on saved sessions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::package::Flavour;
use crate::packed::Packed;
use crate::{npm, package, paths, program, step, tools};

/// A session that is replayed.
struct Session {
    file: &'static str,
    about: &'static str,
    profile: &'static str,
    loops: bool,
}

const SESSIONS: [Session; 4] = [
    Session {
        file: "sessions/preview-loop.jsonl",
        about: "a preview model reads and reads",
        profile: "standard",
        loops: true,
    },
    Session {
        file: "loops/collection/stuck-install-build-openhands.jsonl",
        about: "an agent installs and builds in turn, and the answers stay the same",
        profile: "adaptive",
        loops: true,
    },
    Session {
        file: "sessions/chinese-chant.jsonl",
        about: "a model writes the same passage again and again",
        profile: "adaptive",
        loops: true,
    },
    Session {
        file: "sessions/healthy.jsonl",
        about: "a healthy session of two prompts, in which tests fail until they pass",
        profile: "adaptive",
        loops: false,
    },
];
/// Folders of sessions as agents save them, which are audited together with those above.
const SAVED: [&str; 2] = ["saved", "histories"];
const RESUMED: &str = "histories/resumed-task.json";

pub fn run() -> Result<()> {
    println!(
        "Builds the quick package, which is neither small nor fast and has two of nine modules, and shows it on the\n\
         sessions of tests/data. The published one is made by `cargo xtask build`, in minutes more.\n\
         From nothing this takes two minutes on two cores, four on slow ones, and once built, seconds.\n"
    );
    step::next("1 of 4: the program, from Rust; 30 to 60 s from nothing");
    program::compile_quick()?;
    step::next("2 of 4: wasm-bindgen, from Rust; 10 to 25 s");
    tools::own("bindgen")?;
    step::next("3 of 4: two modules, from Rust to WebAssembly; 40 to 90 s");
    package::make_glue(Flavour::Demo)?;
    step::next("4 of 4: the package, installed into an empty folder; 10 to 15 s");
    let packed = Packed::make(Flavour::Demo)?;
    let report = on_sessions(packed.app(), Shown::All)?;
    println!(
        "\nEach session got the expected verdict, was read, and was repaired. The audit's page: {}\n\
         On sessions of your own: {} audit FOLDER",
        report.display(),
        program(packed.app()).display()
    );
    Ok(())
}

/// The same, without a word unless something is wrong: a test.
pub fn check(packed: &Packed) -> Result<()> {
    on_sessions(packed.app(), Shown::Nothing).map(drop)
}

/// Runs the package of an app on the sessions; the audit's page.
fn on_sessions(app: &Path, shown: Shown) -> Result<PathBuf> {
    let folder = paths::target("demo");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let demo = Demo {
        program: program(app),
        folder,
        shown,
    };
    let mut wrong = Vec::new();
    for Session {
        file,
        about,
        profile,
        loops,
    } in SESSIONS
    {
        demo.say(&format!("\n— {about}"));
        let mut arguments = vec!["replay", "--fail-on-loop", "--profile", profile];
        // Nothing happens in a healthy one, so its summary says enough.
        arguments.extend((!loops).then_some("--quiet"));
        let code = demo.command(&arguments, &[&fixture(file)], file)?;
        // The exit codes of `turnkeeper replay --fail-on-loop`: 0 for a healthy session, 1 for a loop.
        let expected = i32::from(loops);
        if code != expected {
            wrong.push(format!(
                "{file} ended with exit code {code} instead of {expected}"
            ));
        }
    }
    if let Err(error) = demo.play(app) {
        wrong.push(format!("{error:#}"));
    }
    let saved = SAVED.map(fixture);
    let sessions = SESSIONS.map(|session| fixture(session.file));
    let report = demo.folder.join("report.html");
    let mut audited: Vec<&Path> = saved
        .iter()
        .chain(&sessions)
        .map(PathBuf::as_path)
        .collect();
    audited.push(Path::new("--html"));
    audited.push(&report);
    let named = format!("{} and the sessions above", SAVED.join(", "));
    if demo.command(&["audit"], &audited, &named)? != 0 {
        wrong.push("not every saved session was read".to_owned());
    }
    if let Err(error) = demo.repair() {
        wrong.push(format!("{error:#}"));
    }
    if !wrong.is_empty() {
        bail!("{}", wrong.join("; "));
    }
    Ok(report)
}

#[derive(PartialEq, Eq)]
enum Shown {
    All,
    Nothing,
}

fn program(app: &Path) -> PathBuf {
    let programs = app.join("node_modules/.bin");
    programs.join(npm::script("turnkeeper"))
}

struct Demo {
    program: PathBuf,
    /// Where it writes.
    folder: PathBuf,
    shown: Shown,
}

impl Demo {
    fn say(&self, text: &str) {
        if self.shown == Shown::All {
            println!("{text}");
        }
    }

    /// Runs the package's command, and gives its exit code.
    fn command(&self, arguments: &[&str], files: &[&Path], shown: &str) -> Result<i32> {
        let name = format!("turnkeeper {}", arguments.join(" "));
        self.say(&format!("\n{name} {shown}"));
        let mut command = Command::new(&self.program);
        command
            .current_dir(&self.folder)
            .args(arguments)
            .args(files);
        if self.shown == Shown::Nothing {
            command.stdout(Stdio::null());
        }
        step::show(&name, &mut command)
    }

    /// Plays the sessions of the default profile in Node, through the package that the app has installed.
    fn play(&self, app: &Path) -> Result<()> {
        let played = SESSIONS.iter().filter(|it| it.profile == "adaptive");
        let played: Vec<&Session> = played.collect();
        let script = app.join("demo.mjs");
        fs::copy(paths::repo("xtask/demo.mjs"), &script)?;
        self.say("\nThe same in Node, with `import { LoopDetector } from \"turnkeeper\"`:");
        let mut node = Command::new("node");
        node.current_dir(app).arg(script);
        node.args(played.iter().map(|it| fixture(it.file)));
        let output = node.output().context("cannot start node")?;
        let said = String::from_utf8_lossy(&output.stdout);
        let (shown, found) = said.trim_end().rsplit_once('\n').unwrap_or_default();
        self.say(shown);
        let loops = played
            .iter()
            .filter(|it| it.loops)
            .map(|it| fixture(it.file));
        let loops: Vec<PathBuf> = loops.collect();
        if found != serde_json::to_string(&loops)? {
            let why = String::from_utf8_lossy(&output.stderr);
            bail!("the package found loops in {found} instead of {loops:?} {why}");
        }
        Ok(())
    }

    /// Repairs a history and shows what went.
    fn repair(&self) -> Result<()> {
        let original = fixture(RESUMED);
        let repaired = self.folder.join("repaired.json");
        let files = [original.as_path(), Path::new("-o"), repaired.as_path()];
        if self.command(&["repair"], &files, RESUMED)? != 0 {
            bail!("{RESUMED} was not repaired");
        }
        let read = |file: &Path| {
            fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
        };
        let (before, after) = (read(&original)?, read(&repaired)?);
        self.say("\nThe difference, where - is what went:");
        let mut kept = after.lines().peekable();
        for (number, line) in before.lines().enumerate() {
            if kept.next_if_eq(&line).is_none() {
                let shown: String = line.chars().take(100).collect();
                self.say(&format!("{:>5} - {shown}", number + 1));
            }
        }
        if kept.peek().is_some() {
            bail!("the repaired {RESUMED} has what the original does not");
        }
        Ok(())
    }
}

fn fixture(name: &str) -> PathBuf {
    paths::repo("tests/data").join(name)
}
