//! `turnkeeper.json`, in which users say what the watch of their agents is to leave alone.

use serde_json::{Map, Value};
use turnkeeper_base::error::Error;
use turnkeeper_base::json::{Json, parse, written};
use turnkeeper_base::options::Count;
pub use turnkeeper_base::options::Threshold;
use turnkeeper_loop_detector::detecting::PatternMatcher;
use turnkeeper_loop_detector::{LoopDetector, LoopDetectorOptions};

/// The name of the file.
pub const SETTINGS_FILE: &str = "turnkeeper.json";

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
}

impl UserSettings {
    /// Takes what is right in a file. Each mistake is told, and changes nothing.
    pub fn take(&mut self, file: &str, content: &[u8]) {
        let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
        let mut room = Vec::new();
        match parse(content, &mut room) {
            Ok(Json::Object(fields)) => {
                for (name, value) in fields {
                    if let Err(why) = self.take_setting(&name, value, file) {
                        self.mistake(file, &why);
                    }
                }
            }
            Ok(_) => self.mistake(file, "is no JSON object"),
            Err(_) => self.mistake(file, "is no valid JSON"),
        }
    }

    /// Tells what is wrong with a file.
    pub fn mistake(&mut self, file: &str, why: &str) {
        self.mistakes.push(format!("{file}: {why}"));
    }

    fn take_setting(&mut self, name: &str, value: Json, file: &str) -> Result<(), String> {
        match (name, value) {
            ("off", Json::Bool(off)) => self.off = off,
            ("off", _) => return Err("\"off\" is true or false".to_owned()),
            ("exempt", names) => {
                let names = list_of_names(names);
                self.exempt
                    .extend(names.ok_or("\"exempt\" is a list of names of tools")?);
            }
            ("thresholds", Json::Object(given)) => {
                for (name, value) in given {
                    match threshold(&value) {
                        Some(threshold) => self.set_threshold(name.into_owned(), threshold),
                        None => self.mistake(
                            file,
                            &format!(
                                "\"thresholds.{name}\" is a whole number of at least 1, or false"
                            ),
                        ),
                    }
                }
            }
            ("thresholds", _) => {
                return Err("\"thresholds\" is an object of names and numbers".to_owned());
            }
            (name, _) => {
                let name = written(name);
                return Err(format!(
                    "there is no setting {name}: off, exempt and thresholds are"
                ));
            }
        }
        Ok(())
    }

    fn set_threshold(&mut self, name: String, threshold: Threshold) {
        match self.thresholds.iter_mut().find(|(it, _)| *it == name) {
            Some((_, known)) => *known = threshold,
            None => self.thresholds.push((name, threshold)),
        }
    }

    /// The thresholds that the detector does not take, and why.
    pub fn refused_thresholds(&self) -> Vec<String> {
        match self.detector(&[]) {
            Ok((_, refused)) => refused,
            Err(error) => vec![error.to_string()],
        }
    }

    /// Whether a tool is among those that are left out.
    pub(crate) fn exempts(&self, tool: &str) -> bool {
        self.exempt.iter().any(|pattern| matches(pattern, tool))
    }

    /// The thresholds as JSON.
    pub(crate) fn thresholds_as_json(&self) -> String {
        written(&self.options(&[], &self.thresholds))
    }

    /// A detector with these options and the thresholds, but for those that it does not know, and why it does not
    /// take them.
    pub(crate) fn detector(
        &self,
        options: &[(&str, &str)],
    ) -> Result<(LoopDetector, Vec<String>), Error> {
        let mut refused = Vec::new();
        let mut left = self.thresholds.clone();
        loop {
            let options = written(&self.options(options, &left));
            let made = LoopDetectorOptions::from_json(&options)
                .and_then(|it| LoopDetector::with_patterns_matched_by(PatternMatcher::HOST, it));
            let error = match made {
                Ok(detector) => return Ok((detector, refused)),
                Err(error) => error,
            };
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

    fn options(&self, options: &[(&str, &str)], thresholds: &[(String, Threshold)]) -> Value {
        let options = options.iter();
        let mut all: Map<_, _> = options
            .map(|(name, it)| ((*name).to_owned(), (*it).into()))
            .collect();
        for (name, threshold) in thresholds {
            let count = threshold.count();
            all.insert(name.clone(), count.map_or(false.into(), Value::from));
        }
        Value::Object(all)
    }
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

fn list_of_names(value: Json) -> Option<Vec<String>> {
    let Json::List(names) = value else {
        return None;
    };
    let name = |name| match name {
        Json::Text(name) if !name.is_empty() => Some(name.into_owned()),
        _ => None,
    };
    names.into_iter().map(name).collect()
}

/// Whether a name is of a pattern, in which `*` stands for any letters.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(name) = name.strip_prefix(first) else {
        return false;
    };
    let (between, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    let Some(mut name) = name.strip_suffix(last) else {
        return false;
    };
    // The earliest place of each leaves most to the others.
    between.split('*').all(|part| match name.find(part) {
        Some(at) => {
            name = &name[at + part.len()..];
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(files: &[&str]) -> UserSettings {
        let mut settings = UserSettings::default();
        for file in files {
            settings.take("turnkeeper.json", file.as_bytes());
        }
        settings
    }

    #[test]
    fn the_later_file_counts_before_the_earlier_but_exemptions_add_up() {
        let all = settings(&[
            r#"{"off": true, "exempt": ["a"], "thresholds": {"repeatedResults": 2, "x": 3}}"#,
            "\u{feff}{\"off\": false, \"exempt\": [\"b\"], \"thresholds\": {\"repeatedResults\": 4}}",
        ]);
        assert!(!all.off && all.mistakes.is_empty());
        assert_eq!(all.exempt, ["a", "b"]);
        assert_eq!(all.thresholds_as_json(), r#"{"repeatedResults":4,"x":3}"#);
        let refused = all.refused_thresholds();
        assert!(
            refused.len() == 1 && refused[0].contains(" x "),
            "{refused:?}"
        );
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
        let beside = settings(&[r#"{"x": 1, "thresholds": {"a": 0, "b": false}, "off": true}"#]);
        assert!(beside.off);
        assert_eq!(beside.thresholds, [("b".to_owned(), Threshold::Off)]);
    }

    #[test]
    fn a_star_stands_for_any_letters() {
        for (pattern, name, expected) in [
            ("Bash", "Bash", true),
            ("Bash", "bash", false),
            ("mcp__ci__*", "mcp__ci__status", true),
            ("mcp__ci__*", "mcp__c", false),
            ("*", "", true),
            ("a*a", "a", false),
            ("a**b", "ab", true),
            ("a*b*c", "axxbyc", true),
            ("a*b*c", "acb", false),
            ("*.x", "a.b.x", true),
            ("a*bc*c", "abc", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
