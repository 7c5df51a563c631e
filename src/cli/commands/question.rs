use std::io::{self, IsTerminal, Read, Write};

/// Asks on the terminal. Without one nobody could answer; whoever closes the input or interrupts says no.
pub(super) fn is_confirmed(question: &str) -> bool {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return false;
    }
    print!("{question}");
    let _ = io::stdout().flush();
    let answer = answer();
    let Some(answer) = answer.strip_suffix('\n') else {
        // The cursor still stands after the question.
        println!();
        return false;
    };
    matches!(
        answer.trim().to_ascii_lowercase().as_str(),
        "" | "y" | "yes"
    )
}

/// A line, or what was typed before the input ended.
fn answer() -> String {
    let _interruptible = Interruptible::new();
    let mut typed = [0; 256];
    let count = io::stdin().read(&mut typed).unwrap_or(0);
    String::from_utf8_lossy(&typed[..count]).into_owned()
}

/// While it lives, an interrupt ends the line that is typed, and not this program.
#[cfg(unix)]
struct Interruptible(Option<rustix::termios::Termios>);

#[cfg(unix)]
impl Interruptible {
    fn new() -> Self {
        use rustix::termios::{OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};
        const INTERRUPT: u8 = 3;
        let Ok(before) = tcgetattr(io::stdin()) else {
            return Interruptible(None);
        };
        let mut changed = before.clone();
        changed.special_codes[SpecialCodeIndex::VINTR] = 0;
        changed.special_codes[SpecialCodeIndex::VEOL] = INTERRUPT;
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &changed);
        Interruptible(Some(before))
    }
}

#[cfg(unix)]
impl Drop for Interruptible {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some(before) = &self.0 {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, before);
        }
    }
}

#[cfg(not(unix))]
struct Interruptible;

#[cfg(not(unix))]
impl Interruptible {
    fn new() -> Self {
        Interruptible
    }
}
