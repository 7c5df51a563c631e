//! Copies that take the room of those before them. Each turn begins with a copy of all that events change, and to free
//! dozens of blocks and to take as many again costs more than to copy what is in them.

use std::any::Any;

/// Becomes a copy of another of its type, in the room that it has.
pub trait CopyFrom: Any {
    /// The other is of the same type and has the same settings.
    fn copy_from(&mut self, other: &dyn Any);
}

impl<T: Clone + 'static> CopyFrom for T {
    fn copy_from(&mut self, other: &dyn Any) {
        if let Some(other) = other.downcast_ref() {
            self.clone_from(other);
        }
    }
}

/// Clones a type field by field, into the room that a copy has already.
macro_rules! clone_by_fields {
    ($type:ident$(<$generic:ident: $bound:ident>)?: $($field:tt),*) => {
        impl$(<$generic: $bound>)? Clone for $type$(<$generic>)? {
            fn clone(&self) -> Self {
                Self { $($field: Clone::clone(&self.$field)),* }
            }

            fn clone_from(&mut self, from: &Self) {
                $(Clone::clone_from(&mut self.$field, &from.$field);)*
            }
        }
    };
}
pub(crate) use clone_by_fields;
