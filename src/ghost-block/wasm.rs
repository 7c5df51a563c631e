//! The ghost-block assembler for JavaScript.
//!
//! Long texts come in through the byte buffer, `length` being how many of its bytes they fill. What goes out is
//! one plain object.

use js_sys::{Function, JSON};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::{
    Answer, AssembledPrompt, AssemblerOptions, ContextItem, Diagnostic, GhostBlockAssembler, Image,
    ItemType, MACHINE, OriginSource, Outline, Reference, ReferenceKind, Request, RequestPrefix,
    ScannedHistory, SourceKind, Tasks, Text, without_saved_block,
};
use turnkeeper_base::boundary::convert::{from_js, to_js};
use turnkeeper_base::boundary::scratch::{with_bytes, with_text};
use turnkeeper_base::boundary::texts::{JsText, read_texts, read_units};
use turnkeeper_base::boundary::thrown;
use turnkeeper_base::error::Error;
use turnkeeper_base::sorted_map::SortedMap;

/// The assembler.
#[wasm_bindgen]
pub struct RawAssembler {
    core: GhostBlockAssembler,
    tasks: Tasks,
    prefix: RequestPrefix,
}

/// A request as the host's method of that name gets it.
#[derive(Serialize)]
#[serde(
    tag = "method",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
enum HostRequest {
    ReadFile {
        id: u32,
        path: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        start_line: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        end_line: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        known_version: Option<String>,
    },
    ListDirectory {
        id: u32,
        path: String,
    },
    RunTool {
        id: u32,
        name: String,
        /// JSON, in which an unpaired surrogate is an escape.
        args: String,
    },
    ReadImage {
        id: u32,
        uri: String,
    },
}

impl From<Request> for HostRequest {
    fn from(request: Request) -> Self {
        let (id, source) = (request.id, request.source);
        match source.kind {
            SourceKind::Directory => Self::ListDirectory {
                id,
                path: source.name,
            },
            SourceKind::Tool => Self::RunTool {
                id,
                name: source.name,
                args: source.args.to_lossy(),
            },
            SourceKind::Image => Self::ReadImage {
                id,
                uri: source.name,
            },
            _ => Self::ReadFile {
                id,
                path: source.name,
                start_line: source.start_line,
                end_line: source.end_line,
                known_version: request.known_version,
            },
        }
    }
}

/// An assembled prompt on its way out.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RawPrompt {
    user: JsText,
    block: JsText,
    images: Vec<RawImage>,
    omitted: Vec<String>,
    diagnostics: Vec<Diagnostic>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RawImage {
    start: usize,
    end: usize,
    alt: JsText,
    media_type: String,
    data: JsText,
}

#[derive(Serialize)]
struct RawResolution {
    items: Vec<RawItem>,
    diagnostics: Vec<Diagnostic>,
}

#[derive(Serialize)]
struct RawScanned {
    items: usize,
    diagnostics: Vec<Diagnostic>,
}

#[derive(Serialize)]
struct RawPreprocessed {
    text: JsText,
    diagnostics: Vec<Diagnostic>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RawSkill {
    content: JsText,
    description: String,
    params: Vec<String>,
    diagnostics: Vec<Diagnostic>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RawItem {
    #[serde(rename = "type")]
    item_type: ItemType,
    key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<JsText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<JsText>,
    #[serde(
        skip_serializing_if = "JsValue::is_undefined",
        with = "serde_wasm_bindgen::preserve"
    )]
    args: JsValue,
    from: RawOrigin,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RawOrigin {
    source: OriginSource,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    first_turn: u64,
    last_turn: u64,
}

/// A reference or a directive.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RawReference {
    kind: ReferenceKind,
    start: usize,
    end: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

impl From<Reference> for RawReference {
    fn from(reference: Reference) -> Self {
        Self {
            kind: reference.kind,
            start: reference.start,
            end: reference.end,
            start_line: reference.start_line,
            end_line: reference.end_line,
            path: reference.path,
            name: reference.name,
        }
    }
}

#[wasm_bindgen(js_class = RawAssembler)]
impl RawAssembler {
    /// An assembler for a new conversation.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<RawAssembler, JsValue> {
        let core = from_js(MACHINE, "options", options)
            .and_then(|options| AssemblerOptions::from_value(&options))
            .and_then(GhostBlockAssembler::new);
        core.map(Self::of).map_err(thrown)
    }

    fn of(core: GhostBlockAssembler) -> Self {
        Self {
            core,
            tasks: Tasks::default(),
            prefix: RequestPrefix::default(),
        }
    }

    /// Sets the rules. Their contents are in the byte buffer, in the order of the names.
    #[wasm_bindgen(js_name = setRules)]
    pub fn set_rules(&mut self, names: Vec<String>, paths: Vec<String>, length: usize) {
        let contents = with_bytes(length, read_texts);
        let paths = paths
            .into_iter()
            .map(|path| Some(path).filter(|path| !path.is_empty()));
        let rules = names.into_iter().zip(contents).zip(paths);
        self.core
            .set_rule_files(rules.map(|((name, content), path)| (name, content, path)));
    }

    /// Begins to resolve a prompt without a turn.
    #[wasm_bindgen(js_name = beginResolving)]
    pub fn begin_resolving(&mut self, length: usize) {
        self.core.begin_resolving_units(&units(length));
    }

    /// Ends the prompt that is resolved.
    #[wasm_bindgen(js_name = finishResolving)]
    pub fn finish_resolving(&mut self) -> Result<JsValue, JsValue> {
        let resolution = self.core.finish_resolving().map_err(thrown)?;
        Ok(to_js(&RawResolution {
            items: resolution.items.into_iter().map(raw_item).collect(),
            diagnostics: resolution.diagnostics,
        }))
    }

    /// The text in the byte buffer with its directives carried out. The texts after it are the values of
    /// the macros with these names.
    pub fn preprocess(&mut self, names: Vec<String>, length: usize) -> Result<JsValue, JsValue> {
        let mut texts = with_bytes(length, read_texts).into_iter();
        let text = texts.next().unwrap_or_default().to_units();
        let (text, diagnostics) = self
            .core
            .preprocess_units(&text, names.into_iter().zip(texts));
        Ok(to_js(&RawPreprocessed {
            text: JsText::from(&text),
            diagnostics,
        }))
    }

    /// Begins a prompt.
    #[wasm_bindgen(js_name = beginPrompt)]
    pub fn begin_prompt(&mut self, length: usize) {
        self.core.begin_prompt_units(&units(length));
    }

    /// Begins a document.
    #[wasm_bindgen(js_name = beginDocument)]
    pub fn begin_document(&mut self, length: usize) {
        self.core.begin_document_units(&units(length));
    }

    /// Begins a skill.
    #[wasm_bindgen(js_name = beginSkill)]
    pub fn begin_skill(&mut self, length: usize) {
        self.core.begin_skill_units(&units(length));
    }

    /// Goes on with a task: what is begun, answered and ended from now on is of it.
    #[wasm_bindgen(js_name = takeUp)]
    pub fn take_up(&mut self, task: u32) {
        self.tasks.take_up(&mut self.core, task);
    }

    /// Drops what was begun for a task.
    #[wasm_bindgen(js_name = dropTask)]
    pub fn drop_task(&mut self, task: u32) {
        self.tasks.drop_task(&mut self.core, task);
    }

    /// All requests that are new.
    #[wasm_bindgen(js_name = takeRequests)]
    pub fn take_requests(&mut self) -> Result<JsValue, JsValue> {
        let requests = self.core.take_requests().into_iter();
        let requests: Vec<HostRequest> = requests.map(HostRequest::from).collect();
        Ok(to_js(&requests))
    }

    /// Whether nothing is missing any more.
    #[wasm_bindgen(js_name = isReady)]
    pub fn is_ready(&mut self) -> bool {
        self.core.is_ready()
    }

    /// Answers with the content in the byte buffer.
    #[wasm_bindgen(js_name = answerContent)]
    pub fn answer_content(
        &mut self,
        id: u32,
        length: usize,
        version: Option<String>,
    ) -> Result<(), JsValue> {
        let text = text(length);
        self.answer(id, Answer::Content { text, version })
    }

    /// Answers with an image, whose base64 is in the byte buffer.
    #[wasm_bindgen(js_name = answerImage)]
    pub fn answer_image(
        &mut self,
        id: u32,
        media_type: String,
        length: usize,
    ) -> Result<(), JsValue> {
        let data = text(length);
        self.answer(id, Answer::Image { media_type, data })
    }

    /// Answers that a file is still of the known version.
    #[wasm_bindgen(js_name = answerUnchanged)]
    pub fn answer_unchanged(&mut self, id: u32) -> Result<(), JsValue> {
        self.answer(id, Answer::Unchanged)
    }

    /// Answers that there is no such file.
    #[wasm_bindgen(js_name = answerMissing)]
    pub fn answer_missing(&mut self, id: u32) -> Result<(), JsValue> {
        self.answer(id, Answer::Missing)
    }

    /// Answers that the host does not allow it.
    #[wasm_bindgen(js_name = answerDenied)]
    pub fn answer_denied(&mut self, id: u32, reason: String) -> Result<(), JsValue> {
        self.answer(id, Answer::Denied { reason })
    }

    /// Answers that it failed.
    #[wasm_bindgen(js_name = answerFailed)]
    pub fn answer_failed(&mut self, id: u32, error: String) -> Result<(), JsValue> {
        self.answer(id, Answer::Failed { error })
    }

    fn answer(&mut self, id: u32, answer: Answer) -> Result<(), JsValue> {
        self.core.answer(id, answer).map_err(thrown)
    }

    /// Ends a prompt. An exception of `count` is thrown as it is, and nothing has happened then.
    #[wasm_bindgen(js_name = finishPrompt)]
    pub fn finish_prompt(&mut self, count: Option<Function>) -> Result<JsValue, JsValue> {
        let prompt = match count {
            Some(count) => self.finish_counted(&count)?,
            None => self.core.finish_prompt(None).map_err(thrown)?,
        };
        self.tasks.evaluate_again();
        Ok(to_js(&RawPrompt {
            user: JsText::from(&prompt.user),
            block: JsText::from(&prompt.block),
            images: prompt.images.into_iter().map(raw_image).collect(),
            omitted: prompt.omitted,
            diagnostics: prompt.diagnostics,
        }))
    }

    fn finish_counted(&mut self, count: &Function) -> Result<AssembledPrompt, JsValue> {
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
    pub fn finish_skill(&mut self) -> Result<JsValue, JsValue> {
        let skill = self.core.finish_skill().map_err(thrown)?;
        self.tasks.evaluate_again();
        Ok(to_js(&RawSkill {
            content: JsText::from(&skill.content),
            description: skill.description,
            params: skill.params,
            diagnostics: skill.diagnostics,
        }))
    }

    /// All items.
    pub fn items(&self) -> Result<JsValue, JsValue> {
        let items = self.core.items().into_iter();
        let items: Vec<RawItem> = items.map(raw_item).collect();
        Ok(to_js(&items))
    }

    /// The macros that a prompt can use now, by name.
    pub fn macros(&self) -> Result<JsValue, JsValue> {
        let macros = self.core.macros().into_iter();
        let macros: SortedMap<&str, JsText> =
            macros.map(|(name, value)| (name, value.into())).collect();
        Ok(to_js(&macros))
    }

    /// Takes the items with a key out of the conversation; whether there were any.
    pub fn forget(&mut self, key: &str) -> bool {
        self.tasks.evaluate_again();
        self.core.forget(key)
    }

    /// The references and directives of a prompt, in their order.
    pub fn inspect(&mut self, length: usize) -> Result<JsValue, JsValue> {
        let prompt = units(length);
        let Outline {
            references,
            directives,
        } = self.core.outline(&prompt);
        let directives = directives.iter().map(|token| {
            let name = token.directive.name();
            RawReference {
                name: name.map(|name| String::from_utf16_lossy(name.units)),
                ..Reference::new(ReferenceKind::Macro, token.start, token.end).into()
            }
        });
        let references = references.into_iter().map(RawReference::from);
        let mut found: Vec<RawReference> = references.chain(directives).collect();
        found.sort_by_key(|reference| reference.start);
        Ok(to_js(&found))
    }

    /// What is wrong with a prompt.
    pub fn diagnose(&self, length: usize) -> Result<JsValue, JsValue> {
        Ok(to_js(&self.core.diagnose(&units(length))))
    }

    /// Takes the texts of old user messages that are in the byte buffer.
    #[wasm_bindgen(js_name = scanHistory)]
    pub fn scan_history(&mut self, length: usize) -> Result<JsValue, JsValue> {
        let texts = with_bytes(length, read_texts);
        let texts = texts.iter().map(Text::to_units);
        let ScannedHistory { items, diagnostics } = self.core.scan_history(texts);
        Ok(to_js(&RawScanned { items, diagnostics }))
    }

    /// Begins to compare a request with the one before.
    #[wasm_bindgen(js_name = beginRequest)]
    pub fn begin_request(&mut self) {
        self.prefix.begin();
    }

    /// Takes the request's next message, and answers with how many leading ones are identical so
    /// far.
    #[wasm_bindgen(js_name = compareMessage)]
    pub fn compare_message(&mut self, length: usize) -> usize {
        with_bytes(length, |message| self.prefix.push(message))
    }

    /// The assembler as bytes.
    pub fn snapshot(&self) -> Vec<u8> {
        self.core.snapshot()
    }

    /// The assembler that the bytes hold.
    pub fn restore(snapshot: &[u8]) -> Result<RawAssembler, JsValue> {
        let core: Result<_, Error> = GhostBlockAssembler::restore(snapshot);
        core.map(Self::of).map_err(thrown)
    }
}

/// The one text in the byte buffer.
fn text(length: usize) -> Text {
    let mut texts = with_bytes(length, read_texts);
    texts.pop().unwrap_or_default()
}

/// The units of the one text in the byte buffer.
fn units(length: usize) -> Vec<u16> {
    with_bytes(length, read_units)
}

fn raw_image(image: Image) -> RawImage {
    RawImage {
        start: image.start,
        end: image.end,
        alt: JsText::from(&image.alt),
        media_type: image.media_type,
        data: JsText::from(&image.data),
    }
}

fn raw_item(item: ContextItem) -> RawItem {
    RawItem {
        item_type: item.item_type,
        key: item.key,
        content: item.content.as_ref().map(JsText::from),
        error: item.error.as_ref().map(JsText::from),
        // JSON, in which an unpaired surrogate is an escape.
        args: item.args.map_or(JsValue::UNDEFINED, |args| {
            JSON::parse(&args.to_lossy()).unwrap_or_default()
        }),
        from: RawOrigin {
            source: item.from.source,
            name: item.from.name,
            path: item.from.path,
            first_turn: item.from.first_turn,
            last_turn: item.from.last_turn,
        },
    }
}

/// How many units of the text in the text buffer are the user's own: all but the block that ends it, in any
/// spelling.
#[wasm_bindgen(js_name = lengthWithoutSavedBlock)]
pub fn length_without_saved_block(units: usize) -> usize {
    with_text(units, |text| without_saved_block(text).len())
}
