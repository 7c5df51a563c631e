//! The order of the module's functions, in which it compresses best: functions with much in common
//! stand near to each other, for gzip finds again only what it has seen within 32 KB.
//!
//! One function follows the other: always the one of which the largest part is in what gzip sees at
//! that moment. The order is told to `wasm-opt` by names that sort like it.

use std::collections::{BTreeMap, HashMap, VecDeque};

use anyhow::{Context, Result, ensure};

/// What two functions have in common is counted in pieces of so many bytes. gzip's shortest is 3;
/// measured, 6 gives the smallest module.
const PIECE: usize = 6;
/// How far back gzip sees.
const WINDOW: usize = 32 << 10;

const CUSTOM: u8 = 0;
const IMPORT: u8 = 2;
const CODE: u8 = 10;
const NAME: &[u8] = b"name";

/// The module with new names for its functions, which sort as the functions are to stand.
pub fn named_in_order(module: &[u8]) -> Result<Vec<u8>> {
    let mut named = module.get(..8).context("no module")?.to_vec();
    let mut reader = Reader { rest: &module[8..] };
    let mut imported = 0;
    let mut order = Vec::new();
    while !reader.rest.is_empty() {
        let section = reader.rest;
        let id = reader.byte()?;
        let mut content = reader.sized()?;
        match id {
            IMPORT => imported = functions_of(&mut content)?,
            CODE => order = order_of(&bodies_of(&mut content)?),
            CUSTOM if content.sized()?.rest == NAME => continue,
            _ => {}
        }
        named.extend_from_slice(&section[..section.len() - reader.rest.len()]);
    }
    put_names(&mut named, imported, &order);
    Ok(named)
}

/// The indices of the functions in their order.
fn order_of(bodies: &[&[u8]]) -> Vec<usize> {
    let pieces = Pieces::of(bodies);
    let mut sight = Sight::new(&pieces, bodies.len());
    let mut waiting: Vec<usize> = (0..bodies.len()).collect();
    let mut order = Vec::with_capacity(bodies.len());
    let mut seen = VecDeque::new();
    let mut seen_bytes = 0;
    while !waiting.is_empty() {
        let mut best = 0;
        for at in 1..waiting.len() {
            if sight.share(waiting[at]) > sight.share(waiting[best]) {
                best = at;
            }
        }
        let next = waiting.remove(best);
        order.push(next);
        sight.enter(next);
        seen.push_back(next);
        seen_bytes += bodies[next].len();
        while seen_bytes > WINDOW && seen.len() > 1 {
            let gone = seen.pop_front().expect("more than one is seen");
            sight.leave(gone);
            seen_bytes -= bodies[gone].len();
        }
    }
    order
}

/// Which pieces each function has, and which functions have each piece.
struct Pieces {
    /// For each function the pieces that it has.
    of_function: Vec<Vec<usize>>,
    /// For each piece the functions that have it, and how often.
    functions: Vec<Vec<(usize, u32)>>,
    /// For each function how many pieces it has, with those that it has twice counted twice.
    totals: Vec<u32>,
}

impl Pieces {
    fn of(bodies: &[&[u8]]) -> Self {
        let mut numbers = HashMap::new();
        let mut pieces = Self {
            of_function: Vec::new(),
            functions: Vec::new(),
            totals: Vec::new(),
        };
        for (function, body) in bodies.iter().enumerate() {
            let mut counts = BTreeMap::new();
            for piece in body.windows(PIECE) {
                let next = numbers.len();
                let number = *numbers.entry(piece).or_insert(next);
                *counts.entry(number).or_insert(0) += 1;
            }
            pieces.functions.resize_with(numbers.len(), Vec::new);
            for (number, count) in &counts {
                pieces.functions[*number].push((function, *count));
            }
            pieces.totals.push(counts.values().sum());
            pieces.of_function.push(counts.into_keys().collect());
        }
        pieces
    }
}

/// What gzip sees.
struct Sight<'p> {
    pieces: &'p Pieces,
    /// For each piece how many of the functions in sight have it.
    times: Vec<u32>,
    /// For each function how many of its pieces are in sight.
    known: Vec<u32>,
}

impl<'p> Sight<'p> {
    fn new(pieces: &'p Pieces, functions: usize) -> Self {
        Self {
            pieces,
            times: vec![0; pieces.functions.len()],
            known: vec![0; functions],
        }
    }

    /// Which part of a function is in sight.
    fn share(&self, function: usize) -> f64 {
        f64::from(self.known[function]) / f64::from(self.pieces.totals[function].max(1))
    }

    fn enter(&mut self, function: usize) {
        for &piece in &self.pieces.of_function[function] {
            self.times[piece] += 1;
            if self.times[piece] == 1 {
                for &(other, count) in &self.pieces.functions[piece] {
                    self.known[other] += count;
                }
            }
        }
    }

    fn leave(&mut self, function: usize) {
        for &piece in &self.pieces.of_function[function] {
            self.times[piece] -= 1;
            if self.times[piece] == 0 {
                for &(other, count) in &self.pieces.functions[piece] {
                    self.known[other] -= count;
                }
            }
        }
    }
}

/// How many of the imports are functions.
fn functions_of(imports: &mut Reader) -> Result<usize> {
    let mut functions = 0;
    for _ in 0..imports.number()? {
        imports.sized()?;
        imports.sized()?;
        ensure!(
            imports.byte()? == 0,
            "the module imports what is no function"
        );
        imports.number()?;
        functions += 1;
    }
    Ok(functions)
}

fn bodies_of<'m>(code: &mut Reader<'m>) -> Result<Vec<&'m [u8]>> {
    (0..code.number()?)
        .map(|_| Ok(code.sized()?.rest))
        .collect()
}

fn put_names(module: &mut Vec<u8>, imported: usize, order: &[usize]) {
    let mut names = vec![String::new(); order.len()];
    for (place, function) in order.iter().enumerate() {
        names[*function] = format!("f{place:05}");
    }
    let mut list = Vec::new();
    put_number(&mut list, imported + names.len());
    for (index, name) in (0..imported)
        .map(|import| format!("i{import:05}"))
        .chain(names)
        .enumerate()
    {
        put_number(&mut list, index);
        put_sized(&mut list, name.as_bytes());
    }
    let mut content = Vec::new();
    put_sized(&mut content, NAME);
    // The names of functions.
    content.push(1);
    put_sized(&mut content, &list);
    module.push(CUSTOM);
    put_sized(module, &content);
}

fn put_sized(to: &mut Vec<u8>, bytes: &[u8]) {
    put_number(to, bytes.len());
    to.extend_from_slice(bytes);
}

fn put_number(to: &mut Vec<u8>, mut number: usize) {
    while number > 0x7f {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// Reads the parts of a module.
struct Reader<'m> {
    rest: &'m [u8],
}

impl<'m> Reader<'m> {
    fn byte(&mut self) -> Result<u8> {
        let (byte, rest) = self.rest.split_first().context("the module is cut")?;
        self.rest = rest;
        Ok(*byte)
    }

    fn number(&mut self) -> Result<usize> {
        let mut number = 0;
        for shift in (0..32).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        anyhow::bail!("a number of the module has no end")
    }

    fn sized(&mut self) -> Result<Reader<'m>> {
        let length = self.number()?;
        ensure!(length <= self.rest.len(), "the module is cut");
        let (content, rest) = self.rest.split_at(length);
        self.rest = rest;
        Ok(Reader { rest: content })
    }
}

#[cfg(test)]
mod tests {
    use super::order_of;

    #[test]
    fn like_functions_stand_side_by_side() {
        let bodies: [&[u8]; 5] = [
            b"reads a number of the first kind",
            b"0123456789012345678901234567890123",
            b"reads a number of the third kind",
            b"9876543210987654321098765432109876",
            b"reads a number of the other kind",
        ];
        let order = order_of(&bodies);
        assert_eq!(order[..3].iter().sum::<usize>(), 6, "{order:?}");
        assert_eq!(order.len(), 5);
    }
}
