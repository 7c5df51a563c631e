//! The shapes that cross to JavaScript, as TypeScript: `js/src/boundary/generated/shapes.ts`.
//!
//! Rust is their only source. `cargo xtask shapes` writes the file, the tests compare it.

mod enums;
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
    file += &enums::objects::<AgentEvent>(&config, "type");
    file += &enums::strings::<LoopType>(&config);
    file += &enums::strings::<RuleName>(&config);
    file += &enums::strings::<LoopProfile>(&config);
    file += &enums::strings::<Channel>(&config);
    file += &declare::<Wasted>(&config);
    file += &loop_report::declarations(&config);
    file += &enums::objects::<LoopVerdict>(&config, "action");
    file += &declare::<MessageTexts>(&config);
    file += &declare::<ModelCheckOptions>(&config);
    file += &enums::strings::<PromptStarts>(&config);
    file += &enums::strings::<AfterFiring>(&config);
    file += &enums::strings::<CompareArguments>(&config);
    file += &enums::strings::<CompareResults>(&config);
    file += &enums::strings::<RunBreak>(&config);
    file += &declare::<LoopDetectorOptions>(&config);
    file += &declare::<ModelCheckRequest>(&config);
    file += &declare::<Counts>(&config);
    file += &declare::<PromptInfo>(&config);
    file += &enums::strings::<PathPlatform>(&config);
    file += &enums::strings::<Placement>(&config);
    file += &declare::<AssemblerOptions>(&config);
    file += &enums::strings::<ItemType>(&config);
    file += &enums::strings::<OriginSource>(&config);
    file += &declare::<ItemOrigin>(&config);
    file += &declare::<ContextItem>(&config);
    file += &enums::strings::<ReferenceKind>(&config);
    file += &declare::<Reference>(&config);
    file += &enums::strings::<Severity>(&config);
    file += &enums::strings::<DiagnosticCode>(&config);
    file += &declare::<Diagnostic>(&config);
    file += &enums::strings::<KeepBlock>(&config);
    file += &enums::strings::<KeepSections>(&config);
    file += &enums::strings::<KeepFiles>(&config);
    file += &enums::strings::<Economy>(&config);
    file += &declare::<CachePrices>(&config);
    file += &declare::<CacheState>(&config);
    file += &declare::<DedupeOptions>(&config);
    file += &enums::strings::<DedupeReason>(&config);
    file += &declare::<DedupeChange>(&config);
    file += &declare::<KindTotals>(&config);
    file += &declare::<DedupeKinds>(&config);
    file += &enums::strings::<SupersededKind>(&config);
    file += &declare::<Superseded>(&config);
    file += &declare::<DedupeWaiting>(&config);
    file += &declare::<DedupeReport>(&config);
    file += &declare::<InjectorTexts>(&config);
    file += &declare::<SummaryInjectorOptions>(&config);
    file += &declare::<StartedTurn>(&config);
    file += &declare::<ContextPiece>(&config);
    file += &declare::<SystemPiece>(&config);
    file += &declare::<PromptOutline>(&config);
    file += &declare::<CurrentTurn>(&config);
    file += &declare::<FoldRequest>(&config);
    file += &declare::<SummaryRequest>(&config);
    file += &enums::strings::<PathRelation>(&config);
    file += &declare::<PathOptions>(&config);
    file += &enums::strings::<Shell>(&config);
    file += &enums::strings::<Reachable>(&config);
    file += &enums::strings::<DirectoryCertainty>(&config);
    file += &declare::<TerminalSelectorOptions>(&config);
    file += &declare::<TerminalRegistration>(&config);
    file += &declare::<TerminalChange>(&config);
    file += &declare::<TerminalState>(&config);
    file += &declare::<TerminalRequest>(&config);
    file += &enums::objects::<TerminalChoice>(&config, "action");
    file += &enums::strings::<ErrorCode>(&config);
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

fn declare<T: TS>(config: &Config) -> String {
    declaration::<T>(config, T::docs().as_deref().unwrap_or_default())
}

fn declaration<T: TS>(config: &Config, docs: &str) -> String {
    format!("\n{}\nexport {}\n", docs.trim_end(), T::decl(config))
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
