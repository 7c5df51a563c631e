//! The options, and what is made of them once.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::options::{AssemblerOptions, MACHINE, Placement, RememberTools};
use super::paths::Roots;
use super::syntax::macros::{Scope, is_macro_name};
use super::syntax::preprocess::MacroLimits;
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::options::{Count, saved};
use turnkeeper_base::path::PathPlatform;
use turnkeeper_base::text::Text;

/// Each document within another is a call within another, and the stack is finite.
const DEEPEST: usize = 100;

/// The options, and what is made of them once.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) options: AssemblerOptions,
    pub(crate) roots: Roots,
    pub(crate) max_tokens: Option<u64>,
    pub(crate) max_depth: usize,
    pub(crate) max_items: usize,
    pub(crate) max_item_bytes: u64,
    pub(crate) max_total_bytes: u64,
    pub(crate) macro_limits: MacroLimits,
    pub(crate) host_macros: Scope,
}

impl Settings {
    pub(crate) fn new(options: AssemblerOptions) -> Result<Self, Error> {
        let platform = match options.platform {
            Some(platform) => platform,
            None if options.root.starts_with('/') => PathPlatform::Posix,
            None => PathPlatform::Win32,
        };
        let others = options.allowed_roots.as_deref().unwrap_or_default();
        let folders = options.workspace_folders.iter().flatten();
        let roots = Roots::new(platform, &options.root, others)
            .and_then(|roots| roots.with_folders(folders))
            .map_err(|(field, why)| Error::new(ErrorCode::InvalidConfig, MACHINE, why).at(field))?;
        let count = |given: Option<Count>, default: usize| {
            given.map_or(default, |count| {
                usize::try_from(count.get()).unwrap_or(usize::MAX)
            })
        };
        let number = |given: Option<Count>, default| given.map_or(default, Count::get);
        let max_total_bytes = number(options.max_total_bytes, 16 << 20);
        Ok(Self {
            roots,
            max_tokens: options.max_tokens.map(Count::get),
            max_depth: count(options.max_depth, 20).min(DEEPEST),
            max_items: count(options.max_items, 1_000),
            max_item_bytes: number(options.max_item_bytes, 1 << 20),
            max_total_bytes,
            macro_limits: MacroLimits {
                expansions: number(options.max_macro_expansions, 1_000),
                units: max_total_bytes,
            },
            host_macros: host_macros(&options)?,
            options,
        })
    }

    /// Whether earlier blocks stay where they are, so that a new one carries only what is new.
    pub(crate) fn is_delta(&self) -> bool {
        self.options.placement == Some(Placement::Delta)
    }

    /// Whether files act as rules do.
    pub(crate) fn trusts_files(&self) -> bool {
        self.options.trust_files == Some(true)
    }

    /// The fate of a tool's result after the prompt that calls it.
    pub(crate) fn remember_tools(&self) -> RememberTools {
        self.options.remember_tools.unwrap_or_default()
    }
}

/// In a snapshot they are the options alone.
impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        saved::serialize(&self.options, serializer)
    }
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(saved::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// The host's macros, whose names must be such that a directive can name them.
fn host_macros(options: &AssemblerOptions) -> Result<Scope, Error> {
    let mut macros = Scope::new();
    for (name, value) in options.macros.iter().flatten() {
        if !is_macro_name(name) {
            let must =
                "must be a name: letters, digits, `_`, `-` and `.`, not beginning with a digit";
            let error = Error::new(ErrorCode::InvalidConfig, MACHINE, must);
            return Err(error.at(format!("macros.{name}")));
        }
        macros.insert(name.clone(), Text::from(value.as_str()));
    }
    Ok(macros)
}
