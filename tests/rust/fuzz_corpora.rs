//! Replays what the fuzzers found worth keeping.

#[path = "../fuzz/rust/targets/block.rs"]
mod block;
#[path = "../fuzz/rust/targets/deduper.rs"]
mod deduper;
#[path = "../fuzz/rust/targets/detector.rs"]
mod detector;
#[path = "../fuzz/rust/targets/path.rs"]
mod path;
#[path = "../fuzz/rust/targets/payloads.rs"]
mod payloads;
#[path = "../fuzz/rust/targets/prompt.rs"]
mod prompt;
#[path = "../fuzz/rust/targets/restore.rs"]
mod restore;
#[path = "../fuzz/rust/targets/selector.rs"]
mod selector;
#[path = "../fuzz/rust/targets/settings.rs"]
mod settings;
#[path = "../fuzz/rust/targets/summaries.rs"]
mod summaries;

fn replay(target: &str, run: impl Fn(&[u8])) {
    let folder = format!("tests/fuzz/rust/corpus/{target}");
    let mut files = 0;
    for file in std::fs::read_dir(&folder).expect("the corpus is there") {
        let path = file.expect("readable").path();
        println!("{}", path.display());
        run(&std::fs::read(path).expect("readable"));
        files += 1;
    }
    assert!(files >= 10, "{folder} holds only {files} files");
}

#[test]
fn the_detector_beside_a_naive_one() {
    replay("detector", detector::run);
}

#[test]
fn the_deduper_beside_a_naive_one() {
    replay("deduper", deduper::run);
}

#[test]
fn paths_beside_a_naive_reader() {
    replay("path", path::run);
}

#[test]
fn the_selector_beside_a_naive_one() {
    replay("selector", selector::run);
}

#[test]
fn what_an_agent_tells_is_answered() {
    replay("payloads", payloads::run);
}

#[test]
fn what_is_written_into_settings_goes_again() {
    replay("settings", settings::run);
}

#[test]
fn restoring_anything() {
    replay("restore", restore::run);
}

#[test]
fn the_block_of_any_prompt() {
    replay("prompt", prompt::run);
}

#[test]
fn the_block_gives_back_what_went_in() {
    replay("block", block::run);
}

#[test]
fn the_injector_beside_a_naive_one() {
    replay("summaries", summaries::run);
}
