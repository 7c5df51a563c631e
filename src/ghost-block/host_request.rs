//! Requests in the form in which JavaScript hands them to the host.

use serde::Serialize;

use super::request::Request;
use super::source::SourceKind;

/// A request, as the host's method of that name gets it.
#[allow(missing_docs, reason = "the fields are those of a request")]
#[derive(Debug, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields),
    ts(optional_fields)
)]
#[serde(
    tag = "method",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum HostRequest {
    /// A file, or lines of one.
    ReadFile {
        id: u32,
        path: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        start_line: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        end_line: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        known_version: Option<String>,
    },
    /// A listing of a folder.
    ListDirectory { id: u32, path: String },
    /// A tool's result. Its arguments are JSON, in which an unpaired surrogate is an escape.
    RunTool { id: u32, name: String, args: String },
    /// An image.
    ReadImage { id: u32, uri: String },
}

impl From<Request> for HostRequest {
    fn from(request: Request) -> Self {
        let (id, source) = (request.id, request.source);
        match source.kind {
            SourceKind::Directory => Self::ListDirectory {
                id,
                path: source.name,
            },
            SourceKind::Tool => Self::RunTool {
                id,
                name: source.name,
                args: source.args.to_lossy(),
            },
            SourceKind::Image => Self::ReadImage {
                id,
                uri: source.name,
            },
            _ => Self::ReadFile {
                id,
                path: source.name,
                start_line: source.start_line,
                end_line: source.end_line,
                known_version: request.known_version,
            },
        }
    }
}
