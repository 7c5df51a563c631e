//! The program that a command line runs. It is read unit by unit, so that it may be of any length.
//!
//! The first program that is run says it: after words such as `sudo`, after assignments, and after
//! `cd … &&` or `source … &&`. A line without any program is a way to wait, and so is the word `sleep` anywhere.

use std::ops::Range;

use super::characters::{Class, class_of, is, is_ascii};
use super::printing::Printing;
use super::step::CallFeatures;
use super::vocabulary::{Program, VOCABULARY};

/// A longer word is no program that the vocabulary knows.
const LONGEST_PROGRAM: usize = 32;

/// Reads a command line.
#[derive(Debug, Default)]
pub(super) struct CommandLineReader {
    first_program: FirstProgram,
    /// Whether the line is still at the arguments of a `cd` that came before any other program, ...
    is_changing_directory: bool,
    /// or of what else changes the shell, such as `source`.
    is_changing_shell: bool,
    /// Whether it goes to the directory above or to the one before, which is another one each time.
    goes_on: bool,
    /// Whether the word `sleep` came.
    sleeps: bool,
    /// The place of the number that says for how long, after the first of these words.
    pause: Pause,
    /// The number of units that were read.
    read: usize,
    /// Whether a word came that has a service change something, after a program that asks one.
    acts: bool,
    /// Whether a word came that tells a debugger to go on.
    steps: bool,
    /// Whether a program came that searches.
    searches: bool,
    /// Whether something is written to a file.
    redirects: bool,
    /// Whether the program that came first was told to print and not to edit.
    is_told_to_print: bool,
    /// Whether the last unit was a `>` that writes to a file unless `&` follows.
    may_redirect: bool,
    printing: Printing,
    word: Word,
    last_unit: u16,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum FirstProgram {
    #[default]
    NotYet,
    Known(Program),
    Unknown,
}

/// The place of the length of a pause.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum Pause {
    #[default]
    None,
    /// `sleep` came, and options at most.
    Next,
    At(Range<usize>),
}

/// A word of the line, without the directories in front of it.
#[derive(Debug, Default)]
struct Word {
    /// Its beginning.
    units: [u16; LONGEST_PROGRAM],
    length: usize,
    /// Whether there is a directory in front of it.
    has_directory: bool,
    /// Whether there is a `=` in it, or in the directories.
    assigns: bool,
}

impl CommandLineReader {
    /// Another unit of the line.
    #[inline]
    pub(super) fn push(&mut self, unit: u16) {
        if self.may_redirect {
            self.redirects |= !is_ascii(unit, b'&');
            self.may_redirect = false;
        }
        if class_of(unit).intersects(Class::END_OF_COMMAND_WORD) {
            self.end_word();
            self.mark(unit);
            self.printing.push(unit, false);
        } else {
            self.printing.push(unit, self.word.is_empty());
            self.word.push(unit);
        }
        self.last_unit = unit;
        self.read += 1;
    }

    pub(super) fn units_read(&self) -> usize {
        self.read
    }

    /// The place of the number that says how long the line pauses, as far as it was read.
    pub(super) fn pause(&self) -> Option<Range<usize>> {
        match &self.pause {
            Pause::At(place) => Some(place.clone()),
            Pause::Next if self.word.begins_with_digit() => {
                Some(self.read - self.word.length..self.read)
            }
            _ => None,
        }
    }

    /// The line is complete: the features of a call that runs it, as far as they follow from it.
    pub(super) fn finish(mut self) -> CallFeatures {
        self.redirects |= self.may_redirect;
        self.end_word();
        let is_without_program = self.first_program == FirstProgram::NotYet;
        let changes_shell = is_without_program && self.changes_shell();
        let moves = is_without_program && self.goes_on;
        let looks = match self.first_program {
            FirstProgram::Known(Program::LooksUp) => true,
            FirstProgram::Known(Program::PrintsWhenToldTo) => self.is_told_to_print,
            _ => false,
        };
        CallFeatures {
            requests: self.first_program == FirstProgram::Known(Program::Requests),
            acts: self.acts,
            steps: self.steps,
            searches: self.searches,
            looks: looks && !self.redirects,
            waits: self.sleeps || is_without_program && !changes_shell || moves,
            sleeps: self.sleeps,
            moves,
            changes_shell,
            only_prints: self.printing.only_prints(),
            ..CallFeatures::default()
        }
    }

    /// Whether the line is at what changes the shell, and has run no program before.
    fn changes_shell(&self) -> bool {
        self.is_changing_directory || self.is_changing_shell
    }

    fn end_word(&mut self) {
        let changes_shell = self.changes_shell();
        let word = &mut self.word;
        if self.is_changing_directory {
            self.goes_on |= word.goes_on();
        }
        if !word.is_empty() {
            let program = word.program();
            let sleeps = program == Some(Program::Sleeps) || word.calls_sleep();
            self.sleeps |= sleeps;
            match self.pause {
                Pause::None if sleeps => self.pause = Pause::Next,
                Pause::Next if word.begins_with_digit() => {
                    self.pause = Pause::At(self.read - word.length..self.read);
                }
                Pause::Next if !is_ascii(word.units[0], b'-') => self.pause = Pause::None,
                _ => {}
            }
            self.printing.end_word(program);
            self.searches |= matches!(program, Some(Program::LooksUp | Program::Compares));
            self.steps |= program == Some(Program::Steps);
            self.acts |= program == Some(Program::Acts)
                && !word.has_directory
                && self.first_program == FirstProgram::Known(Program::Requests);
            if self.first_program == FirstProgram::Known(Program::PrintsWhenToldTo)
                && let Some(prints) = word.tells_to_print()
            {
                self.is_told_to_print = prints;
            }
            let may_be_program = !word.assigns && !word.begins_with_digit();
            if may_be_program && self.first_program == FirstProgram::NotYet && !changes_shell {
                match program {
                    Some(Program::RunsAnother) => {}
                    Some(Program::ChangesDirectory) => self.is_changing_directory = true,
                    Some(Program::ChangesShell) => self.is_changing_shell = true,
                    Some(program) => self.first_program = FirstProgram::Known(program),
                    None => self.first_program = FirstProgram::Unknown,
                }
            }
        }
        word.clear();
    }

    /// White space or a mark after a word.
    fn mark(&mut self, mark: u16) {
        match u8::try_from(mark) {
            // The next command begins.
            Ok(b'&' | b';' | b'\n') => {
                self.is_changing_directory = false;
                self.is_changing_shell = false;
            }
            // `>` and `>>` write, but not `->`, `=>`, `2>`, `&>` and `>&`.
            Ok(b'>') => {
                let before = u8::try_from(self.last_unit).unwrap_or_default();
                self.may_redirect = !matches!(before, b'-' | b'=' | b'2' | b'&');
            }
            _ => {}
        }
    }
}

impl Word {
    #[inline]
    fn push(&mut self, unit: u16) {
        if is_ascii(unit, b'/') || is_ascii(unit, b'\\') {
            self.length = 0;
            self.has_directory = true;
            return;
        }
        self.assigns |= is_ascii(unit, b'=');
        if let Some(place) = self.units.get_mut(self.length) {
            *place = unit;
        }
        self.length += 1;
    }

    fn is_empty(&self) -> bool {
        self.length == 0
    }

    fn begins_with_digit(&self) -> bool {
        self.length > 0 && is(self.units[0], Class::DIGIT)
    }

    /// The program that the word names, if it is known.
    fn program(&self) -> Option<Program> {
        VOCABULARY.programs.meaning(self.units.get(..self.length)?)
    }

    /// Whether it is a method that waits, such as `time.sleep` and `tools.write_stdin`.
    fn calls_sleep(&self) -> bool {
        let Some(word) = self.units.get(..self.length) else {
            return false;
        };
        let dot = word.iter().rposition(|unit| is_ascii(*unit, b'.'));
        let method = dot.map(|dot| &word[dot + 1..]);
        method.and_then(|method| VOCABULARY.programs.meaning(method)) == Some(Program::Sleeps)
    }

    /// True for an option that tells `sed` to print, false for one that tells it to edit in place.
    fn tells_to_print(&self) -> Option<bool> {
        let is_option = |option: u8| {
            self.length >= 2 && is_ascii(self.units[0], b'-') && is_ascii(self.units[1], option)
        };
        match is_option(b'n') {
            true => Some(true),
            false => is_option(b'i').then_some(false),
        }
    }

    /// Whether it goes up by a directory, or back to the one before.
    fn goes_on(&self) -> bool {
        let up = |unit: &u16| is_ascii(*unit, b'.');
        let word = self.units.get(..self.length).unwrap_or_default();
        word.len() == 2 && word.iter().all(up) || word.len() == 1 && is_ascii(word[0], b'-')
    }

    fn clear(&mut self) {
        self.length = 0;
        self.has_directory = false;
        self.assigns = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: &str = "";
    const LOOKS: &str = "looks ";
    const WAITS: &str = "waits ";
    const SLEEPS: &str = "waits sleeps ";
    const GOES_UP: &str = "waits moves changes_shell ";
    const CHANGES_SHELL: &str = "changes_shell ";

    fn read(line: &str) -> CallFeatures {
        let mut reader = CommandLineReader::default();
        line.encode_utf16().for_each(|unit| reader.push(unit));
        reader.finish()
    }

    /// The names of what a line does, but for what other tests are about.
    fn read_for_itself(line: &str) -> String {
        let read = read(line);
        let facts = [
            ("looks ", read.looks),
            ("waits ", read.waits),
            ("sleeps ", read.sleeps),
            ("moves ", read.moves),
            ("changes_shell ", read.changes_shell),
            ("acts ", read.acts),
            ("only_prints ", read.only_prints),
        ];
        facts.iter().filter(|it| it.1).map(|it| it.0).collect()
    }

    #[test]
    fn a_line_may_ask_a_service_or_have_it_change_something_or_step() {
        let facts = |line: &str| {
            let CallFeatures {
                requests,
                acts,
                steps,
                ..
            } = read(line);
            (requests, acts, steps)
        };
        assert_eq!(
            facts("curl -s https://lamp.example/post"),
            (true, false, false)
        );
        assert_eq!(
            facts("cd garden && curl -X POST https://lamp.example"),
            (true, true, false)
        );
        assert_eq!(
            facts("curl --data '{}' https://lamp.example"),
            (true, true, false)
        );
        assert_eq!(facts("gh issue create --title x"), (true, true, false));
        assert_eq!(facts("gh issue list"), (true, false, false));
        assert_eq!(facts("make post"), (false, false, false));
        assert_eq!(facts("next"), (false, false, true));
        assert_eq!(facts("thread step-over"), (false, false, true));
    }

    #[test]
    fn the_first_program_says_what_a_line_does() {
        for (line, expected) in [
            ("grep -rn moth .", LOOKS),
            ("cd /a && LANG=C sudo /usr/bin/find . 2>/dev/null", LOOKS),
            ("bash -lc 'ls -la'", LOOKS),
            ("timeout 30s rg moth", LOOKS),
            (r"C:\tools\rg moth", LOOKS),
            ("npm test 2>&1 | tail -5", NOTHING),
            ("cd /a", CHANGES_SHELL),
            ("cd ..", GOES_UP),
            ("cd ../..", GOES_UP),
            ("cd ../b", CHANGES_SHELL),
            ("cd .. && make", NOTHING),
            ("const a = await tools.write_stdin({})", SLEEPS),
            ("time.sleep(5)", SLEEPS),
            ("Start-Sleep -Seconds 5", SLEEPS),
            ("gh pr checks 12 --watch", SLEEPS),
            ("sed -n '1,40p' moth.ts", LOOKS),
            ("sed -n '1,40p' moth.ts > eggs.ts", NOTHING),
            ("sed -i 's/moth/egg/' moth.ts", NOTHING),
            ("sed 's/moth/egg/' moth.ts", NOTHING),
            ("sed -n -i 1,4p moth.ts", NOTHING),
            ("make -n | sed -n 1p", NOTHING),
            ("cd /a\nmake", NOTHING),
            ("export A=1", CHANGES_SHELL),
            ("source venv/bin/activate", CHANGES_SHELL),
            ("cd /a && export A=1", CHANGES_SHELL),
            ("source venv/bin/activate && pytest", NOTHING),
            ("export A=1; unset B\nrg moth", LOOKS),
            ("sleep 30; curl x", SLEEPS),
            ("curl x && sleep 30", SLEEPS),
            ("", WAITS),
            ("A=1", WAITS),
        ] {
            assert_eq!(read_for_itself(line), expected, "{line}");
        }
    }

    #[test]
    fn a_redirection_writes() {
        for (line, expected) in [
            ("cat > a.txt <<'E'\nls\nE", NOTHING),
            ("cat a >> b", NOTHING),
            ("cat a >", NOTHING),
            ("> a cat b", NOTHING),
            ("cat a 2>b", LOOKS),
            ("cat a >&2", LOOKS),
            ("rg '=> x'", LOOKS),
            ("rg 'a -> x'", LOOKS),
        ] {
            assert_eq!(read_for_itself(line), expected, "{line}");
        }
    }

    #[test]
    fn a_line_of_echoes_only_prints() {
        for line in [
            "echo done",
            "echo",
            "printf 'done\n'",
            "Write-Output done",
            "/bin/echo -e 'All tests pass.\n'",
            "ECHO done",
            "echo 'a > b; make | tee $LOG `x` *'",
            r#"echo "a > b; make && \"it\" isn't" >&2"#,
            "echo one && echo two; echo three\n\necho four 2>&1 &",
            "# Step 1: make\necho done\n# isn't it?",
            "bash -lc 'echo \"a; b\" && echo c'",
            r#"sudo bash -c "echo 'a; b'""#,
            "echo 完成；测试通过",
        ] {
            assert!(read(line).only_prints, "{line}");
        }
    }

    #[test]
    fn a_line_that_does_more_than_print_text_does_not_only_print() {
        for line in [
            "",
            "# only a comment",
            "echoes done",
            "make",
            "make && echo done",
            "echo building && make",
            "echo 'building' ; make",
            "echo building\nmake",
            "foo#echo\necho done",
            "cd /a && echo done",
            "A=1; echo done",
            "env; echo done",
            "bash; echo done",
            "echo y | npm init",
            "echo a > a.txt",
            "echo a >> a.txt",
            "echo a >",
            "echo a >& a.txt",
            "echo a &> a.txt",
            "> a.txt echo a",
            "echo a <<< b",
            "echo $PATH",
            "echo \"$PATH\"",
            "echo \"$(make)\"",
            "echo `make`",
            "echo (Get-Date)",
            "echo *.ts",
            "sleep 5; echo done",
            "for i in 1 2; do echo a; done",
            "bash -lc 'echo a && make'",
            "bash -lc 'echo a' && make",
            "bash -lc \"echo 'it\" && make",
            r#"bash -lc "echo '$(make)'""#,
            r#"bash -lc "echo 'a\' && make""#,
            r#"echo "a\\" && make"#,
            "echo it's && make",
        ] {
            assert!(!read(line).only_prints, "{line}");
        }
        let long = "moth ".repeat(10_000);
        assert!(read(&format!("echo {long}")).only_prints);
        assert!(!read(&format!("echo {long} > a.txt")).only_prints);
    }

    #[test]
    fn a_line_is_read_to_its_end_however_long_it_is() {
        let long = "moth ".repeat(10_000);
        assert_eq!(read_for_itself(&format!("grep {long}")), LOOKS);
        assert_eq!(read_for_itself(&format!("grep {long} > a.txt")), NOTHING);
        assert_eq!(read_for_itself(&format!("make {long}; sleep 3")), SLEEPS);
        assert_eq!(
            read_for_itself(&format!("/{long}/ls", long = "x".repeat(5_000))),
            LOOKS
        );
        assert_eq!(read_for_itself(&"x".repeat(5_000)), NOTHING);
    }
}
