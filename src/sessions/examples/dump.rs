//! Prints the records of files, a line each, to compare two readings.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};

use serde::Serialize;
use turnkeeper_base::json::written;
use turnkeeper_messages::Event;
use turnkeeper_sessions::{Format, Piece, Said, SessionReader, Usage};

#[derive(Serialize)]
struct Header<'a> {
    file: &'a str,
    format: Option<&'a str>,
    unit: &'a str,
    bytes: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a, 'e> {
    place: u32,
    items: Vec<Item<'a, 'e>>,
    original: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a [&'static str]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    working_directory: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<&'a [Usage]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

#[derive(Serialize)]
struct Item<'a, 'e> {
    event: &'a Event<'e>,
    #[serde(skip_serializing_if = "Option::is_none")]
    said: Option<&'a Said<'e>>,
}

fn line(piece: &Piece) -> Option<String> {
    if let Some(problem) = &piece.problem {
        let reason = serde_json::json!({ "problem": problem.reason, "place": problem.place });
        return Some(reason.to_string());
    }
    let record = piece.record.as_ref()?;
    let items = record.items.iter().map(|item| Item {
        event: &item.event,
        said: item.said.as_ref(),
    });
    Some(written(&Line {
        place: record.place,
        items: items.collect(),
        original: record.original.is_some(),
        path: record.path,
        working_directory: record.facts.working_directory.as_deref(),
        title: record.facts.title.as_deref(),
        model: record.facts.model.as_deref(),
        left_out: record.left_out.then_some(true),
        usage: (!record.usage.is_empty()).then_some(&record.usage[..]),
        time: record.time,
        key: record
            .key
            .filter(|_| std::env::var_os("KEYS").is_some())
            .map(|key| format!("{key:x}")),
    }))
}

fn main() -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    let chunk = std::env::var("CHUNK").ok().and_then(|it| it.parse().ok());
    let mut buffer = vec![0; chunk.unwrap_or(131_072)];
    let is_silent = std::env::var_os("SILENT").is_some();
    for name in std::env::args().skip(1) {
        let mut file = File::open(&name)?;
        let mut reader = SessionReader::new(&name);
        let (mut lines, mut bytes) = (Vec::new(), 0);
        let mut take = |piece: &Piece| {
            bytes += piece.bytes.len();
            lines.extend(if is_silent { None } else { line(piece) });
        };
        let result = loop {
            let count = file.read(&mut buffer)?;
            if count == 0 {
                break reader.end(&mut take);
            }
            if let Err(error) = reader.push(&buffer[..count], &mut take) {
                break Err(error);
            }
        };
        if let Err(error) = result {
            let shown = serde_json::json!({ "error": error.reason, "line": error.line, "kind": error.kind });
            lines.push(shown.to_string());
        }
        let header = Header {
            file: &name,
            format: reader.format().map(Format::name),
            unit: reader.unit(),
            bytes,
        };
        writeln!(output, "{}", written(&header))?;
        for line in lines {
            writeln!(output, "{line}")?;
        }
    }
    output.flush()
}
