//! The number of times that the user asks for the same: "run it ten times", "8x", 十次, "zehnmal".
//!
//! A number counts only where a word for times follows it, both as tokens of their own, in a clause that asks. Such a
//! clause begins with what is to be done; one that begins with its subject, or subordinates what comes before the number,
//! tells what is ("the test fails 9 times"). A bound ("up to 3 times"), a comparison ("3 times as large"), a rate ("5
//! times a day"), what is quoted, and code ask for nothing. What is not understood raises no count: that costs a loop
//! that is told late, and a miss a hint.

use crate::counts::MAX_COUNT;

/// The characters that are read of the user's words.
const MOST_READ: usize = 8_192;
/// Words of more characters ask for no look every five minutes; they describe something that does.
const MOST_OF_INTERVAL: usize = 200;
/// What an interval asks for: as many calls as waiting may take, one less than the usual count of `repeatedWaits`.
const AT_INTERVALS: u64 = 9;
/// A larger number is none of times.
const MOST_TIMES: u64 = 1_000;

/// Numbers that are named, and their names in each language.
const NAMED_NUMBERS: [u64; 14] = [3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 50, 100];
const NUMBERS: [&str; 9] = [
    "three four five six seven eight nine ten twelve fifteen twenty thirty fifty hundred",
    "drei vier fünf sechs sieben acht neun zehn zwölf fünfzehn zwanzig dreißig fünfzig hundert",
    "trois quatre cinq six sept huit neuf dix douze quinze vingt trente cinquante cent",
    "tres cuatro cinco seis siete ocho nueve diez doce quince veinte treinta cincuenta cien",
    "três quatro cinco seis sete oito nove dez doze quinze vinte trinta cinquenta cem",
    "tre quattro cinque sei sette otto nove dieci dodici quindici venti trenta cinquanta cento",
    "три четыре пять шесть семь восемь девять десять двенадцать пятнадцать двадцать тридцать пятьдесят сто",
    "三 四 五 六 七 八 九 十 十二 十五 二十 三十 五十 一百",
    "세 네 다섯 여섯 일곱 여덟 아홉 열 열두 열다섯 스무 서른 쉰 백",
];
const OTHER_NUMBERS: &[(&str, u64)] = &[("dozen", 12), ("dutzend", 12), ("百", 100)];
/// Words for a number of times, their ends where they are one word with it, and the characters without spaces.
const TIMES: &str =
    "times mal fois veces vezes volte раз раза keer gånger razy kez kere kali lần مرات बार 번 회";
const ENDS_OF_TIMES: &[&str] = &["mal", "번", "회", "x", "×"];
const TIMES_UNSPACED: &str = "次遍趟回";
/// Subjects with which a clause begins that asks for nothing.
const SUBJECTS: &str =
    "the a an this these those it he she they i we my our his her their its there der die das ein
     eine dieser diese dieses es er sie ich wir mein meine unser le la les l un une ce c cet cette
     il elle ils elles on je j nous el los las este esta ese esa yo o os as um uma ele ela eu lo gli
     uno questo questa io это этот эта он она они я мы";
/// Words that subordinate what follows them.
const SUBORDINATE: &str =
    "that which who when if why how what where because since after while whether dass daß wenn
     warum weil nachdem seit ob bis qui que qu quand si pourquoi jusqu cuando porque quando se perché
     che finché что который которая которое если когда почему пока until till";
/// The one who is asked: the clause begins anew.
const YOU: &str = "you du ihr tu vous tú usted você ты вы";
/// Words before a number that bounds something, or counts it by another: "up to 3 times", "9 of 10 times".
const BOUNDS: &str =
    "to most than of by in max maximal maximum höchstens zu als de à que hasta até di в до чем из";
/// Words after a number of times that compares, or is a rate; comparatives end in `er` as well.
const COMPARED: &str =
    "as a an per out more less fewer the than so mehr weniger pro am plus moins par más menos al por
     mais ao più meno больше меньше в";
/// Before an interval, and its units.
const EVERY: &str = "every elke alle toutes cada ogni каждые";
const UNITS_OF_TIME: &str =
    "second seconds minute minutes hour hours sekunden minuten stunden secondes heures segundos
     minutos horas secondi minuti ore seconden uur секунд секунды минут минуты часа часов";
const KOREAN_INTERVALS: &[&str] = &["초마다", "분마다", "시간마다"];
const UNITS_UNSPACED: &str = "秒分小時";
/// Characters after an interval: 5分おき, 5分ごと.
const EVERY_UNSPACED: &[&str] = &["おき", "ごと", "毎"];

/// Characters before a number that is an ordinal, a rate or a bound, or tells what was: 第三次, 每天三次, 失败了三次.
const NO_REQUEST: &str = "每毎第最了過过超共达達";
/// The same right before it: 最近三次.
const NAMED: &str = "近前后後这這那上下";
/// Characters that go on after a Chinese number of times, Latin marks among them, and with which a Japanese request ends.
const GOES_ON: &str = "并並然再吧给給,;!";
const REQUEST_ENDS: &str = "てでいろれしよね";
/// Syllables of a Korean request, of what was, and of the object that makes a number before it an ordinal.
const KOREAN_REQUEST: &str = "해줘요라봐고오자";
const KOREAN_PAST: &str = "했됐었았";
const KOREAN_OBJECT: &str = "을를이가은는";

/// The number of times that the user asks for the same; 0 if for none.
pub(crate) fn asked_repeats(words: &str) -> u64 {
    let words: String = words.chars().take(MOST_READ).map(plain).collect();
    let is_short = words.chars().count() <= MOST_OF_INTERVAL;
    let mut is_code = false;
    let mut most = 0;
    for line in words.lines().map(str::trim_start) {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        if !is_code && !is_fence && !line.starts_with('>') {
            for part in without_quotes(line).split(ENDS_UNSPACED) {
                let asked = asked_unspaced(part, is_short).max(asked_by_words(part, is_short));
                most = most.max(asked);
            }
        }
    }
    match most {
        ..3 => 0,
        _ => most.min(MAX_COUNT),
    }
}

/// A character in lower case, a digit in the usual width.
fn plain(character: char) -> char {
    let moved = match character {
        'A'..='Z' | 'À'..='Þ' | 'А'..='Я' => character as u32 + 0x20,
        '０'..='９' => character as u32 - 0xfee0,
        _ => return character,
    };
    char::from_u32(moved).unwrap_or(character)
}

const QUOTES: &[(char, char)] = &[
    ('`', '`'),
    ('"', '"'),
    ('\'', '\''),
    ('“', '”'),
    ('„', '“'),
    ('‘', '’'),
    ('«', '»'),
    ('「', '」'),
];

/// A line with a mark for each of its quotes.
fn without_quotes(line: &str) -> String {
    let mut said = String::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        let opens = |quote: &&(char, char)| quote.0 == first && !said.ends_with(is_letter);
        let quote = QUOTES.iter().find(opens);
        let end = quote.and_then(|(_, close)| Some(rest.find(*close)? + close.len_utf8()));
        said.push(if end.is_some() { '#' } else { first });
        rest = &rest[end.unwrap_or(0)..];
    }
    said
}

fn is_letter(character: char) -> bool {
    character.is_ascii_alphanumeric() || ('À'..='ӿ').contains(&character)
}

const OPENS: [char; 6] = ['(', '[', '-', '–', '—', '•'];
const ENDS: [char; 9] = ['.', ',', ';', ':', '!', '?', ')', ']', '…'];
const ENDS_UNSPACED: [char; 7] = ['。', '，', '！', '？', '；', '：', '、'];
const EMPHASIS: [char; 2] = ['*', '_'];

/// The number of times that clauses of words ask for.
fn asked_by_words(line: &str, is_short: bool) -> u64 {
    let mut most = 0;
    let mut clause = Vec::new();
    for given in line.split_whitespace() {
        let word = given.trim_matches(EMPHASIS);
        let opened = word.trim_start_matches(OPENS);
        if opened.len() < word.len() {
            clause.clear();
        }
        let said = opened.trim_end_matches(ENDS);
        clause.push(said.trim_end_matches(EMPHASIS));
        if said.len() < opened.len() {
            most = most.max(asked_by_clause(&clause, opened.ends_with('?'), is_short));
            clause.clear();
        }
    }
    most.max(asked_by_clause(&clause, false, is_short))
}

fn asked_by_clause(clause: &[&str], is_question: bool, is_short: bool) -> u64 {
    let asked = (0..clause.len()).filter_map(|at| {
        let (before, rest) = clause.split_at(at);
        let (times, after) = times_at(rest, before, is_short)?;
        (is_request(before, is_question) && !is_told_otherwise(after)).then_some(times)
    });
    asked.max().unwrap_or(0)
}

/// The number of times with which words begin, and the words after it.
fn times_at<'a, 'b>(
    words: &'a [&'b str],
    before: &[&str],
    is_short: bool,
) -> Option<(u64, &'a [&'b str])> {
    let (&first, rest) = words.split_first()?;
    // French counts with an article: "toutes les 5 minutes".
    if let [count, unit, after @ ..] = rest.strip_prefix(&["les"]).unwrap_or(rest)
        && is_short
        && is_any(first, EVERY)
        && is_any(unit, UNITS_OF_TIME)
    {
        let is_whole = after
            .first()
            .is_none_or(|next| is_any(stem(next), SUBORDINATE));
        return number(count)
            .filter(|_| is_whole)
            .map(|_| (AT_INTERVALS, after));
    }
    // No word that is a number has the end of one that is a number of times.
    if let Some((unit, after)) = rest.strip_prefix(&["more"]).unwrap_or(rest).split_first()
        && is_any(unit, TIMES)
        && let Some(number) = number(first)
    {
        return Some((number, after));
    }
    if is_short
        && KOREAN_INTERVALS
            .iter()
            .any(|end| first.strip_suffix(end).and_then(number).is_some())
    {
        // What is done at each comes last, and before it what it is done to.
        return Some((AT_INTERVALS, &rest[rest.len().saturating_sub(1)..]));
    }
    let with_end = |end: &&'static str| {
        Some((
            number(first.strip_suffix(*end)?.trim_end_matches('-'))?,
            *end,
        ))
    };
    let (number, end) = ENDS_OF_TIMES.iter().find_map(with_end)?;
    // What is asked "8x" stands before it; with a thing after it, it is one of its kind.
    let is_whole = !matches!(end, "x" | "×") || rest.is_empty() && before.len() > 1;
    is_whole.then_some((number, rest))
}

/// Whether the words before a number tell somebody to do something.
fn is_request(before: &[&str], is_question: bool) -> bool {
    let you = before.iter().rposition(|word| is_any(word, YOU));
    let asked = &before[you.map_or(0, |at| at + 1)..];
    let last = before.last().copied().unwrap_or_default();
    let subordinates =
        |pair: &[&str]| is_any(stem(pair[0]), SUBORDINATE) && number(pair[1]).is_none();
    (you.is_some() || !is_question)
        && !asked
            .first()
            .is_some_and(|first| is_any(stem(first), SUBJECTS))
        && !before.windows(2).any(subordinates)
        && !is_any(stem(last), SUBORDINATE)
        && !is_any(last, BOUNDS)
        && !(last.ends_with("ed") && last.len() > 4)
}

/// A word without what an apostrophe joins to it: "it's", "qu'il".
fn stem(word: &str) -> &str {
    word.split(['\'', '’']).next().unwrap_or_default()
}

/// Whether the words after a number of times compare by it, make it a rate, or in Korean an ordinal or what was.
fn is_told_otherwise(after: &[&str]) -> bool {
    let (Some(next), Some(last)) = (after.first(), after.last()) else {
        return false;
    };
    let ends = |word: &str, syllables: &str| word.ends_with(|it| syllables.contains(it));
    if next.contains(|it| ('가'..='힣').contains(&it)) {
        let was = |word: &&str| word.contains(|it| KOREAN_PAST.contains(it));
        let is_object = |word: &&str| ends(word, KOREAN_OBJECT);
        return !ends(last, KOREAN_REQUEST) || after.iter().any(|it| was(it) || is_object(it));
    }
    let is_comparative = next.ends_with("er") || next.ends_with("ее");
    is_any(next, COMPARED) || is_comparative && !is_any(next, SUBORDINATE)
}

/// The number of times that a clause of Chinese or Japanese asks for.
fn asked_unspaced(clause: &str, is_short: bool) -> u64 {
    let is_unit = |it| TIMES_UNSPACED.contains(it) || UNITS_UNSPACED.contains(it);
    let asked = clause.match_indices(is_unit).filter_map(|(at, unit)| {
        let before = clause[..at].trim_end();
        let front = before.trim_end_matches(|it: char| {
            it.is_ascii_digit() || "一二三四五六七八九十百".contains(it)
        });
        let times = number(&before[front.len()..])
            .filter(|_| !front.ends_with(|it: char| it.is_ascii_graphic()))?;
        let front = front.trim_end();
        if UNITS_UNSPACED.contains(unit) {
            let is_before = front.trim_end_matches('隔').ends_with(['每', '毎']);
            let after = &clause[at + unit.len()..];
            let is_every = is_before || EVERY_UNSPACED.iter().any(|it| after.starts_with(it));
            return (is_short && is_every).then_some(AT_INTERVALS);
        }
        let after = clause[at + unit.len()..].trim();
        let is_asked = after.is_empty()
            || after.starts_with(|it| GOES_ON.contains(it))
            || after.ends_with(|it| REQUEST_ENDS.contains(it)) && !after.starts_with('目');
        let is_other = front.contains(|it| NO_REQUEST.contains(it))
            || front.ends_with(|it| NAMED.contains(it));
        (is_asked && !is_other).then_some(times)
    });
    asked.max().unwrap_or(0)
}

/// The number that a word is.
fn number(word: &str) -> Option<u64> {
    let place = |names: &&str| names.split(' ').position(|name| name == word);
    let of_language = || NUMBERS.iter().find_map(place).map(|at| NAMED_NUMBERS[at]);
    let other = || OTHER_NUMBERS.iter().find(|it| it.0 == word).map(|it| it.1);
    let value = word.parse().ok().or_else(of_language).or_else(other);
    value.filter(|value| *value <= MOST_TIMES)
}

fn is_any(word: &str, words: &str) -> bool {
    words.split_ascii_whitespace().any(|other| other == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prompts with the number of times that they ask for.
    const ASKING: &str = "
        10 Run the benchmark ten times and give me the mean.
        8 Run the check 8x.
        6 do that 5 or 6 more times
        12 Roll the dice a dozen times
        10 Run it **ten times**, please
        5 Click the button 5 times in a row.
        10 Can you run the test ten times?
        10 I want you to run this test ten times.
        10 If it is green, run it ten times.
        10 Lass den Test zehnmal laufen
        15 Bitte führe den Test 15-mal aus.
        5 Exécute le script cinq fois, puis donne la moyenne.
        7 Ejecuta la prueba 7 veces
        8 Execute o teste 8 vezes e mostre a média
        10 Esegui il test dieci volte
        5 Запусти тест 5 раз и скажи, сколько раз он упал.
        10 把它运行十次
        20 运行测试 20 次
        10 请把这个命令跑１０遍。
        30 把 bench 跑 30 遍,给出均值和标准差
        9 Kijk elke 10 minuten
        10 テストを10回実行して
        10 テストを十回繰り返してください。
        10 테스트를 열 번 돌려줘
        10 테스트를 10회 실행해 주세요.
        9 Check the build every 5 minutes until it is green.
        9 Prüfe den Build alle 5 Minuten.
        9 Vérifie toutes les 5 minutes si le build est terminé.
        25 Aynı testi 25 kez çalıştır
        12 Voer de test 12 keer uit
        9 每隔 5 分钟看一下
        9 5分おきにタイマーを鳴らして
        9 10分ごとに確認して
        9 5분마다 확인해
        9 5분마다 빌드가 끝났는지 확인해";

    /// Prompts that ask for nothing again.
    const OTHER: &str = "
        Fix what came with commit 3f2a9c1d.
        Why does request 550e8400-e29b-41d4-a716-446655440000 fail?
        Build for x86 and arm64, version 10.0.3.
        Decode dGVuIHRpbWVzIDEweCAxMCB0aW1lcw==
        Connect to 192.168.10.10, port 8080
        Since 2026-01-02 it answers HTTP 200, see § 4.
        Generate 100 rows and 12 screenshots.
        Read src/a.ts 100 lines at a time.
        Use a 3 x 4 grid at 1920x1080.
        (5d, 5x, 78b)
        It fails 9 times out of 10.
        The log says it was called 12 times.
        Tests failed 5 times today.
        Why does it fail 5 times?
        Fix the bug that appears when I click 10 times.
        Make it 10x faster, or 3 times as large.
        Hire a 10x engineer
        Retry up to 3 times, at most 5 times a day.
        Check all files every time until every test is green
        Write a cron job that runs every 5 minutes.
        Translate \"run it ten times\", or `run it 8x`.
        > run it ten times
        Der Test schlägt zehnmal fehl.
        Mach es zehnmal so groß.
        Le test échoue dix fois.
        La prueba falla 7 veces.
        Этот тест падает десять раз.
        увеличь размер в 3 раза
        失败了三次，帮我看看
        第三次运行时崩溃
        限制为每分钟60次
        看看最近5次提交
        每次启动都报错
        3回目の実行で失敗する
        残り5分です
        10回失敗した
        3번 문제를 풀어줘
        10번 실패했어요";

    fn lines(table: &str) -> impl Iterator<Item = &str> {
        table.lines().map(str::trim).filter(|line| !line.is_empty())
    }

    #[test]
    fn a_number_of_times_is_asked_for_and_an_interval_is_patience() {
        for line in lines(ASKING) {
            let (times, words) = line.split_once(' ').expect("a number and words");
            assert_eq!(asked_repeats(words).to_string(), times, "{words}");
        }
    }

    #[test]
    fn other_numbers_and_words_ask_for_nothing() {
        for words in lines(OTHER) {
            assert_eq!(asked_repeats(words), 0, "{words}");
        }
        assert_eq!(
            asked_repeats("```\nrun it ten times\n```\nWhat is this?"),
            0
        );
        let long = "Words of a log. ".repeat(100);
        assert_eq!(asked_repeats(&format!("{long} Look every 5 minutes.")), 0);
        assert_eq!(asked_repeats(&format!("{long} Run it ten times.")), 10);
    }
}
