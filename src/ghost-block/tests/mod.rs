//! The assembler as a host uses it.

mod blocks;
mod documents;
mod items;

use std::collections::BTreeMap;

use super::*;

fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// A host with files and tools that counts what it is asked for.
#[derive(Default)]
struct Host {
    files: BTreeMap<String, String>,
    versions: bool,
    /// Its tool `flaky` fails.
    is_broken: bool,
    asked: Vec<String>,
}

impl Host {
    fn new(files: &[(&str, &str)]) -> Self {
        let files = files
            .iter()
            .map(|(path, content)| (path.to_string(), content.to_string()));
        Self {
            files: files.collect(),
            ..Self::default()
        }
    }

    fn answer(&mut self, request: &Request) -> Answer {
        let source = &request.source;
        let name = &source.name[..];
        match source.kind {
            SourceKind::File => {
                self.asked.push(name.to_owned());
                let Some(content) = self.files.get(name) else {
                    return Answer::Missing;
                };
                if self.versions && request.known_version.as_ref() == Some(content) {
                    return Answer::Unchanged;
                }
                let text = match source.start_line {
                    Some(start) => {
                        let end = source.end_line.unwrap_or(start) as usize;
                        let lines: Vec<&str> = content.lines().collect();
                        let end = end.min(lines.len());
                        Text::from(lines[start as usize - 1..end].join("\n").as_str())
                    }
                    None => Text::from(content.as_str()),
                };
                if self.versions {
                    Answer::versioned(text, content)
                } else {
                    Answer::content(text)
                }
            }
            SourceKind::Directory => Answer::content(format!("in {name}").as_str()),
            SourceKind::Tool => {
                self.asked.push(name.to_owned());
                match name {
                    "fails" => Answer::failed("it broke"),
                    "flaky" if self.is_broken => Answer::failed("it broke"),
                    _ => Answer::content("result"),
                }
            }
            SourceKind::Image => Answer::image("image/png", name),
            other => unreachable!("{other:?}"),
        }
    }

    fn serve(&mut self, assembler: &mut GhostBlockAssembler) {
        loop {
            let mut requests = assembler.take_requests();
            if requests.is_empty() {
                break;
            }
            // The order of the answers must not matter.
            requests.reverse();
            for request in requests {
                let answer = self.answer(&request);
                assembler
                    .answer(request.id, answer)
                    .expect("a request that waits");
            }
        }
        assert!(assembler.is_ready());
    }

    fn prompt(&mut self, assembler: &mut GhostBlockAssembler, prompt: &str) -> AssembledPrompt {
        assembler.begin(Work::Prompt, prompt);
        self.serve(assembler);
        assembler.finish_prompt(None).expect("ready")
    }

    fn document(
        &mut self,
        assembler: &mut GhostBlockAssembler,
        text: &str,
    ) -> (String, Vec<String>) {
        assembler.begin(Work::Document, text);
        self.serve(assembler);
        let document = assembler.finish_skill().expect("ready");
        let remarks = document
            .diagnostics
            .iter()
            .map(|it| format!("{:?}: {}", it.code, it.message));
        (document.content.to_string(), remarks.collect())
    }
}

fn assembler() -> GhostBlockAssembler {
    GhostBlockAssembler::new(AssemblerOptions::new("/work")).expect("a root")
}

fn with(change: impl FnOnce(&mut AssemblerOptions)) -> GhostBlockAssembler {
    let mut options = AssemblerOptions::new("/work");
    change(&mut options);
    GhostBlockAssembler::new(options).expect("good options")
}

fn files(block: &Text) -> BTreeMap<String, serde_json::Value> {
    let text = block.to_string();
    let json = text
        .strip_prefix("<content_reference>\n")
        .and_then(|text| text.strip_suffix("\n</content_reference>"))
        .expect("a block");
    let value: serde_json::Value = serde_json::from_str(json).expect("JSON");
    value["files"]
        .as_object()
        .map(|files| files.clone().into_iter().collect())
        .unwrap_or_default()
}
