//! The user's messages: short ones are kept in the user's words, because each may hold a condition that still
//! counts.

use serde::{Deserialize, Serialize};

use super::kept::{KeptText, Newest};

/// Characters of the first and of the newest message that are kept; how many are shown depends on the room.
const LONGEST_PROMPT: usize = 6_000;
/// Characters of the messages between them.
const LONGEST_BETWEEN: usize = 500;
/// Messages between them; the oldest give way.
const MOST_BETWEEN: usize = 100;

/// Messages that only let the model go on, in lower case, words parted by one space. Several of them in
/// one message say no more.
const GOES_ON: [&str; 12] = [
    // English
    "continue, please, go on, go ahead, go, keep going, carry on, proceed, resume",
    "next, ok, okay, k, yes, y, yep, yeah, yup, sure, thanks, thank you, do it, good",
    "great, lgtm, sounds good, perfect",
    // Chinese
    "继续, 繼續, 接着, 下一步, 好的, 好, 行, 可以, 是的, 是, 对, 嗯, 请, 請, 谢谢, 吧",
    // Japanese and Korean
    "続けてください, 続けて, 続き, 続行, 進めてください, 進めて, 次, はい, お願いします",
    "계속해주세요, 계속해줘, 계속해, 계속하세요, 계속, 진행해줘, 진행해, 네, 예, 응",
    // European languages
    "weiter, mach weiter, weitermachen, fortfahren, bitte, danke, ja, gut, continuez",
    "poursuis, poursuivez, vas y, allez, oui, d accord, merci, continúa, continua",
    "continuar, sigue, siga, sí, si, adelante, vale, gracias, prossiga, prossegue",
    "sim, obrigado, vai avanti, avanti, sì, va bene, grazie, ga door, doorgaan",
    "verder, dalej, kontynuuj, tak, продолжай, продолжайте, продолжи, дальше, да",
    "хорошо, ок, продовжуй, далі, devam et, devam, evet, tamam, tiếp tục",
];

/// The user's messages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Prompts {
    pub(super) first: Option<KeptText>,
    /// The messages after the first and before the newest, the oldest first.
    pub(super) between: Newest<KeptText>,
    pub(super) newest: Option<KeptText>,
}

impl Prompts {
    /// Takes the next message. One that says nothing but to go on is passed over.
    pub(super) fn push(&mut self, text: &str) {
        let text = text.trim();
        if only_goes_on(text) {
            return;
        }
        let prompt = KeptText::new(text, LONGEST_PROMPT);
        if self.first.is_none() {
            self.first = Some(prompt);
            return;
        }
        // A message that is sent again and again, by a timer perhaps, pushes no other out.
        let again = prompt.clone().shortened_to(LONGEST_BETWEEN);
        self.between.items.retain(|other| *other != again);
        let before = self.newest.replace(prompt);
        if let Some(before) = before.map(|it| it.shortened_to(LONGEST_BETWEEN))
            && before != again
        {
            self.between.push(before, MOST_BETWEEN);
        }
    }

    pub(super) fn is_within_limits(&self) -> bool {
        let ends = [&self.first, &self.newest].into_iter().flatten();
        let mut between = self.between.items.iter();
        ends.clone().all(|text| text.is_within(LONGEST_PROMPT))
            && between.len() <= MOST_BETWEEN
            && between.all(|text| text.is_within(LONGEST_BETWEEN))
    }
}

/// Whether a message has no words, or none but to go on.
fn only_goes_on(text: &str) -> bool {
    if text.len() > 100 {
        return false;
    }
    let lower: String = text.chars().flat_map(char::to_lowercase).collect();
    let words = lower.split(|character: char| !character.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let whole = words.join(" ");
    let mut rest = &*whole;
    while !rest.is_empty() {
        let phrases = GOES_ON.iter().flat_map(|line| line.split(", "));
        let after = phrases.filter_map(|phrase| {
            let after = rest.strip_prefix(phrase)?;
            // Han, Kana and Hangul need no space.
            let is_parted = phrase.chars().any(|character| character >= '\u{3040}');
            (is_parted || after.is_empty() || after.starts_with(' ')).then(|| after.trim_start())
        });
        let Some(after) = after.min_by_key(|after| after.len()) else {
            return false;
        };
        rest = after;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_only_goes_on_is_none() {
        for text in [
            "",
            "…",
            "👍",
            "continue",
            "Continue.",
            "ok, go on!",
            "Yes please",
            "OK",
            "继续",
            "好的，请继续",
            "続けてください。",
            "계속해줘",
            "mach weiter",
            "Vas-y, continue",
            "Sí, continúa",
            "продолжай",
            "yes, do it",
        ] {
            assert!(only_goes_on(text), "{text}");
        }
        for text in [
            "no",
            "stop",
            "continue with the tests",
            "ok, but leave main alone",
            "go to the next page",
            "2",
            "继续写测试",
            "不要继续",
            "Never touch /checkout.",
            "yes, delete them",
            "nicht weiter",
        ] {
            assert!(!only_goes_on(text), "{text}");
        }
    }

    #[test]
    fn what_is_sent_again_pushes_nothing_out() {
        let mut prompts = Prompts::default();
        for text in ["first", "never touch /checkout"] {
            prompts.push(text);
        }
        for at in 0..1_000 {
            prompts.push(["poll", "status of the queue"][at % 2]);
        }
        let between: Vec<&str> = prompts
            .between
            .items
            .iter()
            .map(|text| &*text.shown)
            .collect();
        assert_eq!(between, ["never touch /checkout", "poll"]);
    }
}
