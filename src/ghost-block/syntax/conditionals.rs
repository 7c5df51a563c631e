//! Pairs the directives of conditionals, and cuts the text that goes with them.

use std::ops::Range;

use super::super::diagnostic::{DiagnosticCode, Problem, Problems};
use super::directives::{Directive, Token};
use super::{NEWLINE, is_blank, skip_blanks, unit_at};

/// A condition whose `endif` has not come yet: the places of its directives among the tokens.
struct OpenCondition {
    start: usize,
    middle: Option<usize>,
}

/// Marks the tokens that leave nothing in the text: definitions, and the directives of whole
/// conditionals. Others of conditionals are stray, and a problem.
pub(super) fn vanishing(tokens: &[Token], problems: &mut Problems) -> Vec<bool> {
    let mut vanishing = vec![false; tokens.len()];
    let mut open: Vec<OpenCondition> = Vec::new();
    for (place, token) in tokens.iter().enumerate() {
        match token.directive {
            Directive::Define { .. } => vanishing[place] = true,
            Directive::If(_) => open.push(OpenCondition {
                start: place,
                middle: None,
            }),
            Directive::Else => match open.last_mut() {
                Some(condition) if condition.middle.is_none() => condition.middle = Some(place),
                _ => {
                    let message = "this `else` belongs to no condition";
                    let code = DiagnosticCode::StrayElse;
                    problems.push(Problem::new(token.start, code, message));
                }
            },
            Directive::Endif => match open.pop() {
                Some(OpenCondition { start, middle }) => {
                    for place in [Some(start), middle, Some(place)].into_iter().flatten() {
                        vanishing[place] = true;
                    }
                }
                None => {
                    let message = "this `endif` belongs to no condition";
                    let code = DiagnosticCode::StrayEndif;
                    problems.push(Problem::new(token.start, code, message));
                }
            },
            Directive::Escape | Directive::Use { .. } => {}
        }
    }
    for condition in open {
        let offset = tokens[condition.start].start;
        let code = DiagnosticCode::UnclosedCondition;
        problems.push(Problem::new(offset, code, "nothing ends this condition"));
    }
    vanishing
}

/// The range that goes with each token: itself, or its whole line if nothing but vanishing directives and
/// white space is on it.
pub(super) fn cuts(units: &[u16], tokens: &[Token], vanishing: &[bool]) -> Vec<Range<usize>> {
    let ranges = tokens.iter().map(|token| token.start..token.end);
    let mut cuts: Vec<Range<usize>> = ranges.collect();
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
            // The text between them is blank, and goes, too.
            for place in first..last {
                cuts[place].end = cuts[place + 1].start;
            }
        }
        first = last + 1;
    }
    cuts
}
