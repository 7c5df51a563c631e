//! The bytes with which the values of an encoded call or of a flat value begin, and the lists of a call end. `cargo xtask shapes`
//! writes them for JavaScript, too.

macro_rules! tags {
    ($($(#[$about:meta])* $name:ident = $byte:literal,)*) => {
        $($(#[$about])* pub const $name: u8 = $byte;)*

        /// Every tag with its name.
        #[cfg(feature = "typescript")]
        pub const ALL: &[(&str, u8)] = &[$((stringify!($name), $name),)*];
    };
}

tags! {
    /// No arguments.
    NONE = b'u',
    /// `null`.
    NULL = b'n',
    /// `true`.
    TRUE = b't',
    /// `false`.
    FALSE = b'f',
    /// A number, as JavaScript prints it.
    NUMBER = b'd',
    /// A string of ASCII characters alone.
    ASCII = b's',
    /// Any other string.
    WIDE = b'w',
    /// In a flat value a number, as eight bytes.
    DOUBLE = b'8',
    /// In a flat value a string, as UTF-8.
    TEXT = b'x',
    /// In a flat value a list, with the number of its items.
    LIST = b'l',
    /// In a flat value an object, with the number of its fields.
    FIELDS = b'o',
    /// An array begins.
    ARRAY = b'[',
    /// An array ends.
    ARRAY_END = b']',
    /// An object begins.
    OBJECT = b'{',
    /// An object ends.
    OBJECT_END = b'}',
    /// Before a value that is what could be read of another one.
    CUT = b'~',
    /// Between a call's name and its arguments, before the string by which its tool identifies it.
    KEY = b'k',
}

/// Values that are nested deeper are cut off, and a string that is such JSON stands for itself. `serde_json`
/// reads as deep.
pub const MAX_ARGUMENT_DEPTH: usize = 127;
