//! What the detector itself reads of its options, and what that means for the shim.

use super::call::{CosmeticArguments, KeyOrder, compare, tool_fingerprints};
use super::model_check::ModelCheckLimits;
use super::options::{
    AfterFiring, CompareArguments, CompareResults, LoopDetectorOptions, LoopProfile, PromptStarts,
};
use super::profiles::COMMAND_TOOLS;
use super::rules::{History, Needs, Rule};

/// What JavaScript has to send, as far as that depends on the options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
pub(crate) struct Crossing {
    /// Arguments that are a string, as they are.
    pub(crate) spelling: bool,
    /// The order in which the arguments' keys come.
    pub(crate) key_order: KeyOrder,
    /// Results, ids, and what happens between calls.
    pub(crate) results: bool,
    /// Every event, for a `stop` may end with any.
    pub(crate) every_event: bool,
}

/// What the detector itself reads of the options.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    pub(super) profile: LoopProfile,
    pub(super) prompt_starts: PromptStarts,
    pub(super) after_firing: AfterFiring,
    pub(super) clear_keeps_counts: bool,
    pub(super) compare_arguments: CompareArguments,
    pub(super) compare_results: CompareResults,
    /// As the host has set them.
    pub(super) cosmetic_arguments: CosmeticArguments,
    /// By [`Call::tool_fingerprint`].
    pub(super) command_tools: Vec<u64>,
    pub(super) skip_scrolling: bool,
    pub(super) model_check: Option<ModelCheckLimits>,
    /// What the rules that are on have to be given.
    pub(super) needs: Needs,
    /// Whether one of them judges by results.
    pub(super) looks_at_results: bool,
}

impl Settings {
    pub(super) fn new(
        options: &LoopDetectorOptions,
        rules: &[Box<dyn Rule>],
        history: &History,
    ) -> Self {
        let compare_results = options.compare_results.unwrap_or_default();
        let mut needs = Needs {
            results: history.needs_results() || compare_results != CompareResults::None,
            user_message_ends_calls: false,
        };
        let mut looks_at_results =
            history.looks_at_results() || compare_results != CompareResults::None;
        for rule in rules {
            let of_rule = rule.needs();
            needs.results |= of_rule.results;
            looks_at_results |= of_rule.results;
            needs.user_message_ends_calls |= of_rule.user_message_ends_calls;
        }
        Self {
            profile: options.profile.unwrap_or_default(),
            prompt_starts: options.prompt_starts.unwrap_or_default(),
            after_firing: options.after_firing.unwrap_or_default(),
            clear_keeps_counts: options.clear_keeps_counts.unwrap_or(false),
            compare_arguments: options.compare_arguments.unwrap_or_default(),
            compare_results,
            cosmetic_arguments: CosmeticArguments::new(options.cosmetic_arguments.as_deref()),
            command_tools: tool_fingerprints(&options.command_tools, &COMMAND_TOOLS),
            skip_scrolling: options.skip_scrolling.unwrap_or(false),
            model_check: ModelCheckLimits::of(options.model_check.as_ref()),
            needs,
            looks_at_results,
        }
    }

    /// What has to be sent for the rules that are on.
    pub(super) fn crossing(&self) -> Crossing {
        Crossing {
            spelling: compare::needs_spelling(self.compare_arguments),
            key_order: compare::key_order(self.compare_arguments),
            results: self.needs.results,
            every_event: self.after_firing != AfterFiring::Latched,
        }
    }
}
