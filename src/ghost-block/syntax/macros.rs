//! The macros that a text may use: the host's, which nobody changes, and the conversation's own.

use super::{is_name, is_name_start};
use turnkeeper_base::sorted_map::SortedMap;
use turnkeeper_base::text::Text;

/// Macros: their values, by name. Names that differ only in unpaired surrogates are equal.
pub(crate) type Scope = SortedMap<String, Text>;

/// The macros that a text may use.
pub(crate) struct Macros<'a> {
    /// They are defined before all others.
    pub(crate) host: &'a Scope,
    /// Those that prompts and rules have defined.
    pub(crate) own: &'a mut Scope,
}

impl Macros<'_> {
    pub(crate) fn get(&self, name: &str) -> Option<&Text> {
        self.host.get(name).or_else(|| self.own.get(name))
    }

    pub(crate) fn is_of_host(&self, name: &str) -> bool {
        self.host.contains_key(name)
    }
}

/// Whether a directive can name a macro so.
pub(crate) fn is_macro_name(name: &str) -> bool {
    let mut units = name.encode_utf16();
    let is_later = |unit| is_name(unit) || matches!(unit, 0x2d | 0x2e);
    units.next().is_some_and(is_name_start) && units.all(is_later)
}
