//! The bytes with which the values of an encoding begin, and the lists in it end. `cargo xtask shapes`
//! writes them for JavaScript, too.

macro_rules! tags {
    ($($(#[$about:meta])* $name:ident = $byte:literal,)*) => {
        $($(#[$about])* pub(crate) const $name: u8 = $byte;)*

        /// Every tag with its name.
        #[cfg(feature = "typescript")]
        pub(crate) const ALL: &[(&str, u8)] = &[$((stringify!($name), $name),)*];
    };
}

tags! {
    /// No arguments.
    NONE = b'u',
    NULL = b'n',
    TRUE = b't',
    FALSE = b'f',
    NUMBER = b'd',
    /// A string of ASCII characters alone.
    ASCII = b's',
    /// Any other string.
    WIDE = b'w',
    ARRAY = b'[',
    ARRAY_END = b']',
    OBJECT = b'{',
    OBJECT_END = b'}',
    /// Before a value that is what could be read of another one.
    CUT = b'~',
}
