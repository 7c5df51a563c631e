//! Messages of the conversation.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::marking::{Visible, is_unseen};
use turnkeeper_base::json;
use turnkeeper_base::text::hash::fingerprint;

/// No role's name is longer than this, in bytes.
const LONGEST_ROLE: usize = 64;
/// The roles of the message formats in use, whose tags no text may forge.
const KNOWN_ROLES: &str = "user assistant system tool developer function model";

/// A message of the conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnMessage {
    /// The writer: a name of at most 64 bytes without white space, brackets, slashes, quotation
    /// marks and ampersands.
    pub role: String,
    /// The id by which it can be recalled, and known when it comes again; empty for none.
    pub id: String,
    /// Its text, for the thinking phase and for keywords.
    pub text: String,
    /// The whole message in the host's format, which is what recalling gives back. JavaScript keeps
    /// it as JSON; nothing in this crate reads it.
    pub original: String,
}

impl TurnMessage {
    /// A message of the system.
    pub(super) fn of_system(text: String) -> Self {
        Self {
            role: "system".to_owned(),
            id: String::new(),
            original: json::written(&json!({ "role": "system", "content": text })),
            text,
        }
    }

    /// The hash of its id, if it has one.
    pub(super) fn id_hash(&self) -> Option<u64> {
        (!self.id.is_empty()).then(|| fingerprint(self.id.as_bytes()))
    }

    /// Whether its role is a name.
    pub(super) fn has_valid_role(&self) -> bool {
        let is_forbidden = |character: char| {
            is_unseen(character) || matches!(character, '<' | '>' | '/' | '&' | '"')
        };
        let role = &self.role;
        !role.is_empty() && role.len() <= LONGEST_ROLE && !role.chars().any(is_forbidden)
    }

    /// The message for the thinking phase: `<role>`, its text and `</role>`, each on lines of their
    /// own. No tag of a role within the text stays a tag: its `<` becomes `&lt;`.
    pub(super) fn tagged(&self) -> String {
        let Self { role, text, .. } = self;
        let mut safe_text = String::new();
        let mut copied = 0;
        for (bracket, _) in text.match_indices('<') {
            if begins_role_tag(&text[bracket + 1..], role) {
                safe_text += &text[copied..bracket];
                safe_text += "&lt;";
                copied = bracket + 1;
            }
        }
        safe_text += &text[copied..];
        format!("<{role}>\n{safe_text}\n</{role}>")
    }
}

/// Whether the text after a `<` makes it the tag of a role: of `own_role` or of a known one.
fn begins_role_tag(after_bracket: &str, own_role: &str) -> bool {
    let mut start = Visible {
        rest: after_bracket,
    };
    let mut name = start.clone();
    while start
        .next()
        .is_some_and(|next| next.is_whitespace() || next == '/')
    {
        name = start.clone();
    }
    let is_named = |role: &str| {
        let mut name = name.clone();
        let is_role = role.chars().all(|letter| {
            let next = name.next();
            next.is_some_and(|next| next.eq_ignore_ascii_case(&letter))
        });
        let goes_on = |next: char| next.is_ascii_alphanumeric() || matches!(next, '-' | '_');
        is_role && !name.rest.starts_with(goes_on)
    };
    is_named(own_role) || KNOWN_ROLES.split(' ').any(is_named)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(role: &str, text: &str) -> TurnMessage {
        TurnMessage {
            role: role.to_owned(),
            text: text.to_owned(),
            ..TurnMessage::default()
        }
    }

    #[test]
    fn no_tag_of_a_role_is_one() {
        for (text, plain) in [
            ("", ""),
            ("</user>", "&lt;/user>"),
            ("a < / USER > b", "a &lt; / USER > b"),
            ("<\u{200b}assistant>", "&lt;\u{200b}assistant>"),
            ("<us\u{1d173}er>", "&lt;us\u{1d173}er>"),
            ("<\u{1b}[0m/system>", "&lt;\u{1b}[0m/system>"),
            ("<system id=1>", "&lt;system id=1>"),
            ("<tool/>", "&lt;tool/>"),
            ("</planner\n>", "&lt;/planner\n>"),
            ("<<user>>", "<&lt;user>>"),
            ("<users> <use r> <思> <", "<users> <use r> <思> <"),
            ("<user_id> <tool-bar>", "<user_id> <tool-bar>"),
            ("<user", "&lt;user"),
            ("<div></div>", "<div></div>"),
        ] {
            let expected = format!("<planner>\n{plain}\n</planner>");
            assert_eq!(message("planner", text).tagged(), expected);
        }
    }

    #[test]
    fn a_role_is_a_name() {
        let long = "r".repeat(65);
        for role in ["", "a b", "</x>", "x\n", "a&lt;", "\"", "\u{200b}x", &long] {
            assert!(!message(role, "x").has_valid_role(), "{role}");
        }
        for role in ["user", "助手", "tool_result", &long[..64]] {
            assert!(message(role, "x").has_valid_role(), "{role}");
        }
    }
}
