//! The lines of Claude Code's sessions: each names the one that it follows, and what is sent again is the chain that ends
//! with the last message.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use turnkeeper_base::json::{Json, parse_as};

use super::pairs::{FreePairs, PairRepairs, Unanswered};

/// The part of a line that says where it is.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Line {
    #[serde(default)]
    pub(super) uuid: Option<String>,
    #[serde(default)]
    pub(super) parent_uuid: Option<String>,
    #[serde(default)]
    subtype: Option<String>,
    #[serde(default)]
    compact_metadata: Option<CompactMetadata>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CompactMetadata {
    #[serde(default)]
    preserved_segment: Option<serde::de::IgnoredAny>,
}

impl Line {
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let start = bytes.iter().position(|byte| *byte == b'{')?;
        let mut room = Vec::new();
        let line: Result<Self, _> = parse_as(&bytes[start..], &mut room);
        line.ok()
    }

    /// Whether nothing before it is sent any more.
    fn forgets(&self) -> bool {
        let is_boundary = self.subtype.as_deref() == Some("compact_boundary");
        let kept = self.compact_metadata.as_ref();
        is_boundary && kept.is_none_or(|it| it.preserved_segment.is_none())
    }
}

/// The chain of a session's lines.
#[derive(Debug, Clone, Default)]
pub(super) struct Chain {
    lines: FxHashMap<String, Known>,
    /// The last line that holds a message.
    leaf: Option<String>,
}

#[derive(Debug, Clone)]
struct Known {
    parent: Option<String>,
    /// The message that it holds.
    message: Option<Message>,
}

#[derive(Debug, Clone)]
struct Message {
    index: u32,
    /// The answer of the model of which it is a part.
    answer: Option<String>,
    /// Whether it holds results alone.
    is_result: bool,
}

/// The changes of lines beside the messages in them.
#[derive(Debug, Clone, Default)]
pub(super) struct LineRepairs {
    /// The lines that get another one to follow, by their ids.
    pub(super) parents: FxHashMap<String, String>,
    /// The ids of the new lines, by the messages after which they come.
    pub(super) ids: FxHashMap<u32, String>,
}

impl Chain {
    /// Takes in a line; `message` is the one that it holds, with its index and whether it holds results alone.
    pub(super) fn take(
        &mut self,
        line: Line,
        message: Option<(u32, &Json, bool)>,
        pairs: &mut FreePairs,
    ) {
        if line.forgets() {
            pairs.forget();
        }
        let Some(uuid) = line.uuid else { return };
        let message = message.map(|(index, message, is_result)| Message {
            index,
            answer: message.get("id").and_then(Json::as_text).map(str::to_owned),
            is_result,
        });
        if message.is_some() {
            self.leaf = Some(uuid.clone());
        }
        let parent = line.parent_uuid;
        // A line that was written again is where it was.
        self.lines.entry(uuid).or_insert(Known { parent, message });
    }

    /// Whether a line is the first with its id: it holds the message with that index.
    pub(super) fn holds(&self, uuid: &str, index: u32) -> bool {
        let message = self.lines.get(uuid).and_then(|line| line.message.as_ref());
        message.is_some_and(|message| message.index == index)
    }

    /// The chain that is sent again, from its first line.
    fn sent(&self) -> Vec<(&str, &Known)> {
        let mut chain = Vec::new();
        let mut seen = FxHashSet::default();
        let mut at = self.leaf.as_deref();
        while let Some(uuid) = at
            && seen.insert(uuid)
            && let Some(line) = self.lines.get(uuid)
        {
            chain.push((uuid, line));
            at = line.parent.as_deref();
        }
        chain.reverse();
        chain
    }

    /// The repairs of the session. Results are led to their calls by Claude Code itself, wherever they are. A call waits if
    /// it is in the last answer.
    pub(super) fn repairs(&self, pairs: FreePairs) -> (PairRepairs, LineRepairs) {
        let (orphans, unanswered, _) = pairs.end();
        let mut repairs = PairRepairs {
            orphans,
            ..PairRepairs::default()
        };
        let mut lines = LineRepairs::default();
        if unanswered.is_empty() {
            return (repairs, lines);
        }
        let sent = self.sent();
        let messages = sent.iter().enumerate();
        let places: FxHashMap<u32, usize> = messages
            .filter_map(|(at, (_, line))| Some((line.message.as_ref()?.index, at)))
            .collect();
        let mut lacking: FxHashMap<usize, Vec<Unanswered>> = FxHashMap::default();
        for call in unanswered {
            if let Some(at) = places.get(&call.message) {
                let end = end_of_answer(&sent, *at);
                lacking.entry(end).or_default().push(call);
            }
        }
        for (end, calls) in lacking {
            let goes_on = sent[end + 1..]
                .iter()
                .any(|(_, line)| line.message.is_some());
            let Some(message) = sent[end].1.message.as_ref().filter(|_| goes_on) else {
                repairs.waiting += calls.len() as u32;
                continue;
            };
            repairs.missing += calls.len() as u32;
            let results = calls.iter().map(|it| it.call.missing()).collect();
            let made = calls[0].call.message_of(results);
            let uuid = new_uuid(sent[end].0, calls.iter().map(|it| &*it.call.id));
            lines
                .parents
                .insert(sent[end + 1].0.to_owned(), uuid.clone());
            lines.ids.insert(message.index, uuid);
            repairs.after.insert(message.index, vec![made]);
        }
        (repairs, lines)
    }
}

/// The last line of the answer that the line belongs to, or of the results that follow it.
fn end_of_answer(sent: &[(&str, &Known)], at: usize) -> usize {
    let answer = |at: usize| {
        sent[at]
            .1
            .message
            .as_ref()
            .and_then(|it| it.answer.as_deref())
    };
    let own = answer(at);
    let mut end = at;
    for (next, (_, line)) in sent.iter().enumerate().skip(at + 1) {
        match &line.message {
            None => {}
            Some(message) if message.is_result => end = next,
            Some(message) if message.answer.is_some() && message.answer.as_deref() == own => {
                end = next;
            }
            Some(_) => break,
        }
    }
    end
}

/// An id that is the same whenever the same session is repaired.
fn new_uuid<'a>(parent: &str, calls: impl Iterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new_with_prefix(parent);
    for call in calls {
        hash.update([0]);
        hash.update(call);
    }
    let mut bytes: [u8; 16] = std::array::from_fn(|_| 0);
    bytes.copy_from_slice(&hash.finalize()[..16]);
    // Version 4, of the usual variant.
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|range| &hex[range]);
    parts.join("-")
}

/// The fields that a new line has from the one before it.
const SHARED: [&str; 9] = [
    "isSidechain", "userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch", "slug",
    "agentId",
];

/// A line that holds a message, after another.
pub(super) fn new_line(after: &Json, uuid: &str, message: Json<'static>) -> Json<'static> {
    let shared = |name: &'static str| {
        let value = after.get(name)?.clone().into_owned();
        Some((name.into(), value))
    };
    let parent = after.get("uuid").cloned().unwrap_or_default();
    let mut fields = vec![("parentUuid".into(), parent.into_owned())];
    fields.extend(SHARED.iter().copied().filter_map(shared));
    fields.push(("type".into(), "user".into()));
    fields.push(("message".into(), message));
    fields.push(("uuid".into(), uuid.to_owned().into()));
    fields.extend(shared("timestamp"));
    Json::Object(fields)
}
