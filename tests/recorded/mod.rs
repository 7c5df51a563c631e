//! What cases leave behind, as `tests/fixtures/traces.json` has it: every language, runtime and platform must
//! come to the same bytes.

use std::collections::BTreeMap;
use std::sync::OnceLock;

const TRACES: &str = include_str!("../fixtures/traces.json");

/// The length of bytes, and their hash by FNV-1a.
pub fn digest(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    });
    format!("{}:{hash:08x}", bytes.len())
}

/// Compares a trace with the one of that name.
pub fn expect(name: &str, trace: &str) {
    static ALL: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    let all = ALL.get_or_init(|| serde_json::from_str(TRACES).expect("names and traces"));
    let recorded = all.get(name).map(String::as_str);
    assert_eq!(
        Some(trace),
        recorded,
        "{name}: see tests/fixtures/README.md"
    );
}
