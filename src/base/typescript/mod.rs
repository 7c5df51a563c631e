//! The shapes that cross to JavaScript, as TypeScript: `js/src/boundary/generated/shapes.ts`.
//!
//! Rust is their only source. Each machine's crate declares its own (`typescript.rs`), `cargo xtask shapes`
//! writes the file, and a check compares it.

pub mod enums;
mod values;

pub use ts_rs::{Config, TS};

use crate::diagnostic::Severity;
use crate::error::ErrorCode;
use crate::path::PathPlatform;
use crate::text::Text;

/// The other names that [`PathPlatform`] is read from.
const POSIX_SYSTEMS: &str = r#"
/** What Node's `process.platform` says of a system whose paths are `"posix"`. */
export type PosixSystem =
  "aix" | "android" | "cygwin" | "darwin" | "freebsd" | "haiku" | "linux" | "netbsd" | "openbsd" | "sunos";
"#;

/// Declares a type that crosses as another one does.
macro_rules! crosses_as {
    ($own:ty, $other:ty) => {
        impl ts_rs::TS for $own {
            type WithoutGenerics = Self;
            type OptionInnerType = Self;

            fn name(config: &ts_rs::Config) -> String {
                <$other as ts_rs::TS>::name(config)
            }

            fn inline(config: &ts_rs::Config) -> String {
                <$other as ts_rs::TS>::inline(config)
            }
        }
    };
}
pub(crate) use crosses_as;

crosses_as!(Text, String);

/// The shapes that the machines share.
pub fn declarations(config: &Config) -> String {
    let mut file = String::new();
    file += &enums::strings::<PathPlatform>(config);
    file += POSIX_SYSTEMS;
    file += &enums::strings::<Severity>(config);
    file += &enums::strings::<ErrorCode>(config);
    file += &values::declarations();
    file
}

/// The declaration of a struct.
pub fn declare<T: TS>(config: &Config) -> String {
    declaration::<T>(config, T::docs().as_deref().unwrap_or_default())
}

/// A declaration under the comment `docs`.
pub fn declaration<T: TS>(config: &Config, docs: &str) -> String {
    format!("\n{}\nexport {}\n", docs.trim_end(), T::decl(config))
}

/// The same where a link to another item of this crate is its name alone: TypeScript has no such paths.
pub fn without_links(file: &str) -> String {
    let mut plain = String::with_capacity(file.len());
    let mut rest = file;
    while let Some(end_of_name) = rest.find("`](") {
        let (before, link) = rest.split_at(end_of_name + 1);
        let start = before.rfind("[`").expect("a link has a name");
        plain.push_str(&before[..start]);
        plain.push_str(&before[start + 1..]);
        rest = &link[link.find(')').expect("a link has an end") + 1..];
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_link_of_rust_is_left() {
        let before = "Of a [`Kettle`](super::Kettle), or [`boil`](Self::boil): `a[0]` (see there).";
        let after = "Of a `Kettle`, or `boil`: `a[0]` (see there).";
        assert_eq!(without_links(before), after);
    }
}
