//! The YAML in front of a skill.

use saphyr_parser::{Event, Parser, ScalarStyle};

use super::syntax::{NEWLINE, is_blank};

/// What skills say of themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FrontMatter {
    /// That of the first document that was read.
    pub(crate) description: Option<String>,
    pub(crate) params: Vec<String>,
    is_read: bool,
}

impl FrontMatter {
    /// Takes in what a further document says: its parameters only.
    pub(crate) fn merge(&mut self, more: Self) {
        if !std::mem::replace(&mut self.is_read, true) {
            self.description = more.description;
        }
        for param in more.params {
            if !self.params.contains(&param) {
                self.params.push(param);
            }
        }
    }
}

/// The front matter between two lines of `---`, and where the body begins.
pub(crate) fn split(units: &[u16]) -> (Option<&[u16]>, usize) {
    let Some(start) = fence(units, 0) else {
        return (None, 0);
    };
    let mut at = start;
    while at < units.len() {
        if let Some(body) = fence(units, at) {
            return (Some(&units[start..at]), body);
        }
        match units[at..].iter().position(|&unit| unit == NEWLINE) {
            Some(end) => at += end + 1,
            None => break,
        }
    }
    (None, 0)
}

/// The end of a line of three dashes.
fn fence(units: &[u16], at: usize) -> Option<usize> {
    let rest = units[at..].strip_prefix(&[0x2d, 0x2d, 0x2d])?;
    let blank = rest.iter().take_while(|&&unit| is_blank(unit)).count();
    match rest.get(blank) {
        None => Some(units.len()),
        Some(&NEWLINE) => Some(at + 3 + blank + 1),
        Some(_) => None,
    }
}

/// Reads `Description`, a string, and `Params`, a list of strings; other keys are left alone.
pub(crate) fn read(yaml: &str) -> Result<FrontMatter, String> {
    let mut found = FrontMatter::default();
    let mut key: Option<String> = None;
    // Where an event stands: 1 within the mapping at the top, 2 within a value of it.
    let mut depth = 0u32;
    let mut in_params = false;
    for event in Parser::new_from_str(yaml) {
        let (event, _) = event.map_err(|error| format!("the front matter is no YAML: {error}"))?;
        match event {
            Event::MappingStart(..) | Event::SequenceStart(..) => {
                if depth == 0 && !matches!(event, Event::MappingStart(..)) {
                    return Err("the front matter must be a mapping".to_owned());
                }
                if depth == 1 {
                    let Some(name) = key.take() else {
                        return Err("a key of the front matter must be a string".to_owned());
                    };
                    in_params = name == "Params";
                    if name == "Description"
                        || (in_params && !matches!(event, Event::SequenceStart(..)))
                    {
                        return Err(wrong(&name));
                    }
                } else if depth == 2 && in_params {
                    return Err(wrong("Params"));
                }
                depth += 1;
            }
            Event::MappingEnd | Event::SequenceEnd => {
                depth -= 1;
                in_params &= depth > 1;
            }
            Event::Scalar(text, style, ..) => match depth {
                0 if text.is_empty() => {}
                0 => return Err("the front matter must be a mapping".to_owned()),
                1 => match key.take() {
                    None => key = Some(text.into_owned()),
                    Some(name) if name == "Description" => {
                        if !is_string(&text, style) {
                            return Err(wrong(&name));
                        }
                        found.description = Some(text.into_owned());
                    }
                    Some(name) if name == "Params" => return Err(wrong(&name)),
                    Some(_) => {}
                },
                2 if in_params => {
                    if !is_string(&text, style) {
                        return Err(wrong("Params"));
                    }
                    if !found.params.contains(&text.as_ref().to_owned()) {
                        found.params.push(text.into_owned());
                    }
                }
                _ => {}
            },
            Event::Alias(_) if depth == 1 => {
                let name = key.take();
                if matches!(name.as_deref(), Some("Description" | "Params")) {
                    return Err("`Description` and `Params` must be written out".to_owned());
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

fn wrong(name: &str) -> String {
    match name {
        "Description" => "`Description` must be a string".to_owned(),
        _ => "`Params` must be a list of strings".to_owned(),
    }
}

/// Whether YAML's core schema takes a scalar for a string.
fn is_string(text: &str, style: ScalarStyle) -> bool {
    let is_word = matches!(
        text,
        "" | "~"
            | "null"
            | "Null"
            | "NULL"
            | "true"
            | "True"
            | "TRUE"
            | "false"
            | "False"
            | "FALSE"
    );
    style != ScalarStyle::Plain || !(is_word || text.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_skills_say() {
        let yaml = "Description: >\n  Reviews\n  changes\nParams:\n  - path\n  - \"10\"\n  - path\nOther: {Params: [x]}\n";
        let found = read(yaml).expect("YAML");
        assert_eq!(found.description.as_deref(), Some("Reviews changes\n"));
        assert_eq!(found.params, ["path", "10"]);
        assert_eq!(read("").expect("nothing"), FrontMatter::default());
        assert_eq!(read("Params: [a, b]").expect("YAML").params, ["a", "b"]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for yaml in [
            "Description: [a]",
            "Description: 10",
            "Params: a",
            "Params: [1]",
            "Params: [[a]]",
            "- a",
            "just text",
            "a: [",
            "Description: *x",
        ] {
            assert!(read(yaml).is_err(), "{yaml}");
        }
    }

    #[test]
    fn front_matter_stands_between_two_lines() {
        let table = [
            ("---\na: b\n---\nbody", Some("a: b\n"), "body"),
            ("---\n---\nbody", Some(""), "body"),
            ("---\na: b\n---", Some("a: b\n"), ""),
            ("---\nno end", None, "---\nno end"),
            ("body\n---\n", None, "body\n---\n"),
            ("----\n---\n", None, "----\n---\n"),
        ];
        for (text, yaml, body) in table {
            let units: Vec<u16> = text.encode_utf16().collect();
            let (found, at) = split(&units);
            assert_eq!(
                found.map(String::from_utf16_lossy).as_deref(),
                yaml,
                "{text:?}"
            );
            assert_eq!(String::from_utf16_lossy(&units[at..]), body);
        }
    }
}
