//! The readers of the formats, a file each.
