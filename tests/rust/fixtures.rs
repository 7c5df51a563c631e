//! The fixtures that every language runs.

use super::{deduper_runner, fixture_runner, injector_runner, selector_runner};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Natively only, since Wasm has no files.
#[cfg(not(target_family = "wasm"))]
#[test]
fn every_fixture_file_is_run() {
    expect_all("loop-detector", fixture_runner::files());
    expect_all("history-deduper", deduper_runner::files());
    expect_all("summary-injector", injector_runner::files());
    expect_all("terminal-selector", selector_runner::files());
}

#[cfg(not(target_family = "wasm"))]
fn expect_all(folder: &str, files: impl Iterator<Item = &'static str>) {
    let mut on_disk: Vec<String> = std::fs::read_dir(format!("tests/data/{folder}"))
        .expect("the fixtures are there")
        .map(|file| {
            file.expect("readable")
                .path()
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into()
        })
        .collect();
    let mut run: Vec<String> = files.map(str::to_owned).collect();
    on_disk.sort();
    run.sort();
    assert_eq!(on_disk, run);
}

#[test]
fn identical_calls() {
    fixture_runner::run("identical-calls");
}

#[test]
fn preview_models() {
    fixture_runner::run("preview-models");
}

#[test]
fn passages() {
    fixture_runner::run("passages");
}

#[test]
fn prompts_and_latching() {
    fixture_runner::run("prompts-and-latching");
}

#[test]
fn model_check() {
    fixture_runner::run("model-check");
}

#[test]
fn feedback() {
    fixture_runner::run("feedback");
}

#[test]
fn blind() {
    fixture_runner::run("blind");
}

#[test]
fn compaction() {
    fixture_runner::run("compaction");
}

#[test]
fn adaptive() {
    fixture_runner::run("adaptive");
}

#[test]
fn disagreements() {
    fixture_runner::run("disagreements");
}

#[test]
fn prompt_starts() {
    fixture_runner::run("prompt-starts");
}

#[test]
fn host_verdicts() {
    fixture_runner::run("host-verdicts");
}

#[test]
fn retries() {
    fixture_runner::run("retries");
}

#[test]
fn progress() {
    fixture_runner::run("progress");
}

#[test]
fn counts() {
    fixture_runner::run("counts");
}

#[test]
fn deduper_blocks() {
    deduper_runner::run("blocks");
}

#[test]
fn deduper_runs() {
    deduper_runner::run("runs");
}

#[test]
fn deduper_contents() {
    deduper_runner::run("contents");
}

#[test]
fn deduper_strings() {
    deduper_runner::run("strings");
}

#[test]
fn deduper_quotations() {
    deduper_runner::run("quotations");
}

#[test]
fn deduper_embedded() {
    deduper_runner::run("embedded");
}

#[test]
fn deduper_older_messages() {
    deduper_runner::run("older-messages");
}

#[test]
fn deduper_notes() {
    deduper_runner::run("notes");
}

#[test]
fn injector_texts() {
    injector_runner::run("texts");
}

#[test]
fn injector_turns() {
    injector_runner::run("turns");
}

#[test]
fn injector_messages() {
    injector_runner::run("messages");
}

#[test]
fn injector_recall() {
    injector_runner::run("recall");
}

#[test]
fn injector_folds() {
    injector_runner::run("folds");
}

#[test]
fn injector_forged() {
    injector_runner::run("forged");
}

#[test]
fn injector_phases() {
    injector_runner::run("phases");
}

#[test]
fn injector_summary_requests() {
    injector_runner::run("summary-requests");
}

#[test]
fn selector_paths() {
    selector_runner::run("paths");
}

#[test]
fn selector_named() {
    selector_runner::run("named");
}

#[test]
fn selector_choice() {
    selector_runner::run("choice");
}

#[test]
fn selector_life() {
    selector_runner::run("life");
}

#[test]
fn tool_output() {
    fixture_runner::run("tool-output");
}

#[test]
fn selector_directories_of_terminals() {
    selector_runner::run("directories");
}

#[test]
fn selector_a_limit_of_terminals() {
    selector_runner::run("limit");
}

#[test]
fn selector_terminals_in_step_with_a_list() {
    selector_runner::run("sync");
}

#[test]
fn selector_changes_of_directory_that_commands_begin_with() {
    selector_runner::run("own-changes");
}

#[test]
fn selector_directories_that_were_moved_away() {
    selector_runner::run("displaced");
}

#[test]
fn injector_turn_store() {
    injector_runner::run("turn-store");
}
