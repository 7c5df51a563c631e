//! What cases leave behind, as `tests/data/traces.json` has it: every language, runtime and platform must
//! come to the same bytes.

use std::collections::BTreeMap;

const TRACES: &str = include_str!("../../data/traces.json");

/// The length of bytes, and their hash by FNV-1a.
pub fn digest(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    });
    format!("{}:{hash:08x}", bytes.len())
}

/// What a case leaves behind, under its name.
pub struct Trace {
    pub name: String,
    pub trace: String,
}

/// Compares traces with those of their names. Others are told in one line: after a change of what a machine
/// saves they are many, and none of them says anything that the next does not.
pub fn expect(traces: &[Trace]) {
    let recorded: BTreeMap<String, String> =
        serde_json::from_str(TRACES).expect("names and traces");
    let is_other = |it: &&Trace| recorded.get(&it.name) != Some(&it.trace);
    let others: Vec<&Trace> = traces.iter().filter(is_other).collect();
    if let Some(first) = others.first() {
        panic!(
            "{} of {} traces are not those that were recorded, the first is {:?}; after a change that is meant \
             to alter them, `cargo xtask traces`",
            others.len(),
            traces.len(),
            first.name
        );
    }
}
