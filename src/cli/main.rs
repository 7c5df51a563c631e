//! The program `turnkeeper`.

use std::process::ExitCode;

fn main() -> ExitCode {
    turnkeeper_cli::run()
}
