//! The place where Rust and JavaScript meet: conversions, no decisions.
//!
//! Hot calls carry numbers and bytes that the shim wrote into Wasm memory (see [`scratch`]), and
//! answer with a number. Whatever is rich, such as a report, crosses as a plain object through serde
//! (see [`convert`]).

pub mod convert;
pub mod panic;
pub mod scratch;
pub mod texts;

use wasm_bindgen::JsValue;

use self::convert::to_js;
use crate::error::Error;

/// A JavaScript value that a call answers with, or what it throws.
///
/// An export never has an object for its only result, even if nothing can fail: V8 calls such a one
/// without detour from code that it has optimised, and where that code is thrown away during the call,
/// it ends the process (Node 20 and 22, and what is built on their V8). A `Result` has three results.
pub type Rich = Result<JsValue, JsValue>;

/// Declares an enum of a machine's for JavaScript, where its variants are numbers.
#[macro_export]
macro_rules! mirrored {
    ($(#[$about:meta])* $name:ident of $core:path { $($variant:ident),+ }) => {
        $(#[$about])*
        #[wasm_bindgen]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the machine says what each is")]
        pub enum $name {
            $($variant),+
        }

        // Each variant has the number that it has in the machine, and none is missing.
        const _: () = {
            use $core as Core;
            const fn number(of: Core) -> u32 {
                match of {
                    $(Core::$variant => $name::$variant as u32),+
                }
            }
            $(assert!(number(Core::$variant) == Core::$variant as u32);)+
        };

        impl From<$name> for $core {
            fn from(mirrored: $name) -> Self {
                use $core as Core;
                match mirrored {
                    $($name::$variant => Core::$variant),+
                }
            }
        }
    };
}
pub use mirrored;

/// An error as a plain object, from which the shim makes a `TurnkeeperError`.
pub fn thrown(error: Error) -> JsValue {
    to_js(&error)
}
