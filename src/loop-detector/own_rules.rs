//! The loop detector's own rules, of which the options say which are on.

use std::any::Any;

use serde_json::Value;

use super::call::{Call, CosmeticArguments, Encoded};
use super::copies::CopyFrom;
use super::detecting::{DetectorOptions, Prompts, Rules, SavedRule, Setup};
use super::effective_options;
use super::options::{LoopDetectorOptions, LoopMessages, LoopProfile, PreviewModel};
use super::progress::Newest;
use super::report::RuleName;
use super::rules::{Context, Detection, Event, RULES, Restart, Rule, RunUnderWay, worse};
use turnkeeper_base::error::Error;
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_messages::is_of_pattern;

impl DetectorOptions for LoopDetectorOptions {
    type Rule = RuleName;
    type Profile = LoopProfile;

    const SNAPSHOT_LETTER: u8 = b'l';

    fn from_value(value: &Value) -> Result<Self, Error> {
        Self::from_value(value)
    }

    fn to_value(&self) -> Value {
        self.to_value()
    }

    fn set_up(&mut self) -> Result<Setup<RuleName, LoopProfile>, Error> {
        let options = effective_options::effective_options(self)?;
        // A snapshot names its profile, so that it is restored with the same rules whatever the default
        // is by then.
        self.profile = options.profile;
        let profile = options.profile.unwrap_or_default();
        let exempt = options.tools.as_ref().and_then(|it| it.exempt.as_ref());
        Ok(Setup {
            profile,
            prompts: match profile {
                LoopProfile::Standard => Prompts::Fixed,
                LoopProfile::Adaptive => Prompts::Continued,
            },
            rules: Box::new(OwnRules {
                exempt: exempt.cloned().unwrap_or_default(),
                cosmetic_arguments: CosmeticArguments::new(options.cosmetic_arguments.as_deref()),
                on: RULES.iter().filter_map(|make| make(&options)).collect(),
            }),
            model_check: options.model_check,
        })
    }

    fn messages(&self) -> Option<&LoopMessages> {
        self.messages.as_ref()
    }

    fn preview_model(&self) -> Option<&PreviewModel> {
        self.preview_model.as_ref()
    }
}

struct OwnRules {
    /// Names of tools that no rule counts.
    exempt: Vec<String>,
    /// As the host has set them.
    cosmetic_arguments: CosmeticArguments,
    /// The rules that are on, in the order of [`RULES`].
    on: Vec<Box<dyn Rule>>,
}

/// The memory of the rules; the settings are the same.
impl CopyFrom for OwnRules {
    fn copy_from(&mut self, other: &dyn Any) {
        let other = other
            .downcast_ref()
            .into_iter()
            .flat_map(|it: &Self| &it.on);
        for (rule, other) in self.on.iter_mut().zip(other) {
            rule.as_mut().copy_from(&**other);
        }
    }
}

impl Rules<RuleName, LoopProfile> for OwnRules {
    /// The call is compared without the arguments that the host calls cosmetic.
    fn key(&self, call: &Call, _: Encoded) -> Option<u64> {
        if !self.exempt.is_empty() {
            let tool = call.tool();
            if self.exempt.iter().any(|it| is_of_pattern(&tool, it)) {
                return None;
            }
        }
        let without = self.cosmetic_arguments.without(call);
        let less = without.as_deref();
        Some(
            match less.and_then(|bytes| Call::decode(bytes, call.key_order())) {
                Some(less) => less.fingerprint(),
                None => call.fingerprint(),
            },
        )
    }

    /// A stop comes before a nudge, and what is first in the list before what comes after it.
    fn observe(&mut self, event: &Event, context: &Context) -> Option<Detection> {
        let rules = self.on.iter_mut();
        rules.fold(None, |found, rule| {
            worse(found, rule.observe(event, context))
        })
    }

    fn under_way(&self) -> Option<RunUnderWay> {
        RunUnderWay::nearest(self.on.iter().filter_map(|rule| rule.under_way()))
    }

    fn restart(&mut self, restart: Restart) {
        for rule in &mut self.on {
            rule.restart(restart);
        }
    }

    fn forget_quotes(&mut self) {
        for rule in &mut self.on {
            rule.forget_quotes();
        }
    }

    fn save(&self) -> Vec<SavedRule> {
        let rules = self.on.iter().map(|rule| SavedRule {
            name: rule.name(),
            state: rule.save(),
        });
        rules.collect()
    }

    /// A rule that is not saved starts afresh, and so does one whose state another build has saved in another
    /// form.
    fn load(&mut self, saved: &[SavedRule]) -> Result<(), Corrupt> {
        for rule in &mut self.on {
            if let Some(saved) = saved.iter().find(|saved| saved.name == rule.name()) {
                let _ = rule.load(&saved.state);
            }
        }
        Ok(())
    }

    fn newest(&self) -> Newest {
        let newest = self.on.iter().find_map(|rule| rule.newest());
        newest.unwrap_or_default()
    }

    fn reads_results(&self) -> bool {
        self.on.iter().any(|rule| rule.reads_results())
    }
}
