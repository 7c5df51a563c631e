//! Keys in canonical order: by their UTF-16 code units.

use std::cmp::Ordering;

use super::encoded::{Encoded, Reader, Units};
use super::tag;
use turnkeeper_base::order;

/// Up to this many fields are sorted in place, which nearly all calls are: it needs no memory.
const FEW_FIELDS: usize = 20;

/// Whether the keys of every object in a value are in canonical order.
pub(super) fn is_sorted(value: &[u8]) -> bool {
    let mut reader = Reader {
        bytes: value,
        at: 0,
    };
    // Anything but a value is left as it is.
    reader.passes_sorted().unwrap_or(true)
}

impl Reader<'_> {
    /// Passes a value, as long as its keys are in order.
    fn passes_sorted(&mut self) -> Option<bool> {
        match *self.bytes.get(self.at)? {
            tag::ARRAY => {
                self.at += 1;
                while *self.bytes.get(self.at)? != tag::ARRAY_END {
                    if !self.passes_sorted()? {
                        return Some(false);
                    }
                }
                self.at += 1;
            }
            tag::OBJECT => {
                self.at += 1;
                let mut last: Option<Units> = None;
                while *self.bytes.get(self.at)? != tag::OBJECT_END {
                    let key = Encoded(&self.bytes[self.at..]).units();
                    self.string_bytes()?;
                    if last.is_some_and(|last| compared(last, key) == Ordering::Greater)
                        || !self.passes_sorted()?
                    {
                        return Some(false);
                    }
                    last = Some(key);
                }
                self.at += 1;
            }
            tag::CUT => {
                self.at += 1;
                return self.passes_sorted();
            }
            _ => self.skip()?,
        }
        Some(true)
    }
}

/// Adds a value with the keys of every object in canonical order.
pub(super) fn push_sorted(value: Encoded, out: &mut Vec<u8>) {
    match value.tag() {
        tag::ARRAY => {
            out.push(tag::ARRAY);
            for item in value.items() {
                push_sorted(item, out);
            }
            out.push(tag::ARRAY_END);
        }
        tag::OBJECT => {
            out.push(tag::OBJECT);
            for (key, field) in sorted_fields(value) {
                out.extend_from_slice(key.0);
                push_sorted(field, out);
            }
            out.push(tag::OBJECT_END);
        }
        tag::CUT => {
            out.push(tag::CUT);
            push_sorted(value.inner(), out);
        }
        _ => out.extend_from_slice(value.0),
    }
}

/// A key and its value.
type Field<'a> = (Encoded<'a>, Encoded<'a>);

fn sorted_fields(object: Encoded) -> Vec<Field> {
    let mut fields: Vec<Field> = object.fields().collect();
    let compare = |(a, _): &Field, (b, _): &Field| compared(a.units(), b.units());
    if fields.len() > FEW_FIELDS {
        order::sort_by(&mut fields, compare);
        return fields;
    }
    for end in 1..fields.len() {
        let mut place = end;
        while place > 0 && compare(&fields[place - 1], &fields[place]) == Ordering::Greater {
            fields.swap(place - 1, place);
            place -= 1;
        }
    }
    fields
}

/// By code units, as JavaScript sorts strings.
fn compared(a: Units, b: Units) -> Ordering {
    match (a.as_ascii(), b.as_ascii()) {
        (Some(a), Some(b)) => a.cmp(b),
        _ => {
            let [a, b] = [a, b].map(|units| (0..units.len()).map(move |place| units.at(place)));
            a.cmp(b)
        }
    }
}
