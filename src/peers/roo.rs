//! **Finds** more identical calls in a row than a limit, as Roo Code counts them, and counts afresh then.
//! **Must not find** anything with a limit of 0 or less, which is off.
//! **The number** is Roo Code's: more than 3.

use std::fmt;

use serde::de::{self, Deserializer, Unexpected, Visitor};
use serde::{Deserialize, Serialize};

use crate::calls::{CallLoop, Calls};
use crate::options::{AgentOptions, PeerProfile};
use crate::report::{Detection, PeerRule, PeerRules};
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_base::tag;
use turnkeeper_base::text::hash::{fingerprint, mixed};
use turnkeeper_loop_detector::LoopMessages;
use turnkeeper_loop_detector::detecting::{
    Call, Context, Encoded, Event, Restart, Rules, RunUnderWay, SavedRule,
};

/// The options of Roo Code's detection. What is left out has the value that the agent has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct RooOptions {
    /// More identical calls in a row than this stop the model. It may be any integer: at 0 or less the rule
    /// is off. Default: 3.
    #[serde(deserialize_with = "limit")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub limit: Option<i64>,
    /// Whether `browser_action` calls that scroll are not counted, as Roo Code once did. Default: `false`.
    pub skip_scrolling: Option<bool>,
    /// The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "Partial<Record<LoopType, MessageTexts>>")
    )]
    pub messages: Option<LoopMessages>,
}

/// Any integer, or `false`, which means 0.
fn limit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    struct LimitVisitor;
    impl Visitor<'_> for LimitVisitor {
        type Value = i64;

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("an integer or false")
        }

        fn visit_bool<E: de::Error>(self, on: bool) -> Result<i64, E> {
            match on {
                false => Ok(0),
                true => Err(E::invalid_value(Unexpected::Bool(on), &self)),
            }
        }

        fn visit_i64<E: de::Error>(self, limit: i64) -> Result<i64, E> {
            Ok(limit)
        }

        fn visit_u64<E: de::Error>(self, limit: u64) -> Result<i64, E> {
            i64::try_from(limit).map_err(|_| E::invalid_value(Unexpected::Unsigned(limit), &self))
        }
    }
    deserializer.deserialize_any(LimitVisitor).map(Some)
}

impl AgentOptions for RooOptions {
    fn rules(&self) -> Box<PeerRules> {
        let limit = u64::try_from(self.limit.unwrap_or(3)).unwrap_or_default();
        Box::new(Roo {
            stop_from: (limit > 0).then_some(limit + 1),
            skips_scrolling: self.skip_scrolling.unwrap_or(false),
            calls: Calls::in_a_row(),
        })
    }
}

const LOOP: CallLoop = CallLoop::identical(PeerRule::IdenticalCallsLimit);

#[derive(Debug, Clone)]
struct Roo {
    stop_from: Option<u64>,
    skips_scrolling: bool,
    calls: Calls,
}

impl Rules<PeerRule, PeerProfile> for Roo {
    fn key(&self, call: &Call, _: Encoded) -> Option<u64> {
        let is_skipped = self.skips_scrolling && scrolls(call);
        (!is_skipped).then(|| of_params(call))
    }

    fn observe(&mut self, event: &Event, _: &Context) -> Option<Detection> {
        let Event::Call(seen) = event else {
            return None;
        };
        self.calls.add(seen.key, seen.index);
        let stop = LOOP.stop_from(self.stop_from, 1, &self.calls, seen)?;
        self.calls.clear();
        Some(stop)
    }

    fn under_way(&self) -> Option<RunUnderWay> {
        self.calls.run(self.stop_from)
    }

    fn restart(&mut self, _: Restart) {
        self.calls.clear();
    }

    fn save(&self) -> Vec<SavedRule> {
        SavedRule::only(&self.calls)
    }

    fn load(&mut self, saved: &[SavedRule]) -> Result<(), Corrupt> {
        self.calls.load(SavedRule::read_only(saved)?)
    }

    fn stop_lasts(&self) -> bool {
        false
    }
}

/// The key of a call by `params` and, unless it has no keys or items, `nativeArgs`, with keys in any order.
/// Arguments without these two count as `params`.
fn of_params(call: &Call) -> u64 {
    let arguments = call.arguments();
    let mut params = arguments.field("params");
    let native = arguments.field("nativeArgs");
    if params.0.is_empty() && native.0.is_empty() && call.has_arguments() {
        params = arguments;
    }
    let has_items = match native.tag() {
        tag::OBJECT => native.0 != b"{}",
        tag::ARRAY => native.0 != b"[]",
        tag::ASCII | tag::WIDE => !native.units().is_empty(),
        other => other == tag::CUT,
    };
    let native = if has_items { native.0 } else { &[] };
    let key_of = |part: &[u8]| match part {
        [] => 0,
        part => fingerprint(part),
    };
    let tool = call.tool_fingerprint();
    mixed(mixed(tool, key_of(params.0)), key_of(native))
}

/// Whether the call scrolls a browser.
fn scrolls(call: &Call) -> bool {
    if !call.is_of("browser_action") {
        return false;
    }
    let mut arguments = call.arguments();
    let params = arguments.field("params");
    if !params.0.is_empty() {
        arguments = params;
    }
    let action = arguments.field("action").units();
    action.is("scroll_down") || action.is("scroll_up")
}
