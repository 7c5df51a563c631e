//! What the detector itself reads of its options.

use super::call::CosmeticArguments;
use super::model_check::ModelCheckLimits;
use super::options::{LoopDetectorOptions, LoopProfile};
use super::rules::Rule;

/// What the detector itself reads of the options.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    pub(super) profile: LoopProfile,
    /// As the host has set them.
    pub(super) cosmetic_arguments: CosmeticArguments,
    pub(super) model_check: Option<ModelCheckLimits>,
    /// Whether a rule that is on reads results. JavaScript sends them, ids, and what happens between calls
    /// only then.
    pub(super) reads_results: bool,
}

impl Settings {
    pub(super) fn new(options: &LoopDetectorOptions, rules: &[Box<dyn Rule>]) -> Self {
        Self {
            profile: options.profile.unwrap_or_default(),
            cosmetic_arguments: CosmeticArguments::new(options.cosmetic_arguments.as_deref()),
            model_check: ModelCheckLimits::of(options.model_check.as_ref()),
            reads_results: rules.iter().any(|rule| rule.reads_results()),
        }
    }
}
