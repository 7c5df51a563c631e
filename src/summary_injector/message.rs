//! Messages of the conversation.

use super::marking::is_unseen;
use crate::text::{part, push};

/// More than the name of any role has, in bytes.
const LONGEST_ROLE: usize = 64;
/// The roles of the formats that are in use; the empty one is that of the message.
const ROLES: [&str; 8] = [
    "",
    "user",
    "assistant",
    "system",
    "tool",
    "developer",
    "function",
    "model",
];

/// A message of the conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Message {
    /// Whose it is: a name of at most 64 bytes without white space, brackets, slashes, quotes and
    /// ampersands.
    pub role: String,
    /// What it can be recalled by; empty for none.
    pub id: String,
    /// What it says, for the thinking phase and for keywords.
    pub text: String,
    /// The whole of it in the host's format, which is what recalling gives back. JavaScript keeps it
    /// as JSON; nothing here looks into it.
    pub original: String,
}

impl Message {
    /// Whether its role is a name.
    pub(crate) fn has_role(&self) -> bool {
        let is_wrong = |character: char| {
            is_unseen(character) || matches!(character, '<' | '>' | '/' | '&' | '"')
        };
        let role = &self.role;
        !role.is_empty() && role.len() <= LONGEST_ROLE && !role.chars().any(is_wrong)
    }

    /// `<role>`, what it says and `</role>`, each on lines of their own. In what it says, no tag of
    /// a role is one: its `<` becomes `&lt;`.
    pub(crate) fn tagged(&self) -> String {
        let (text, role) = (self.text.as_str(), self.role.as_str());
        let mut out = String::new();
        push(&mut out, "<");
        push(&mut out, role);
        push(&mut out, ">\n");
        let (mut from, mut at) = (0, 0);
        for byte in text.bytes() {
            at += 1;
            if byte == b'<' && is_role_tag(part(text, at, text.len()), role) {
                push(&mut out, part(text, from, at - 1));
                push(&mut out, "&lt;");
                from = at;
            }
        }
        push(&mut out, part(text, from, at));
        push(&mut out, "\n</");
        push(&mut out, role);
        push(&mut out, ">");
        out
    }
}

/// Whether the tag of a role stands behind a `<`.
#[inline(never)]
fn is_role_tag(behind: &str, own: &str) -> bool {
    let is_between = |character: char| is_unseen(character) || character == '/';
    let name = behind.trim_start_matches(is_between).as_bytes();
    for role in ROLES {
        let role = if role.is_empty() { own } else { role };
        let next = name.get(role.len()).copied().unwrap_or_default();
        let begin = name.get(..role.len()).unwrap_or_default();
        if begin.eq_ignore_ascii_case(role.as_bytes())
            && !(next.is_ascii_alphanumeric() || next == b'-' || next == b'_')
        {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(role: &str, text: &str) -> Message {
        Message {
            role: role.to_owned(),
            text: text.to_owned(),
            ..Message::default()
        }
    }

    #[test]
    fn no_tag_of_a_role_is_one() {
        for (text, plain) in [
            ("", ""),
            ("</user>", "&lt;/user>"),
            ("a < / USER > b", "a &lt; / USER > b"),
            ("<\u{200b}assistant>", "&lt;\u{200b}assistant>"),
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
            assert!(!message(role, "x").has_role(), "{role}");
        }
        for role in ["user", "助手", "tool_result", &long[..64]] {
            assert!(message(role, "x").has_role(), "{role}");
        }
    }
}
