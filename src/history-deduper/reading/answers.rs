//! Results that answer a call again, as a history that was resumed may have them. Every provider refuses these.

use rustc_hash::FxHashMap;

use turnkeeper_base::json::Json;

use super::id_of;

/// Finds the results of calls that have one already. The first stays: it follows its call.
#[derive(Debug, Clone, Default)]
pub(super) struct Answers {
    /// The number of calls with an id that wait for their results. Some agents give an id again to a later call.
    waiting: FxHashMap<String, usize>,
}

impl Answers {
    /// The indexes of the parts of the next message that answer a call again.
    pub(super) fn take(&mut self, parts: &[Json]) -> Vec<usize> {
        let mut again = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            match part.get("type").and_then(Json::as_text) {
                Some("tool_use") => {
                    let id = id_of(part.get("id"));
                    match self.waiting.get_mut(&*id) {
                        Some(count) => *count += 1,
                        None => drop(self.waiting.insert(id.into_owned(), 1)),
                    }
                }
                Some("tool_result") => {
                    let id = id_of(part.get("tool_use_id"));
                    match self.waiting.get_mut(&*id) {
                        Some(0) => again.push(at),
                        Some(count) => *count -= 1,
                        None => {}
                    }
                }
                _ => {}
            }
        }
        again
    }
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;

    #[test]
    fn the_first_answer_of_each_call_stays() {
        let mut answers = Answers::default();
        let call = r#"{"type":"tool_use","id":"a"}"#;
        let result = r#"{"type":"tool_result","tool_use_id":"a"}"#;
        let other = r#"{"type":"tool_result","tool_use_id":"b"}"#;
        for (parts, expected) in [
            (vec![result], vec![]),
            (vec![call, other], vec![]),
            (vec![result, other, result], vec![2]),
            (vec![call], vec![]),
            (
                vec![r#"{"type":"text"}"#, result, result, result],
                vec![2, 3],
            ),
        ] {
            let mut room = Vec::new();
            let text = format!("[{}]", parts.join(","));
            let parts = parse(text.as_bytes(), &mut room).expect("JSON");
            assert_eq!(answers.take(parts.items()), expected);
        }
    }
}
