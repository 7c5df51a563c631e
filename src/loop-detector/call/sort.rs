//! Keys in canonical order: by their UTF-16 code units.

use std::cmp::Ordering;

use super::{Encoded, Units, tag};
use turnkeeper_base::order;

/// Up to this many fields are sorted in place, which nearly all calls are: it needs no memory.
const FEW_FIELDS: usize = 20;

/// Whether the keys of every object in a value are in canonical order.
pub(super) fn is_sorted(value: Encoded) -> bool {
    match value.tag() {
        tag::ARRAY => value.items().all(is_sorted),
        tag::OBJECT => {
            let mut last = Units::default();
            value.fields().all(|(key, field)| {
                let before = std::mem::replace(&mut last, key.units());
                compared(before, last) != Ordering::Greater && is_sorted(field)
            })
        }
        tag::CUT => is_sorted(value.inner()),
        _ => true,
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
