//! The shapes that cross to JavaScript, as TypeScript: `js/src/boundary/generated/shapes.ts`.
//!
//! Rust is their only source. `cargo xtask shapes` writes the file, the tests compare it.

mod loop_report;
mod values;

use ts_rs::{Config, TS};

use crate::ghost_block::{
    AssemblerOptions, ContextItem, Diagnostic, DiagnosticCode, ItemOrigin, ItemType, OriginSource,
    PathPlatform, Placement, Reference, ReferenceKind, Severity,
};
use crate::history_deduper::{
    CachePrices, CacheState, DedupeChange, DedupeKinds, DedupeOptions, DedupeReason, DedupeReport,
    DedupeWaiting, Economy, KeepBlock, KeepFiles, KeepSections, KindTotals, Superseded,
    SupersededKind,
};
use crate::loop_detector::{
    AfterFiring, COMMAND_TOOLS, Channel, CompareArguments, CompareResults, Counts,
    LoopDetectorOptions, LoopProfile, LoopType, LoopVerdict, MessageTexts, ModelCheckOptions,
    ModelCheckRequest, PromptInfo, PromptStarts, RuleName, RunBreak, Wasted,
};
use crate::summary_injector::{
    ContextPiece, CurrentTurn, FoldRequest, InjectorTexts, PromptOutline, StartedTurn,
    SummaryInjectorOptions, SummaryRequest, SystemPiece,
};
use crate::terminal_selector::{
    DirectoryCertainty, PathOptions, PathRelation, Reachable, Shell, TerminalChange,
    TerminalChoice, TerminalRegistration, TerminalRequest, TerminalSelectorOptions, TerminalState,
};
use crate::{AgentEvent, ErrorCode};

/// The whole file.
pub fn declarations() -> String {
    let config = Config::default();
    let mut file =
        String::from("// Generated from the Rust types by `cargo xtask shapes`. Do not edit.\n");
    declare::<AgentEvent>(&config, &mut file);
    declare::<LoopType>(&config, &mut file);
    declare::<RuleName>(&config, &mut file);
    declare::<LoopProfile>(&config, &mut file);
    declare::<Channel>(&config, &mut file);
    declare::<Wasted>(&config, &mut file);
    file += &loop_report::declarations(&config);
    declare::<LoopVerdict>(&config, &mut file);
    declare::<MessageTexts>(&config, &mut file);
    declare::<ModelCheckOptions>(&config, &mut file);
    declare::<PromptStarts>(&config, &mut file);
    declare::<AfterFiring>(&config, &mut file);
    declare::<CompareArguments>(&config, &mut file);
    declare::<CompareResults>(&config, &mut file);
    declare::<RunBreak>(&config, &mut file);
    declare::<LoopDetectorOptions>(&config, &mut file);
    declare::<ModelCheckRequest>(&config, &mut file);
    declare::<Counts>(&config, &mut file);
    declare::<PromptInfo>(&config, &mut file);
    declare::<PathPlatform>(&config, &mut file);
    declare::<Placement>(&config, &mut file);
    declare::<AssemblerOptions>(&config, &mut file);
    declare::<ItemType>(&config, &mut file);
    declare::<OriginSource>(&config, &mut file);
    declare::<ItemOrigin>(&config, &mut file);
    declare::<ContextItem>(&config, &mut file);
    declare::<ReferenceKind>(&config, &mut file);
    declare::<Reference>(&config, &mut file);
    declare::<Severity>(&config, &mut file);
    declare::<DiagnosticCode>(&config, &mut file);
    declare::<Diagnostic>(&config, &mut file);
    declare::<KeepBlock>(&config, &mut file);
    declare::<KeepSections>(&config, &mut file);
    declare::<KeepFiles>(&config, &mut file);
    declare::<Economy>(&config, &mut file);
    declare::<CachePrices>(&config, &mut file);
    declare::<CacheState>(&config, &mut file);
    declare::<DedupeOptions>(&config, &mut file);
    declare::<DedupeReason>(&config, &mut file);
    declare::<DedupeChange>(&config, &mut file);
    declare::<KindTotals>(&config, &mut file);
    declare::<DedupeKinds>(&config, &mut file);
    declare::<SupersededKind>(&config, &mut file);
    declare::<Superseded>(&config, &mut file);
    declare::<DedupeWaiting>(&config, &mut file);
    declare::<DedupeReport>(&config, &mut file);
    declare::<InjectorTexts>(&config, &mut file);
    declare::<SummaryInjectorOptions>(&config, &mut file);
    declare::<StartedTurn>(&config, &mut file);
    declare::<ContextPiece>(&config, &mut file);
    declare::<SystemPiece>(&config, &mut file);
    declare::<PromptOutline>(&config, &mut file);
    declare::<CurrentTurn>(&config, &mut file);
    declare::<FoldRequest>(&config, &mut file);
    declare::<SummaryRequest>(&config, &mut file);
    declare::<PathRelation>(&config, &mut file);
    declare::<PathOptions>(&config, &mut file);
    declare::<Shell>(&config, &mut file);
    declare::<Reachable>(&config, &mut file);
    declare::<DirectoryCertainty>(&config, &mut file);
    declare::<TerminalSelectorOptions>(&config, &mut file);
    declare::<TerminalRegistration>(&config, &mut file);
    declare::<TerminalChange>(&config, &mut file);
    declare::<TerminalState>(&config, &mut file);
    declare::<TerminalRequest>(&config, &mut file);
    declare::<TerminalChoice>(&config, &mut file);
    declare::<ErrorCode>(&config, &mut file);
    list_command_tools(&mut file);
    file += &values::declarations();
    without_links(&file)
}

fn list_command_tools(file: &mut String) {
    file.push_str(
        "\n/** The tools that run a command, of the agents whose sessions this package reads. */\n",
    );
    file.push_str("export const COMMAND_TOOLS: readonly string[] = [\n");
    for tool in COMMAND_TOOLS {
        file.push_str(&format!("  \"{tool}\",\n"));
    }
    file.push_str("];\n");
}

fn declare<T: TS>(config: &Config, file: &mut String) {
    file.push('\n');
    if let Some(docs) = T::docs() {
        file.push_str(docs.trim_end());
        file.push('\n');
    }
    file.push_str("export ");
    file.push_str(&T::decl(config));
    file.push('\n');
}

/// The same where a link to another item of this crate is its name alone: TypeScript has no such paths.
fn without_links(file: &str) -> String {
    let mut plain = String::with_capacity(file.len());
    let mut rest = file;
    while let Some(end_of_name) = rest.find("`](") {
        let (before, link) = rest.split_at(end_of_name + 1);
        let start = before.rfind("[`").expect("a link has a name");
        plain.push_str(&before[..start]);
        plain.push_str(&before[start + 1..]);
        rest = &link[link.find(')').expect("a link has an end") + 1..];
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_link_of_rust_is_left() {
        let before = "Of a [`Kettle`](super::Kettle), or [`boil`](Self::boil): `a[0]` (see there).";
        let after = "Of a `Kettle`, or `boil`: `a[0]` (see there).";
        assert_eq!(without_links(before), after);
        let file = declarations();
        for (at, line) in file.lines().enumerate() {
            let is_plain = !line.contains("::") && !line.contains("](") && !line.contains("[`");
            assert!(is_plain, "line {}: {line}", at + 1);
        }
    }
}
