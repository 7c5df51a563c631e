//! Directives carried out: macros, conditionals, escapes.

use std::ops::Range;

use turnkeeper_kernels::find_at_sign;

use super::super::Diagnostic;
use super::super::text::{Text, chain, concat, lossy};
use super::directives::{Kind, Operator, Token, scan};
use super::pattern::Pattern;
use super::{NEWLINE, is_blank, part, skip_blanks, unit_at};
use crate::table::Table;
use crate::text::contains;

/// The macros of a conversation. Names that differ in half a character only are one.
pub(crate) type Scope = Table<Text>;

/// The work that the conditions of one text may be, which takes a fraction of a second.
const MOST_EFFORT: usize = 20_000_000;

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
            origins: Vec::new(),
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

    fn copy(&mut self, units: &[u16], from: usize, to: usize) {
        if from < to {
            self.origins.push(Origin {
                at: self.units.len(),
                from,
                is_value: false,
            });
            self.units.extend_from_slice(part(units, from, to));
        }
    }
}

/// Carries out the directives outside `code`. Never fails: what cannot be carried out stays as it
/// was written, with a remark.
pub(crate) fn preprocess(
    units: &[u16],
    code: &[Range<usize>],
    scope: &mut Scope,
    limits: MacroLimits,
    remarks: &mut Vec<Diagnostic>,
) -> Expanded {
    let tokens = scan(units, code, remarks);
    let vanishing = vanishing(&tokens, remarks);
    let cuts = cuts(units, &tokens, &vanishing);
    let mut work = Work {
        units,
        scope,
        left: limits,
        effort: MOST_EFFORT,
        within: Vec::new(),
        out: Expanded::default(),
        remarks,
    };
    let mut branches: Vec<Branch> = Vec::new();
    // How many of the branches are not active.
    let mut silent = 0;
    let mut at = 0;
    for (place, token) in tokens.iter().enumerate() {
        let is_active = silent == 0;
        let cut = &cuts[place];
        if is_active {
            work.out.copy(units, at, cut.start);
        }
        at = at.max(cut.end);
        match token.kind {
            Kind::If(_) | Kind::IfDefined if vanishing[place] => {
                let holds = is_active && work.holds(token);
                silent += usize::from(!holds);
                branches.push(Branch {
                    is_active: holds,
                    may_else: is_active && !holds,
                });
            }
            Kind::Else if vanishing[place] => {
                if let Some(branch) = branches.last_mut() {
                    silent -= usize::from(!branch.is_active);
                    branch.is_active = std::mem::take(&mut branch.may_else);
                    silent += usize::from(!branch.is_active);
                }
            }
            Kind::Endif if vanishing[place] => {
                let is_silent = branches.pop().is_some_and(|branch| !branch.is_active);
                silent -= usize::from(is_silent);
            }
            _ if !is_active => {}
            // Of `\@[` the backslash goes, and what follows is text.
            Kind::Escape => work.out.literals.push(work.out.units.len()),
            Kind::Define => {
                let name = lossy(token.name);
                work.scope.insert(&name, Text::from_units(&token.value));
            }
            Kind::Use => work.insert(token),
            _ => work.out.copy(units, token.start, token.end),
        }
    }
    work.out.copy(units, at, units.len());
    work.out
}

struct Branch {
    is_active: bool,
    may_else: bool,
}

/// Which of the tokens leave nothing behind: definitions, and the directives of whole conditionals;
/// others of conditionals are stray.
fn vanishing(tokens: &[Token], remarks: &mut Vec<Diagnostic>) -> Vec<bool> {
    let mut vanishing = vec![false; tokens.len()];
    // Places of each `if` and of its `else`, or the `if` again.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (place, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Define => vanishing[place] = true,
            Kind::IfDefined | Kind::If(_) => open.push((place, place)),
            Kind::Else => match open.last_mut() {
                Some(pair) if pair.0 == pair.1 => pair.1 = place,
                _ => remarks.push(Diagnostic::error(
                    token.start,
                    "stray_else",
                    "this `else` belongs to no condition",
                )),
            },
            Kind::Endif => match open.pop() {
                Some((start, middle)) => {
                    vanishing[start] = true;
                    vanishing[middle] = true;
                    vanishing[place] = true;
                }
                None => remarks.push(Diagnostic::error(
                    token.start,
                    "stray_endif",
                    "this `endif` belongs to no condition",
                )),
            },
            _ => {}
        }
    }
    for &(place, _) in &open {
        remarks.push(Diagnostic::error(
            tokens[place].start,
            "unclosed_condition",
            "nothing ends this condition",
        ));
    }
    vanishing
}

/// What goes with each token: itself, or its whole line if nothing but vanishing directives and
/// white space stands on it.
fn cuts(units: &[u16], tokens: &[Token], vanishing: &[bool]) -> Vec<Range<usize>> {
    let mut cuts: Vec<Range<usize>> = Vec::with_capacity(tokens.len());
    for token in tokens {
        cuts.push(token.start..token.end);
    }
    let mut first = 0;
    while first < tokens.len() {
        if !vanishing[first] {
            first += 1;
            continue;
        }
        // The vanishing directives from `first` on that are parted by blanks only.
        let mut last = first;
        let mut end = skip_blanks(units, tokens[last].end);
        while last + 1 < tokens.len() && vanishing[last + 1] && tokens[last + 1].start == end {
            last += 1;
            end = skip_blanks(units, tokens[last].end);
        }
        let mut start = tokens[first].start;
        while start > 0 && is_blank(units[start - 1]) {
            start -= 1;
        }
        let starts_line = start == 0 || units[start - 1] == NEWLINE;
        if starts_line && (end == units.len() || unit_at(units, end) == NEWLINE) {
            cuts[first].start = start;
            cuts[last].end = units.len().min(end + 1);
            // What stands between them is blank, and goes too.
            for place in first..last {
                cuts[place].end = cuts[place + 1].start;
            }
        }
        first = last + 1;
    }
    cuts
}

struct Work<'a> {
    units: &'a [u16],
    scope: &'a mut Scope,
    /// What macros may still do.
    left: MacroLimits,
    /// The work that conditions may still be: units of text, each times the steps of a pattern.
    effort: usize,
    /// The macros whose values are being read, each within the one before.
    within: Vec<String>,
    out: Expanded,
    remarks: &'a mut Vec<Diagnostic>,
}

impl Work<'_> {
    /// Puts a macro's value in the place of its use.
    fn insert(&mut self, token: &Token) {
        let at = self.out.units.len();
        let literals = self.out.literals.len();
        self.within.clear();
        if self.value(token.name, token.start) {
            if self.out.units.len() > at {
                self.out.origins.push(Origin {
                    at,
                    from: token.start,
                    is_value: true,
                });
            }
        } else {
            self.out.units.truncate(at);
            self.out.literals.truncate(literals);
            self.out.copy(self.units, token.start, token.end);
        }
    }

    /// Appends the value of a macro with the macros that it uses, or remarks why not.
    fn value(&mut self, name: &[u16], at: usize) -> bool {
        let name = lossy(name);
        let Some(value) = self.scope.get(&name) else {
            let message = concat(&["the macro `", &name, "` is not defined"]);
            let remark = Diagnostic::warning(at, "undefined_macro", &message);
            self.remarks.push(remark);
            return false;
        };
        let size = value.len() as u64;
        if self.within.contains(&name) {
            let message = concat(&["the macro uses itself: ", &chain(&self.within, &name)]);
            let remark = Diagnostic::error(at, "macro_cycle", &message);
            self.remarks.push(remark);
            return false;
        }
        if self.left.expansions == 0 || self.left.units < size {
            self.left.expansions = 0;
            let message = "the macros of this text exceed the limit";
            let remark = Diagnostic::error(at, "macro_limit", message);
            self.remarks.push(remark);
            return false;
        }
        self.left.expansions -= 1;
        self.left.units -= size;
        let value = value.to_units();
        if find_at_sign(&value, 0) == value.len() {
            self.out.units.extend_from_slice(&value);
            return true;
        }
        self.within.push(name);
        let mut from = 0;
        for token in &scan(&value, &[], &mut Vec::new()) {
            self.out
                .units
                .extend_from_slice(part(&value, from, token.start));
            from = token.end;
            match token.kind {
                Kind::Escape => self.out.literals.push(self.out.units.len()),
                Kind::Use => {
                    if !self.value(token.name, at) {
                        return false;
                    }
                }
                // Only uses are carried out within a value.
                _ => from = token.start,
            }
        }
        self.out
            .units
            .extend_from_slice(part(&value, from, value.len()));
        self.within.pop();
        true
    }

    fn holds(&mut self, token: &Token) -> bool {
        let Kind::If(operator) = token.kind else {
            let name = lossy(token.name);
            return self.scope.get(&name).is_some() != token.is_negated;
        };
        let left = self.named(token.name, token.start);
        let named;
        let right = if token.is_name {
            named = self.named(&token.value, token.start);
            &named
        } else {
            &token.value
        };
        let mut effort = left.len() + right.len();
        let mut pattern = None;
        if operator == Operator::Matches {
            match Pattern::new(right) {
                Ok(compiled) => {
                    effort = effort.saturating_mul(compiled.steps());
                    pattern = Some(compiled);
                }
                Err(invalid) => {
                    let message = concat(&["this is no regular expression: ", invalid.message()]);
                    let remark = Diagnostic::error(token.start, "bad_pattern", &message);
                    self.remarks.push(remark);
                    return false;
                }
            }
        }
        if effort > self.effort {
            self.effort = 0;
            let message = "the conditions of this text take too long";
            let remark = Diagnostic::error(token.start, "condition_limit", message);
            self.remarks.push(remark);
            return false;
        }
        self.effort -= effort;
        let holds = match (operator, &pattern) {
            (Operator::Is, _) => left == *right,
            (_, Some(pattern)) => pattern.is_match(&left),
            _ => contains(&left, right),
        };
        holds != token.is_negated
    }

    /// The value of a macro; an undefined one is empty.
    fn named(&mut self, name: &[u16], at: usize) -> Vec<u16> {
        let name = lossy(name);
        if let Some(value) = self.scope.get(&name) {
            return value.to_units();
        }
        let message = concat(&["the macro `", &name, "` is not defined and counts as empty"]);
        let remark = Diagnostic::warning(at, "undefined_macro", &message);
        self.remarks.push(remark);
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::super::code::Code;
    use super::*;

    const LIMITS: MacroLimits = MacroLimits {
        expansions: 1_000,
        units: 1 << 20,
    };

    fn run(text: &str) -> (String, Vec<String>) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let code = Code::find(&units);
        let mut remarks = Vec::new();
        let mut scope = Scope::default();
        let out = preprocess(&units, code.ranges(), &mut scope, LIMITS, &mut remarks);
        let remarks = remarks.iter();
        let remarks = remarks.map(|remark| format!("{} at {}", remark.code, remark.column));
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
        let out = preprocess(&units, &[], &mut Scope::default(), LIMITS, &mut Vec::new());
        assert_eq!(String::from_utf16_lossy(&out.units), "1 xyz 2");
        let origins: Vec<usize> = (0..7).map(|at| out.origin(at)).collect();
        assert_eq!(origins, [19, 20, 21, 21, 21, 25, 26]);
    }

    #[test]
    fn conditions_take_no_longer_together_than_one_may_alone() {
        let define = format!("@{{define A, \"{}\"}}", "z".repeat(1_000_000));
        let ranges: String = (0x4e00..0x4e80)
            .step_by(2)
            .filter_map(char::from_u32)
            .collect();
        let many_ranges = format!("MATCHES \"[{ranges}]\"");
        for (condition, times, expected, is_refused) in [
            ("MATCHES \"^z+$\"", 1, "y", false),
            ("CONTAINS \"zy\"", 1, "n", false),
            ("CONTAINS \"zy\"", 25, "n", true),
            // Few instructions, but many ranges.
            (&many_ranges, 1, "n", true),
        ] {
            let condition = format!("@{{if A {condition}}}y@{{else}}n@{{endif}}");
            let (out, remarks) = run(&(define.clone() + &condition.repeat(times)));
            assert_eq!(out, expected.repeat(times), "{condition}");
            let refused = |remark: &String| remark.starts_with("condition_limit");
            assert_eq!(remarks.iter().any(refused), is_refused, "{remarks:?}");
        }
    }
}
