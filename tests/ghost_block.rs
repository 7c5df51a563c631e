//! The assembler with data that other languages run, too.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use turnkeeper_core::ghost_block::{
    Answer, AssemblerOptions, GhostBlockAssembler, PathPlatform, Placement, SourceKind,
};

#[derive(Deserialize)]
struct Hostile {
    platform: String,
    path: String,
}

#[test]
fn no_hostile_path_reaches_the_host() {
    let table = include_str!("fixtures/ghost-block/hostile-paths.json");
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
            assembler.begin_prompt(&syntax).expect("any prompt");
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

/// For each turn but the first, the characters of the request before it that stay as they are, and
/// all that it had.
fn kept(placement: Placement) -> Vec<(usize, usize)> {
    let session = include_str!("fixtures/ghost-block/ten-turns.json");
    let mut session: Session = serde_json::from_str(session).expect("the session");
    let mut options = AssemblerOptions::new(&session.root);
    options.placement = Some(placement);
    let mut assembler = GhostBlockAssembler::new(options).expect("a root");
    let mut history: Vec<Value> = Vec::new();
    let mut last = String::new();
    let mut kept = Vec::new();
    for turn in session.turns {
        assembler.begin_prompt(&turn.prompt).expect("any prompt");
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
        let mut messages = history.clone();
        messages.push(json!({"role": "user", "content": prompt.text().to_string()}));
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
            Placement::Latest => prompt.user.to_string(),
            Placement::Delta => prompt.text().to_string(),
        };
        history.push(json!({"role": "user", "content": content}));
        history.push(json!({"role": "assistant", "content": turn.answer}));
        session.files.extend(turn.edit);
    }
    kept
}

#[test]
fn what_stays_of_one_request_in_the_next() {
    let (latest, delta) = (kept(Placement::Latest), kept(Placement::Delta));
    assert_eq!(delta.len(), 9);
    for (turn, (latest, delta)) in latest.iter().zip(&delta).enumerate() {
        println!("turn {}: {latest:?} {delta:?}", turn + 2);
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
    println!("{:?} {:?}", share(&latest), share(&delta));
}
