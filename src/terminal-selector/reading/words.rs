//! Splits a command into commands of words, or gives up.

use std::str::Chars;

use crate::Shell;

/// The most bytes that are read of a command. One that is longer is mostly a file's content.
const MOST_READ: usize = 64 * 1_024;

/// A word as the shell reads it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Word {
    /// Without its quotes.
    pub(super) text: String,
    /// Whether the shell takes the text as it is: no variable and no pattern is in it.
    pub(super) is_literal: bool,
    /// Whether a part of it was quoted.
    pub(super) is_quoted: bool,
}

/// The sign between a command and the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    /// The next command runs if this one succeeds.
    And,
    /// The next one runs at the same time, on what this one prints.
    Pipe,
    /// The next one runs if this one fails.
    Or,
    /// The next one runs at the same time, and the row that ends here leaves the shell as it is.
    Background,
    /// The next one runs later, however this one ends.
    Sequence,
    /// Nothing.
    End,
}

impl Joint {
    /// Whether the next command can run without this one's success.
    fn is_loose(self) -> bool {
        matches!(self, Self::Or | Self::Background | Self::Sequence)
    }
}

/// A command of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part<'a> {
    pub(super) words: Vec<Word>,
    pub(super) is_redirected: bool,
    pub(super) joint: Joint,
    /// The text after the joint.
    pub(super) rest: &'a str,
}

/// The parts of a command, as far as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parts<'a> {
    /// The commands that it is made of, as far as they can be read.
    pub(super) parts: Vec<Part<'a>>,
    /// Whether that is all of it. If not, something comes after them that is not read here.
    pub(super) is_whole: bool,
}

/// The commands that a command is made of.
pub(super) fn split(shell: Shell, command: &str) -> Parts<'_> {
    let family = Family::of(shell);
    let mut splitter = Splitter {
        family,
        chars: Unread(command.chars()),
        parts: Vec::new(),
        words: Vec::new(),
        word: None,
        is_redirected: false,
        needs_file: false,
    };
    let is_whole = splitter.run().is_some();
    Parts {
        parts: splitter.parts,
        is_whole,
    }
}

/// The rest of a command line, which has not been read.
struct Unread<'a>(Chars<'a>);

impl Unread<'_> {
    fn next(&mut self) -> Option<char> {
        self.0.next()
    }

    fn peek(&self) -> Option<char> {
        self.0.clone().next()
    }

    /// The next character if it is this one.
    fn next_if_eq(&mut self, one: char) -> Option<char> {
        let is_next = self.peek() == Some(one);
        is_next.then(|| self.next()).flatten()
    }
}

/// Shells that read words alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    /// Bash, Z shell and POSIX shells.
    Posix,
    Fish,
    Powershell,
    Cmd,
    Nu,
}

impl Family {
    fn of(shell: Shell) -> Self {
        match shell {
            Shell::Bash | Shell::Zsh | Shell::Sh => Self::Posix,
            Shell::Fish => Self::Fish,
            Shell::Pwsh | Shell::Powershell => Self::Powershell,
            Shell::Cmd => Self::Cmd,
            Shell::Nu => Self::Nu,
        }
    }

    /// Whether a character that is not quoted begins what is not read here: code within words,
    /// blocks, comments.
    fn is_beyond(self, one: char) -> bool {
        match self {
            Self::Posix => matches!(one, '(' | ')' | '`' | '#'),
            Self::Fish => matches!(one, '(' | ')' | '#'),
            // Curly quotes are quotes, too.
            Self::Powershell => {
                matches!(one, '(' | ')' | '{' | '}' | '`' | '@' | '#')
                    || ('\u{2018}'..='\u{201e}').contains(&one)
            }
            Self::Cmd => matches!(one, '(' | ')' | '^' | '%' | '!'),
            Self::Nu => matches!(one, '(' | ')' | '{' | '}' | '[' | ']' | '`' | '#' | '!'),
        }
    }

    /// Whether a character that is not quoted makes the shell replace a word by others.
    fn is_pattern(self, one: char, is_first: bool) -> bool {
        match self {
            Self::Posix | Self::Fish => {
                matches!(one, '$' | '*' | '?' | '[' | ']' | '{' | '}')
                    || (is_first && matches!(one, '~' | '=' | '^'))
            }
            Self::Powershell => matches!(one, '$' | ','),
            Self::Cmd => matches!(one, '*' | '?' | ',' | '='),
            Self::Nu => matches!(one, '$' | '*' | '?' | '\\') || (is_first && one == '~'),
        }
    }
}

struct Splitter<'a> {
    family: Family,
    chars: Unread<'a>,
    parts: Vec<Part<'a>>,
    /// Those of the command that is being read.
    words: Vec<Word>,
    /// The one that is being read.
    word: Option<Word>,
    is_redirected: bool,
    /// Whether the next word is that of a redirection.
    needs_file: bool,
}

impl<'a> Splitter<'a> {
    fn run(&mut self) -> Option<()> {
        let length = self.chars.0.as_str().len();
        while let Some(one) = self.chars.next() {
            if length - self.chars.0.as_str().len() > MOST_READ {
                return None;
            }
            match one {
                ' ' | '\t' => self.end_word(),
                '\r' if self.chars.peek() == Some('\n') => {}
                '\n' => self.end_part(Joint::Sequence)?,
                '\'' if self.family != Family::Cmd => self.quoted(one)?,
                '"' => self.quoted(one)?,
                '&' => self.ampersand()?,
                '|' => {
                    let is_or = self.chars.next_if_eq('|').is_some();
                    self.chars.next_if_eq('&');
                    self.end_part(if is_or { Joint::Or } else { Joint::Pipe })?;
                }
                // An error ends a line of Nushell.
                ';' if self.family == Family::Nu => self.end_part(Joint::And)?,
                ';' if self.family != Family::Cmd => self.end_part(Joint::Sequence)?,
                '<' | '>' if self.family != Family::Nu => self.redirection(one)?,
                '\\' if matches!(self.family, Family::Posix | Family::Fish) => {
                    let escaped = self.chars.next().filter(|one| !one.is_control())?;
                    self.push(escaped);
                    self.word().is_quoted = true;
                }
                '$' => self.variable()?,
                '!' if self.family == Family::Posix && self.is_replaced_by_history() => {
                    return None;
                }
                '#' if self.word.is_some() => self.push(one),
                _ if one.is_control() || self.family.is_beyond(one) => return None,
                _ => {
                    let is_pattern = self.family.is_pattern(one, self.word.is_none());
                    self.push(one);
                    self.word().is_literal &= !is_pattern;
                }
            }
        }
        self.end_word();
        if self.needs_file {
            return None;
        }
        if !self.words.is_empty() {
            return self.end_part(Joint::End);
        }
        // Only what ends a command may be left without another one.
        match self.parts.last() {
            Some(part) if !part.joint.is_loose() => None,
            _ => Some(()),
        }
    }

    fn push(&mut self, one: char) {
        self.word().text.push(one);
    }

    /// The word that is being read; a new one if none is.
    fn word(&mut self) -> &mut Word {
        self.word.get_or_insert_with(|| Word {
            is_literal: true,
            ..Word::default()
        })
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        if self.needs_file {
            self.needs_file = false;
        } else {
            self.words.push(word);
        }
    }

    fn end_part(&mut self, joint: Joint) -> Option<()> {
        self.end_word();
        if self.needs_file {
            return None;
        }
        if self.words.is_empty() {
            // Empty lines are nothing.
            let is_more = self.parts.last().is_none_or(|part| part.joint.is_loose());
            return (joint.is_loose() && is_more).then_some(());
        }
        self.parts.push(Part {
            words: std::mem::take(&mut self.words),
            is_redirected: std::mem::take(&mut self.is_redirected),
            joint,
            rest: self.chars.0.as_str(),
        });
        Some(())
    }

    /// Reads on after a quotation mark, up to the one that closes it.
    fn quoted(&mut self, mark: char) -> Option<()> {
        let family = self.family;
        let is_double = mark == '"';
        // The characters that a backslash stands before.
        let escaped: &[char] = match family {
            Family::Posix | Family::Fish if is_double => &['"', '\\', '$', '`', '\n'],
            Family::Fish => &['\'', '\\'],
            _ => &[],
        };
        self.word().is_quoted = true;
        loop {
            match self.chars.next()? {
                one if one == mark => {
                    let is_doubled = family == Family::Powershell;
                    if !is_doubled || self.chars.next_if_eq(mark).is_none() {
                        return Some(());
                    }
                    self.push(mark);
                }
                '\\' if self.chars.peek().is_some_and(|one| escaped.contains(&one)) => {
                    let escaped = self.chars.next().filter(|one| *one != '\n')?;
                    self.push(escaped);
                }
                '\\' if is_double && family == Family::Nu => return None,
                '`' if is_double && matches!(family, Family::Posix | Family::Powershell) => {
                    return None;
                }
                '!' if is_double && family == Family::Posix && self.is_replaced_by_history() => {
                    return None;
                }
                '%' | '!' if family == Family::Cmd => return None,
                '$' if is_double && !matches!(family, Family::Cmd | Family::Nu) => {
                    self.variable()?
                }
                one if family == Family::Powershell && family.is_beyond(one) && one > '\u{7f}' => {
                    return None;
                }
                one => self.push(one),
            }
        }
    }

    /// Reads on after a `$`, where a variable's name stands, or code.
    fn variable(&mut self) -> Option<()> {
        self.push('$');
        self.word().is_literal = self.family == Family::Cmd;
        match self.chars.peek() {
            Some('(') => None,
            Some('{') if self.family == Family::Posix => {
                self.chars.next();
                let mut name = std::iter::from_fn(|| self.chars.next());
                let end = name.find(|one| !(one.is_ascii_alphanumeric() || *one == '_'));
                (end == Some('}')).then_some(())
            }
            Some('{') if self.family != Family::Cmd => None,
            // `$'…'` and `$"…"` have escapes of their own.
            Some('\'' | '"') if self.family != Family::Cmd => None,
            _ => Some(()),
        }
    }

    fn ampersand(&mut self) -> Option<()> {
        if self.chars.next_if_eq('&').is_some() {
            // Nushell has none.
            return (self.family != Family::Nu)
                .then(|| self.end_part(Joint::And))
                .flatten();
        }
        match self.family {
            Family::Posix | Family::Fish if self.chars.peek() == Some('>') => {
                let sign = self.chars.next()?;
                self.redirection(sign)
            }
            Family::Posix | Family::Fish => self.end_part(Joint::Background),
            Family::Cmd => self.end_part(Joint::Sequence),
            // It calls what follows it.
            Family::Powershell | Family::Nu => None,
        }
    }

    fn redirection(&mut self, sign: char) -> Option<()> {
        // A number in front of it says what is redirected.
        let is_number = |word: &Word| {
            !word.is_quoted
                && word
                    .text
                    .bytes()
                    .all(|byte| matches!(byte, b'0'..=b'9' | b'*'))
        };
        self.word.take_if(|word| is_number(word));
        self.end_word();
        if self.needs_file {
            return None;
        }
        match self.chars.peek() {
            // A here-document.
            Some('<') => return None,
            Some('>') if sign == '<' => return None,
            Some('>' | '&' | '|') => _ = self.chars.next(),
            _ => {}
        }
        self.is_redirected = true;
        self.needs_file = true;
        Some(())
    }

    /// Whether an interactive shell may replace a `!` by a command of before.
    fn is_replaced_by_history(&mut self) -> bool {
        !matches!(self.chars.peek(), None | Some(' ' | '\t' | '\n' | '='))
    }
}
