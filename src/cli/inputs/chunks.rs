//! The bytes of a session, piece by piece.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use ruzstd::decoding::StreamingDecoder;
use serde::de::IgnoredAny;

use super::input::{Input, Row};
use crate::files::{open_regular, read_regular};
use crate::problem::{InFile, LeftOut, Problem, Result};
use crate::progress::BytesRead;

/// Most sessions are read at once.
const AT_ONCE: usize = 128 << 10;

/// A part of a session that has to be held whole is not longer, in bytes.
const LONGEST: u64 = 128 << 20;

/// Reads sessions, one after another, into one buffer.
pub(crate) struct Chunks {
    buffer: Vec<u8>,
    read: BytesRead,
}

impl Chunks {
    /// `read` counts the bytes that have been read.
    pub(crate) fn new(read: &BytesRead) -> Self {
        Chunks {
            buffer: vec![0; AT_ONCE],
            read: read.clone(),
        }
    }

    /// Gives the bytes of a session, cut anywhere, until `take` has enough. A part that cannot be read is left out, in a
    /// session that has several.
    pub(crate) fn read(
        &mut self,
        input: &Input,
        take: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<LeftOut> {
        if let Some(parts) = &input.parts {
            return self.parts(parts, take);
        }
        if let Some(row) = &input.row {
            return self.row(row, take);
        }
        let file = &input.file;
        if input.is_standard_input() {
            self.all(file, &mut io::stdin().lock(), take)?;
            return Ok(LeftOut::default());
        }
        let opened = if input.is_found {
            open_regular(file)?
        } else {
            File::open(file).reading(file)?
        };
        if file.extension().is_some_and(|it| it == "zst") {
            self.unpacked(file, opened, take)?;
        } else {
            self.all(file, &mut { opened }, take)?;
        }
        Ok(LeftOut::default())
    }

    fn all(
        &mut self,
        file: &Path,
        from: &mut dyn Read,
        take: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        loop {
            let count = match from.read(&mut self.buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                count => count.reading(file)?,
            };
            if count == 0 {
                return Ok(());
            }
            self.read.add(count);
            take(&self.buffer[..count])?;
        }
    }

    /// The frames of a packed file, one after another.
    fn unpacked(
        &mut self,
        file: &Path,
        packed: File,
        take: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let broken =
            |why: &dyn std::fmt::Display| Problem::new(file, format!("cannot be unpacked ({why})"));
        let mut packed = BufReader::with_capacity(AT_ONCE, packed);
        while !packed.fill_buf().reading(file)?.is_empty() {
            let decoder = StreamingDecoder::new(&mut packed);
            let mut decoder = decoder.map_err(|why| broken(&why))?;
            loop {
                let count = decoder.read(&mut self.buffer).map_err(|why| broken(&why))?;
                if count == 0 {
                    break;
                }
                self.read.add(count);
                take(&self.buffer[..count])?;
            }
        }
        Ok(())
    }

    /// Files of one value each, as lines. The values stay as they are written, but for their line breaks.
    fn parts(
        &mut self,
        parts: &[PathBuf],
        take: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<LeftOut> {
        let mut left_out = LeftOut::default();
        for part in parts {
            let value = read_regular(part, LONGEST).and_then(|bytes| {
                self.read.add(bytes.len());
                let why = serde_json::from_slice::<IgnoredAny>(&bytes).err();
                why.map_or(Ok(bytes), |why| {
                    Err(Problem::new(part, format!("is not JSON ({why})")))
                })
            });
            match value {
                Ok(mut line) => {
                    // In JSON a line break stands between tokens alone.
                    for byte in &mut line {
                        if matches!(byte, b'\r' | b'\n') {
                            *byte = b' ';
                        }
                    }
                    line.push(b'\n');
                    take(&line)?;
                }
                Err(problem) => left_out.add(|| problem),
            }
        }
        Ok(left_out)
    }

    fn row(&mut self, row: &Row, take: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<LeftOut> {
        let mut read = 0;
        row.database.lines(&row.session, &mut |line| {
            read += line.len();
            take(line)
        })?;
        // Its share was a guess.
        self.read.add(usize::try_from(row.bytes).unwrap_or(read));
        Ok(LeftOut::default())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn bytes_of(input: &Input) -> Result<(String, LeftOut)> {
        let mut bytes = Vec::new();
        let left_out = Chunks::new(&BytesRead::default()).read(input, &mut |chunk| {
            bytes.extend_from_slice(chunk);
            Ok(())
        })?;
        Ok((String::from_utf8(bytes).expect("text"), left_out))
    }

    #[test]
    fn a_packed_file_may_have_several_frames() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("rollout-a.jsonl.zst");
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        let frames =
            ["one\n", "two\n"].map(|it| ruzstd::encoding::compress_to_vec(it.as_bytes(), level));
        fs::write(&file, frames.concat()).expect("written");
        assert_eq!(
            bytes_of(&Input::found(file.clone())).expect("read").0,
            "one\ntwo\n"
        );
        fs::write(&file, &frames.concat()[..frames[0].len() + 6]).expect("written");
        let problem = bytes_of(&Input::found(file)).expect_err("cut");
        assert!(problem.why.starts_with("cannot be unpacked ("), "{problem}");
    }

    #[test]
    fn parts_become_lines_and_a_broken_one_is_left_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let part = |name: &str, text: &str| {
            let file = folder.path().join(name);
            fs::write(&file, text).expect("written");
            file
        };
        let input = Input {
            parts: Some(vec![
                part("0.json", "{\n \"a\": \"b\\n\"\n}"),
                part("1.json", "{"),
                part("2.json", "[2]"),
                folder.path().join("3.json"),
            ]),
            ..Input::found(folder.path().to_owned())
        };
        let (text, left_out) = bytes_of(&input).expect("read");
        assert_eq!(text, "{  \"a\": \"b\\n\" }\n[2]\n");
        let first = left_out.first.expect("a problem");
        assert!(first.file.ends_with("1.json") && first.why.starts_with("is not JSON ("));
        assert_eq!(left_out.count, 2);
    }
}
