//! The ghost block: what a prompt and the rules refer to, behind the newest user message.

pub(crate) mod paths;
