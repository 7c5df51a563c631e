//! The `<content_reference>` block: written, found again, read again.

use super::items::Outcome;
use super::json::{Json, TAG, line};
use super::source::{Source, SourceKind};
use super::syntax::{NEWLINE, part, starts_with};
use turnkeeper_base::text::{Builder, Size, Text};

/// The beginning of a block, and its end.
const START: &str = "<content_reference>\n{";
const END: &str = "\n}\n</content_reference>";

/// A part of the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Rules,
    Files,
    Tools,
    Unchanged,
    Removed,
    Omitted,
}

/// The sections by their names, in the order in which the block has them.
pub(crate) const SECTIONS: [(Section, &str); 6] = [
    (Section::Rules, "rules"),
    (Section::Files, "files"),
    (Section::Tools, "tools"),
    (Section::Unchanged, "unchanged"),
    (Section::Removed, "removed"),
    (Section::Omitted, "omitted"),
];

impl Section {
    /// Files are an object from path to content, everything else is a list.
    fn brackets(self) -> (&'static str, &'static str) {
        match self {
            Self::Files => ("{", "}"),
            _ => ("[", "]"),
        }
    }
}

/// One thing that the block tells.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry<'a> {
    pub(crate) section: Section,
    /// A rule's name, a tool's, or a key.
    pub(crate) name: &'a str,
    /// A tool's arguments: JSON.
    args: Option<&'a Text>,
    /// The outcome of the item; nothing if only its key is told.
    pub(crate) outcome: Option<Outcome>,
}

impl<'a> Entry<'a> {
    /// An item with its content.
    pub(crate) fn of_item(source: &'a Source, outcome: Outcome) -> Self {
        let (section, name) = match source.kind {
            SourceKind::Rule => (Section::Rules, &source.key),
            SourceKind::Tool => (Section::Tools, &source.name),
            _ => (Section::Files, &source.key),
        };
        Self {
            args: Some(&source.args),
            outcome: Some(outcome),
            ..Self::of_key(section, name)
        }
    }

    /// A key alone.
    pub(crate) fn of_key(section: Section, name: &'a str) -> Self {
        Self {
            section,
            name,
            args: None,
            outcome: None,
        }
    }

    fn write(&self, out: &mut Builder) {
        let name = Text::from(self.name);
        let Some(outcome) = &self.outcome else {
            return out.json_string(&name, TAG);
        };
        let result = outcome.as_result();
        let (property, text) = match (&result, self.section) {
            (Ok(text), Section::Tools) => ("\"result\": ", *text),
            (Ok(text), _) => ("\"content\": ", *text),
            (Err(error), _) => ("\"error\": ", error),
        };
        if self.section == Section::Files {
            out.json_string(&name, TAG);
            out.ascii(": ");
            if result.is_ok() {
                return out.json_string(text, TAG);
            }
            out.ascii("{");
            line(true, 3, out);
        } else {
            out.ascii("{");
            line(true, 3, out);
            out.ascii("\"name\": ");
            out.json_string(&name, TAG);
            if self.section == Section::Tools
                && let Some(args) = self.args.and_then(|args| Json::parse(&args.to_units()))
            {
                line(false, 3, out);
                out.ascii("\"args\": ");
                args.print(Some(3), out);
            }
            line(false, 3, out);
        }
        out.ascii(property);
        out.json_string(text, TAG);
        line(true, 2, out);
        out.ascii("}");
    }
}

/// The block's text, nothing if there is nothing to say.
pub(crate) fn write(entries: &[&Entry]) -> Text {
    let mut out = Builder::default();
    if entries.is_empty() {
        return out.into_text();
    }
    out.ascii(START);
    let mut is_first_section = true;
    for (section, name) in SECTIONS {
        let entries = entries.iter().filter(|entry| entry.section == section);
        let mut entries = entries.peekable();
        if entries.peek().is_none() {
            continue;
        }
        let (open, close) = section.brackets();
        line(is_first_section, 1, &mut out);
        is_first_section = false;
        out.ascii("\"");
        out.ascii(name);
        out.ascii("\": ");
        out.ascii(open);
        for (place, entry) in entries.enumerate() {
            line(place == 0, 2, &mut out);
            entry.write(&mut out);
        }
        line(true, 1, &mut out);
        out.ascii(close);
    }
    out.ascii(END);
    out.into_text()
}

/// The JSON that [`write`] wrote.
pub(crate) fn read(block: &[u16]) -> Option<Json> {
    // The first brace is before what the start ends with, the last one in the end.
    let end = block.len().checked_sub(END.len())? + "\n}".len();
    Json::parse(part(block, START.len() - "{".len(), end))
}

/// Splits a text into the user's own and the block that ends it, if one does. White space after
/// the block goes with it.
pub(crate) fn split(units: &[u16]) -> (&[u16], Option<&[u16]>) {
    let text = without_blanks_at_end(units);
    let close = text.len().saturating_sub(END.len());
    if !starts_with(&text[close..], END) {
        return (units, None);
    }
    // No content can hold the tag, so the last one is the block's.
    let Some(start) = (0..close).rev().find(|at| starts_with(&text[*at..], START)) else {
        return (units, None);
    };
    let (before, block) = text.split_at(start);
    let user = match before {
        [] => Some(before),
        _ => before.strip_suffix(&[NEWLINE, NEWLINE]),
    };
    user.map_or((units, None), |user| (user, Some(block)))
}

/// A text without the white space at its end, as JSON knows it.
pub(crate) fn without_blanks_at_end(units: &[u16]) -> &[u16] {
    let is_blank = |unit: &&u16| matches!(unit, 0x20 | 0x09 | 0x0a | 0x0d);
    let blanks = units.iter().rev().take_while(is_blank).count();
    &units[..units.len() - blanks]
}

/// The user's text followed by the block.
pub(crate) fn join(user: &Text, block: &Text) -> Text {
    if block.is_empty() {
        return user.clone();
    }
    let mut units = user.to_units();
    if !units.is_empty() {
        units.extend_from_slice(&[0x0a, 0x0a]);
    }
    units.extend_from_slice(&block.to_units());
    Text::from_units(&units)
}

/// Tokens of a text: one for four UTF-16 code units, one for each Han, Kana or Hangul character.
pub(crate) fn estimate_tokens(text: &Text) -> u64 {
    match text {
        Text::Ascii(bytes) => (bytes.len() as u64).div_ceil(4),
        Text::Wide(units) => Size::of(units).tokens().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry<'a>(section: Section, name: &'a str, content: &str) -> Entry<'a> {
        Entry {
            outcome: Some(Outcome::content(Text::from(content))),
            ..Entry::of_key(section, name)
        }
    }

    fn args() -> Text {
        Text::from(r#"{"uri": "."}"#)
    }

    fn sample(args: &Text) -> Vec<Entry<'_>> {
        let mut tool = entry(Section::Tools, "ls", "...");
        tool.args = Some(args);
        vec![
            tool,
            entry(Section::Rules, "default.md", "..."),
            entry(Section::Files, "src/main.ts", "import..."),
        ]
    }

    fn written(entries: &[Entry]) -> Text {
        write(&entries.iter().collect::<Vec<_>>())
    }

    #[test]
    fn the_block_to_the_character() {
        let args = args();
        let expected = r#"<content_reference>
{
  "rules": [
    {
      "name": "default.md",
      "content": "..."
    }
  ],
  "files": {
    "src/main.ts": "import..."
  },
  "tools": [
    {
      "name": "ls",
      "args": {
        "uri": "."
      },
      "result": "..."
    }
  ]
}
</content_reference>"#;
        assert_eq!(written(&sample(&args)).to_string(), expected);
        assert_eq!(write(&[]).len(), 0);
    }

    #[test]
    fn a_block_is_found_and_read_again() {
        let args = args();
        let mut block = sample(&args);
        let mut failed = entry(Section::Files, "思.md", "not found");
        failed.outcome = Some(Outcome::Missing);
        block.push(failed);
        block.push(Entry::of_key(Section::Unchanged, "a.ts"));
        block.push(Entry::of_key(Section::Removed, "b.ts"));
        block.push(Entry::of_key(Section::Omitted, "c.ts"));
        block.push(Entry::of_key(Section::Omitted, "ls{}"));
        let text = written(&block);
        for user in ["", "hello", "hello\n", "a <content_reference>\n{ b"] {
            let whole = join(&Text::from(user), &text).to_units();
            let (before, found) = split(&whole);
            assert_eq!(String::from_utf16_lossy(before), user);
            let json = read(found.expect("a block")).expect("JSON");
            let sections: Vec<usize> = json
                .properties()
                .iter()
                .map(|it| it.value.items().len() + it.value.properties().len())
                .collect();
            assert_eq!(sections, [1, 2, 1, 1, 1, 2]);
            let file = &json.get("files").expect("files").properties()[1];
            assert_eq!(file.key.to_string(), "思.md");
            assert_eq!(file.value.text("error"), Some(&Text::from("not found")));
        }
    }

    #[test]
    fn what_is_no_block_at_the_end() {
        for text in [
            "",
            "</content_reference>",
            "x\n<content_reference>\n{\n}\n</content_reference>",
            "x\n\n<content_reference>\n{\n}\n</content_reference> y",
            "what is <content_reference>?",
        ] {
            let units: Vec<u16> = text.encode_utf16().collect();
            assert_eq!(split(&units), (&units[..], None), "{text}");
        }
    }

    #[test]
    fn tokens_are_estimated() {
        let table = [
            ("", 0),
            ("abc", 1),
            ("abcde", 2),
            ("思考", 2),
            ("思考abcde", 4),
            ("한글", 2),
        ];
        for (text, tokens) in table {
            assert_eq!(estimate_tokens(&Text::from(text)), tokens, "{text}");
        }
    }
}
