//! The repaired file: the pieces of the old one again, with what changes.

use std::ops::Deref;

use rustc_hash::FxHashMap;
use turnkeeper_agents::sessions::Piece;
use turnkeeper_base::json::{Change, Edit, Json, Key, edited, parse, written};

use super::super::outdated::message_of;
use super::chain::{Line, new_line};
use super::{Fate, RepairPlan, is_enveloped};

/// Writes the repaired file, of which the pieces come again as they came before. The plan may be lent or shared.
#[derive(Debug)]
pub struct Rewriting<P> {
    plan: P,
    is_lines: bool,
    index: u32,
    /// Of an array, what has come since the last element.
    between: Vec<u8>,
    /// The bytes between the last two elements that stayed.
    separator: Vec<u8>,
    /// Whether an element was written, and whether the next comma goes.
    has_element: bool,
    drops_comma: bool,
    /// The lines of a chain that went, and what each followed; empty for nothing.
    gone: FxHashMap<String, String>,
    /// Elements that wait until the text between two is known.
    coming: Vec<Vec<u8>>,
}

impl<P: Deref<Target = RepairPlan> + Clone> Rewriting<P> {
    /// The rewriting of a file of lines, or else of elements of an array.
    pub fn new(plan: P, is_lines: bool) -> Self {
        Self {
            plan,
            is_lines,
            index: 0,
            between: Vec::new(),
            separator: Vec::new(),
            has_element: false,
            drops_comma: false,
            gone: FxHashMap::default(),
            coming: Vec::new(),
        }
    }

    /// Appends the next part of the repaired file.
    pub fn take(&mut self, piece: &Piece, out: &mut Vec<u8>) {
        let message = piece.record.as_ref().and_then(message_of);
        let index = self.index;
        self.index += u32::from(message.is_some());
        // A record that a reader has held back has its bytes before.
        if piece.bytes.is_empty() {
            return;
        }
        let fate = match message {
            Some(message) => self.plan.fate(index, message),
            None => Fate::Stays,
        };
        let plan = self.plan.clone();
        let after = message.and_then(|_| plan.pairs.after.get(&index));
        let bytes = self.written(piece, index, fate);
        let after = after.map_or(&[][..], Vec::as_slice);
        if self.is_lines {
            self.line(piece, index, bytes, after, out);
        } else if piece.record.as_ref().is_some_and(|it| it.place > 0) {
            self.element(bytes, after, out);
        } else {
            self.beside(piece.bytes, out);
        }
    }

    /// Appends the rest of the file.
    pub fn end(&mut self, out: &mut Vec<u8>) {
        self.write_coming(out);
        out.append(&mut self.between);
    }

    /// The bytes of a piece after the edits; `None` if it goes.
    fn written(&mut self, piece: &Piece, index: u32, fate: Fate) -> Option<Vec<u8>> {
        let mut edits = match fate {
            Fate::Goes => {
                self.forget(piece, index);
                return None;
            }
            Fate::Stays => Vec::new(),
            Fate::Changes(edits) => edits,
        };
        let record = piece.record.as_ref().filter(|record| is_enveloped(record));
        if let Some((_, path)) = record.and_then(|it| it.path?.split_last()) {
            let path: Vec<Key> = path.iter().map(|name| Key::Name(name)).collect();
            for edit in &mut edits {
                edit.keys.splice(0..0, path.iter().copied());
            }
        }
        edits.extend(self.new_parent(piece));
        Some(match edits.is_empty() {
            true => piece.bytes.to_vec(),
            false => edited(piece.bytes, &edits),
        })
    }

    /// A line of a chain goes: those that follow it follow what it followed.
    fn forget(&mut self, piece: &Piece, index: u32) {
        let (Some(chain), Some(line)) = (&self.plan.chain, Line::of(piece.bytes)) else {
            return;
        };
        if let Some(uuid) = line.uuid.filter(|uuid| chain.holds(uuid, index)) {
            let parent = line.parent_uuid.unwrap_or_default();
            let parent = self.gone.get(&parent).cloned().unwrap_or(parent);
            self.gone.insert(uuid, parent);
        }
    }

    /// A line follows another one if what it followed is gone, or a new line is between the two.
    fn new_parent(&self, piece: &Piece) -> Option<Edit> {
        let parents = &self.plan.lines.parents;
        if parents.is_empty() && self.gone.is_empty() {
            return None;
        }
        let line = Line::of(piece.bytes)?;
        let between = line.uuid.and_then(|uuid| parents.get(&uuid));
        let parent = between.or_else(|| self.gone.get(&line.parent_uuid?))?;
        let parent = match parent.is_empty() {
            true => Json::Null,
            false => parent.clone().into(),
        };
        let change = Change::Value(parent);
        let keys = vec!["parentUuid".into()];
        Some(Edit { keys, change })
    }

    fn line(
        &self,
        piece: &Piece,
        index: u32,
        bytes: Option<Vec<u8>>,
        after: &[Json<'static>],
        out: &mut Vec<u8>,
    ) {
        let end: &[u8] = match piece.bytes {
            [.., b'\r', b'\n'] => b"\r\n",
            _ => b"\n",
        };
        let is_ended = piece.bytes.ends_with(b"\n");
        out.extend(bytes.unwrap_or_default());
        for message in after {
            if !is_ended {
                out.extend_from_slice(end);
            }
            let uuid = self.plan.lines.ids.get(&index);
            let mut room = Vec::new();
            let line = uuid.and_then(|uuid| {
                let start = piece.bytes.iter().position(|byte| *byte == b'{')?;
                let line = parse(&piece.bytes[start..], &mut room).ok()?;
                Some(new_line(&line, uuid, message.clone()))
            });
            out.extend(written(line.as_ref().unwrap_or(message)).into_bytes());
            if is_ended {
                out.extend_from_slice(end);
            }
        }
    }

    fn element(&mut self, bytes: Option<Vec<u8>>, after: &[Json<'static>], out: &mut Vec<u8>) {
        let between = std::mem::take(&mut self.between);
        if self.drops_comma && bytes.is_some() {
            // The bytes before the first element are written.
            self.drops_comma = false;
        } else if bytes.is_some() || !self.has_element && !self.drops_comma {
            if self.has_element {
                self.separator.clone_from(&between);
                self.write_coming(out);
            }
            out.extend_from_slice(&between);
        } else if self.separator.is_empty() {
            self.separator = between;
        }
        match bytes {
            Some(bytes) => {
                out.extend(bytes);
                self.has_element = true;
            }
            None => self.drops_comma |= !self.has_element,
        }
        let after = after.iter().map(|message| written(message).into_bytes());
        self.coming.extend(after);
    }

    /// Something that is no element.
    fn beside(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let separates = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b',');
        self.between.extend_from_slice(bytes);
        if !self.between.iter().all(separates) {
            self.write_coming(out);
            out.append(&mut self.between);
            (self.has_element, self.drops_comma) = (false, false);
        }
    }

    fn write_coming(&mut self, out: &mut Vec<u8>) {
        for element in std::mem::take(&mut self.coming) {
            match self.separator.contains(&b',') {
                true => out.extend_from_slice(&self.separator),
                false => out.extend_from_slice(b","),
            }
            out.extend(element);
        }
    }
}
