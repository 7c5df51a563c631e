//! Enums of names.

/// Declares an enum of names, and the list of them all.
#[macro_export]
macro_rules! names {
    ($(#[$about:meta])* $enum:ident { $($(#[$of_name:meta])* $name:ident,)* }) => {
        $(#[$about])*
        pub enum $enum {
            $($(#[$of_name])* $name,)*
        }

        impl $enum {
            /// Every name.
            pub const ALL: &[Self] = &[$(Self::$name,)*];
        }
    };
}
