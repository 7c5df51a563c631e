//! The repaired file: the pieces of the old one again, with what changes.

use std::borrow::Borrow;

use turnkeeper_base::json::{Change, Edit, Json, Key, edited, parse, written};
use turnkeeper_sessions::Piece;

use super::super::outdated::message_of;
use super::chain::{Line, new_line};
use super::{Fate, RepairPlan, is_enveloped};

/// Writes the repaired file, of which the pieces come again as they came before. The plan may be lent, or its own.
#[derive(Debug)]
pub struct Rewriting<P> {
    plan: P,
    is_lines: bool,
    index: u32,
    /// Of an array, what has come since the last element.
    between: Vec<u8>,
    /// What stood between the last two elements that stayed.
    separator: Vec<u8>,
    /// Whether an element was written, and whether the next comma goes.
    has_element: bool,
    drops_comma: bool,
    /// Elements that come next, once it is known what stands between two.
    coming: Vec<Vec<u8>>,
}

impl<P: Borrow<RepairPlan>> Rewriting<P> {
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
            coming: Vec::new(),
        }
    }

    fn plan(&self) -> &RepairPlan {
        self.plan.borrow()
    }

    /// Appends what comes next of the repaired file.
    pub fn take(&mut self, piece: &Piece, out: &mut Vec<u8>) {
        let message = piece.record.as_ref().and_then(message_of);
        let index = self.index;
        self.index += u32::from(message.is_some());
        // What a reader has held back has its bytes before.
        if piece.bytes.is_empty() {
            return;
        }
        let fate = match message {
            Some(message) => self.plan().fate(index, message),
            None => Fate::Stays,
        };
        let after = message.and_then(|_| self.plan().pairs.after.get(&index));
        let bytes = self.written(piece, fate);
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
    fn written(&self, piece: &Piece, fate: Fate) -> Option<Vec<u8>> {
        let mut edits = match fate {
            Fate::Goes => return None,
            Fate::Stays => Vec::new(),
            Fate::Changes(edits) => edits,
        };
        if let Some(record) = &piece.record
            && is_enveloped(record)
        {
            let path = record.path.unwrap_or_default();
            let path = path.iter().take(path.len() - 1);
            let path: Vec<Key> = path.map(|name| Key::Name(name)).collect();
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

    /// A line follows another one if a new line is before it.
    fn new_parent(&self, piece: &Piece) -> Option<Edit> {
        let parents = &self.plan().lines.parents;
        if parents.is_empty() && !self.plan().loses_lines() {
            return None;
        }
        let line = Line::of(piece.bytes)?;
        let parent = match parents.get(line.uuid.as_deref()?) {
            Some(parent) => parent.clone(),
            None => self.plan().parent_instead(&line.parent_uuid?)?,
        };
        Some(Edit {
            keys: vec!["parentUuid".into()],
            change: Change::Value(match parent.is_empty() {
                true => Json::Null,
                false => parent.into(),
            }),
        })
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
            let uuid = self.plan().lines.ids.get(&index);
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
            // What stood before the first element is written.
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
