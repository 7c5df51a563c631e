//! Prints the TypeScript declarations of the shapes that cross to JavaScript.

use turnkeeper_base::typescript::{self, Config};

/// The codes of all machines that tell of problems.
const DIAGNOSTIC_CODES: &str = "
/** A stable name of a kind of problem. */
export type DiagnosticCode = PromptDiagnosticCode | SummaryDiagnosticCode;
";

fn main() {
    // No number that crosses is larger than JavaScript counts exactly.
    let config = Config::default().with_large_int("number");
    let mut file =
        String::from("// Generated from the Rust types by `cargo xtask shapes`. Do not edit.\n");
    file += &turnkeeper_loop_detector::typescript::declarations(&config);
    file += &turnkeeper_peers::typescript::declarations(&config);
    file += &turnkeeper_ghost_block::typescript::declarations(&config);
    file += &turnkeeper_history_deduper::typescript::declarations(&config);
    file += &turnkeeper_summary_injector::typescript::declarations(&config);
    file += &turnkeeper_terminal_selector::typescript::declarations(&config);
    file += &turnkeeper_session::typescript::declarations(&config);
    file += &turnkeeper_agents::sessions::typescript::declarations();
    file += DIAGNOSTIC_CODES;
    file += &typescript::declarations(&config);
    let file = typescript::without_links(&file);
    for (at, line) in file.lines().enumerate() {
        let is_plain = !line.contains("::") && !line.contains("](");
        assert!(
            is_plain,
            "a link of Rust is left in line {}: {line}",
            at + 1
        );
    }
    print!("{file}");
}
