//! Requests to the host, and its answers.

use super::items::Outcome;
use super::source::{Source, SourceKind};
use turnkeeper_base::text::Text;

/// Something that the host is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Names the request in its answer.
    pub id: u32,
    /// The source that is wanted.
    pub source: Source,
    /// The version of a file that is held already, of which [`Answer::Unchanged`] may be said.
    pub known_version: Option<String>,
}

/// The host's answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The content of the source.
    Content {
        /// A file, a listing of a folder, or a tool's result.
        text: Text,
        /// Of a file: a token that changes when the file does.
        version: Option<String>,
    },
    /// An image.
    Image {
        /// Such as `image/png`.
        media_type: String,
        /// Its bytes in base64.
        data: Text,
    },
    /// The file is still of the known version.
    Unchanged,
    /// There is no such file.
    Missing,
    /// The host does not allow it.
    Denied {
        /// The reason.
        reason: String,
    },
    /// It failed.
    Failed {
        /// The error, in words.
        error: String,
    },
}

impl Answer {
    /// The content of the source.
    pub fn content(text: impl Into<Text>) -> Self {
        Self::Content {
            text: text.into(),
            version: None,
        }
    }

    /// A file, and a token that changes when it does.
    pub fn versioned(text: impl Into<Text>, version: impl Into<String>) -> Self {
        Self::Content {
            text: text.into(),
            version: Some(version.into()),
        }
    }

    /// An image: its type, such as `image/png`, and its bytes in base64.
    pub fn image(media_type: impl Into<String>, data: impl Into<Text>) -> Self {
        Self::Image {
            media_type: media_type.into(),
            data: data.into(),
        }
    }

    /// The host does not allow it, and why.
    pub fn denied(reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self::Denied { reason }
    }

    /// It failed, and how.
    pub fn failed(error: impl Into<String>) -> Self {
        let error = error.into();
        Self::Failed { error }
    }

    /// The outcome of the source that was asked for. `known` is what is held of it already, and
    /// content may have at most `max_bytes`. An answer that does not fit the request is a failure.
    pub(crate) fn outcome(
        self,
        source: &Source,
        known: Option<&Outcome>,
        max_bytes: u64,
    ) -> Outcome {
        let is_file = source.is_file_or_directory();
        let is_image = source.kind == SourceKind::Image;
        match self {
            Self::Content { text, version } if !is_image => {
                let bytes = text.utf8_len();
                if bytes > max_bytes {
                    let error = format!("{bytes} bytes exceed the limit of {max_bytes} bytes");
                    return Outcome::failed(error);
                }
                let version = version.filter(|_| is_file);
                Outcome::Content { text, version }
            }
            Self::Image { media_type, data } if is_image => {
                // Four digits of base64 are three bytes.
                if data.utf8_len() / 4 * 3 > max_bytes {
                    let error = format!("the image exceeds the limit of {max_bytes} bytes");
                    return Outcome::failed(error);
                }
                Outcome::Image { media_type, data }
            }
            Self::Unchanged if is_file => known.cloned().unwrap_or_else(|| {
                Outcome::failed("the host said `unchanged` of a version that is not known")
            }),
            Self::Missing => Outcome::Missing,
            Self::Denied { reason } => Outcome::denied(reason),
            Self::Failed { error } => Outcome::failed(error),
            _ => Outcome::failed("the host gave an answer of the wrong kind"),
        }
    }
}
