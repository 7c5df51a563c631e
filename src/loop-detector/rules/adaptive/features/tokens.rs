//! The part of an argument or a result that is compared: all but what changes by itself, such as clocks,
//! durations, process numbers and ids.

use super::alike::Words;
use super::claims::Claims;
use super::token_reader::TokenReader;
use turnkeeper_base::text::hash::UnitHash;

const SPACE: u16 = b' ' as u16;

/// The origin of a text.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    /// An argument: only times are not compared. An id says which thing is meant.
    Argument,
    /// A result: no number that changes by itself is compared, nor white space.
    Result {
        /// Words say whether a result failed if it has at most this many units.
        short: usize,
    },
}

/// The compared part of a text, and the claims of its words if it is a result.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tokens {
    /// The text without what changes by itself.
    pub(super) stable: UnitHash,
    /// The text without any numbers.
    pub(super) without_numbers: UnitHash,
    /// The sum of its lines without what changes by itself.
    lines: u64,
    /// The line under way, of which `lines` has nothing yet.
    line: UnitHash,
    /// The number of numbers and ids that are not compared, but for times of day and those that a word announces, as
    /// `took` does.
    pub(super) changing_numbers: u32,
    /// The number of units that are compared, those of numbers left out.
    pub(super) length: usize,
    pub(super) claims: Claims,
    /// The words and numbers of a result, as far as words mean anything.
    pub(super) words: Words,
}

impl Tokens {
    /// Reads a text.
    pub(super) fn of(text: &[u16], source: Source) -> Self {
        TokenReader::new(text, source, None).read()
    }

    /// Reads a result whose words say up to `short` units whether it failed. What its lines are compared by
    /// is in `lines` then, but for short ones.
    pub(super) fn of_lines(text: &[u16], short: usize, lines: &mut Vec<u32>) -> Self {
        lines.clear();
        TokenReader::new(text, Source::Result { short }, Some(lines)).read()
    }

    /// A result without what changes by itself, whose lines may be in any order.
    pub(super) fn in_any_order(&self) -> u64 {
        match self.lines == spread(self.stable) {
            true => self.stable.0,
            false => self.lines,
        }
    }

    /// Ends a line, and answers with what it is compared by, 0 if nothing is on it.
    pub(super) fn end_line(&mut self) -> u64 {
        let line = std::mem::take(&mut self.line);
        let line = match line == UnitHash::EMPTY {
            true => 0,
            false => spread(line),
        };
        self.lines = self.lines.wrapping_add(line);
        line
    }
}

/// A line's hash as one that can be added to others.
fn spread(line: UnitHash) -> u64 {
    let mixed = (line.0 ^ line.0 >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

impl Tokens {
    pub(super) fn push(&mut self, unit: u16) {
        self.push_stable(unit);
        self.without_numbers.push(unit);
        self.length += 1;
    }

    /// Compares a word of letters by its hash.
    pub(super) fn push_word(&mut self, word: UnitHash, length: usize) {
        self.stable.push_hash(word);
        self.line.push_hash(word);
        self.without_numbers.push_hash(word);
        self.length += length;
    }

    /// Compares a unit where numbers count.
    #[inline(always)]
    pub(super) fn push_stable(&mut self, unit: u16) {
        self.stable.push(unit);
        self.line.push(unit);
    }

    /// Compares white space, which is nothing at the beginning of a line.
    pub(super) fn push_space(&mut self) {
        let line = self.line;
        self.push(SPACE);
        if line == UnitHash::EMPTY {
            self.line = line;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESULT: Source = Source::Result { short: 400 };

    fn read(text: &str, source: Source) -> Tokens {
        let units: Vec<u16> = text.encode_utf16().collect();
        Tokens::of(&units, source)
    }

    #[test]
    fn what_two_results_have_in_common() {
        // Pairs of texts: equal but for what changes by itself, and equal but for all numbers.
        let table = [
            (
                "at 2026-01-02T10:00:00.006Z",
                "at 2027-11-30T23:59:59.912Z",
                true,
                true,
            ),
            ("took 1m 5s", "took 2m 59s", true, true),
            ("\u{1b}[31mred\u{1b}[0m  x", "red x\n", true, true),
            (
                "id 550e8400-e29b-41d4-a716-446655440000!",
                "id 12345678-e29b-41d4-a716-000000000000!",
                true,
                true,
            ),
            ("commit 9f8c2d1a", "commit 1234abcd", true, true),
            ("PID 1234, port 3000", "PID 9, port 8080", true, true),
            ("(read 5 times)", "(read 6 times)", true, true),
            ("Cell In[5], line 1", "Cell In[6], line 1", true, true),
            ("Cell In[5], line 1", "Cell In[5], line 2", false, true),
            ("Plugin[5]", "Plugin[6]", false, true),
            ("Chunk ID: 3f9a11", "Chunk ID: 198381", true, true),
            ("Chunk ID: 12345d", "Chunk ID: c0ffee", true, true),
            ("button [ref=e12]", "button [ref=e130]", true, true),
            ("button [tab=e12]", "button [tab=e130]", false, true),
            (
                "session calm-reef, pid 7",
                "session low-tide, pid 9",
                true,
                true,
            ),
            ("a calm-reef", "a low-tide", false, false),
            ("request rate-limited", "request timed-out", false, false),
            ("Score: 5 Moves: 7", "Score: 5 Moves: 8", true, true),
            ("Score: 5 Moves: 7", "Score: 6 Moves: 7", false, true),
            (
                "next 1234567890123456789",
                "next 9876543210987654321",
                true,
                true,
            ),
            (
                "loss 0.1234567890123456789",
                "loss 0.2234567890123456789",
                false,
                true,
            ),
            ("1,234.5 ms", "7 ms", true, true),
            ("1700000000", "1800000001", true, true),
            ("5 of 9 done", "6 of 9 done", false, true),
            ("utf8 test12", "utf8 test13", false, true),
            ("45% of it", "46% of it", false, false),
            ("3/10 done", "4/10 done", false, false),
            ("45MB so far", "46MB so far", false, false),
            ("two", "Two", false, false),
            ("中文 12 个", "中文 13 个", false, true),
        ];
        for (one, other, stable, similar) in table {
            let (first, second) = (read(one, RESULT), read(other, RESULT));
            assert_eq!(first.stable == second.stable, stable, "{one:?} {other:?}");
            let without_numbers = first.without_numbers == second.without_numbers;
            assert_eq!(without_numbers, similar, "{one:?} {other:?}");
        }
    }

    #[test]
    fn what_two_arguments_have_in_common() {
        let table = [
            (
                "since 2026-01-02T10:00:00Z",
                "since 2026-01-03T11:00:00Z",
                true,
            ),
            ("since 2026-01-02", "since 2026-01-03", false),
            ("git show 9f8c2d1a", "git show 1234abcd", false),
            ("port 3000", "port 3001", false),
            ("a.ts:12:34", "a.ts:99:1", false),
            ("page 2", "page 3", false),
            ("a b 10:00", "a  b 10:00", false),
            ("10:00 a", "10:00  a", false),
            ("10:00:00", "10:00:00 ", false),
        ];
        for (one, other, same) in table {
            let stable = |text| read(text, Source::Argument).stable;
            assert_eq!(stable(one) == stable(other), same, "{one:?} {other:?}");
        }
    }

    #[test]
    fn what_a_result_says() {
        // Results: an error, nothing found, something done, anything said.
        let table = [
            ("Error: no such file", true, true, false, true),
            ("0 errors, 3 warnings", false, false, false, true),
            ("errors: none", false, false, false, true),
            ("TypeError: x is not a function", true, false, false, true),
            ("could not be found, not found", true, true, false, true),
            ("command doesn't exist", true, true, false, true),
            ("No matches", false, true, false, true),
            ("The file was saved.", false, false, true, true),
            ("文件已更新", false, false, true, true),
            ("错误", true, false, false, true),
            ("未找到匹配项", false, true, false, true),
            ("結果は見つかりません", false, true, false, true),
            ("검색 결과가 없습니다", false, true, false, true),
            ("저장 완료", false, false, true, true),
            ("Ошибка: файл не найден", true, true, false, true),
            ("Ничего не найдено", true, true, false, true),
            ("Успешно сохранено", false, false, true, true),
            ("Datei nicht gefunden", true, true, false, true),
            ("Keine Treffer", false, true, false, true),
            ("Keine Fehler", false, false, false, true),
            ("Aucun résultat", false, true, false, true),
            ("Échec : accès refusé", true, false, false, true),
            ("No se encontró el archivo", false, true, false, true),
            ("Arquivo não encontrado", true, true, false, true),
            ("Salvo com sucesso", false, false, true, true),
            ("ดี", false, false, false, true),
            ("(empty)", false, false, false, false),
            (
                "{\"output\":\"\",\"metadata\":{\"exit_code\":0}}",
                false,
                false,
                false,
                false,
            ),
            (
                "Exited with code 0\nOutput:\npart",
                false,
                false,
                false,
                true,
            ),
            ("Exit code: 0\nresults: 7", false, false, false, true),
            ("", false, false, false, false),
        ];
        for (text, error, dry, done, speaks) in table {
            let Claims {
                errors,
                is_fruitless,
                acknowledges,
                says_something,
                ..
            } = read(text, RESULT).claims;
            let got = (errors > 0, is_fruitless, acknowledges, says_something);
            assert_eq!(got, (error, dry, done, speaks), "{text:?}");
        }
        for (text, goes_on) in [
            ("Still running", true),
            ("Process running with session ID 7", true),
            ("The tests of running", false),
            ("Time running: 7", false),
            ("仍在运行", true),
            ("下载中", true),
            ("尚未完成", true),
            ("運行", false),
            ("処理中です", true),
            ("まだ実行されています", true),
            ("아직 실행 중입니다", true),
            ("Läuft noch", true),
            ("Der Bau wird noch ausgeführt", true),
            ("Compilation en cours", true),
            ("Todavía ejecutando", true),
            ("Em andamento", true),
            ("Сборка ещё выполняется", true),
            ("Der Server läuft", false),
        ] {
            let Claims {
                goes_on: on,
                is_yet_to_come: yet,
                ..
            } = read(text, RESULT).claims;
            assert_eq!(on || yet, goes_on, "{text}");
        }
        for (text, code) in [
            ("exit code: 1", Some(true)),
            ("<returncode>0</returncode>", Some(false)),
            ("{\"exit_code\":2}", Some(true)),
            ("Command exited with code 1", Some(true)),
            ("Process exited, as it should, at status 3", None),
            ("status 3", None),
        ] {
            assert_eq!(read(text, RESULT).claims.exit_code_fails, code, "{text}");
        }
    }

    #[test]
    fn a_field_that_holds_nothing_claims_no_error() {
        for (text, expected) in [
            (r#"{"done": ["lamp"], "failed": []}"#, false),
            (r#"{"failed":{},"done":1}"#, false),
            (r#"{"errorMessage" : "" , "ok": true}"#, false),
            (r#"{"build_errors": null}"#, false),
            (r#"{"error": false}"#, false),
            (r#"{"failed": 0, "done": 3}"#, false),
            (r#"{'failed': [], 'error': None}"#, false),
            (r#""{\"failed\":[]}""#, false),
            ("{\n  \"failed\": [\n  ]\n}", false),
            (r#"{"failed": ["lamp"]}"#, true),
            (r#"{"failed": [], "error": "no lamp"}"#, true),
            (r#"{"error": "no such lamp"}"#, true),
            (r#"{"failed": 3}"#, true),
            ("Assertion failed: []", true),
        ] {
            let claims = read(text, RESULT).claims;
            assert_eq!(claims.errors > 0, expected, "{text}");
        }
    }
}
