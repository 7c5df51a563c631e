//! Repeats that the user asked for: "run it ten times", "until it is green", "every page".
//!
//! Whatever was asked for is no loop, so a number in the words raises the counts of the rules. A word such as "until"
//! raises them to what waiting may take, and "all", which mostly asks for other things each time, by less. It switches no
//! rule off. Long prompts are read for "ten times" alone: most of what they hold is material, such as a log, in which
//! "all" and numbers ask for nothing.

use super::rules::MAX_COUNT;

/// Repeats that are asked for without a number, one less than the usual count of `repeatedWaits`.
const WITHOUT_NUMBER: u64 = 9;
/// Repeats of one call that may be meant where many things are asked for.
const OF_MANY_THINGS: u64 = 4;
/// A larger number is none of times, and a larger one none of things.
const MOST_TIMES: u64 = 1_000;
const MOST_THINGS: u64 = 100;
/// A prompt of more units is long.
const SHORT_PROMPT: usize = 1_000;
/// At most this many words may be between a number and `times`: "ten more times".
const WORDS_BEFORE_TIMES: usize = 2;

/// Numbers in words.
const NUMBERS: &[(u64, &str)] = &[
    (3, "three thrice drei trois tres três tre три"),
    (4, "four vier quatre cuatro quatro quattro четыре"),
    (5, "five fünf cinq cinco cinque пять"),
    (6, "six sechs seis sei шесть"),
    (7, "seven sieben sept siete sete sette семь"),
    (8, "eight acht huit ocho oito otto восемь"),
    (9, "nine neun neuf nueve nove девять"),
    (10, "ten zehn dix diez dez dieci десять"),
    (11, "eleven elf onze once undici"),
    (12, "twelve dozen zwölf dutzend douze doce doze dodici"),
    (15, "fifteen fünfzehn quinze quince quindici"),
    (20, "twenty zwanzig vingt veinte vinte venti двадцать"),
    (30, "thirty dreißig trente treinta trinta trenta тридцать"),
    (
        40,
        "forty vierzig quarante cuarenta quarenta quaranta сорок",
    ),
    (
        50,
        "fifty fünfzig cinquante cincuenta cinquenta cinquanta пятьдесят",
    ),
    (100, "hundred hundert cent cien cem cento сто"),
];
/// Words after a number of times.
const TIMES: &str =
    "times time x runs rounds iterations attempts tries repetitions repeats mal male durchläufe
     läufe versuche runden fois essais tours veces intentos vezes tentativas volte tentativi раз
     раза попыток попытки";
/// The end of a German word for a number of times: `zehnmal`.
const MAL: &str = "mal";
/// Words that ask for the same again without a number.
const AGAIN: &str =
    "until till repeatedly continuously forever bis immer wiederholt jusqu hasta até finché fino
     пока";
/// Words that ask for many things, or before a word of [`TIME`] for the same again: "every file", "every minute".
const MANY: &str =
    "every each all jede jeden jeder jedes jedem alle allen chaque tous toutes cada todos todas ogni
     tutti tutte каждый каждую каждое каждые все всех";
/// Units of time.
const TIME: &str =
    "second seconds minute minutes hour hours time day days sekunde sekunden minuten stunde stunden
     tag tage seconde secondes heure heures jour jours fois segundo segundos minuto minutos hora
     horas día días dia dias vez ora ore giorno volta секунду минуту час раз день";
/// The same in scripts without spaces.
const AGAIN_UNSPACED: &str =
    "直到 为止 為止 每 一直 不断 不斷 反复 反復 まで 毎 ずっと 繰り返 까지 마다 계속";
const MANY_UNSPACED: &str = "所有 全部 すべて 全て 모든";
/// Characters after a number of times, and after one of things.
const TIMES_UNSPACED: &str = "次遍回度轮輪번";
const THINGS_UNSPACED: &str = "个個张張份条件枚つ개";
/// Words before a number that is a name, or of what there is: "line 12", "issue 40", "we have 3 tests".
const NAMED: &str =
    "have has had got haben habe hat avons tenemos tengo temos line lines issue port version step
     page chapter error code status node python java zeile ligne línea строка";
/// Words before a verb that tells to do something: "then send 5 messages". A verb may also begin the sentence.
const BEFORE_VERB: &str =
    "please and then now to also you i we s bitte du ich wir und dann jetzt auch puis et maintenant
     por favor y luego ahora e depois agora poi и затем потом теперь пожалуйста";
/// Words after a number that count nothing.
const NO_THINGS: &str =
    "and or of in on at to the is if as by for with px ms kb mb gb am pm und oder et y e и";

/// The number of times that the words ask for the same again; 0 if they do not.
pub(crate) fn asked_repeats(words: &[u16]) -> u64 {
    let is_short = words.len() <= SHORT_PROMPT;
    let tokens = tokens(words);
    let mut most = 0;
    for (at, token) in tokens.iter().enumerate() {
        let after = &tokens[at + 1..];
        let asked = match token {
            Token::Word(word) => match number_of_times(word) {
                Some(times) => times,
                None => match number(word) {
                    Some(number) => asked_by_number(number, &tokens[..at], after, is_short),
                    None if is_short => asked_by_word(word, after),
                    None => 0,
                },
            },
            Token::Number(number) => asked_by_number(*number, &tokens[..at], after, is_short),
            Token::Character(_) | Token::Mark(_) => 0,
        };
        most = most.max(asked);
    }
    let unspaced = [
        (AGAIN_UNSPACED, WITHOUT_NUMBER),
        (MANY_UNSPACED, OF_MANY_THINGS),
    ];
    for (asking, repeats) in unspaced {
        let is_asked = || asking.split_whitespace().any(|word| holds(words, word));
        if most < repeats && is_short && is_asked() {
            most = repeats;
        }
    }
    most.min(MAX_COUNT)
}

/// The number of times that a word asks for the same again, by the one after it.
fn asked_by_word(word: &[u16], after: &[Token]) -> u64 {
    let is_of_time = || matches!(after.first(), Some(Token::Word(word)) if is_any(word, TIME));
    match is_any(word, MANY) {
        true if is_of_time() => WITHOUT_NUMBER,
        true => OF_MANY_THINGS,
        false if is_any(word, AGAIN) => WITHOUT_NUMBER,
        false => 0,
    }
}

/// The number of times that a number asks for the same again, by what is before it and after it.
fn asked_by_number(number: u64, before: &[Token], after: &[Token], is_short: bool) -> u64 {
    let is_one_of = |token: &Token, characters: &str| match token {
        Token::Character(character) => characters.encode_utf16().any(|other| other == *character),
        _ => false,
    };
    let is_times = |token: &Token| match token {
        Token::Word(word) => is_any(word, TIMES),
        Token::Mark(mark) => *mark == u16::from(b'*') || *mark == 0xd7,
        token => is_one_of(token, TIMES_UNSPACED),
    };
    let next = after.iter().take(WORDS_BEFORE_TIMES + 1);
    let asks_for_times = next
        .take_while(|token| !matches!(token, Token::Mark(mark) if *mark != u16::from(b'*') && *mark != 0xd7))
        .any(is_times);
    if asks_for_times {
        return if number <= MOST_TIMES { number } else { 0 };
    }
    let is_name = match before {
        // "Then take 12 screenshots", but not "an order for 40 boxes" nor "sprint 42 that".
        [.., Token::Word(before_verb), Token::Word(verb)] => {
            !is_any(before_verb, BEFORE_VERB) || is_any(verb, NAMED)
        }
        [.., Token::Word(verb)] => is_any(verb, NAMED),
        // A part of a name, a path, a version or a date.
        [.., Token::Mark(mark)] => !matches!(*mark, 0x28 | 0x22 | 0x27 | 0x2c | 0x3002 | 0xff0c),
        _ => false,
    };
    let counts_things = match after.first() {
        Some(Token::Word(word)) => !is_any(word, NO_THINGS),
        Some(token) => is_one_of(token, THINGS_UNSPACED),
        None => false,
    };
    match is_short && counts_things && !is_name && number <= MOST_THINGS {
        true => number,
        false => 0,
    }
}

/// A part of the words.
#[derive(Debug, PartialEq, Eq)]
enum Token {
    /// Letters, in lower case.
    Word(Vec<u16>),
    Number(u64),
    /// One of a script without spaces.
    Character(u16),
    /// Anything else but white space.
    Mark(u16),
}

fn tokens(words: &[u16]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = words;
    while let Some((&first, after)) = rest.split_first() {
        let length_of = |is: fn(u16) -> bool| rest.iter().take_while(|unit| is(**unit)).count();
        if is_digit(first) {
            let (digits, others) = rest.split_at(length_of(is_digit));
            tokens.push(Token::Number(value_of(digits)));
            rest = others;
        } else if is_letter(first) {
            let (word, others) = rest.split_at(length_of(is_letter));
            tokens.push(Token::Word(
                word.iter().map(|unit| lower_case(*unit)).collect(),
            ));
            rest = others;
        } else if let Some((number, others)) = chinese_number(rest) {
            tokens.push(Token::Number(number));
            rest = others;
        } else {
            rest = after;
            match first {
                0..=0x20 | 0xa0 | 0x3000 => {}
                0x2e80.. => tokens.push(Token::Character(first)),
                _ => tokens.push(Token::Mark(first)),
            }
        }
    }
    tokens
}

fn is_digit(unit: u16) -> bool {
    matches!(unit, 0x30..=0x39)
}

/// A letter of a script with spaces: Latin, Greek or Cyrillic.
fn is_letter(unit: u16) -> bool {
    matches!(unit, 0x41..=0x5a | 0x61..=0x7a | 0xc0..=0xd6 | 0xd8..=0xf6 | 0xf8..=0x24f | 0x370..=0x52f)
}

fn lower_case(unit: u16) -> u16 {
    match unit {
        0x41..=0x5a | 0xc0..=0xde | 0x410..=0x42f => unit + 0x20,
        _ => unit,
    }
}

fn value_of(digits: &[u16]) -> u64 {
    let add = |value: u64, digit: &u16| {
        let digit = u64::from(*digit) - u64::from(b'0');
        value.saturating_mul(10).saturating_add(digit)
    };
    digits.iter().fold(0, add)
}

/// A number such as 三, 十, 二十 or 一百, and what follows it.
fn chinese_number(words: &[u16]) -> Option<(u64, &[u16])> {
    let digit = |unit: u16| {
        "一二三四五六七八九"
            .encode_utf16()
            .position(|digit| digit == unit)
    };
    let (mut number, mut under_way, mut length) = (0_u64, None, 0);
    for &unit in words.iter().take(5) {
        match (digit(unit), unit) {
            (Some(place), _) => under_way = Some(place as u64 + 1),
            // 十, 百
            (None, 0x5341) => number += under_way.take().unwrap_or(1) * 10,
            (None, 0x767e) => number += under_way.take().unwrap_or(1) * 100,
            _ => break,
        }
        length += 1;
    }
    let number = number + under_way.unwrap_or(0);
    (length > 0).then(|| (number, &words[length..]))
}

fn number(word: &[u16]) -> Option<u64> {
    let named = NUMBERS.iter().find(|(_, names)| is_any(word, names));
    named.map(|(number, _)| *number)
}

/// The number of a word such as `zehnmal`.
fn number_of_times(word: &[u16]) -> Option<u64> {
    let front = word.len().checked_sub(MAL.len())?;
    let (front, mal) = word.split_at(front);
    mal.iter()
        .copied()
        .eq(MAL.encode_utf16())
        .then(|| number(front))?
}

fn is_any(word: &[u16], words: &str) -> bool {
    let is = |other: &str| other.encode_utf16().eq(word.iter().copied());
    words.split_whitespace().any(is)
}

fn holds(text: &[u16], word: &str) -> bool {
    let word: Vec<u16> = word.encode_utf16().collect();
    text.windows(word.len()).any(|part| part == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(words: &str) -> u64 {
        asked_repeats(&words.encode_utf16().collect::<Vec<_>>())
    }

    #[test]
    fn a_number_of_times_is_asked_for() {
        for (words, times) in [
            ("Run the benchmark ten times.", 10),
            ("Run it 8 times and tell me the mean", 8),
            ("do that 5 or 6 more times", 6),
            ("Ping it 20x", 20),
            ("Take 12 screenshots", 12),
            ("Open the page, then take 8 pictures of it", 8),
            ("Can you take 8 pictures of it?", 8),
            ("I need 6 samples", 6),
            ("Lass den Test zehnmal laufen", 10),
            ("Lass den Test 15 Mal laufen", 15),
            ("Lance le test dix fois", 10),
            ("Ejecuta la prueba 7 veces", 7),
            ("Запусти тест десять раз", 10),
            ("把测试运行十次", 10),
            ("运行测试 20 次", 20),
            ("二十遍", 20),
            ("テストを10回実行して", 10),
            ("테스트를 10번 실행해", 10),
        ] {
            assert_eq!(asked(words), times, "{words}");
        }
    }

    #[test]
    fn some_words_ask_for_more_without_a_number() {
        for words in [
            "Check every page",
            "Restart all services",
            "把所有文件读一遍",
        ] {
            assert_eq!(asked(words), OF_MANY_THINGS, "{words}");
        }
        for words in [
            "Ask until the build is green.",
            "Look every minute",
            "Look at all pages until you find it",
            "Warte, bis der Build fertig ist",
            "Jede Minute nachsehen",
            "attends jusqu'à la fin",
            "espera hasta que termine",
            "проверяй, пока не заработает",
            "直到构建完成",
            "每分钟检查一次",
            "終わるまで待って",
            "끝날 때까지",
        ] {
            assert_eq!(asked(words), WITHOUT_NUMBER, "{words}");
        }
    }

    #[test]
    fn other_numbers_and_words_ask_for_nothing() {
        for words in [
            "",
            "Fix issue 42",
            "Why does line 12 fail?",
            "Use port 8080 please",
            "Upgrade to version 3.11 now",
            "Look at src/page-20 first",
            "since 2026-01-02 it fails",
            "Node 20 is needed",
            "Rename a to b",
            "Order paper for 40 boxes",
            "画 1.5 个",
            "We have 40 boxes; which of them is open?",
            "Why do the last 5 commits fail",
            "Move the tickets of sprint 42 that wait for more than 5 days",
        ] {
            assert_eq!(asked(words), 0, "{words}");
        }
        let long = "This is a log. ".repeat(100);
        assert_eq!(asked(&format!("{long} all of it, 20 lines")), 0);
        assert_eq!(asked(&format!("{long} Run it ten times.")), 10);
    }
}
