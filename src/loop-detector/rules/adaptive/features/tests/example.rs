//! Made-up calls as they are read, and what holds of them.

use serde_json::Value;

use super::remembered::Remembered;
use super::{CallFeatures, CallReader};
use crate::call::{Call, KeyOrder, borrowed, encode};

pub(super) fn read_by(
    reader: &mut CallReader,
    name: &str,
    arguments: Option<Value>,
) -> CallFeatures {
    let mut encoded = Vec::new();
    let arguments = arguments.as_ref().map(borrowed);
    encode(name, None, arguments.as_ref(), &mut encoded).expect("not deep");
    let call = Call::decode(&encoded, KeyOrder::AsGiven).expect("a call");
    reader.read(&call, 0, &mut Remembered::default())
}

pub(super) fn read(name: &str, arguments: Value) -> CallFeatures {
    read_by(&mut CallReader::default(), name, Some(arguments))
}

/// The features that are set for a call.
pub(super) fn facts(call: CallFeatures) -> Vec<&'static str> {
    let facts = [
        ("note", call.is_note),
        ("edits", call.edits),
        ("rewrites", call.rewrites),
        ("looks", call.looks),
        ("waits", call.waits),
        ("changes shell", call.changes_shell),
        ("only prints", call.only_prints),
    ];
    let holding = facts.into_iter().filter(|(_, holds)| *holds);
    holding.map(|(fact, _)| fact).collect()
}
