//! The references of a prompt as numbers: a prompt is inspected for every key press, and an object for
//! each reference would cost more than finding it.

use wasm_bindgen::prelude::*;

use crate::{Reference, ReferenceKind};

/// The numbers of a reference, in their order.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackedField {
    /// Its index among the kinds of references.
    Kind,
    /// Where it begins, in UTF-16 code units, as all lengths.
    Start,
    /// Where it ends.
    End,
    /// 0 if there is none.
    StartLine,
    /// 0 if there is none.
    EndLine,
    /// The length of its name or path.
    NameLength,
    /// Where the name or path is in the prompt; 0, where none can be, if it is the next of the names.
    NameStart,
    /// How many numbers there are.
    Count,
}

/// A reference, to be packed.
pub(super) struct PackedReference {
    pub(super) kind: ReferenceKind,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) start_line: Option<u32>,
    pub(super) end_line: Option<u32>,
    pub(super) name_length: usize,
    pub(super) name_start: usize,
}

impl IntoIterator for PackedReference {
    type Item = u32;
    type IntoIter = std::array::IntoIter<u32, { PackedField::Count as usize }>;

    fn into_iter(self) -> Self::IntoIter {
        let mut numbers = [0; PackedField::Count as usize];
        for (field, number) in [
            (PackedField::Kind, self.kind as u32),
            (PackedField::Start, self.start as u32),
            (PackedField::End, self.end as u32),
            (PackedField::StartLine, self.start_line.unwrap_or(0)),
            (PackedField::EndLine, self.end_line.unwrap_or(0)),
            (PackedField::NameLength, self.name_length as u32),
            (PackedField::NameStart, self.name_start as u32),
        ] {
            numbers[field as usize] = number;
        }
        numbers.into_iter()
    }
}

#[derive(Default)]
pub(super) struct PackedReferences {
    pub(super) numbers: Vec<u32>,
    /// The names of those that have no place in the prompt, one after another.
    pub(super) names: Vec<u16>,
}

impl PackedReferences {
    pub(super) fn push(&mut self, reference: &Reference) {
        let names_before = self.names.len();
        if let Some(name) = reference.path.as_ref().or(reference.name.as_ref()) {
            self.names.extend(name.encode_utf16());
        }
        self.numbers.extend(PackedReference {
            kind: reference.kind,
            start: reference.start,
            end: reference.end,
            start_line: reference.start_line,
            end_line: reference.end_line,
            name_length: self.names.len() - names_before,
            name_start: 0,
        });
    }
}
