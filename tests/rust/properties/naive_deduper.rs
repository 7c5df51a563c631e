//! A history deduper of a few lines, on strings, for short histories without code in them.

use turnkeeper_core::history_deduper::{
    DedupeReport, MessagePosition, PartEdit, UserMessage, apply_to_text, apply_to_text_parts,
};
use turnkeeper_core::{DedupeOptions, HistoryDeduper};

pub const TAGS: [&str; 2] = ["a", "bc"];

/// A user message: a string, or the texts of its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    Whole(String),
    Parts(Vec<String>),
}

/// What the two are told.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    pub keep_first: bool,
    pub recent: Option<u64>,
    pub changed_sections: bool,
}

impl Settings {
    fn options(self) -> DedupeOptions {
        let keep = if self.keep_first { "first" } else { "last" };
        let sections = if self.changed_sections {
            "changed"
        } else {
            "all"
        };
        let recent = self.recent.map(|recent| format!(r#","recent":{recent}"#));
        let recent = recent.unwrap_or_default();
        let json =
            format!(r#"{{"tags":["a","bc"],"keep":"{keep}","sections":"{sections}"{recent}}}"#);
        DedupeOptions::from_json(&json).expect("valid")
    }
}

fn is_white(character: char) -> bool {
    character == '\u{feff}' || (character != '\u{85}' && character.is_whitespace())
}

fn tag_of(text: &str) -> Option<usize> {
    let text = text.trim_matches(is_white);
    (0..TAGS.len()).find(|tag| {
        let (open, close) = (format!("<{}>", TAGS[*tag]), format!("</{}>", TAGS[*tag]));
        text.starts_with(&open)
            && text.ends_with(&close)
            && text.matches(&open).count() == 1
            && text.matches(&close).count() == 1
    })
}

/// The tag of a block, and of a note, which is a sentence, its first words and its files: of two with the same, the newer
/// one replaces the older.
type State = (usize, Option<String>);

/// In the words of the histories here: letters, and files with a slash in their name.
fn state_of(block: &str) -> Option<State> {
    let tag = tag_of(block)?;
    let block = block.trim_matches(is_white);
    let inside = &block[TAGS[tag].len() + 2..block.len() - TAGS[tag].len() - 3];
    let line = inside.trim_matches(is_white).split('\n').next()?;
    let (mut words, mut files, mut goes_on) = (Vec::new(), Vec::new(), false);
    for word in line.split_whitespace() {
        let word = word.trim_matches(['<', '>']);
        let begins = word.starts_with(char::is_alphabetic);
        if word.contains('/') && (begins || word.starts_with('/')) {
            files.push(word);
        } else if begins && word.chars().all(char::is_alphabetic) {
            words.push(word);
            goes_on |= !files.is_empty();
        }
    }
    let is_note =
        line.starts_with(char::is_alphabetic) && (words.len() > 3 || (words.len() > 1 && goes_on));
    words.truncate(3);
    Some((tag, is_note.then(|| [words, files].concat().join(" "))))
}

/// What stands before a run, the elements with the white space before each, and what is behind.
type Split = (String, Vec<(String, String)>, String);

/// Splits a string at the run that it ends with.
fn split(text: &str) -> Split {
    let behind = text.trim_end_matches(is_white);
    let tail = text[behind.len()..].to_owned();
    let mut head = behind.to_owned();
    let mut run = Vec::new();
    loop {
        // The shortest end that is an element by itself.
        let starts = (0..head.len())
            .rev()
            .filter(|at| head.as_bytes()[*at] == b'<');
        let mut starts = starts.filter(|at| tag_of(&head[*at..]).is_some());
        let Some(start) = starts.next() else { break };
        let element = head.split_off(start);
        let rest = head.trim_end_matches(is_white).len();
        run.insert(0, (head.split_off(rest), element));
    }
    if let Some((white, _)) = run.first_mut() {
        head.push_str(&std::mem::take(white));
    }
    (head, run, tail)
}

/// Of these states, in their order, which stay.
fn kept(states: &[State], keep_first: bool) -> Vec<bool> {
    let stays = |at: usize| {
        let others = if keep_first {
            &states[..at]
        } else {
            &states[at + 1..]
        };
        !others.contains(&states[at])
    };
    (0..states.len()).map(stays).collect()
}

/// A message after its own repair: what is no block, and the blocks.
#[derive(Debug, Clone)]
struct Repaired {
    is_string: bool,
    others: Vec<String>,
    carriers: Vec<Carrier>,
}

/// A text that ends with blocks: what stands before them, each with the white space before it, and
/// what stands after them.
#[derive(Debug, Clone)]
struct Carrier {
    head: String,
    blocks: Vec<(String, String)>,
    tail: String,
}

impl Repaired {
    fn blocks_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let blocks = self.carriers.iter_mut().flat_map(|one| &mut one.blocks);
        blocks.map(|(_, block)| block)
    }
}

fn repair(content: &Content, keep_first: bool) -> Repaired {
    let mut others = Vec::new();
    let mut carriers = Vec::new();
    match content {
        Content::Parts(parts) => {
            for part in parts {
                let (head, blocks, tail) = split(part);
                if !blocks.is_empty() && head.trim_matches(is_white).is_empty() {
                    carriers.push(Carrier { head, blocks, tail });
                } else {
                    others.push(part.clone());
                }
            }
        }
        Content::Whole(text) => {
            let (head, blocks, tail) = split(text);
            others.push(head.clone());
            carriers.push(Carrier { head, blocks, tail });
        }
    }
    let found = carriers.iter().flat_map(|carrier| &carrier.blocks);
    let states: Vec<State> = found.filter_map(|(_, block)| state_of(block)).collect();
    let mut stays = kept(&states, keep_first).into_iter();
    for carrier in &mut carriers {
        carrier
            .blocks
            .retain(|_| stays.next().expect("one for each"));
    }
    Repaired {
        is_string: matches!(content, Content::Whole(_)),
        others,
        carriers,
    }
}

/// The sections of a block, each without the white space at its end, and what stands before them.
fn sections(block: &str) -> (String, Vec<String>) {
    let close = block.rfind("</").expect("a block");
    let mut before = String::new();
    let mut sections: Vec<String> = Vec::new();
    for line in block[..close].split_inclusive('\n') {
        if line.starts_with("# ") {
            sections.push(String::new());
        }
        sections.last_mut().unwrap_or(&mut before).push_str(line);
    }
    (before, sections)
}

fn shrunk(block: &str, before: &str) -> String {
    let close = block.rfind("</").expect("a block");
    let (intro, own) = sections(block);
    let (_, known) = sections(before);
    let is_known = |one: &String| {
        let same =
            |other: &String| other.trim_end_matches(is_white) == one.trim_end_matches(is_white);
        known.iter().any(same)
    };
    let own: String = own.into_iter().filter(|one| !is_known(one)).collect();
    format!("{intro}{own}{}", &block[close..])
}

/// What a history should become.
pub fn expected(history: &[Content], settings: Settings) -> Vec<Content> {
    let mut all: Vec<Repaired> = Vec::new();
    for content in history {
        all.push(repair(content, settings.keep_first));
    }
    let mut newest_notes: Vec<(State, usize)> = Vec::new();
    for (at, message) in all.iter_mut().enumerate() {
        let states = message.blocks_mut().filter_map(|block| state_of(block));
        for state in states.filter(|(_, note)| note.is_some()) {
            newest_notes.retain(|(known, _)| *known != state);
            newest_notes.push((state, at));
        }
    }
    for (at, message) in all.iter_mut().enumerate() {
        let is_old = settings
            .recent
            .is_some_and(|recent| at as u64 + recent < history.len() as u64);
        if is_old
            && message
                .others
                .iter()
                .any(|text| !text.trim_matches(is_white).is_empty())
        {
            for carrier in &mut message.carriers {
                carrier.blocks.retain(|(_, block)| {
                    newest_notes
                        .iter()
                        .any(|(note, of)| *of == at && state_of(block).as_ref() == Some(note))
                });
            }
        }
    }
    let mut originals = all.clone();
    let mut states: Vec<State> = Vec::new();
    for message in &mut originals {
        states.extend(message.blocks_mut().filter_map(|block| state_of(block)));
    }
    states.sort();
    states.dedup();
    for state in states {
        let mut places = Vec::new();
        for (at, message) in originals.iter_mut().enumerate() {
            let place = message
                .blocks_mut()
                .position(|block| state_of(block).as_ref() == Some(&state));
            places.extend(place.map(|place| (at, place)));
        }
        for three in places.windows(3).filter(|_| settings.changed_sections) {
            let [(was, before), (is, place), _] = three else {
                unreachable!()
            };
            let before = originals[*was].blocks_mut().nth(*before).expect("there");
            let block = all[*is].blocks_mut().nth(*place).expect("there");
            *block = shrunk(block, before);
        }
    }
    all.into_iter().map(joined).collect()
}

fn joined(message: Repaired) -> Content {
    let carriers = message.carriers.into_iter();
    if message.is_string {
        return Content::Whole(carriers.map(text_of).collect());
    }
    let with_blocks = carriers.filter(|carrier| !carrier.blocks.is_empty());
    Content::Parts(
        message
            .others
            .into_iter()
            .chain(with_blocks.map(text_of))
            .collect(),
    )
}

fn text_of(carrier: Carrier) -> String {
    let mut text = carrier.head;
    for (at, (white, block)) in carrier.blocks.into_iter().enumerate() {
        if at > 0 {
            text.push_str(&white);
        }
        text.push_str(&block);
    }
    text + &carrier.tail
}

/// What the history deduper makes of it.
pub fn actual(history: &[Content], settings: Settings) -> (Vec<Content>, DedupeReport) {
    let mut deduper = HistoryDeduper::new(settings.options()).expect("valid");
    deduper.expect_user_messages(history.len() as u64);
    for (position, content) in positions().zip(history) {
        deduper.read(position, &message(content));
    }
    let mut result = history.to_vec();
    for changed in deduper.finish() {
        let content = &mut result[changed.index as usize];
        *content = edited(content, &changed.edits);
    }
    (result, deduper.report())
}

/// The same, one message after the other.
pub fn pushed(history: &[Content], settings: Settings) -> Vec<Content> {
    let mut deduper = HistoryDeduper::new(settings.options()).expect("valid");
    let push = |(position, content)| edited(content, &deduper.push(position, &message(content)));
    positions().zip(history).map(push).collect()
}

/// Every message is the user's.
fn positions() -> impl Iterator<Item = MessagePosition> {
    (0..).map(|at| MessagePosition {
        index: at,
        user_index: at,
    })
}

fn message(content: &Content) -> UserMessage<'_> {
    match content {
        Content::Whole(text) => UserMessage::from_text(text),
        Content::Parts(parts) => UserMessage::from_text_parts(parts),
    }
}

fn edited(content: &Content, edits: &[PartEdit]) -> Content {
    match content {
        Content::Whole(text) => Content::Whole(apply_to_text(edits, text)),
        Content::Parts(parts) => Content::Parts(apply_to_text_parts(edits, parts)),
    }
}

/// Everything that is promised, for one history.
pub fn check(history: &[Content], settings: Settings) {
    let expected = expected(history, settings);
    let (result, report) = actual(history, settings);
    assert_eq!(result, expected, "of {history:?} with {settings:?}");

    let units = |history: &[Content]| -> usize {
        let texts = history.iter().flat_map(|content| match content {
            Content::Whole(text) => std::slice::from_ref(text),
            Content::Parts(parts) => parts.as_slice(),
        });
        texts.map(|text| text.encode_utf16().count()).sum()
    };
    assert_eq!(
        report.characters_saved as usize,
        units(history) - units(&result)
    );
    let changed = history.iter().zip(&result).enumerate();
    let changed = changed.filter(|(_, (before, after))| before != after);
    let changed: Vec<u32> = changed.map(|(at, _)| at as u32).collect();
    let reported: Vec<u32> = report.changes.iter().map(|change| change.index).collect();
    assert!(
        changed.iter().all(|at| reported.contains(at)),
        "{report:?} of {history:?}"
    );

    let (again, report) = actual(&result, settings);
    assert_eq!(
        again, result,
        "a second time, of {history:?} with {settings:?}"
    );
    assert_eq!(report.messages_changed, 0);

    let alone = Settings {
        recent: None,
        changed_sections: false,
        ..settings
    };
    assert_eq!(pushed(history, settings), actual(history, alone).0);
}
