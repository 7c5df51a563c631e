//! The ghost-block assembler for JavaScript.
//!
//! Long texts come in through the byte buffer, `length` being the number of its bytes that they fill. Each
//! answer is one plain object.

#![cfg(target_family = "wasm")]

use js_sys::Function;
use wasm_bindgen::prelude::*;

use turnkeeper_base::boundary::convert::{from_js, to_js};
use turnkeeper_base::boundary::scratch::{with_bytes, with_text};
use turnkeeper_base::boundary::texts::read_texts;
use turnkeeper_base::boundary::{Rich, mirrored, thrown};
use turnkeeper_base::options::{self, OPTIONS};
use turnkeeper_base::text::Text;
use turnkeeper_ghost_block::javascript::{HostRequest, MACHINE, Tasks, without_saved_block};
use turnkeeper_ghost_block::{Answer, AssembledPrompt, GhostBlockAssembler};

mirrored! {
    /// The kinds of work.
    Work of turnkeeper_ghost_block::Work { Prompt, LonePrompt, Document, Skill }
}

/// The assembler.
#[wasm_bindgen]
pub struct RawAssembler {
    core: GhostBlockAssembler,
    tasks: Tasks,
}

#[wasm_bindgen(js_class = RawAssembler)]
impl RawAssembler {
    /// An assembler for a new conversation.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<RawAssembler, JsValue> {
        from_js(MACHINE, OPTIONS, options)
            .and_then(|options| options::read(MACHINE, &options))
            .and_then(GhostBlockAssembler::new)
            .map(Self::of)
            .map_err(thrown)
    }

    fn of(core: GhostBlockAssembler) -> Self {
        Self {
            core,
            tasks: Tasks::default(),
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

    /// Ends the prompt that is resolved.
    #[wasm_bindgen(js_name = finishResolving)]
    pub fn finish_resolving(&mut self) -> Rich {
        let resolved = self.core.finish_resolving().map_err(thrown)?;
        Ok(to_js(&resolved))
    }

    /// The text in the byte buffer with its directives carried out. The texts after it are the values of
    /// the macros with these names.
    pub fn preprocess(&mut self, names: Vec<String>, length: usize) -> Rich {
        let mut texts = with_bytes(length, read_texts).into_iter();
        let text = texts.next().unwrap_or_default();
        let macros = names.into_iter().zip(texts);
        Ok(to_js(&self.core.preprocess(text, macros)))
    }

    /// Begins to work on the text in the byte buffer.
    pub fn begin(&mut self, work: Work, length: usize) {
        self.core.begin(work.into(), text(length));
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
    pub fn take_requests(&mut self) -> Rich {
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
    pub fn finish_prompt(&mut self, count: Option<Function>) -> Rich {
        let prompt = match count {
            Some(count) => self.finish_counted(&count)?,
            None => self.core.finish_prompt(None).map_err(thrown)?,
        };
        self.tasks.evaluate_again();
        Ok(to_js(&prompt))
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
    pub fn finish_skill(&mut self) -> Rich {
        let skill = self.core.finish_skill().map_err(thrown)?;
        self.tasks.evaluate_again();
        Ok(to_js(&skill))
    }

    /// All items.
    pub fn items(&self) -> Rich {
        Ok(to_js(&self.core.items()))
    }

    /// The macros that a prompt can use now, by name.
    pub fn macros(&self) -> Rich {
        Ok(to_js(&self.core.macros()))
    }

    /// Takes the items with a key out of the conversation; whether there were any.
    pub fn forget(&mut self, key: &str) -> bool {
        self.tasks.evaluate_again();
        self.core.forget(key)
    }

    /// The references and directives of the prompt that is in the text buffer, in their order.
    pub fn inspect(&mut self, units: usize) -> Rich {
        let prompt = with_text(units, Text::from_units);
        Ok(to_js(&self.core.inspect(prompt)))
    }

    /// The problems of the prompt that is in the text buffer.
    pub fn diagnose(&self, units: usize) -> Rich {
        let prompt = with_text(units, Text::from_units);
        Ok(to_js(&self.core.diagnose(prompt)))
    }

    /// Takes the texts of old user messages that are in the byte buffer.
    #[wasm_bindgen(js_name = scanHistory)]
    pub fn scan_history(&mut self, length: usize) -> Rich {
        let texts = with_bytes(length, read_texts);
        let texts = texts.iter().map(Text::to_units);
        Ok(to_js(&self.core.scan_history(texts)))
    }

    /// The assembler as bytes.
    pub fn snapshot(&self) -> Vec<u8> {
        self.core.snapshot()
    }

    /// The assembler that the bytes hold.
    pub fn restore(snapshot: &[u8]) -> Result<RawAssembler, JsValue> {
        let core = GhostBlockAssembler::restore(snapshot);
        core.map(Self::of).map_err(thrown)
    }
}

/// The one text in the byte buffer.
fn text(length: usize) -> Text {
    let mut texts = with_bytes(length, read_texts);
    texts.pop().unwrap_or_default()
}

/// The units of the text in the text buffer that are the user's own, counted: all but the block that ends it, in
/// any spelling.
#[wasm_bindgen(js_name = lengthWithoutSavedBlock)]
pub fn length_without_saved_block(units: usize) -> usize {
    with_text(units, |text| without_saved_block(text).len())
}
