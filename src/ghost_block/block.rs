//! The `<content_reference>` block: written, found again, read again.

use super::json::{Json, line};
use super::text::{Builder, Text};
use turnkeeper_kernels::Size;

const OPEN: &str = "<content_reference>";
const CLOSE: &str = "</content_reference>";

/// What one entry of the block says of its item.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Said {
    Content(Text),
    Error(Text),
}

/// The block's content.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Block {
    pub(crate) rules: Vec<(Text, Text)>,
    pub(crate) files: Vec<(Text, Said)>,
    pub(crate) tools: Vec<(Text, Json, Said)>,
    pub(crate) unchanged: Vec<Text>,
    pub(crate) removed: Vec<Text>,
    pub(crate) omitted: Vec<Text>,
}

impl Block {
    /// The block's text, nothing if there is nothing to say.
    pub(crate) fn write(&self) -> Builder {
        let mut out = Builder::new();
        let mut section = 0;
        let mut begin = |out: &mut Builder, name: &str, bracket: &str| {
            out.ascii(if section == 0 {
                "<content_reference>\n{"
            } else {
                ","
            });
            section += 1;
            line(0, 1, out);
            out.ascii("\"");
            out.ascii(name);
            out.ascii("\": ");
            out.ascii(bracket);
        };
        if !self.rules.is_empty() {
            begin(&mut out, "rules", "[");
            for (place, (name, content)) in self.rules.iter().enumerate() {
                entry(place, "name", name, &mut out);
                field("content", &mut out);
                out.json_string(content);
                line(0, 2, &mut out);
                out.ascii("}");
            }
            end("]", &mut out);
        }
        if !self.files.is_empty() {
            begin(&mut out, "files", "{");
            for (place, (path, said)) in self.files.iter().enumerate() {
                line(place, 2, &mut out);
                out.json_string(path);
                out.ascii(": ");
                match said {
                    Said::Content(content) => out.json_string(content),
                    Said::Error(error) => {
                        out.ascii("{");
                        line(0, 3, &mut out);
                        out.ascii("\"error\": ");
                        out.json_string(error);
                        line(0, 2, &mut out);
                        out.ascii("}");
                    }
                }
            }
            end("}", &mut out);
        }
        if !self.tools.is_empty() {
            begin(&mut out, "tools", "[");
            for (place, (name, args, said)) in self.tools.iter().enumerate() {
                entry(place, "name", name, &mut out);
                field("args", &mut out);
                args.print(3, &mut out);
                let (what, text) = match said {
                    Said::Content(content) => ("result", content),
                    Said::Error(error) => ("error", error),
                };
                field(what, &mut out);
                out.json_string(text);
                line(0, 2, &mut out);
                out.ascii("}");
            }
            end("]", &mut out);
        }
        let lists = [
            ("unchanged", &self.unchanged),
            ("removed", &self.removed),
            ("omitted", &self.omitted),
        ];
        for (name, keys) in lists {
            if keys.is_empty() {
                continue;
            }
            begin(&mut out, name, "[");
            for (place, key) in keys.iter().enumerate() {
                line(place, 2, &mut out);
                out.json_string(key);
            }
            end("]", &mut out);
        }
        if section > 0 {
            out.ascii("\n}\n");
            out.ascii(CLOSE);
        }
        out
    }

    /// Reads what [`Block::write`] wrote. What has another form is left out.
    pub(crate) fn read(block: &[u16]) -> Option<Self> {
        let json = &block[OPEN.len()..block.len().checked_sub(CLOSE.len())?];
        let json = Json::parse(json).ok()?;
        let list = |name: &str| match json.get(name) {
            Some(Json::Array(items)) => items.clone(),
            _ => Vec::new(),
        };
        let text = |value: Option<&Json>| match value {
            Some(Json::String(text)) => Some(text.clone()),
            _ => None,
        };
        let texts = |name| {
            list(name)
                .iter()
                .filter_map(|item| text(Some(item)))
                .collect()
        };
        let rule = |item: &Json| Some((text(item.get("name"))?, text(item.get("content"))?));
        let tool = |item: &Json| {
            let said = match text(item.get("result")) {
                Some(result) => Said::Content(result),
                None => Said::Error(text(item.get("error"))?),
            };
            Some((text(item.get("name"))?, item.get("args")?.clone(), said))
        };
        let file = |(path, value): &(Text, Json)| {
            let said = match value {
                Json::String(content) => Said::Content(content.clone()),
                other => Said::Error(text(other.get("error"))?),
            };
            Some((path.clone(), said))
        };
        Some(Self {
            rules: list("rules").iter().filter_map(rule).collect(),
            files: match json.get("files") {
                Some(Json::Object(files)) => files.iter().filter_map(file).collect(),
                _ => Vec::new(),
            },
            tools: list("tools").iter().filter_map(tool).collect(),
            unchanged: texts("unchanged"),
            removed: texts("removed"),
            omitted: texts("omitted"),
        })
    }
}

fn entry(place: usize, name: &str, value: &Text, out: &mut Builder) {
    line(place, 2, out);
    out.ascii("{");
    line(0, 3, out);
    out.ascii("\"");
    out.ascii(name);
    out.ascii("\": ");
    out.json_string(value);
}

fn field(name: &str, out: &mut Builder) {
    line(1, 3, out);
    out.ascii("\"");
    out.ascii(name);
    out.ascii("\": ");
}

fn end(bracket: &str, out: &mut Builder) {
    line(0, 1, out);
    out.ascii(bracket);
}

/// Splits a text into the user's own and the block that ends it, if one does. White space behind
/// the block goes with it.
pub(crate) fn split(units: &[u16]) -> (&[u16], Option<&[u16]>) {
    let is_white = |unit: u16| matches!(unit, 0x20 | 0x09 | 0x0a | 0x0d);
    let trail = units
        .iter()
        .rev()
        .take_while(|&&unit| is_white(unit))
        .count();
    let text = &units[..units.len() - trail];
    let close: Vec<u16> = "\n}\n</content_reference>".encode_utf16().collect();
    let open: Vec<u16> = "<content_reference>\n{".encode_utf16().collect();
    if !text.ends_with(&close) {
        return (units, None);
    }
    // No content can hold the tag, so the last one is the block's.
    let found = text.windows(open.len()).rposition(|window| window == open);
    match found {
        Some(0) => (&[], Some(text)),
        Some(start) if text[..start].ends_with(&[0x0a, 0x0a]) => {
            (&text[..start - 2], Some(&text[start..]))
        }
        _ => (units, None),
    }
}

/// The user's text and the block behind it.
pub(crate) fn join(user: &Text, block: &Text) -> Text {
    if block.is_empty() {
        return user.clone();
    }
    let mut units = user.to_units();
    if !units.is_empty() {
        units.extend([0x0a, 0x0a]);
    }
    units.extend(block.to_units());
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

    fn content(text: &str) -> Said {
        Said::Content(Text::from(text))
    }

    fn sample() -> Block {
        let args: Vec<u16> = r#"{"uri": "."}"#.encode_utf16().collect();
        Block {
            rules: vec![(Text::from("default.md"), Text::from("..."))],
            files: vec![(Text::from("src/main.ts"), content("import..."))],
            tools: vec![(
                Text::from("ls"),
                Json::parse(&args).expect("JSON"),
                content("..."),
            )],
            ..Block::default()
        }
    }

    #[test]
    fn the_block_to_the_character() {
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
        assert_eq!(sample().write().into_text().to_string(), expected);
        assert_eq!(Block::default().write().into_text().len(), 0);
    }

    #[test]
    fn a_block_is_found_and_read_again() {
        let mut block = sample();
        block
            .files
            .push((Text::from("思.md"), Said::Error(Text::from("not found"))));
        block.unchanged = vec![Text::from("a.ts")];
        block.removed = vec![Text::from("b.ts")];
        block.omitted = vec![Text::from("c.ts"), Text::from("ls{}")];
        let text = block.write().into_text();
        for user in ["", "hello", "hello\n", "a <content_reference>\n{ b"] {
            let whole = join(&Text::from(user), &text).to_units();
            let (before, found) = split(&whole);
            assert_eq!(String::from_utf16_lossy(before), user);
            assert_eq!(Block::read(found.expect("a block")), Some(block.clone()));
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
