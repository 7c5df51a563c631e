//! A replay as JSON, one object a line.

use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};
use turnkeeper_analysis::player::{Step, Tally};
use turnkeeper_base::json::written;

use super::play::View;
use super::sessions::Read;
use crate::terminal::output::Output;

/// One object for each event and prompt, and a summary.
#[derive(Default)]
pub(super) struct JsonView {
    files: Vec<FileSummary>,
}

#[derive(Serialize)]
struct FileSummary {
    file: String,
    #[serde(flatten)]
    tally: Tally,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

#[derive(Serialize)]
struct PromptLine<'a> {
    file: &'a str,
    line: u32,
    prompt: Prompt<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Prompt<'a> {
    prompt_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Summary<'a> {
    files: &'a [FileSummary],
    exit_code: u8,
}

impl View for JsonView {
    fn begin(&mut self, _file: &Path, _output: &mut Output) {}

    fn step(&mut self, file: &Path, read: &Read, step: &Step, output: &mut Output) {
        let file = file.to_string_lossy();
        let line = read.line;
        match step {
            Step::Prompt { prompt_id, model } => output.json(&PromptLine {
                file: &file,
                line,
                prompt: Prompt {
                    prompt_id,
                    model: model.as_deref(),
                },
            }),
            Step::Event {
                index,
                verdict,
                is_saved,
                ..
            } => {
                let event = read.written.map_or_else(|| written(read.event), spaceless);
                let saved = if *is_saved { ",\"saved\":true" } else { "" };
                output.json_text(&format!(
                    "{{\"file\":{},\"line\":{line},\"index\":{index},\"event\":{event},\"verdict\":{}{saved}}}",
                    written(&*file),
                    written(verdict),
                ));
            }
        }
    }

    fn end(
        &mut self,
        file: &Path,
        tally: Tally,
        _left_out: u64,
        problem: Option<String>,
        _output: &mut Output,
    ) {
        self.files.push(FileSummary {
            file: file.to_string_lossy().into_owned(),
            tally,
            problem,
        });
    }

    fn close(&mut self, output: &mut Output) {
        let summary = Summary {
            files: &self.files,
            exit_code: output.code_so_far(),
        };
        output.json(&json!({ "summary": summary }));
    }
}

/// JSON of a file without its spaces. An event that stands in the file as it is may have fields that nothing here knows, and
/// halves of surrogate pairs, which are left as they are.
fn spaceless(json: &str) -> String {
    match serde_json::from_str::<Value>(json) {
        Ok(value) => written(&value),
        Err(_) => json.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_keeps_what_nobody_knows() {
        assert_eq!(
            spaceless(r#"{ "type": "x", "b": 1.0, "a": [ ] }"#),
            r#"{"type":"x","b":1,"a":[]}"#
        );
        let half = r#"{"text": "\ud800"}"#;
        assert_eq!(spaceless(half), half);
    }
}
