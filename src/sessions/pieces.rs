//! The places of a file's values.

/// The place of a value in its file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At<'a> {
    /// The key of the object's property that the value is, or is an element of.
    pub(crate) key: Option<&'a str>,
    /// The line, or the element of the array, from 1.
    pub(crate) place: u32,
    /// Whether it is a line, or an element of an array, and no property beside it.
    pub(crate) is_element: bool,
}
