//! Directives carried out: macros, conditionals, escapes.

use std::ops::Range;

use super::code::Code;
use super::directives::{Condition, Directive, Operand, Operator, Placed, Token, scan};
use super::pattern::Pattern;
use super::{NEWLINE, Remark, is_blank};
use crate::table::Table;

/// The macros of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Scope {
    macros: Table<Vec<u16>>,
}

impl Scope {
    /// Names that differ in half a character only are one.
    pub(crate) fn define(&mut self, name: &[u16], value: Vec<u16>) {
        self.macros.insert(String::from_utf16_lossy(name), value);
    }

    pub(crate) fn all(&self) -> &Table<Vec<u16>> {
        &self.macros
    }

    fn get(&self, name: &[u16]) -> Option<&[u16]> {
        self.macros
            .get(&String::from_utf16_lossy(name))
            .map(Vec::as_slice)
    }
}

/// How much macros may do to one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MacroLimits {
    /// Uses of macros, those within values included.
    pub(crate) expansions: u64,
    /// UTF-16 code units that all values together may become.
    pub(crate) units: u64,
}

/// A text whose directives were carried out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Expanded {
    pub(crate) units: Vec<u16>,
    /// Where `@` stands in it because it was written `\@`.
    pub(crate) literals: Vec<usize>,
    /// From each of these offsets on, the text came from there.
    origins: Vec<Origin>,
    pub(crate) remarks: Vec<Remark>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Origin {
    at: usize,
    from: usize,
    /// All of it comes from one macro, so that only its start can be told.
    is_value: bool,
}

impl Expanded {
    /// A text without directives.
    pub(crate) fn of(units: &[u16], literals: &[usize]) -> Self {
        Self {
            units: units.to_vec(),
            literals: literals.to_vec(),
            ..Self::default()
        }
    }

    /// Where the unit at `at` came from.
    pub(crate) fn origin(&self, at: usize) -> usize {
        let later = self.origins.partition_point(|origin| origin.at <= at);
        match self.origins.get(later.wrapping_sub(1)) {
            Some(origin) if origin.is_value => origin.from,
            Some(origin) => origin.from + (at - origin.at),
            None => at,
        }
    }

    pub(crate) fn is_literal(&self, at: usize) -> bool {
        self.literals.binary_search(&at).is_ok()
    }

    fn copy(&mut self, units: &[u16], range: Range<usize>) {
        if !range.is_empty() {
            self.origins.push(Origin {
                at: self.units.len(),
                from: range.start,
                is_value: false,
            });
            self.units.extend_from_slice(&units[range]);
        }
    }
}

/// Carries out the directives outside `code`. Never fails: what cannot be carried out stays as it
/// was written, with a remark.
pub(crate) fn preprocess(
    units: &[u16],
    code: &Code,
    scope: &mut Scope,
    limits: MacroLimits,
) -> Expanded {
    let (tokens, remarks) = scan(units, code.ranges());
    let mut out = Expanded {
        remarks,
        ..Expanded::default()
    };
    if tokens.is_empty() {
        out.copy(units, 0..units.len());
        return out;
    }
    let pairs = pair(&tokens, &mut out.remarks);
    let vanishing: Vec<bool> = tokens
        .iter()
        .zip(&pairs)
        .map(|(placed, pair)| match &placed.token {
            Token::Directive(Directive::Define { .. }) => true,
            Token::Directive(Directive::If(_) | Directive::Else | Directive::Endif) => *pair,
            _ => false,
        })
        .collect();
    let cuts = cuts(units, &tokens, &vanishing);
    let mut work = Work {
        units,
        scope,
        limits,
        spent: Spent::default(),
        out,
    };
    let mut branches: Vec<Branch> = Vec::new();
    let mut at = 0;
    for (place, placed) in tokens.iter().enumerate() {
        let is_active = branches.iter().all(|branch| branch.is_active);
        let cut = &cuts[place];
        if is_active && at < cut.start {
            work.out.copy(units, at..cut.start);
        }
        at = at.max(cut.end);
        match &placed.token {
            Token::Escape => {
                // Of `\@[` the backslash goes, and what follows is text.
                if is_active {
                    let literal = work.out.units.len();
                    work.out.literals.push(literal);
                }
            }
            Token::Directive(Directive::Define { name, value }) => {
                if is_active {
                    work.scope.define(name, value.clone());
                }
            }
            Token::Directive(Directive::Use { name }) => {
                if is_active {
                    work.insert(name, placed.range.clone());
                }
            }
            Token::Directive(Directive::If(condition)) if pairs[place] => {
                let holds = is_active && work.holds(condition, placed.range.start);
                branches.push(Branch {
                    is_active: holds,
                    may_else: is_active && !holds,
                });
            }
            Token::Directive(Directive::Else) if pairs[place] => {
                if let Some(branch) = branches.last_mut() {
                    branch.is_active = std::mem::take(&mut branch.may_else);
                }
            }
            Token::Directive(Directive::Endif) if pairs[place] => {
                branches.pop();
            }
            Token::Directive(_) => {
                if is_active {
                    work.out.copy(units, placed.range.clone());
                }
            }
        }
    }
    work.out.copy(units, at..units.len());
    work.out
}

struct Branch {
    is_active: bool,
    may_else: bool,
}

/// Which of the conditional's directives belong to a whole conditional; the others are stray.
fn pair(tokens: &[Placed], remarks: &mut Vec<Remark>) -> Vec<bool> {
    let mut paired = vec![false; tokens.len()];
    // The `if`, and its `else`.
    let mut open: Vec<(usize, Option<usize>)> = Vec::new();
    for (place, Placed { range, token }) in tokens.iter().enumerate() {
        match token {
            Token::Directive(Directive::If(_)) => open.push((place, None)),
            Token::Directive(Directive::Else) => match open.last_mut() {
                Some((_, middle @ None)) => *middle = Some(place),
                _ => remarks.push(Remark::error(
                    range.start,
                    "stray_else",
                    "this `else` belongs to no condition",
                )),
            },
            Token::Directive(Directive::Endif) => match open.pop() {
                Some((start, middle)) => {
                    paired[start] = true;
                    paired[place] = true;
                    middle.into_iter().for_each(|place| paired[place] = true);
                }
                None => remarks.push(Remark::error(
                    range.start,
                    "stray_endif",
                    "this `endif` belongs to no condition",
                )),
            },
            _ => {}
        }
    }
    remarks.extend(open.into_iter().map(|(place, _)| {
        Remark::error(
            tokens[place].range.start,
            "unclosed_condition",
            "nothing ends this condition",
        )
    }));
    paired
}

/// What goes with each token: itself, or its whole line if nothing but vanishing directives and
/// white space stands on it.
fn cuts(units: &[u16], tokens: &[Placed], vanishing: &[bool]) -> Vec<Range<usize>> {
    let mut cuts: Vec<Range<usize>> = tokens.iter().map(|placed| placed.range.clone()).collect();
    let mut first = 0;
    while first < tokens.len() {
        // The vanishing directives from `first` on that are parted by blanks only.
        let mut last = first;
        let blank = |range: Range<usize>| units[range].iter().all(|&unit| is_blank(unit));
        while vanishing[last]
            && last + 1 < tokens.len()
            && vanishing[last + 1]
            && blank(tokens[last].range.end..tokens[last + 1].range.start)
        {
            last += 1;
        }
        if vanishing[first] {
            let (start, end) = (tokens[first].range.start, tokens[last].range.end);
            let lead = units[..start]
                .iter()
                .rev()
                .take_while(|&&unit| is_blank(unit))
                .count();
            let trail = units[end..]
                .iter()
                .take_while(|&&unit| is_blank(unit))
                .count();
            let starts_line = start == lead || units[start - lead - 1] == NEWLINE;
            let line_end = units.get(end + trail);
            if starts_line && matches!(line_end, None | Some(&NEWLINE)) {
                cuts[first].start = start - lead;
                cuts[last].end = end + trail + usize::from(line_end.is_some());
                // What stands between them is blank, and goes too.
                for place in first..last {
                    cuts[place].end = cuts[place + 1].start;
                }
            }
        }
        first = last + 1;
    }
    cuts
}

#[derive(Default)]
struct Spent {
    expansions: u64,
    units: u64,
}

struct Work<'a> {
    units: &'a [u16],
    scope: &'a mut Scope,
    limits: MacroLimits,
    spent: Spent,
    out: Expanded,
}

impl Work<'_> {
    /// Puts a macro's value in the place of its use.
    fn insert(&mut self, name: &[u16], range: Range<usize>) {
        let at = self.out.units.len();
        let literals = self.out.literals.len();
        match self.value(name, range.start, &mut Vec::new()) {
            Some(()) => {
                let origin = Origin {
                    at,
                    from: range.start,
                    is_value: true,
                };
                if self.out.units.len() > at {
                    self.out.origins.push(origin);
                }
            }
            None => {
                self.out.units.truncate(at);
                self.out.literals.truncate(literals);
                self.out.copy(self.units, range);
            }
        }
    }

    /// Appends the value of a macro with the macros that it uses, or remarks why not.
    fn value(&mut self, name: &[u16], at: usize, within: &mut Vec<Vec<u16>>) -> Option<()> {
        let shown = || String::from_utf16_lossy(name);
        let Some(value) = self.scope.get(name) else {
            let message = format!("the macro `{}` is not defined", shown());
            self.out
                .remarks
                .push(Remark::warning(at, "undefined_macro", message));
            return None;
        };
        if within.iter().any(|outer| outer == name) {
            let mut chain: Vec<String> = within
                .iter()
                .map(|name| String::from_utf16_lossy(name))
                .collect();
            chain.push(shown());
            let message = format!("the macro uses itself: {}", chain.join(" -> "));
            self.out
                .remarks
                .push(Remark::error(at, "macro_cycle", message));
            return None;
        }
        self.spent.expansions += 1;
        self.spent.units += value.len() as u64;
        if self.spent.expansions > self.limits.expansions || self.spent.units > self.limits.units {
            let message = "the macros of this text exceed the limit";
            self.out
                .remarks
                .push(Remark::error(at, "macro_limit", message));
            return None;
        }
        let value = value.to_vec();
        let (tokens, _) = scan(&value, &[]);
        within.push(name.to_vec());
        let mut from = 0;
        for Placed { range, token } in tokens {
            self.out.units.extend_from_slice(&value[from..range.start]);
            from = range.end;
            match token {
                Token::Escape => {
                    let literal = self.out.units.len();
                    self.out.literals.push(literal);
                }
                Token::Directive(Directive::Use { name }) => self.value(&name, at, within)?,
                // Only uses are carried out within a value.
                Token::Directive(_) => self.out.units.extend_from_slice(&value[range]),
            }
        }
        self.out.units.extend_from_slice(&value[from..]);
        within.pop();
        Some(())
    }

    fn holds(&mut self, condition: &Condition, at: usize) -> bool {
        match condition {
            Condition::Defined { name, expected } => self.scope.get(name).is_some() == *expected,
            Condition::Compare {
                left,
                operator,
                right,
            } => {
                let left = self.named(left, at);
                let right = match right {
                    Operand::Text(text) => text.clone(),
                    Operand::Name(name) => self.named(name, at),
                };
                let contains =
                    || right.is_empty() || left.windows(right.len()).any(|part| part == right);
                match operator {
                    Operator::Is => left == right,
                    Operator::Isnt => left != right,
                    Operator::Contains => contains(),
                    Operator::DoesntContain => !contains(),
                    Operator::Matches => self.matches(&left, &right, at).unwrap_or(false),
                    Operator::DoesntMatch => !self.matches(&left, &right, at).unwrap_or(true),
                }
            }
        }
    }

    /// The value of a macro; an undefined one is empty.
    fn named(&mut self, name: &[u16], at: usize) -> Vec<u16> {
        if let Some(value) = self.scope.get(name) {
            return value.to_vec();
        }
        let message = format!(
            "the macro `{}` is not defined and counts as empty",
            String::from_utf16_lossy(name)
        );
        self.out
            .remarks
            .push(Remark::warning(at, "undefined_macro", message));
        Vec::new()
    }

    /// Takes time in proportion to the text times the pattern, whatever they are. `None` for a
    /// pattern that is none.
    fn matches(&mut self, text: &[u16], pattern: &[u16], at: usize) -> Option<bool> {
        match Pattern::new(pattern) {
            Ok(pattern) => Some(pattern.is_match(text)),
            Err(invalid) => {
                let message = format!("this is no regular expression: {}", invalid.message());
                self.out
                    .remarks
                    .push(Remark::error(at, "bad_pattern", message));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: MacroLimits = MacroLimits {
        expansions: 1_000,
        units: 1 << 20,
    };

    fn run(text: &str) -> (String, Vec<String>) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let code = Code::find(&units);
        let out = preprocess(&units, &code, &mut Scope::default(), LIMITS);
        let remarks = out
            .remarks
            .iter()
            .map(|remark| format!("{} at {}", remark.code, remark.at));
        let remarks = remarks.collect();
        for at in 0..out.units.len() {
            assert!(out.origin(at) < units.len());
        }
        (
            String::from_utf16(&out.units).expect("whole characters"),
            remarks,
        )
    }

    #[test]
    fn what_comes_out() {
        let table: [(&str, &str, &[&str]); 37] = [
            // Macros.
            ("@{define A, \"x\"}a @{A} b @{recall A}", "a x b x", &[]),
            (
                "@{define A, \"x\"}\n  @{define B, \"y\"}\t\n@{A}@{B}\n",
                "xy\n",
                &[],
            ),
            ("@{define A, \"x\"} @{define B, \"y\"}\n@{A}@{B}", "xy", &[]),
            ("t @{define A, \"x\"}\n@{A}", "t \nx", &[]),
            ("@{define A}[@{A}]", "[]", &[]),
            (
                "@{define A, \"\\\"q\\\" C:\\src\\\\n\\n\"}@{A}",
                "\"q\" C:\\src\\n\n",
                &[],
            ),
            ("@{define A, \"1\"}@{define A, \"2\"}@{A}", "2", &[]),
            ("@{define 名, \"值\"}@{名}", "值", &[]),
            ("@{define A, \"<@{B}>\"}@{define B, \"y\"}@{A}", "<y>", &[]),
            ("@{A} stays", "@{A} stays", &["undefined_macro at 0"]),
            (
                "@{define A, \"@{A}\"}\n@{A}",
                "@{A}",
                &["macro_cycle at 20"],
            ),
            (
                "@{define A, \"@{B}\"}@{define B, \"@{A}\"}x@{A}",
                "x@{A}",
                &["macro_cycle at 39"],
            ),
            (r"\@{A} \@[b]", "@{A} @[b]", &[]),
            (
                "`@{A}`\n```\n@{define B, \"1\"}\n```\n",
                "`@{A}`\n```\n@{define B, \"1\"}\n```\n",
                &[],
            ),
            // Conditions.
            ("@{define A}@{ifdef A}yes@{else}no@{endif}", "yes", &[]),
            ("@{ifdef A}yes@{else}no@{endif}", "no", &[]),
            ("@{ifndef A}yes@{endif}.", "yes.", &[]),
            (
                "a\n@{ifdef A}\nyes\n@{else}\nno\n@{endif}\nb\n",
                "a\nno\nb\n",
                &[],
            ),
            (
                "@{ifndef A}1@{ifdef B}2@{else}3@{endif}4@{else}5@{endif}",
                "134",
                &[],
            ),
            (
                "@{ifdef A}@{ifndef B}1@{else}2@{endif}@{else}3@{endif}",
                "3",
                &[],
            ),
            (
                "@{ifdef A}@{define B, \"1\"}@{endif}@{ifdef B}x@{else}y@{endif}",
                "y",
                &[],
            ),
            // Operators.
            (
                "@{define L, \"rust\"}@{if L IS \"rust\"}y@{else}n@{endif}",
                "y",
                &[],
            ),
            (
                "@{define L, \"rust\"}@{if L ISNT \"rust\"}y@{else}n@{endif}",
                "n",
                &[],
            ),
            (
                "@{define L, \"rust\"}@{if L CONTAINS \"us\"}y@{else}n@{endif}",
                "y",
                &[],
            ),
            (
                "@{define L, \"rust\"}@{if L DOESNT_CONTAIN \"us\"}y@{else}n@{endif}",
                "n",
                &[],
            ),
            (
                "@{define L, \"rust\"}@{if L MATCHES \"^r.s?t$\"}y@{else}n@{endif}",
                "y",
                &[],
            ),
            (
                "@{define L, \"rust\"}@{if L DOESNT_MATCH \"^r\"}y@{else}n@{endif}",
                "n",
                &[],
            ),
            (
                "@{define L, \"a\"}@{define M, \"a\"}@{if L IS M}y@{endif}",
                "y",
                &[],
            ),
            ("@{if L IS \"\"}y@{endif}", "y", &["undefined_macro at 0"]),
            (
                "@{define L, \"x\"}@{if L MATCHES \"(\"}y@{else}n@{endif}",
                "n",
                &["bad_pattern at 16"],
            ),
            // What is wrong stays as it was written.
            ("a @{endif} b", "a @{endif} b", &["stray_endif at 2"]),
            ("@{else}", "@{else}", &["stray_else at 0"]),
            ("@{ifdef A} b", "@{ifdef A} b", &["unclosed_condition at 0"]),
            (
                "@{ifndef A}1@{else}2@{else}3@{endif}",
                "1",
                &["stray_else at 20"],
            ),
            (
                "@{frobnicate A} @{define}",
                "@{frobnicate A} @{define}",
                &["unknown_command at 0", "bad_directive at 16"],
            ),
            (
                "@{define A, \"x\nb",
                "@{define A, \"x\nb",
                &["unclosed_directive at 0"],
            ),
            ("@{1} @{ A } @{}", "@{1} @{ A } @{}", &[]),
        ];
        for (text, expected, remarks) in table {
            let (out, found) = run(text);
            assert_eq!(
                (out.as_str(), found),
                (expected, remarks.iter().map(|r| (*r).to_owned()).collect()),
                "{text}"
            );
        }
    }

    #[test]
    fn macros_that_multiply_are_bounded() {
        let mut text = String::from("@{define A0, \"0123456789\"}");
        for level in 1..40 {
            let below = level - 1;
            text += &format!("@{{define A{level}, \"@{{A{below}}}@{{A{below}}}\"}}");
        }
        let (out, remarks) = run(&format!("{text}@{{A39}}"));
        assert_eq!(out, "@{A39}");
        assert!(
            remarks
                .iter()
                .all(|remark| remark.starts_with("macro_limit")),
            "{remarks:?}"
        );
    }

    #[test]
    fn a_pattern_that_hangs_other_engines_does_not() {
        let long = "a".repeat(5_000);
        let text =
            format!("@{{define A, \"{long}!\"}}@{{if A MATCHES \"^(a+)+$\"}}y@{{else}}n@{{endif}}");
        assert_eq!(run(&text).0, "n");
    }

    #[test]
    fn offsets_are_those_of_the_text_as_written() {
        let units: Vec<u16> = "@{define A, \"xyz\"}\n1 @{A} 2".encode_utf16().collect();
        let out = preprocess(&units, &Code::default(), &mut Scope::default(), LIMITS);
        assert_eq!(String::from_utf16_lossy(&out.units), "1 xyz 2");
        let origins: Vec<usize> = (0..7).map(|at| out.origin(at)).collect();
        assert_eq!(origins, [19, 20, 21, 21, 21, 25, 26]);
    }
}
