//! The tokens and the money that OpenHands records: beside a call the answer that made it, and with each event what all
//! requests used, one by one where its version lists them.

use std::collections::HashSet;

use turnkeeper_base::json::Json;
use turnkeeper_base::text::hash::fingerprint;

use crate::sessions::given::{at, list_at};
use crate::sessions::record::Usage;
use crate::sessions::tokens::Tokens;
use crate::sessions::usage::{completion, dollars, inclusive, named, recorded, tokens};

/// Reads each request once, whether it made a call or not.
#[derive(Default)]
pub(crate) struct OpenHandsUsage {
    /// The answers that have been given.
    seen: HashSet<u64>,
    /// The number of requests without an id that were listed.
    nameless: usize,
    /// The tokens of all answers that have been given.
    given: Tokens,
}

impl OpenHandsUsage {
    /// The record of an event. A response with several calls stands at several actions.
    pub(crate) fn read(&mut self, event: &Json) -> Vec<Usage> {
        let mut found = self.response(event);
        let metrics = event.get("llm_metrics");
        found.extend(metrics.map_or_else(Vec::new, |it| self.all(it, "total")));
        for keys in [
            &["value", "usage_to_metrics"][..],
            &["value", "stats", "usage_to_metrics"],
        ] {
            if let Some(Json::Object(all)) = at(event, keys) {
                for (name, metrics) in all {
                    found.extend(self.metrics(metrics, &format!("total {name}")));
                }
            }
        }
        found
    }

    fn response(&mut self, event: &Json) -> Vec<Usage> {
        let response = at(event, &["tool_call_metadata", "model_response"]);
        let found = recorded(completion(response.unwrap_or(&Json::Null)));
        for usage in &found {
            let id = usage.id.as_deref();
            if id.is_none_or(|id| self.seen.insert(fingerprint(id.as_bytes()))) {
                self.given = self.given.plus(Tokens::of(usage));
            }
        }
        found
    }

    /// The requests that a list of all of them has and that no call has told of, and the money of all.
    pub(crate) fn metrics(&mut self, metrics: &Json, id: &str) -> Vec<Usage> {
        let mut found = Vec::new();
        let mut nameless = 0;
        for request in list_at(metrics, &["token_usages"]) {
            let Some(usage) = request_usage(request).pop() else {
                continue;
            };
            nameless += usize::from(usage.id.is_none());
            let is_new = match &usage.id {
                Some(id) => self.seen.insert(fingerprint(id.as_bytes())),
                None => nameless > self.nameless,
            };
            if is_new {
                found.push(usage);
            }
        }
        self.nameless = self.nameless.max(nameless);
        for usage in &found {
            self.given = self.given.plus(Tokens::of(usage));
        }
        found.extend(recorded(Usage {
            id: Some(id.into()),
            dollars: dollars(metrics.get("accumulated_cost")),
            is_sum: true,
            ..Usage::default()
        }));
        found
    }

    /// The same, and what the sum has more than all answers that were listed: a request that nothing else tells of.
    pub(crate) fn all(&mut self, metrics: &Json, id: &str) -> Vec<Usage> {
        let mut found = self.metrics(metrics, id);
        let sum = metrics.get("accumulated_token_usage");
        for usage in sum.map_or_else(Vec::new, request_usage) {
            let rest = Tokens::of(&usage).without(self.given);
            if rest.total() > 0.0 {
                self.given = self.given.plus(rest);
                found.push(rest.put_into(Usage {
                    id: None,
                    is_of_several: true,
                    ..usage
                }));
            }
        }
        found
    }
}

fn request_usage(request: &Json) -> Vec<Usage> {
    let names = [
        "prompt_tokens", "cache_read_tokens", "cache_write_tokens", "completion_tokens",
    ];
    recorded(Usage {
        id: named(request.get("response_id")),
        model: named(request.get("model")),
        ..inclusive(tokens(request, names))
    })
}
