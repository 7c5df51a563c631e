//! The ghost-block assembler for JavaScript.
//!
//! What is rich crosses as JSON that waits on the shelf, and the longest texts beside it; see
//! [`Shelf`].

use js_sys::Function;
use wasm_bindgen::prelude::*;

use super::scratch::with_bytes;
use super::texts::{Record, Shelf, read_texts, read_units};
use super::thrown;
use crate::ghost_block::{
    Answer, AnswerKind, AssembledPrompt, AssemblerOptions, Diagnostic, GhostBlockAssembler,
    ItemType, Reference, ReferenceKind, RequestPrefix, SourceKind, Text, Token,
};
use crate::setting::Setting;

/// The core, and the texts of the last result.
#[wasm_bindgen]
pub struct RawAssembler {
    core: GhostBlockAssembler,
    shelf: Shelf,
    prefix: RequestPrefix,
}

/// The kinds of answers, by number.
const ANSWERS: [AnswerKind; 6] = [
    AnswerKind::Content,
    AnswerKind::Unchanged,
    AnswerKind::Missing,
    AnswerKind::Denied,
    AnswerKind::Failed,
    AnswerKind::Image,
];

/// Numbers for each reference; see `inspect` in the shim.
const REFERENCE_FIELDS: usize = 7;

#[wasm_bindgen(js_class = RawAssembler)]
impl RawAssembler {
    /// The options as the host gave them.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<RawAssembler, JsValue> {
        let options = Setting::from_js(options)?;
        let core = AssemblerOptions::read(&options).and_then(GhostBlockAssembler::new);
        core.map(Self::of).map_err(thrown)
    }

    fn of(core: GhostBlockAssembler) -> Self {
        Self {
            core,
            shelf: Shelf::default(),
            prefix: RequestPrefix::default(),
        }
    }

    /// Names and contents in turn.
    #[wasm_bindgen(js_name = setRules)]
    pub fn set_rules(&mut self, length: usize) {
        let texts = with_bytes(length, read_texts);
        self.core.set_rules([]);
        for rule in texts.chunks_exact(2) {
            self.core.add_rule(&rule[0].to_lossy(), rule[1].clone());
        }
    }

    /// Begins a prompt (0), a document (1) or a skill (2), or drops what was begun (3).
    pub fn begin(&mut self, kind: u32, length: usize) {
        let text = units(length);
        match kind {
            0 => self.core.begin_prompt_units(&text),
            1 => self.core.begin_document(&text),
            2 => self.core.begin_skill(&text),
            _ => self.core.cancel(),
        }
    }

    /// All requests that are new, or nothing, not even a place, if there are none and nothing is
    /// missing.
    #[wasm_bindgen(js_name = takeRequests)]
    pub fn take_requests(&mut self) -> Vec<u32> {
        let requests = self.core.take_requests();
        if requests.is_empty() && self.core.is_ready() {
            return Vec::new();
        }
        let mut json = Record::new();
        json.open("", "[");
        for request in &requests {
            let source = &request.source;
            let (method, name) = match source.kind {
                SourceKind::Directory => ("listDirectory", "path"),
                SourceKind::Tool => ("runTool", "name"),
                SourceKind::Image => ("readImage", "uri"),
                _ => ("readFile", "path"),
            };
            json.open("", "{");
            json.number("id", request.id as usize);
            json.string("method", method);
            json.string(name, &source.name);
            for (name, line) in [
                ("startLine", source.start_line),
                ("endLine", source.end_line),
            ] {
                if let Some(line) = line {
                    json.number(name, line as usize);
                }
            }
            json.optional("knownVersion", request.known_version.as_ref());
            if source.kind == SourceKind::Tool {
                json.text("args", &source.args);
            }
            json.close("}");
        }
        json.close("]");
        self.shelf.clear();
        self.shelf.result(json)
    }

    /// Takes an answer of a kind by number, with its text and, for content with a version and
    /// for an image, its label.
    pub fn answer(&mut self, id: u32, kind: usize, length: usize) -> Result<(), JsValue> {
        let texts = with_bytes(length, read_texts);
        let answer = Answer {
            kind: ANSWERS.get(kind).copied().unwrap_or(AnswerKind::Failed),
            text: texts.first().cloned().unwrap_or_default(),
            label: texts.get(1).cloned(),
        };
        self.core.answer(id, answer).map_err(thrown)
    }

    /// Ends a prompt. An exception of `count` is thrown as it is, and nothing has happened then.
    /// Numbers are those of texts on the shelf; there is one for the user's text only if that is
    /// not what was given without the block behind it.
    #[wasm_bindgen(js_name = finishPrompt)]
    pub fn finish_prompt(&mut self, count: Option<Function>) -> Result<Vec<u32>, JsValue> {
        self.shelf.clear();
        let prompt = self.finish_counted(count)?;
        let mut json = Record::new();
        json.open("", "{");
        // The shim takes a block off what was given.
        if prompt.is_changed || prompt.ends_like_a_block() {
            json.number("user", self.shelf.put(prompt.user));
        }
        json.number("block", self.shelf.put(prompt.block));
        json.open("images", "[");
        for image in &prompt.images {
            json.open("", "{");
            json.number("start", image.start);
            json.number("end", image.end);
            json.text("alt", &image.alt);
            json.text("mediaType", &image.media_type);
            json.number("data", self.shelf.put(image.data.clone()));
            json.close("}");
        }
        json.close("]");
        json.strings("omitted", &prompt.omitted);
        diagnostics(&mut json, "diagnostics", &prompt.diagnostics);
        json.close("}");
        Ok(self.shelf.result(json))
    }

    fn finish_counted(&mut self, count: Option<Function>) -> Result<AssembledPrompt, JsValue> {
        let Some(count) = count else {
            return self.core.finish_prompt(None).map_err(thrown);
        };
        let mut failure = None;
        let mut counted = |text: &Text| {
            let text = JsValue::from_str(&text.to_lossy());
            match count.call1(&JsValue::NULL, &text) {
                Ok(tokens) => {
                    let tokens = tokens.as_f64().filter(|&tokens| tokens >= 0.0)?;
                    Some(tokens.ceil() as u64)
                }
                Err(error) => {
                    failure = Some(error);
                    None
                }
            }
        };
        let prompt = self.core.finish_prompt(Some(&mut counted));
        prompt.map_err(|error| failure.unwrap_or_else(|| thrown(error)))
    }

    /// Ends a document or a skill.
    #[wasm_bindgen(js_name = finishSkill)]
    pub fn finish_skill(&mut self) -> Result<Vec<u32>, JsValue> {
        self.shelf.clear();
        let skill = self.core.finish_skill().map_err(thrown)?;
        let mut json = Record::new();
        json.open("", "{");
        json.number("content", self.shelf.put(skill.content));
        json.string("description", &skill.description);
        json.strings("params", &skill.params);
        diagnostics(&mut json, "diagnostics", &skill.diagnostics);
        json.close("}");
        Ok(self.shelf.result(json))
    }

    /// All items, their contents on the shelf.
    pub fn items(&mut self) -> Vec<u32> {
        self.shelf.clear();
        let mut json = Record::new();
        json.open("", "[");
        for item in &self.core.items() {
            json.open("", "{");
            let item_type = match item.item_type {
                ItemType::File => "file",
                ItemType::Tool => "tool",
                ItemType::Rule => "rule",
            };
            json.string("type", item_type);
            json.string("key", &item.key);
            if let Some(content) = &item.content {
                json.number("content", self.shelf.put(content.clone()));
            }
            json.optional("error", item.error.as_ref());
            json.optional("args", item.args.as_ref());
            json.close("}");
        }
        json.close("]");
        self.shelf.result(json)
    }

    /// Where a text of the last result lies: address, units, and 1 if a unit takes two bytes.
    #[wasm_bindgen(js_name = textPlace)]
    pub fn text_place(&self, number: usize) -> Vec<u32> {
        self.shelf.place(number)
    }

    /// Seven numbers for each reference: kind, start, end, the first and the last line or 0, how
    /// long its name or path is, and where that stands in the prompt, or 0 if it is next on the
    /// shelf's only text.
    pub fn inspect(&mut self, length: usize) -> Vec<u32> {
        let prompt = units(length);
        let mut references = Vec::new();
        let directives = self.core.outline(&prompt, &mut references);
        let mut numbers =
            Vec::with_capacity((directives.len() + references.len()) * REFERENCE_FIELDS);
        let mut names = Vec::new();
        let mut next = references.iter().peekable();
        for directive in &directives {
            while let Some(reference) = next.next_if(|next| next.start < directive.start) {
                put_reference(reference, &mut numbers, &mut names);
            }
            let Token { start, end, .. } = *directive;
            numbers.extend_from_slice(&[
                ReferenceKind::Macro as u32,
                start as u32,
                end as u32,
                0,
                0,
                directive.name.len() as u32,
                directive.name_at as u32,
            ]);
        }
        for reference in next {
            put_reference(reference, &mut numbers, &mut names);
        }
        self.shelf.clear();
        self.shelf.put(Text::from_units(&names));
        numbers
    }

    /// What is wrong with a prompt.
    pub fn diagnose(&mut self, length: usize) -> Vec<u32> {
        let mut json = Record::new();
        diagnostics(&mut json, "", &self.core.diagnose(&units(length)));
        self.shelf.clear();
        self.shelf.result(json)
    }

    /// Takes the text of an old user message; the number of items there are then.
    #[wasm_bindgen(js_name = scanMessage)]
    pub fn scan_message(&mut self, length: usize) -> usize {
        self.core.scan_message(&units(length))
    }

    /// Takes a message of a request, the first or a further one, and answers with how many leading
    /// ones are those of the request before so far. Without a message the request is empty.
    #[wasm_bindgen(js_name = compareMessage)]
    pub fn compare_message(&mut self, is_first: bool, length: usize) -> usize {
        if is_first {
            self.prefix.begin();
        }
        if length == 0 {
            return 0;
        }
        with_bytes(length, |message| self.prefix.push(message))
    }

    /// The assembler as bytes.
    pub fn snapshot(&mut self) -> Vec<u8> {
        self.core.save()
    }

    /// The assembler that the bytes hold.
    pub fn restore(snapshot: &[u8]) -> Result<RawAssembler, JsValue> {
        let core = GhostBlockAssembler::restore(snapshot);
        core.map(Self::of).map_err(thrown)
    }
}

/// The one string that a call carries.
fn units(length: usize) -> Vec<u16> {
    with_bytes(length, read_units)
}

fn put_reference(reference: &Reference, numbers: &mut Vec<u32>, names: &mut Vec<u16>) {
    let from = names.len();
    if let Some(name) = reference.path.as_ref().or(reference.name.as_ref()) {
        names.extend(name.encode_utf16());
    }
    numbers.extend_from_slice(&[
        reference.kind as u32,
        reference.start as u32,
        reference.end as u32,
        reference.start_line.unwrap_or(0),
        reference.end_line.unwrap_or(0),
        (names.len() - from) as u32,
        0,
    ]);
}

fn diagnostics(json: &mut Record, name: &str, diagnostics: &[Diagnostic]) {
    json.open(name, "[");
    for diagnostic in diagnostics {
        json.open("", "{");
        let severity = if diagnostic.is_error {
            "error"
        } else {
            "warning"
        };
        json.string("severity", severity);
        json.string("code", diagnostic.code);
        json.string("message", &diagnostic.message);
        json.number("line", diagnostic.line as usize);
        json.number("column", diagnostic.column as usize);
        if let Some(source) = &diagnostic.source {
            json.string("source", source);
        }
        json.close("}");
    }
    json.close("]");
}
