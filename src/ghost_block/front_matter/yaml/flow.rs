//! Flow lists and mappings: those in brackets and braces.

use super::{Reader, Refusal};

/// What may come next, beside the closing bracket.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    Item,
    Value,
    Comma,
}

impl Reader {
    /// A flow list or mapping, within a block at column `base`.
    pub(super) fn flow(&mut self, base: usize) -> Result<(), Refusal> {
        let around = self.open.len();
        let first = self.line;
        let mut next = Next::Value;
        // YAML wants all of it indented, but behind a plain scalar readers let a bracket close it
        // at the column of the key.
        let mut outdent = 0;
        loop {
            let end = self.at;
            self.skip()?;
            self.began = self.at;
            let byte = self.peek(0);
            let is_end = matches!(byte, b']' | b'}');
            if self.line != first && self.column() + usize::from(is_end) * outdent <= base {
                self.at = end;
                return Err(Refusal::FlowEnd);
            }
            let in_list = self.open[self.open.len() - 1].is_list;
            let is_key = self.open.len() > around && !in_list && next == Next::Item;
            match byte {
                b'[' | b'{' => {
                    if is_key || next == Next::Comma {
                        return Err(Refusal::FlowOrder);
                    }
                    self.open(base, byte == b'[')?;
                    next = Next::Item;
                }
                b']' | b'}' => {
                    if in_list != (byte == b']') {
                        return Err(Refusal::FlowOrder);
                    }
                    self.open.pop();
                    next = Next::Comma;
                }
                b',' => {
                    if next == Next::Item {
                        return Err(Refusal::FlowOrder);
                    }
                    next = Next::Item;
                }
                _ => {
                    if next == Next::Comma {
                        return Err(Refusal::FlowOrder);
                    }
                    let line = self.line;
                    let is_quoted = matches!(byte, b'"' | b'\'');
                    if is_quoted {
                        self.quoted(base)?;
                    } else {
                        self.plain_words(true)?;
                        self.plain_lines(base, true)?;
                        outdent = 1;
                    }
                    next = Next::Comma;
                    if is_key {
                        self.skip_blanks();
                        if self.peek(0) == b':' {
                            let behind = self.peek(1);
                            let fits = is_quoted || !matches!(behind, b'[' | b'{');
                            if !fits || self.line != line {
                                return Err(Refusal::FlowOrder);
                            }
                            if behind == b'\t' {
                                return Err(Refusal::TabBehind);
                            }
                            self.at += 1;
                            next = Next::Value;
                        }
                    } else {
                        self.value(!is_quoted)?;
                    }
                    continue;
                }
            }
            self.at += 1;
            if self.open.len() == around {
                return Ok(());
            }
        }
    }
}
