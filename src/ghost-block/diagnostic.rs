//! Problems of a text that is read, and their codes.

use serde::Serialize;

pub use turnkeeper_base::diagnostic::Severity;
use turnkeeper_base::diagnostic::{self, Code};
use turnkeeper_base::order;

/// Something to tell whoever wrote a prompt or a document.
pub type Diagnostic = diagnostic::Diagnostic<DiagnosticCode>;

/// The problems of prompts, documents and skills, as stable names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields),
    ts(rename = "PromptDiagnosticCode")
)]
#[serde(rename_all = "snake_case")]
pub enum DiagnosticCode {
    /// A fenced code block is not closed.
    UnclosedFence,
    /// `@{` is not closed on its line.
    UnclosedDirective,
    /// `@{…}` does not begin with a known command.
    UnknownCommand,
    /// A command has a syntax error.
    BadDirective,
    /// An `else` without an `if`.
    StrayElse,
    /// An `endif` without an `if`.
    StrayEndif,
    /// An `if` without an `endif`.
    UnclosedCondition,
    /// A macro is used that is not defined.
    UndefinedMacro,
    /// A prompt or a rule tries to define a macro that belongs to the host.
    ReadOnlyMacro,
    /// A macro uses itself, directly or through others.
    MacroCycle,
    /// The macros of a text are expanded too often, or to too much text.
    MacroLimit,
    /// The right side of `MATCHES` is not a valid regular expression, or too large.
    BadPattern,
    /// The conditions of a text need too many steps.
    ConditionLimit,
    /// `@[` is not closed on its line.
    UnclosedReference,
    /// A reference has no path.
    EmptyReference,
    /// A path contains an unpaired surrogate.
    BadPath,
    /// A range of lines starts below 1, or ends before it starts.
    BadRange,
    /// The arguments of a tool call are not a JSON object.
    BadArguments,
    /// A prompt names a file that may not be read, or a document includes one.
    Denied,
    /// A prompt names a file that the host could not provide, or a document includes one.
    Unreadable,
    /// A document includes itself.
    Cycle,
    /// A prompt names more than the limits allow, or a document includes more.
    Limit,
    /// A prompt or a document calls a tool that failed.
    ToolFailed,
    /// An image could not be used, and its reference stays as text.
    Image,
    /// The front matter of a skill cannot be read.
    BadFrontMatter,
    /// An old message ends with what looks like a block of references, and it cannot be read.
    UnreadableBlock,
    /// The block does not fit its budget.
    OverBudget,
}

impl Code for DiagnosticCode {
    fn severity(self) -> Severity {
        match self {
            Self::UndefinedMacro | Self::Image | Self::UnreadableBlock => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

/// A problem at an offset of a text, whose line is not known yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) offset: usize,
    pub(crate) code: DiagnosticCode,
    pub(crate) message: String,
}

impl Problem {
    pub(crate) fn new(offset: usize, code: DiagnosticCode, message: impl Into<String>) -> Self {
        Self {
            offset,
            code,
            message: message.into(),
        }
    }

    /// The diagnostic of a problem whose place is known.
    pub(crate) fn at(self, line: u32, column: u32, source: Option<String>) -> Diagnostic {
        Diagnostic::new(self.code, self.message, (line, column), source)
    }
}

/// The most problems of one text that are reported one by one.
const MOST_PROBLEMS: usize = 10_000;

/// The problems of a text. Those beyond the limit are counted and reported as one.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    told: Vec<Problem>,
    /// The number of others.
    others: usize,
    /// The offset of the first of them.
    first_other: usize,
}

impl Problems {
    pub(crate) fn push(&mut self, problem: Problem) {
        if self.told.len() < MOST_PROBLEMS {
            return self.told.push(problem);
        }
        if self.others == 0 {
            self.first_other = problem.offset;
        }
        self.others += 1;
    }

    /// Adds those of a text that was made of this one; `origin` says from where.
    pub(crate) fn append(&mut self, made: Problems, origin: impl Fn(usize) -> usize) {
        for problem in made.told {
            let offset = origin(problem.offset);
            self.push(Problem { offset, ..problem });
        }
        if self.others == 0 && made.others > 0 {
            self.first_other = origin(made.first_other);
        }
        self.others += made.others;
    }

    /// All of them in the order of the text.
    pub(crate) fn in_order(mut self) -> Vec<Problem> {
        if self.others > 0 {
            let message = format!("{} more problems are not told one by one", self.others);
            let of_others = Problem::new(self.first_other, DiagnosticCode::Limit, message);
            self.told.push(of_others);
        }
        order::sort_by_key(&mut self.told, |problem| problem.offset);
        self.told
    }
}
