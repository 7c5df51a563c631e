//! Wholes that are the sums of parts, field by field.

use super::prices::in_millionths;
use super::report::{
    Counts, LoopCost, Outdated, OutdatedItems, OutdatedKinds, Pauses, Rereads, Saveable,
    TokenKinds, Unpriced, Usage,
};
use super::usage::note_model;

/// A whole, to which parts are added.
pub(crate) trait AddPart {
    /// Adds a part.
    fn add(&mut self, part: &Self);
}

impl AddPart for u64 {
    fn add(&mut self, part: &Self) {
        *self = self.saturating_add(*part);
    }
}

impl AddPart for bool {
    fn add(&mut self, part: &Self) {
        *self |= part;
    }
}

/// Dollars, of which there may be none.
impl AddPart for Option<f64> {
    fn add(&mut self, part: &Self) {
        if let Some(part) = part {
            *self = Some(in_millionths(self.unwrap_or(0.0) + part));
        }
    }
}

/// Millionths of dollars, of which there may be none.
impl AddPart for Option<i64> {
    fn add(&mut self, part: &Self) {
        if let Some(part) = part {
            *self = Some(self.unwrap_or(0).saturating_add(*part));
        }
    }
}

impl AddPart for Option<Unpriced> {
    fn add(&mut self, part: &Self) {
        let Some(part) = part else { return };
        let whole = self.get_or_insert_default();
        whole.requests.add(&part.requests);
        whole.tokens.add(&part.tokens);
        for model in &part.models {
            note_model(&mut whole.models, Some(model));
        }
    }
}

/// Wholes with the fields that add up.
macro_rules! wholes {
    ($($whole:ty { $($field:ident)* })*) => {$(
        impl $crate::parts::AddPart for $whole {
            fn add(&mut self, part: &Self) {
                $(self.$field.add(&part.$field);)*
            }
        }
    )*};
}

pub(crate) use wholes;

wholes! {
    Counts { events calls turns commands terminals_needed terminals_reusable left_out unread copied }
    Usage { requests input cache_read cache_write output tokens dollars is_estimated is_cost_estimated unpriced }
    Saveable { tokens dollars loops outdated rereads pauses }
    LoopCost { calls requests tokens dollars }
    Outdated { tokens tokens_sent dollars kinds }
    OutdatedKinds { duplicate environment file }
    OutdatedItems { items tokens }
    Rereads { compactions calls tokens tokens_sent dollars }
    Pauses { requests tokens dollars }
    TokenKinds { system environment user text reasoning calls results total }
}
