//! The assembler with data that other languages run, too.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use turnkeeper_core::ghost_block::{
    Answer, AssembledPrompt, AssemblerOptions, GhostBlockAssembler, PathPlatform, Placement,
    SourceKind, Work,
};

use super::recorded::{Trace, digest};

#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[derive(Deserialize)]
struct Hostile {
    platform: String,
    path: String,
}

#[test]
fn no_hostile_path_reaches_the_host() {
    let table = include_str!("../data/ghost-block/hostile-paths.json");
    let table: Vec<Hostile> = serde_json::from_str(table).expect("the table");
    let mut tried = BTreeMap::new();
    for Hostile { platform, path } in table {
        // What cannot stand within brackets on one line cannot be referred to.
        if path.contains(['[', ']', '\n', '\u{2028}', '\u{2029}']) || path.trim() != path {
            continue;
        }
        let is_posix = platform == "posix";
        let mut options = AssemblerOptions::new(if is_posix {
            "/work/app"
        } else {
            r"C:\Work\App"
        });
        let others: &[&str] = if is_posix {
            &["/work/shared"]
        } else {
            &[r"D:\Shared", r"\\server\share\repo"]
        };
        options.allowed_roots = Some(others.iter().map(|&root| root.to_owned()).collect());
        options.platform = Some(if is_posix {
            PathPlatform::Posix
        } else {
            PathPlatform::Win32
        });
        for (syntax, is_item) in [
            (format!("@[{path}]"), true),
            (format!("![x]({path})"), false),
        ] {
            let mut assembler = GhostBlockAssembler::new(options.clone()).expect("a root");
            assembler.begin(Work::Prompt, &syntax);
            assert_eq!(assembler.take_requests(), [], "{platform} {path:?}");
            let prompt = assembler.finish_prompt(None).expect("ready");
            if is_item && !path.is_empty() {
                let block = prompt.block.to_string();
                assert!(block.contains("\"error\": \"denied: "), "{path:?} {block}");
            }
        }
        *tried.entry(platform).or_insert(0) += 1;
    }
    assert!(
        tried.len() == 2 && tried.values().all(|&count| count >= 60),
        "{tried:?}"
    );
}

/// One line, or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Lines {
    One(String),
    Several(Vec<String>),
}

impl Lines {
    fn text(&self) -> String {
        match self {
            Self::One(line) => line.clone(),
            Self::Several(lines) => lines.join("\n"),
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct DirectiveOptions {
    root: Option<String>,
    references_in_code: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Directives {
    name: String,
    #[serde(default)]
    options: DirectiveOptions,
    #[serde(default)]
    before: Vec<Lines>,
    prompt: Lines,
    text: Lines,
    #[serde(default)]
    diagnostics: Vec<String>,
    #[serde(default)]
    items: Vec<String>,
}

/// Assembles a prompt for a host that has every file and no image.
fn assemble(assembler: &mut GhostBlockAssembler, prompt: &str) -> AssembledPrompt {
    assembler.begin(Work::Prompt, prompt);
    for request in assembler.take_requests() {
        let answer = match request.source.kind {
            SourceKind::Image => Answer::failed("the host has no images"),
            _ => Answer::content("x"),
        };
        assembler.answer(request.id, answer).expect("it waits");
    }
    assembler.finish_prompt(None).expect("ready")
}

#[test]
fn macros_conditions_and_code_are_read_as_the_table_says() {
    let table = include_str!("../data/ghost-block/directives.json");
    let table: Vec<Directives> = serde_json::from_str(table).expect("the table");
    assert!(table.len() >= 100, "{}", table.len());
    for case in table {
        let name = &case.name;
        let mut options = AssemblerOptions::new(case.options.root.as_deref().unwrap_or("/work"));
        options.references_in_code = case.options.references_in_code;
        let mut assembler = GhostBlockAssembler::new(options).expect("a root");
        for earlier in &case.before {
            assemble(&mut assembler, &earlier.text());
        }
        let text = case.prompt.text();
        let inspected = assembler.diagnose(&text);
        let prompt = assemble(&mut assembler, &text);
        assert_eq!(prompt.user.to_string(), case.text.text(), "{name}");
        let told: Vec<String> = prompt
            .diagnostics
            .iter()
            .map(|told| {
                let code = serde_json::to_value(told.code).expect("a code is a string");
                let code = code.as_str().expect("a code is a string").to_owned();
                format!("{code} {}:{}", told.line, told.column)
            })
            .collect();
        assert_eq!(told, case.diagnostics, "{name}");
        assert_eq!(inspected, prompt.diagnostics, "{name}");
        let keys: Vec<String> = assembler.items().into_iter().map(|item| item.key).collect();
        assert_eq!(keys, case.items, "{name}");
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConversationCase {
    name: String,
    #[serde(default)]
    options: serde_json::Map<String, Value>,
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default)]
    tools: BTreeMap<String, String>,
    steps: Vec<Value>,
}

/// A conversation that is played.
struct Conversation {
    case: ConversationCase,
    assembler: GhostBlockAssembler,
}

impl Conversation {
    /// Assembles a prompt, and answers with what the host was asked for, too.
    fn assemble(&mut self, prompt: &str) -> (AssembledPrompt, Vec<String>) {
        self.assembler.begin(Work::Prompt, prompt);
        let mut asked = Vec::new();
        loop {
            let requests = self.assembler.take_requests();
            if requests.is_empty() {
                break;
            }
            for request in requests {
                let source = &request.source;
                let answer = if source.kind == SourceKind::Tool {
                    asked.push(format!("{}{}", source.name, source.args));
                    Answer::content(self.case.tools[&source.name].as_str())
                } else {
                    let lines = source.start_line.zip(source.end_line);
                    asked.push(match lines {
                        Some((start, end)) => format!("{}:{start}:{end}", source.name),
                        None => source.name.clone(),
                    });
                    match (self.case.files.get(&source.name), lines) {
                        (None, _) => Answer::Missing,
                        (Some(file), None) => Answer::content(file.as_str()),
                        (Some(file), Some((start, end))) => {
                            let lines: Vec<&str> = file.split('\n').collect();
                            let range = start as usize - 1..(end as usize).min(lines.len());
                            Answer::content(lines[range].join("\n").as_str())
                        }
                    }
                };
                self.assembler.answer(request.id, answer).expect("it waits");
            }
        }
        let prompt = self.assembler.finish_prompt(None).expect("ready");
        (prompt, asked)
    }

    fn compare_items(&self, step: &Value, place: &str) {
        let Some(expected) = step.get("items") else {
            return;
        };
        let items = self.assembler.items().into_iter().map(|item| {
            let mut from = json!({
                "source": item.from.source,
                "firstTurn": item.from.first_turn,
                "lastTurn": item.from.last_turn,
            });
            if let Some(name) = item.from.name {
                from["name"] = json!(name);
            }
            json!({ "key": item.key, "from": from })
        });
        assert_eq!(json!(items.collect::<Vec<_>>()), *expected, "{place}");
    }

    fn run_prompt(&mut self, step: &Value, place: &str) {
        let text = |field: &str| step[field].as_str();
        let (prompt, asked) = self.assemble(text("prompt").expect("a prompt"));
        let (block, whole) = (prompt.block.to_string(), prompt.text().to_string());
        if let Some(asks) = step.get("asks") {
            assert_eq!(json!(asked), *asks, "{place}");
        }
        if let Some(text) = text("text") {
            assert_eq!(prompt.user.to_string(), text, "{place}");
        }
        if let Some(diagnostics) = step.get("diagnostics") {
            let told = prompt.diagnostics.iter().map(|told| {
                let code = json!(told.code).as_str().expect("a name").to_owned();
                let source = told.source.as_ref();
                source.map_or(code.clone(), |source| format!("{code} {source}"))
            });
            assert_eq!(json!(told.collect::<Vec<_>>()), *diagnostics, "{place}");
        }
        if let Some(part) = text("block") {
            assert!(block.contains(part), "{place}: {block}");
        }
        if let Some(part) = text("lacks") {
            assert!(!block.contains(part), "{place}: {block}");
        }
        if step["again"] == true {
            let (again, _) = self.assemble(&whole);
            assert_eq!(again.text().to_string(), whole, "{place}");
        }
        self.compare_items(step, place);
    }

    fn run_step(&mut self, step: &Value, place: &str) {
        if step.get("prompt").is_some() {
            self.run_prompt(step, place);
        } else if let Some(prompt) = step["inspect"].as_str() {
            let references = self.assembler.inspect(prompt).into_iter();
            let references = references.map(|reference| {
                let mut shown = json!({ "path": reference.path });
                for (field, line) in [
                    ("startLine", reference.start_line),
                    ("endLine", reference.end_line),
                ] {
                    if let Some(line) = line {
                        shown[field] = json!(line);
                    }
                }
                shown
            });
            let references: Vec<Value> = references.collect();
            assert_eq!(json!(references), step["references"], "{place}");
        } else if let Some(rules) = step["rules"].as_array() {
            let text = |value: &Value| value.as_str().expect("a text").to_owned();
            let rules: Vec<(String, String)> = rules
                .iter()
                .map(|rule| (text(&rule["name"]), text(&rule["content"])))
                .collect();
            let rules = rules.iter().map(|(name, content)| (name, content.as_str()));
            self.assembler.set_rules(rules);
        } else if let Some(texts) = step["scan"].as_array() {
            let texts = texts.iter().map(|text| text.as_str().expect("a text"));
            let texts = texts.map(|text| text.encode_utf16().collect::<Vec<_>>());
            self.assembler.scan_history(texts);
            self.compare_items(step, place);
        } else if let Some(key) = step["forget"].as_str() {
            assert_eq!(json!(self.assembler.forget(key)), step["gives"], "{place}");
        } else if let Some(expected) = step.get("macros") {
            let macros = self.assembler.macros().into_iter();
            let macros: BTreeMap<&str, String> = macros
                .map(|(name, value)| (name, value.to_string()))
                .collect();
            assert_eq!(json!(macros), *expected, "{place}");
        } else {
            assert_eq!(step["snapshot"], true, "{place}: an unknown step");
            let snapshot = self.assembler.snapshot();
            self.assembler = GhostBlockAssembler::restore(&snapshot).expect("just saved");
            assert_eq!(self.assembler.snapshot(), snapshot, "{place}");
        }
    }
}

#[test]
fn conversations_go_as_the_table_says() {
    let table = include_str!("../data/ghost-block/conversations.json");
    let table: Vec<ConversationCase> = serde_json::from_str(table).expect("the table");
    for case in table {
        let mut options = case.options.clone();
        options.insert("root".to_owned(), json!("/work"));
        let options = AssemblerOptions::from_json(&Value::Object(options).to_string());
        let assembler = GhostBlockAssembler::new(options.expect("options"));
        let mut conversation = Conversation {
            assembler: assembler.expect("a root"),
            case,
        };
        let steps = conversation.case.steps.clone();
        for (at, step) in steps.iter().enumerate() {
            let place = format!("{}, step {at}", conversation.case.name);
            conversation.run_step(step, &place);
        }
    }
}

/// Snapshots of version 1, written before items knew where they are from.
#[derive(Deserialize)]
struct Session {
    root: String,
    files: BTreeMap<String, String>,
    tools: BTreeMap<String, String>,
    turns: Vec<Turn>,
}

#[derive(Deserialize)]
struct Turn {
    prompt: String,
    answer: String,
    #[serde(default)]
    edit: BTreeMap<String, String>,
}

/// What a conversation is assembled to and saved as, in each placement.
pub fn traces() -> Vec<Trace> {
    [("latest", Placement::Latest), ("delta", Placement::Delta)]
        .map(|(name, placement)| Trace {
            name: format!("ghost-block/ten-turns: {name}"),
            trace: kept(placement).1,
        })
        .into()
}

/// For each turn but the first, the characters of the request before it that stay as they are, and
/// all that it had; and the trace of what is assembled and saved on the way.
fn kept(placement: Placement) -> (Vec<(usize, usize)>, String) {
    let session = include_str!("../data/ghost-block/ten-turns.json");
    let mut session: Session = serde_json::from_str(session).expect("the session");
    let mut options = AssemblerOptions::new(&session.root);
    options.placement = Some(placement);
    let mut assembler = GhostBlockAssembler::new(options).expect("a root");
    let mut history: Vec<Value> = Vec::new();
    let mut last = String::new();
    let mut kept = Vec::new();
    let mut trace = Vec::new();
    for turn in session.turns {
        assembler.begin(Work::Prompt, &turn.prompt);
        for request in assembler.take_requests() {
            let source = &request.source;
            let answer = match source.kind {
                SourceKind::File => {
                    let file = &session.files[&source.name];
                    let lines: Vec<&str> = file.split_inclusive('\n').collect();
                    let start = source.start_line.unwrap_or(1) as usize - 1;
                    let end = source.end_line.map_or(lines.len(), |end| end as usize);
                    Answer::content(lines[start..end].concat().as_str())
                }
                SourceKind::Tool => Answer::content(session.tools[&source.name].as_str()),
                other => panic!("{other:?}"),
            };
            assembler.answer(request.id, answer).expect("it waits");
        }
        let prompt = assembler.finish_prompt(None).expect("ready");
        trace.push(digest(prompt.text().to_string().as_bytes()));
        trace.push(digest(&assembler.snapshot()));
        let mut messages = history.clone();
        messages.push(json!({"content": prompt.text().to_string(), "role": "user"}));
        let request = serde_json::to_string(&messages).expect("JSON");
        if !last.is_empty() {
            let same = request
                .bytes()
                .zip(last.bytes())
                .take_while(|(a, b)| a == b)
                .count();
            kept.push((same, last.len()));
        }
        last = request;
        // In the latest placement the host takes the block out of what it keeps.
        let content = match placement {
            Placement::Delta => prompt.text().to_string(),
            _ => prompt.user.to_string(),
        };
        history.push(json!({"content": content, "role": "user"}));
        history.push(json!({"content": turn.answer, "role": "assistant"}));
        session.files.extend(turn.edit);
    }
    (kept, trace.join(" "))
}

#[test]
fn what_stays_of_one_request_in_the_next() {
    let (latest, delta) = (kept(Placement::Latest).0, kept(Placement::Delta).0);
    assert_eq!(delta.len(), 9);
    for (turn, delta) in delta.iter().enumerate() {
        assert!(
            delta.0 * 100 >= delta.1 * 95,
            "turn {}: {delta:?}",
            turn + 2
        );
    }
    // The figures of docs/ghost-block.md.
    let share = |kept: &[(usize, usize)]| {
        let (same, all) = kept
            .iter()
            .fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
        (same, all, same * 100 / all)
    };
    assert_eq!(share(&latest), (8_890, 31_010, 28));
    assert_eq!(share(&delta), (44_023, 44_032, 99));
}
