//! `turnkeeper.json`, in which users say what the watch of their agents is to leave alone. One in a project comes with
//! a clone, from a stranger: it may make the watch more patient, and never make it stop sooner.

use serde_json::{Map, Value};
use turnkeeper_base::error::Error;
use turnkeeper_base::json::{Json, parse, written};
use turnkeeper_base::options::Count;
pub use turnkeeper_base::options::Threshold;
use turnkeeper_loop_detector::detecting::PatternMatcher;
use turnkeeper_loop_detector::{LoopDetector, LoopDetectorOptions, LoopProfile};
use turnkeeper_messages::is_of_pattern;

/// The name of the file.
pub const SETTINGS_FILE: &str = "turnkeeper.json";

/// Settings, names and thresholds that are taken of one file. Each costs time at every step of an agent.
const MOST_ENTRIES: usize = 300;
const MOST_MISTAKES: usize = 20;
/// A name in a mistake is no longer, in characters.
const LONGEST_NAME: usize = 60;

/// The owner of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The user whose agents are watched.
    User,
    /// Whoever made the project.
    Project,
}

/// The settings that the files hold. Each file that is taken counts before those that were taken before it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UserSettings {
    /// Whether nothing is watched here.
    pub off: bool,
    /// Tools that are left out, by name; `*` stands for any letters.
    pub exempt: Vec<String>,
    /// The counts at which the detector's rules fire, by the names of its options.
    pub thresholds: Vec<(String, Threshold)>,
    /// The mistakes in the files; what is wrong is left out.
    pub mistakes: Vec<String>,
    /// The part of a project's file.
    project: Option<ProjectSettings>,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct ProjectSettings {
    file: String,
    /// Whether it is this file that switches the watch off.
    switches_off: bool,
    exempts_all: bool,
    thresholds: Vec<(String, Threshold)>,
}

impl UserSettings {
    /// Takes what is right in a file. Each mistake is told, and changes nothing.
    pub fn take(&mut self, file: &str, content: &[u8], owner: Owner) {
        let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
        let mut room = Vec::new();
        let fields = match parse(content, &mut room) {
            Ok(Json::Object(fields)) => fields,
            Ok(_) => return self.mistake(file, "is no JSON object"),
            Err(_) => return self.mistake(file, "is no valid JSON"),
        };
        let (was_off, exempt) = (self.off, self.exempt.len());
        let users = match owner {
            Owner::User => None,
            Owner::Project => Some(std::mem::take(&mut self.thresholds)),
        };
        let mut taking = Taking {
            settings: self,
            file,
            left: MOST_ENTRIES + 1,
        };
        for (name, value) in fields {
            if taking.has_room() {
                taking.take_setting(&name, value);
            }
        }
        if !taking.is_whole() {
            let why =
                format!("has more than {MOST_ENTRIES} entries, of which the rest is left out");
            self.mistakes.insert(0, format!("{file}: {why}"));
        }
        if let Some(users) = users {
            self.project = Some(ProjectSettings {
                file: file.to_owned(),
                switches_off: self.off && !was_off,
                exempts_all: exempts_all(&self.exempt[exempt..]),
                thresholds: std::mem::replace(&mut self.thresholds, users),
            });
        }
    }

    /// Tells what is wrong with a file.
    pub fn mistake(&mut self, file: &str, why: &str) {
        match self.mistakes.len() {
            0..MOST_MISTAKES => self.mistakes.push(format!("{file}: {why}")),
            MOST_MISTAKES => self.mistakes.push(format!("{file}: and more")),
            _ => {}
        }
    }

    /// The thresholds that hold, and those of a project that do not, with the reason.
    pub fn resolved(&self) -> (Vec<(String, Threshold)>, Vec<String>) {
        self.resolved_for(LoopProfile::Adaptive)
    }

    fn resolved_for(&self, profile: LoopProfile) -> (Vec<(String, Threshold)>, Vec<String>) {
        let mut all = self.thresholds.clone();
        let mut refused = Vec::new();
        let Some(project) = self.project.as_ref().filter(|it| !it.thresholds.is_empty()) else {
            return (all, refused);
        };
        let usual = serde_json::to_value(profile.defaults()).unwrap_or_default();
        for (name, wanted) in &project.thresholds {
            let own = self.thresholds.iter().find(|(it, _)| it == name);
            let usual = usual.get(name).and_then(Value::as_u64).and_then(Count::new);
            let usual = usual.map_or(Threshold::Off, Threshold::At);
            // The user's own may be less patient, and is as long as the project does not ask for more.
            let least = own.map_or(usual, |(_, own)| later(*own, usual));
            let holds = later(*wanted, least);
            if holds != *wanted || !is_switch(name) {
                refused.push(format!(
                    "{}: \"thresholds.{name}\" would stop sooner, which no file of a project can; it is {}",
                    project.file,
                    match holds.count() {
                        Some(count) => count.to_string(),
                        None => "off".to_owned(),
                    }
                ));
            }
            if is_switch(name) {
                set(&mut all, name, holds);
            }
        }
        (all, refused)
    }

    /// The thresholds that the detector does not take, and why.
    pub fn refused_thresholds(&self) -> Vec<String> {
        match self.detector(LoopProfile::Adaptive) {
            Ok((_, refused)) => refused,
            Err(error) => vec![error.to_string()],
        }
    }

    /// The reason why nothing is found here, where a project's file is the reason.
    pub fn silenced(&self) -> Option<String> {
        let project = self.project.as_ref()?;
        let file = &project.file;
        if project.switches_off {
            return Some(format!("{file} switches the watch off"));
        }
        if self.off {
            return None;
        }
        if project.exempts_all {
            return Some(format!("{file} exempts every tool"));
        }
        let (all, _) = self.resolved();
        let is_off = |name: &String| all.iter().any(|it| it.0 == *name && it.1 == Threshold::Off);
        let usual = serde_json::to_value(LoopProfile::Adaptive.defaults()).unwrap_or_default();
        let mut counts = usual.as_object()?.iter().filter(|(_, it)| it.is_u64());
        let switches_off = project.thresholds.iter().any(|it| it.1 == Threshold::Off);
        let is_silent = switches_off && counts.all(|(name, _)| is_off(name));
        is_silent.then(|| format!("{file} switches every rule off"))
    }

    /// Whether a tool is among those that are left out.
    pub(crate) fn exempts(&self, tool: &str) -> bool {
        self.exempt
            .iter()
            .any(|pattern| is_of_pattern(tool, pattern))
    }

    /// The thresholds of a profile as JSON.
    pub(crate) fn thresholds_as_json(&self, profile: LoopProfile) -> String {
        written(&options(None, &self.resolved_for(profile).0))
    }

    /// A detector with the thresholds, but for those that it does not take, and why.
    pub(crate) fn detector(
        &self,
        profile: LoopProfile,
    ) -> Result<(LoopDetector, Vec<String>), Error> {
        let (mut left, mut refused) = self.resolved_for(profile);
        loop {
            let options = written(&options(Some(profile), &left));
            let made = LoopDetectorOptions::from_json(&options)
                .and_then(|it| LoopDetector::with_patterns_matched_by(PatternMatcher::HOST, it));
            let error = match made {
                Ok(detector) => return Ok((detector, refused)),
                Err(error) => error,
            };
            // Each was taken by itself, so few are in the way of others.
            let at = left
                .iter()
                .position(|(name, _)| error.field() == Some(name));
            let Some(at) = at else {
                return Err(error);
            };
            refused.push(error.to_string());
            left.remove(at);
        }
    }
}

/// The taking of one file.
struct Taking<'t> {
    settings: &'t mut UserSettings,
    file: &'t str,
    /// Entries that are still taken.
    left: usize,
}

impl Taking<'_> {
    /// Whether one more entry is taken.
    fn has_room(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    fn is_whole(&self) -> bool {
        self.left > 0
    }

    fn mistake(&mut self, why: &str) {
        self.settings.mistake(self.file, why);
    }

    fn take_setting(&mut self, name: &str, value: Json) {
        match (name, value) {
            ("off", Json::Bool(off)) => self.settings.off = off,
            ("off", _) => self.mistake("\"off\" is true or false"),
            ("exempt", Json::List(names)) => self.take_exempt(names),
            ("exempt", _) => self.mistake(EXEMPT),
            ("thresholds", Json::Object(given)) => {
                for (name, value) in given {
                    if self.has_room()
                        && let Err(why) = self.take_threshold(name.into_owned(), &value)
                    {
                        self.mistake(&why);
                    }
                }
            }
            ("thresholds", _) => self.mistake("\"thresholds\" is an object of names and numbers"),
            (name, _) => {
                let name = written(&short(name));
                self.mistake(&format!(
                    "there is no setting {name}: off, exempt and thresholds are"
                ));
            }
        }
    }

    fn take_exempt(&mut self, names: Vec<Json>) {
        let is_name = |name: &Json| name.as_text().is_some_and(|it| !it.is_empty());
        if !names.iter().all(is_name) {
            return self.mistake(EXEMPT);
        }
        for name in names {
            if let (true, Json::Text(name)) = (self.has_room(), name) {
                self.settings.exempt.push(name.into_owned());
            }
        }
    }

    fn take_threshold(&mut self, name: String, value: &Json) -> Result<(), String> {
        let Some(threshold) = threshold(value) else {
            let name = short(&name);
            return Err(format!(
                "\"thresholds.{name}\" is a whole number of at least 1, or false"
            ));
        };
        let alone = [(name, threshold)];
        let read = LoopDetectorOptions::from_json(&written(&options(None, &alone)));
        let [(name, threshold)] = alone;
        read.map_err(|error| match error.field() {
            Some(field) => error.to_string().replacen(field, &short(field), 1),
            None => error.to_string(),
        })?;
        set(&mut self.settings.thresholds, &name, threshold);
        Ok(())
    }
}

const EXEMPT: &str = "\"exempt\" is a list of names of tools";

fn set(thresholds: &mut Vec<(String, Threshold)>, name: &str, threshold: Threshold) {
    match thresholds.iter_mut().find(|(it, _)| it == name) {
        Some((_, known)) => *known = threshold,
        None => thresholds.push((name.to_owned(), threshold)),
    }
}

/// The one of two thresholds that is reached later.
fn later(one: Threshold, other: Threshold) -> Threshold {
    match (one.count(), other.count()) {
        (Some(first), Some(second)) if first < second => other,
        (Some(_), Some(_)) => one,
        _ => Threshold::Off,
    }
}

/// Whether an option is the threshold of a rule, so that more is more patient.
fn is_switch(name: &str) -> bool {
    let off = [(name.to_owned(), Threshold::Off)];
    LoopDetectorOptions::from_json(&written(&options(None, &off))).is_ok()
}

/// The beginning of a name that somebody else has chosen.
fn short(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name.to_owned(),
    }
}

fn options(profile: Option<LoopProfile>, thresholds: &[(String, Threshold)]) -> Value {
    let profile = profile.and_then(|it| serde_json::to_value(it).ok());
    let profile = profile.map(|it| ("profile".to_owned(), it));
    let mut all: Map<_, _> = profile.into_iter().collect();
    for (name, threshold) in thresholds {
        let count = threshold.count();
        all.insert(name.clone(), count.map_or(false.into(), Value::from));
    }
    Value::Object(all)
}

/// Whether patterns leave nothing over, tools of any agent and unheard of ones.
fn exempts_all(patterns: &[String]) -> bool {
    let tools = ["Bash", "read_file", "shell", "Edit", "mcp__any__tool"];
    tools
        .iter()
        .all(|tool| patterns.iter().any(|it| is_of_pattern(tool, it)))
}

/// A count, or `false`.
fn threshold(value: &Json) -> Option<Threshold> {
    match value {
        Json::Bool(false) => Some(Threshold::Off),
        Json::Number(count) if *count >= 1.0 && count.fract() == 0.0 => {
            Count::new(*count as u64).map(Threshold::At)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(files: &[&str]) -> UserSettings {
        let mut settings = UserSettings::default();
        for file in files {
            settings.take("turnkeeper.json", file.as_bytes(), Owner::User);
        }
        settings
    }

    /// The settings of a project's file, after the user's.
    fn with_project(user: &str, project: &str) -> UserSettings {
        let mut settings = settings(&[user]);
        settings.take("p/turnkeeper.json", project.as_bytes(), Owner::Project);
        settings
    }

    #[test]
    fn the_later_file_counts_before_the_earlier_but_exemptions_add_up() {
        let all = settings(&[
            r#"{"off": true, "exempt": ["a"], "thresholds": {"repeatedResults": 2, "callsAtOnce": 3}}"#,
            "\u{feff}{\"off\": false, \"exempt\": [\"b\"], \"thresholds\": {\"repeatedResults\": 4}}",
        ]);
        assert!(!all.off && all.mistakes.is_empty());
        assert_eq!(all.exempt, ["a", "b"]);
        assert_eq!(
            all.thresholds_as_json(LoopProfile::Adaptive),
            r#"{"repeatedResults":4,"callsAtOnce":3}"#
        );
        assert!(all.refused_thresholds().is_empty());
    }

    #[test]
    fn a_project_is_more_patient_than_the_user_and_than_the_defaults_and_never_less() {
        let usual = 3;
        for (user, project, holds, is_refused) in [
            ("{}", "1", Some(usual), true),
            ("{}", "3", Some(usual), false),
            ("{}", "9", Some(9), false),
            ("{}", "false", None, false),
            (
                r#"{"thresholds": {"repeatedResults": 2}}"#,
                "1",
                Some(usual),
                true,
            ),
            (
                r#"{"thresholds": {"repeatedResults": 2}}"#,
                "4",
                Some(4),
                false,
            ),
            (
                r#"{"thresholds": {"repeatedResults": 9}}"#,
                "5",
                Some(9),
                true,
            ),
            (
                r#"{"thresholds": {"repeatedResults": false}}"#,
                "5",
                None,
                true,
            ),
        ] {
            let file = format!(r#"{{"thresholds": {{"repeatedResults": {project}}}}}"#);
            let (all, refused) = with_project(user, &file).resolved();
            let [(name, threshold)] = &all[..] else {
                panic!("{all:?}");
            };
            assert_eq!(
                (&**name, threshold.count()),
                ("repeatedResults", holds),
                "{user} {file}"
            );
            assert_eq!(!refused.is_empty(), is_refused, "{refused:?}");
        }
        // A rule that is off, a number that is no threshold.
        for name in ["identicalCalls", "longestCycle", "shortResult"] {
            let settings = with_project("{}", &format!(r#"{{"thresholds": {{"{name}": 12}}}}"#));
            let (all, refused) = settings.resolved();
            assert!(all.iter().all(|(_, it)| *it == Threshold::Off), "{all:?}");
            assert!(
                refused.len() == 1 && refused[0].contains(name),
                "{refused:?}"
            );
        }
        // It is on where no results are told, and may be more patient there.
        let standard = with_project("{}", r#"{"thresholds": {"identicalCalls": 12}}"#);
        assert_eq!(
            standard.thresholds_as_json(LoopProfile::Standard),
            r#"{"identicalCalls":12}"#
        );
    }

    #[test]
    fn a_project_that_leaves_nothing_to_find_is_told() {
        let usual = serde_json::to_value(LoopProfile::Adaptive.defaults()).expect("JSON");
        let names = usual.as_object().expect("an object").keys();
        let all_off: Vec<String> = names.map(|it| format!("\"{it}\": false")).collect();
        let all_off = format!("{{\"thresholds\": {{{}}}}}", all_off.join(", "));
        for (user, project, told) in [
            ("{}", r#"{"off": true}"#, "switches the watch off"),
            (r#"{"off": true}"#, r#"{"off": true}"#, ""),
            ("{}", r#"{"exempt": ["**"]}"#, "exempts every tool"),
            (
                "{}",
                r#"{"exempt": ["*a*", "*e*", "*i*"]}"#,
                "exempts every tool",
            ),
            ("{}", r#"{"exempt": ["Bash", "mcp__*"]}"#, ""),
            (r#"{"exempt": ["*"]}"#, r#"{"exempt": ["Bash"]}"#, ""),
            ("{}", &all_off, "switches every rule off"),
            ("{}", r#"{"thresholds": {"repeatedResults": false}}"#, ""),
            (&all_off, "{}", ""),
        ] {
            let silenced = with_project(user, project).silenced().unwrap_or_default();
            let expected = if told.is_empty() {
                ""
            } else {
                &format!("p/turnkeeper.json {told}")
            };
            assert_eq!(silenced, expected, "{user} {project}");
        }
    }

    #[test]
    fn of_a_file_with_thousands_of_entries_some_hundreds_are_taken() {
        let many =
            |entry: fn(usize) -> String| (0..9_000).map(entry).collect::<Vec<_>>().join(", ");
        let thresholds = format!(
            r#"{{"thresholds": {{{}}}}}"#,
            many(|n| format!("\"k{n}\": 1"))
        );
        let exempt = format!(r#"{{"exempt": [{}]}}"#, many(|n| format!("\"t{n}\"")));
        let names = format!("{{{}}}", many(|n| format!("\"n{n}\": 1")));
        let nested = format!(r#"{{"exempt": {}"#, "[".repeat(60_000));
        for file in [thresholds, exempt, names, nested] {
            let all = with_project("{}", &file);
            assert!(all.thresholds.is_empty() && all.exempt.len() <= MOST_ENTRIES);
            assert!(!all.mistakes.is_empty() && all.mistakes.len() <= MOST_MISTAKES + 2);
        }
        let long = with_project(
            "{}",
            &format!(r#"{{"thresholds": {{"{}": 1}}}}"#, "x".repeat(60_000)),
        );
        assert!(long.mistakes[0].len() < 400, "{:?}", long.mistakes);
    }

    #[test]
    fn mistakes_are_told_and_what_is_right_beside_them_holds() {
        let table = [
            ("", "is no valid JSON"),
            ("[]", "is no JSON object"),
            (r#"{"off": 1}"#, "\"off\" is true or false"),
            (r#"{"exempt": ["a", ""]}"#, "\"exempt\" is a list"),
            (r#"{"thresholds": []}"#, "\"thresholds\" is an object"),
            (
                r#"{"thresholds": {"a": 0}}"#,
                "\"thresholds.a\" is a whole number",
            ),
            (
                r#"{"thresholds": {"a": 1.5}}"#,
                "\"thresholds.a\" is a whole number",
            ),
            (
                r#"{"thresholds": {"a": true}}"#,
                "\"thresholds.a\" is a whole number",
            ),
            (r#"{"of\"f": true}"#, r#"there is no setting "of\"f": off"#),
        ];
        for (file, mistake) in table {
            let UserSettings { mistakes, .. } = settings(&[file]);
            assert_eq!(mistakes.len(), 1, "{file}");
            assert!(mistakes[0].starts_with("turnkeeper.json: "));
            assert!(mistakes[0].contains(mistake), "{mistakes:?}");
        }
        let beside =
            r#"{"x": 1, "thresholds": {"a": 0, "b": 2, "callsAtOnce": false}, "off": true}"#;
        let beside = settings(&[beside]);
        assert!(beside.off && beside.mistakes.len() == 3);
        let off = ("callsAtOnce".to_owned(), Threshold::Off);
        assert_eq!(beside.thresholds, [off]);
    }
}
