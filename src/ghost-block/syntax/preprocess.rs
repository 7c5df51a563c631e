//! Directives carried out: macros, conditionals, escapes.

use std::ops::Range;

use super::super::diagnostic::{DiagnosticCode, Problem, Problems};
use super::conditionals::{cuts, vanishing};
use super::directives::{Condition, Directive, Name, Operand, Operator, Test, scan};
pub(crate) use super::expanded::Expanded;
use super::macros::Macros;
use super::pattern::{Pattern, Refusal};
use turnkeeper_base::text::markdown_code::MarkdownCode;
use turnkeeper_base::text::{Text, contains, find_at_sign, lossy};

#[cfg(test)]
mod tests;

/// The most work that the conditions of one text may be, which takes a fraction of a second. Comparing
/// two characters is 1.
const MAX_EFFORT: usize = 20_000_000;

/// The limits on macros in one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MacroLimits {
    /// Uses of macros, those within values included.
    pub(crate) expansions: u64,
    /// UTF-16 code units that all values together may become.
    pub(crate) units: u64,
}

/// Carries out the directives outside `code`. Never fails: what cannot be carried out stays as it
/// was written, and is a problem.
pub(crate) fn preprocess(
    units: &[u16],
    code: &MarkdownCode,
    macros: &mut Macros,
    limits: MacroLimits,
    problems: &mut Problems,
) -> Expanded {
    let tokens = scan(units, code, problems);
    let vanishing = vanishing(&tokens, problems);
    let cuts = cuts(units, &tokens, &vanishing);
    let mut preprocessor = Preprocessor {
        units,
        macros,
        limits_left: limits,
        effort_left: MAX_EFFORT,
        within: Vec::new(),
        out: Expanded::default(),
        problems,
    };
    let mut branches: Vec<Branch> = Vec::new();
    let mut at = 0;
    for (place, token) in tokens.iter().enumerate() {
        let is_active = branches.last().is_none_or(|branch| branch.is_active);
        let cut = &cuts[place];
        if is_active {
            preprocessor.out.copy(units, at..cut.start);
        }
        at = at.max(cut.end);
        match &token.directive {
            Directive::If(condition) if vanishing[place] => {
                let holds = is_active && preprocessor.holds(condition, token.start);
                branches.push(Branch {
                    is_active: holds,
                    else_is_active: is_active && !holds,
                });
            }
            Directive::Else if vanishing[place] => {
                if let Some(branch) = branches.last_mut() {
                    branch.is_active = branch.else_is_active;
                }
            }
            Directive::Endif if vanishing[place] => drop(branches.pop()),
            _ if !is_active => {}
            // Of `\@[` the backslash goes, and what follows is text.
            Directive::Escape => preprocessor.out.mark_literal(),
            Directive::Define { name, value } => {
                preprocessor.define(*name, Text::from_units(value), token.start);
            }
            Directive::Use { name } => preprocessor.insert(*name, token.start..token.end),
            // A stray directive stays.
            Directive::If(_) | Directive::Else | Directive::Endif => {
                preprocessor.out.copy(units, token.start..token.end);
            }
        }
    }
    preprocessor.out.copy(units, at..units.len());
    preprocessor.out
}

/// A branch of a condition, which is active only if the branch around it is.
struct Branch {
    is_active: bool,
    /// Whether that after its `else` is.
    else_is_active: bool,
}

/// A macro cannot be put in the place of its use, which is told already.
struct Unusable;

struct Preprocessor<'a, 'm> {
    units: &'a [u16],
    macros: &'a mut Macros<'m>,
    /// The rest of the limits of macros.
    limits_left: MacroLimits,
    /// The rest of the work that conditions may be.
    effort_left: usize,
    /// The macros whose values are being read, each within the one before.
    within: Vec<String>,
    out: Expanded,
    problems: &'a mut Problems,
}

impl Preprocessor<'_, '_> {
    fn tell(&mut self, offset: usize, code: DiagnosticCode, message: impl Into<String>) {
        self.problems.push(Problem::new(offset, code, message));
    }

    /// Defines a macro, unless the host has.
    fn define(&mut self, name: Name, value: Text, offset: usize) {
        let name = lossy(name.units);
        if self.macros.is_of_host(&name) {
            let message = format!("the macro `{name}` is the host's and stays as it is");
            self.tell(offset, DiagnosticCode::ReadOnlyMacro, message);
        } else {
            self.macros.own.insert(name, value);
        }
    }

    /// Puts a macro's value in the place of its use.
    fn insert(&mut self, name: Name, usage: Range<usize>) {
        let start = self.out.units.len();
        self.within.clear();
        match self.append_value(name, usage.start) {
            Ok(()) => self.out.mark_macro(start, usage.start),
            Err(Unusable) => {
                self.out.truncate(start);
                self.out.copy(self.units, usage);
            }
        }
    }

    /// Appends the value of a macro, with those of the macros that it uses. Problems are reported
    /// at `offset`.
    fn append_value(&mut self, name: Name, offset: usize) -> Result<(), Unusable> {
        let name = lossy(name.units);
        let Some(value) = self.macros.get(&name) else {
            let message = format!("the macro `{name}` is not defined");
            self.tell(offset, DiagnosticCode::UndefinedMacro, message);
            return Err(Unusable);
        };
        let length = value.len() as u64;
        if self.within.contains(&name) {
            let chain = self.within.join(" -> ");
            let message = format!("the macro uses itself: {chain} -> {name}");
            self.tell(offset, DiagnosticCode::MacroCycle, message);
            return Err(Unusable);
        }
        if self.limits_left.expansions == 0 || self.limits_left.units < length {
            self.limits_left.expansions = 0;
            let message = "the macros of this text exceed the limit";
            self.tell(offset, DiagnosticCode::MacroLimit, message);
            return Err(Unusable);
        }
        self.limits_left.expansions -= 1;
        self.limits_left.units -= length;
        let value = value.to_units();
        if find_at_sign(&value, 0) == value.len() {
            self.out.units.extend_from_slice(&value);
            return Ok(());
        }
        self.within.push(name);
        let mut from = 0;
        for token in scan(&value, &MarkdownCode::default(), &mut Problems::default()) {
            let units = &mut self.out.units;
            units.extend_from_slice(&value[from..token.start]);
            from = token.end;
            match token.directive {
                Directive::Escape => self.out.mark_literal(),
                Directive::Use { name } => self.append_value(name, offset)?,
                // Only uses are carried out within a value.
                _ => from = token.start,
            }
        }
        self.out.units.extend_from_slice(&value[from..]);
        self.within.pop();
        Ok(())
    }

    /// Whether a condition holds. Problems are reported at `offset`.
    fn holds(&mut self, condition: &Condition, offset: usize) -> bool {
        let name = lossy(condition.name.units);
        let holds = match &condition.test {
            Test::IsDefined => Some(self.macros.get(&name).is_some()),
            Test::Compares(operator, operand) => self.compares(&name, *operator, operand, offset),
        };
        // A condition that could not be decided holds neither way.
        holds.is_some_and(|holds| holds != condition.is_negated)
    }

    /// Whether the value of a macro compares with the right side; nothing if that could not be
    /// decided, which is told.
    fn compares(
        &mut self,
        name: &str,
        operator: Operator,
        operand: &Operand,
        offset: usize,
    ) -> Option<bool> {
        let left = self.value_or_empty(name, offset);
        let right = match operand {
            Operand::Text(text) => text.clone(),
            Operand::Macro(name) => self.value_or_empty(&lossy(name), offset),
        };
        match operator {
            Operator::Matches => self.matches(&left, &right, offset),
            _ if !self.spend(left.len() + right.len(), offset) => None,
            Operator::Is => Some(left == right),
            Operator::Contains => Some(contains(&left, &right)),
        }
    }

    /// Whether a pattern matches; nothing if it is refused or too much work, which is told.
    fn matches(&mut self, text: &[u16], pattern: &[u16], offset: usize) -> Option<bool> {
        if self.effort_left == 0 {
            self.spend(1, offset);
            return None;
        }
        match Pattern::new(&lossy(pattern)) {
            Ok(pattern) => self
                .spend(pattern.effort(text.len()), offset)
                .then(|| pattern.is_match(&lossy(text))),
            Err(Refusal { message, effort }) => {
                self.effort_left = self.effort_left.saturating_sub(effort);
                let message = format!("this is no regular expression: {message}");
                self.tell(offset, DiagnosticCode::BadPattern, message);
                None
            }
        }
    }

    /// Spends effort on a condition. If there is not as much left, that is told, and the conditions
    /// that follow have none.
    fn spend(&mut self, effort: usize, offset: usize) -> bool {
        let left = self.effort_left.checked_sub(effort);
        self.effort_left = left.unwrap_or(0);
        if left.is_none() {
            let message = "the conditions of this text take too long";
            self.tell(offset, DiagnosticCode::ConditionLimit, message);
        }
        left.is_some()
    }

    /// The value of a macro; an undefined one is empty, which is told.
    fn value_or_empty(&mut self, name: &str, offset: usize) -> Vec<u16> {
        if let Some(value) = self.macros.get(name) {
            return value.to_units();
        }
        let message = format!("the macro `{name}` is not defined and counts as empty");
        self.tell(offset, DiagnosticCode::UndefinedMacro, message);
        Vec::new()
    }
}
