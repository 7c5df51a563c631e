//! Problems of a text that is read.

pub use turnkeeper_base::diagnostic::{Diagnostic, DiagnosticCode, Severity};
use turnkeeper_base::order;

/// What is wrong at an offset of a text, whose line is not known yet.
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

/// What is wrong with a text. Problems beyond the limit are counted and reported as one.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    told: Vec<Problem>,
    /// How many others there are.
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
