//! The fixtures that every language runs, natively.

mod fixture_runner;

#[test]
fn every_fixture_file_is_run() {
    let mut on_disk: Vec<String> = std::fs::read_dir("tests/fixtures/loop-detector")
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
    let mut run: Vec<String> = fixture_runner::files().map(str::to_owned).collect();
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
fn blind() {
    fixture_runner::run("blind");
}
