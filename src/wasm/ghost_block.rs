//! The ghost-block assembler for JavaScript.

use js_sys::Function;
use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::scratch::with_bytes;
use super::texts::{Shelf, read_texts};
use super::{Rich, rich, thrown};
use crate::ghost_block::{
    Answer, AssembledPrompt, AssemblerOptions, Diagnostic, GhostBlockAssembler, ItemType,
    Reference, ReferenceKind, Request, RequestKind, Text,
};
use crate::setting::Setting;

/// The core, and the texts of the last result.
#[wasm_bindgen]
pub struct RawAssembler {
    core: GhostBlockAssembler,
    shelf: Shelf,
    diagnostics: Vec<Diagnostic>,
}

/// A request as the shim hands it to the host's method of this name.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FlatRequest {
    id: u32,
    method: &'static str,
    path: Option<String>,
    start_line: Option<u32>,
    end_line: Option<u32>,
    known_version: Option<String>,
    name: Option<String>,
    /// JSON
    args: Option<String>,
    uri: Option<String>,
}

impl From<Request> for FlatRequest {
    fn from(Request { id, kind }: Request) -> Self {
        let mut flat = Self {
            id,
            method: "",
            path: None,
            start_line: None,
            end_line: None,
            known_version: None,
            name: None,
            args: None,
            uri: None,
        };
        match kind {
            RequestKind::ReadFile {
                path,
                start_line,
                end_line,
                known_version,
            } => {
                flat.method = "readFile";
                flat.path = Some(path);
                flat.start_line = start_line;
                flat.end_line = end_line;
                flat.known_version = known_version;
            }
            RequestKind::ListDirectory { path } => {
                flat.method = "listDirectory";
                flat.path = Some(path);
            }
            RequestKind::RunTool { name, args } => {
                flat.method = "runTool";
                flat.name = Some(name);
                flat.args = Some(args.to_text().to_string());
            }
            RequestKind::ReadImage { uri } => {
                flat.method = "readImage";
                flat.uri = Some(uri);
            }
        }
        flat
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FlatImage {
    start: usize,
    end: usize,
    alt: String,
    media_type: String,
    data: usize,
}

/// Numbers are those of texts on the shelf.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FlatPrompt {
    /// Only if the text is not the one that was given.
    user: Option<usize>,
    block: usize,
    images: Vec<FlatImage>,
    omitted: Vec<String>,
    diagnostics: Vec<Diagnostic>,
}

#[derive(Serialize)]
struct FlatItem {
    r#type: ItemType,
    key: String,
    content: Option<usize>,
    error: Option<String>,
    /// JSON
    args: Option<String>,
}

#[derive(Serialize)]
struct FlatSkill {
    content: usize,
    description: String,
    params: Vec<String>,
    diagnostics: Vec<Diagnostic>,
}

/// Two of these for each string of a name or path, and so on; see `inspect` in the shim.
const REFERENCE_FIELDS: usize = 6;

#[wasm_bindgen(js_class = RawAssembler)]
impl RawAssembler {
    /// The options as the host gave them.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<RawAssembler, JsValue> {
        let options = Setting::from_js(options)?;
        let options = AssemblerOptions::read(&options).map_err(thrown)?;
        Ok(Self::of(GhostBlockAssembler::new(options).map_err(thrown)?))
    }

    fn of(core: GhostBlockAssembler) -> Self {
        Self {
            core,
            shelf: Shelf::default(),
            diagnostics: Vec::new(),
        }
    }

    /// Names and contents in turn.
    #[wasm_bindgen(js_name = setRules)]
    pub fn set_rules(&mut self, length: usize) {
        let texts = with_bytes(length, read_texts);
        let rules: Vec<(String, Vec<u16>)> = texts
            .chunks_exact(2)
            .map(|rule| (rule[0].to_string(), rule[1].to_units()))
            .collect();
        let rules = rules
            .iter()
            .map(|(name, content)| (name.as_str(), &content[..]));
        self.core.set_rules(rules);
    }

    /// Begins a prompt (0), a document (1) or a skill (2).
    pub fn begin(&mut self, kind: u32, length: usize) {
        let text = units(length);
        match kind {
            0 => self.core.begin_prompt_units(&text),
            1 => self.core.begin_document(&text),
            _ => self.core.begin_skill(&text),
        }
    }

    /// Drops what was begun.
    pub fn cancel(&mut self) {
        self.core.cancel();
    }

    /// All requests that are new.
    #[wasm_bindgen(js_name = takeRequests)]
    pub fn take_requests(&mut self) -> Rich {
        let requests = self.core.take_requests();
        let flat: Vec<FlatRequest> = requests.into_iter().map(FlatRequest::from).collect();
        rich(&flat)
    }

    /// Takes an answer: content (0), with a version behind it (1), `unchanged` (2), `missing` (3),
    /// `denied` (4), a failure (5), an image's type and data (6).
    pub fn answer(&mut self, id: u32, kind: u32, length: usize) -> Result<(), JsValue> {
        let texts = with_bytes(length, read_texts);
        let text = |place: usize| texts.get(place).cloned().unwrap_or_else(|| Text::from(""));
        let answer = match kind {
            0 => Answer::Content {
                text: text(0),
                version: None,
            },
            1 => Answer::Content {
                text: text(0),
                version: Some(text(1).to_string()),
            },
            2 => Answer::Unchanged,
            3 => Answer::Missing,
            4 => Answer::Denied(text(0).to_string()),
            6 => Answer::Image {
                media_type: text(0).to_string(),
                data: text(1),
            },
            _ => Answer::Failed(text(0).to_string()),
        };
        self.core.answer(id, answer).map_err(thrown)
    }

    /// Whether nothing is missing.
    #[wasm_bindgen(js_name = isReady)]
    pub fn is_ready(&mut self) -> bool {
        self.core.is_ready()
    }

    /// Ends a prompt. An exception of `count` is thrown as it is, and nothing has happened then.
    #[wasm_bindgen(js_name = finishPrompt)]
    pub fn finish_prompt(&mut self, count: Option<Function>) -> Rich {
        self.shelf.clear();
        let prompt = match count {
            None => self.core.finish_prompt(None).map_err(thrown)?,
            Some(count) => self.finish_counted(&count)?,
        };
        let AssembledPrompt {
            user,
            is_changed,
            block,
            images,
            omitted,
            diagnostics,
        } = prompt;
        let flat = FlatPrompt {
            user: is_changed.then(|| self.shelf.put(user)),
            block: self.shelf.put(block),
            images: images
                .into_iter()
                .map(|(range, alt, media_type, data)| FlatImage {
                    start: range.start,
                    end: range.end,
                    alt: alt.to_string(),
                    media_type,
                    data: self.shelf.put(data),
                })
                .collect(),
            omitted,
            diagnostics,
        };
        rich(&flat)
    }

    fn finish_counted(&mut self, count: &Function) -> Result<AssembledPrompt, JsValue> {
        let before = self.core.clone();
        let mut failure = None;
        let mut counted = |text: &Text| {
            let text = JsValue::from_str(&text.to_string());
            match count.call1(&JsValue::NULL, &text) {
                Ok(tokens) => match tokens.as_f64() {
                    Some(tokens) if tokens >= 0.0 => return tokens.ceil() as u64,
                    _ => {
                        failure.get_or_insert(JsValue::UNDEFINED);
                    }
                },
                Err(error) => {
                    failure.get_or_insert(error);
                }
            }
            0
        };
        let prompt = self
            .core
            .finish_prompt(Some(&mut counted))
            .map_err(thrown)?;
        match failure {
            None => Ok(prompt),
            Some(error) => {
                self.core = before;
                Err(error)
            }
        }
    }

    /// Ends a document or a skill.
    #[wasm_bindgen(js_name = finishSkill)]
    pub fn finish_skill(&mut self) -> Rich {
        self.shelf.clear();
        let skill = self.core.finish_skill().map_err(thrown)?;
        rich(&FlatSkill {
            content: self.shelf.put(skill.content),
            description: skill.description,
            params: skill.params,
            diagnostics: skill.diagnostics,
        })
    }

    /// All items, their contents on the shelf.
    pub fn items(&mut self) -> Rich {
        self.shelf.clear();
        let items = self.core.items();
        let flat = items.into_iter().map(|item| FlatItem {
            r#type: item.item_type,
            key: item.key,
            content: item.content.map(|content| self.shelf.put(content)),
            error: item.error.map(|error| error.to_string()),
            args: item.args.map(|args| args.to_string()),
        });
        let flat: Vec<FlatItem> = flat.collect();
        rich(&flat)
    }

    /// Where a text of the last result lies: address, units, and 1 if a unit takes two bytes.
    #[wasm_bindgen(js_name = textPlace)]
    pub fn text_place(&self, number: usize) -> Vec<u32> {
        self.shelf.place(number)
    }

    /// Six numbers for each reference: kind, start, end, the first and the last line or 0, and how
    /// many units of its name or path are on the shelf's only text.
    pub fn inspect(&mut self, length: usize) -> Vec<u32> {
        self.shelf.clear();
        let (references, diagnostics) = self.core.inspect(&units(length));
        let mut numbers = Vec::with_capacity(references.len() * REFERENCE_FIELDS);
        let mut names = Vec::new();
        for reference in references {
            let Reference {
                kind,
                start,
                end,
                path,
                start_line,
                end_line,
                name,
            } = reference;
            let from = names.len();
            names.extend(path.or(name).unwrap_or_default().encode_utf16());
            numbers.extend([
                match kind {
                    ReferenceKind::File => 0,
                    ReferenceKind::Tool => 1,
                    ReferenceKind::Image => 2,
                    ReferenceKind::Macro => 3,
                },
                start,
                end,
                start_line.unwrap_or(0),
                end_line.unwrap_or(0),
                (names.len() - from) as u32,
            ]);
        }
        self.shelf.put(Text::from_units(&names));
        self.diagnostics = diagnostics;
        numbers
    }

    /// What the last `inspect` had to tell.
    #[wasm_bindgen(js_name = takeDiagnostics)]
    pub fn take_diagnostics(&mut self) -> Rich {
        rich(&std::mem::take(&mut self.diagnostics))
    }

    /// Takes the text of an old user message; the number of items there are then.
    #[wasm_bindgen(js_name = scanMessage)]
    pub fn scan_message(&mut self, length: usize) -> usize {
        self.core.scan_message(&units(length))
    }

    /// The assembler as bytes.
    pub fn snapshot(&self) -> Vec<u8> {
        self.core.snapshot()
    }

    /// The assembler that the bytes hold.
    pub fn restore(snapshot: &[u8]) -> Result<RawAssembler, JsValue> {
        GhostBlockAssembler::restore(snapshot)
            .map(Self::of)
            .map_err(thrown)
    }
}

/// The one string that a call carries.
fn units(length: usize) -> Vec<u16> {
    with_bytes(length, read_texts)
        .first()
        .map(Text::to_units)
        .unwrap_or_default()
}
