//! The messages of a history: the model's calls, and what tools and the user said.

use turnkeeper_base::json::Json;
use turnkeeper_base::text::Size;
use turnkeeper_messages::{is_blank, is_white, trimmed};

use super::calls::{FileCall, file_call};
use super::extents::extent_of_text;
use super::in_text::{ListedFile, ResultHeading, heading_of, mentioned_files};
use super::listed::files_mentioned;
use super::texts::{At, Said, TextPath, is_of_type, parts_of, result_text, text_of};
use super::workspace::workspace_of;
use super::{Call, CopySource, Extent, HistoryReader, id_of};

impl HistoryReader {
    /// A message of the model's.
    pub(super) fn read_models(&mut self, index: u32, content: &Json) {
        self.text_calls.clear();
        let parts = parts_of(content);
        let has_call = parts.iter().any(|part| is_of_type(part, "tool_use"));
        self.calls_in_text.start_message(has_call);
        for (at, part) in parts.iter().enumerate() {
            if is_of_type(part, "tool_use") {
                self.read_call(index, at, part);
            } else if let Some((text, path)) = text_of(content, part, at) {
                let at = At { index, path };
                self.read_calls_in(Said { text, at });
            }
        }
    }

    /// A call that is a part.
    fn read_call(&mut self, index: u32, at: usize, part: &Json) {
        let name = part.get("name").and_then(Json::as_text).unwrap_or_default();
        let args = part.get("input").unwrap_or(&Json::Null);
        let does = file_call(name, args, &self.read_tools);
        let written = match &does {
            // The arguments of some calls cannot be written back.
            FileCall::Write { field, content, .. } if part.get("isFixed").is_none() => {
                let path = TextPath::Argument(at, field);
                Some(At { index, path }.place(content, 0, Size::of_text(content)))
            }
            _ => None,
        };
        let name = name.to_owned();
        let call = Call {
            name,
            does,
            written,
        };
        self.calls.insert(id_of(part.get("id")).into_owned(), call);
    }

    /// The calls in a text of the model's.
    fn read_calls_in(&mut self, said: Said) {
        let Said { text, at } = said;
        if !text.contains('<') {
            return;
        }
        for call in self.calls_in_text.find(text) {
            let does = file_call(call.name, &arguments_of(&call.parameters), &self.read_tools);
            let written = match &does {
                FileCall::Write { field, content, .. } => {
                    let inner = &text[..call.range.end];
                    let opening = inner[call.range.start..].find(&format!("<{field}>"));
                    let from = call.range.start + opening.unwrap_or(0);
                    let found = inner[from..].find(&**content).map(|found| from + found);
                    found.map(|start| at.place(text, start, Size::of_text(content)))
                }
                _ => None,
            };
            self.text_calls.push(Call {
                name: call.name.to_owned(),
                does,
                written,
            });
        }
    }

    /// A message of the user's, with the results of tools.
    pub(super) fn read_users(&mut self, index: u32, content: &Json, again: &[usize]) {
        let parts = parts_of(content);
        if !self.has_read_user {
            self.has_read_user = true;
            self.find_roots(content);
        }
        let mut waiting: Option<ResultHeading> = None;
        for (at, part) in parts.iter().enumerate() {
            if again.contains(&at) {
                continue;
            }
            if is_of_type(part, "tool_result") {
                self.read_result(index, at, part);
            } else if let Some((text, path)) = text_of(content, part, at) {
                let at = At { index, path };
                let text = match path {
                    TextPath::Content => self.before_blocks(text),
                    _ if self.is_block(text) => continue,
                    _ => text,
                };
                waiting = self.read_said(Said { text, at }, waiting);
            }
        }
    }

    /// The folders that the first environment names.
    fn find_roots(&mut self, content: &Json) {
        let own = content.as_text().into_iter();
        let texts = content.items().iter();
        let texts = texts.filter_map(|part| part.get("text").and_then(Json::as_text));
        for text in own.chain(texts) {
            let workspace = workspace_of(text);
            if let Some(root) = workspace.root.filter(|_| !self.has_root) {
                self.files.set_root(root);
            }
            for (name, path) in workspace.folders {
                self.files.add_folder(name, path);
            }
        }
    }

    /// A tool's result, as a part of its own.
    fn read_result(&mut self, index: u32, at: usize, part: &Json) {
        let found = result_text(part, at);
        let made = self.calls.remove(&*id_of(part.get("tool_use_id")));
        let (text, path) = found.unwrap_or(("", TextPath::Result(at)));
        let at = At { index, path };
        let said = Said { text, at };
        let Some(made) = made else {
            if found.is_some() {
                self.add_result(said, 0);
            }
            return;
        };
        // Newer releases of Cline have the heading in the part, too.
        let heading = heading_of(text).filter(|heading| heading.tool == made.name);
        let start = heading.map_or(0, |heading| heading.end);
        let is_error = part.get("is_error") == Some(&Json::Bool(true));
        self.read_answer(made, said, start, is_error, true);
    }

    /// A text that may begin with the heading of a result, or be what the heading before announced. The
    /// heading, if what it announces is still to come.
    fn read_said<'a>(
        &mut self,
        said: Said<'a>,
        waiting: Option<ResultHeading<'a>>,
    ) -> Option<ResultHeading<'a>> {
        let own = heading_of(said.text);
        let has_own = own.is_some();
        let start = own.as_ref().map_or(0, |own| own.end);
        let Some(heading) = own.or(waiting) else {
            self.read_mentions(said);
            return None;
        };
        if is_blank(&said.text[start..]) {
            return Some(heading);
        }
        let waited = self.text_calls.len();
        let call = self.call_for(&heading);
        // A text that follows a heading in a part of its own is one result; so is one that answers the last call that
        // waited.
        let is_alone = !has_own || waited > 0 && self.text_calls.is_empty();
        self.read_answer(call, said, start, false, is_alone);
        None
    }

    /// The mentions of the user, which the host follows with the files.
    fn read_mentions(&mut self, said: Said) {
        for copy in mentioned_files(said.text) {
            self.add_framed(said, copy, Extent::Complete, CopySource::Mention);
        }
        if !said.text.starts_with("[read_file for ") {
            return;
        }
        for ListedFile { copy, notes, .. } in files_mentioned(said.text).unwrap_or_default() {
            let extent = extent_of_text(&notes, Extent::Complete);
            self.add_framed(said, copy, extent, CopySource::Mention);
        }
    }

    /// The call in the model's text that a heading is for, or what the heading says of it.
    fn call_for(&mut self, heading: &ResultHeading) -> Call {
        let ResultHeading { tool, subject, .. } = *heading;
        let at = self.text_calls.iter().position(|call| call.name == tool);
        let made = at.map(|at| self.text_calls.remove(at));
        let made = match made {
            Some(made) if made.does != FileCall::Other => return made,
            made => made,
        };
        let args = match subject {
            Some(subject) => Json::object([("path", subject.into()), ("command", subject.into())]),
            None => Json::object([]),
        };
        let does = file_call(tool, &args, &self.read_tools);
        // Of a call that was cut nobody knows whether it read a range; an edit's answer says what it shows.
        match made {
            Some(made) if !matches!(does, FileCall::Edit { .. }) => made,
            _ => Call {
                name: tool.to_owned(),
                does,
                written: None,
            },
        }
    }

    /// Whether a text begins and ends like a block, and so is no copy of a file.
    fn is_block(&self, text: &str) -> bool {
        let inner = text.trim_matches(is_white);
        self.tags.iter().any(|(_, close)| inner.ends_with(close))
            && self.tags.iter().any(|(open, _)| inner.starts_with(open))
    }

    /// A string without the blocks at its end, quoted or not.
    fn before_blocks<'a>(&self, text: &'a str) -> &'a str {
        let mut text = text;
        loop {
            let rest = text.trim_end_matches(is_white);
            let last = self.tags.iter().find(|(_, close)| rest.ends_with(close));
            match last.and_then(|(open, _)| rest.rfind(open)) {
                Some(at) => text = &text[..at],
                None => return text,
            }
        }
    }
}

/// The arguments of a call in a text. Roo Code has those of a read in `<args><file><path>…`.
fn arguments_of<'a>(parameters: &[(&'a str, &'a str)]) -> Json<'a> {
    let own = parameters.iter().filter(|(name, _)| *name != "args");
    let mut fields: Vec<_> = own
        .map(|(name, value)| ((*name).into(), Json::from(*value)))
        .collect();
    let args = parameters.iter().find(|(name, _)| *name == "args");
    if let Some((_, args)) = args {
        let has_ranges = args.contains("<line_range>");
        let paths = args.split("<path>").skip(1).filter_map(|rest| {
            let path = &rest[..rest.find('<')?];
            rest[path.len()..].starts_with("</path>").then_some(path)
        });
        let files = paths.map(|path| {
            let mut file = vec![("path".into(), trimmed(path).into())];
            if has_ranges {
                file.push(("line_ranges".into(), Json::List(vec!["?".into()])));
            }
            Json::Object(file)
        });
        fields.push(("files".into(), Json::List(files.collect())));
    }
    Json::Object(fields)
}
