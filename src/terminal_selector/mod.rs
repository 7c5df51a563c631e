//! Which terminal does a command run in?

mod quote;
mod shell;

pub use self::shell::Shell;
