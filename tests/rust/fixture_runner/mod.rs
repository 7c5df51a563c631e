//! Runs the cases of `tests/data/loop-detector/`; see `tests/data/README.md`.

mod case;

use serde_json::Value;
use turnkeeper_core::LoopDetectorOptions;

use super::recorded::{Trace, digest};

const FILES: &[(&str, &str)] = &[
    (
        "adaptive",
        include_str!("../../data/loop-detector/adaptive.json"),
    ),
    (
        "identical-calls",
        include_str!("../../data/loop-detector/identical-calls.json"),
    ),
    (
        "preview-models",
        include_str!("../../data/loop-detector/preview-models.json"),
    ),
    (
        "passages",
        include_str!("../../data/loop-detector/passages.json"),
    ),
    (
        "prompts-and-latching",
        include_str!("../../data/loop-detector/prompts-and-latching.json"),
    ),
    (
        "model-check",
        include_str!("../../data/loop-detector/model-check.json"),
    ),
    ("blind", include_str!("../../data/loop-detector/blind.json")),
    (
        "compaction",
        include_str!("../../data/loop-detector/compaction.json"),
    ),
    (
        "disagreements",
        include_str!("../../data/loop-detector/disagreements.json"),
    ),
    (
        "prompt-starts",
        include_str!("../../data/loop-detector/prompt-starts.json"),
    ),
    (
        "host-verdicts",
        include_str!("../../data/loop-detector/host-verdicts.json"),
    ),
    (
        "retries",
        include_str!("../../data/loop-detector/retries.json"),
    ),
    (
        "counts",
        include_str!("../../data/loop-detector/counts.json"),
    ),
    (
        "progress",
        include_str!("../../data/loop-detector/progress.json"),
    ),
    (
        "feedback",
        include_str!("../../data/loop-detector/feedback.json"),
    ),
    (
        "tool-output",
        include_str!("../../data/loop-detector/tool-output.json"),
    ),
];

/// Every case of a file, by the file's name, and what each leaves behind.
pub fn run(file: &str) -> Vec<Trace> {
    let cases = cases(file);
    assert!(!cases.is_empty());
    let trace = |case: &Value| Trace {
        name: format!(
            "loop-detector/{file}: {}",
            case["name"].as_str().expect("a name")
        ),
        trace: digest(&case::run::<LoopDetectorOptions>(case)),
    };
    cases.iter().map(trace).collect()
}

/// The cases of a file.
pub fn cases(file: &str) -> Vec<Value> {
    let (_, text) = FILES
        .iter()
        .find(|(name, _)| *name == file)
        .expect("a known file");
    serde_json::from_str(text).expect("fixtures are JSON")
}

/// The names of all files, so that none is forgotten.
pub fn files() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}
