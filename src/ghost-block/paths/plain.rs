//! Paths as readers may take them who do not tell look-alikes from what they look like.
//!
//! To every file system a full-width `／` is a character as any other. But compatibility
//! normalisation (NFKC) turns `．．／` into `../`, and so does Windows where a program uses its 8-bit
//! calls ("best fit", which turns `¥` and `₩` into `\`, too), and some systems leave out what is
//! invisible.

use turnkeeper_base::text::white_space::is_invisible;

/// A path as such a reader has it; nothing if it is the same to every reader.
pub(super) fn plain(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() {
            plain.push(character);
        } else if character.is_whitespace() {
            plain.push(' ');
        } else if let Some(ascii) = styled(character).or_else(|| look_alike(character)) {
            plain.push(ascii);
        } else if let Some(several) = SEVERAL.split(' ').find_map(|it| it.strip_prefix(character)) {
            plain.push_str(several);
        // HFS+ leaves the others out when it compares names, and so does the case folding of NFKC.
        } else if !is_invisible(character) {
            plain.push(character);
        }
    }
    (plain != text).then_some(plain)
}

/// Whether a character is in a block of which normalisation (NFKC) may make several letters, such as `™`
/// and `㍲`: digraphs, symbols, enclosed and squared ones, ligatures, and forms for vertical text.
pub(super) fn is_compatible(character: char) -> bool {
    matches!(character,
        '\u{132}' | '\u{133}' | '\u{1c4}'..='\u{1cc}' | '\u{1f1}'..='\u{1f3}' | '\u{2000}'..='\u{2bff}'
        | '\u{3200}'..='\u{33ff}' | '\u{fb00}'..='\u{fb06}' | '\u{fe10}'..='\u{fe6f}'
        | '\u{1f100}'..='\u{1f2ff}')
}

/// Characters that look like one of ASCII, each list of them after that one: signs with a meaning in paths, of which
/// the last are those that WSL and Cygwin put for what Windows forbids, and letters outside the rows of an alphabet.
const LOOK_ALIKES: &str = "\
    .\u{2024}\u{fe52}\u{f02e} /\u{2044}\u{2215}\u{29f8}\u{f02f} \
    \\\u{2216}\u{29f5}\u{29f9}\u{fe68}\u{f05c}¥₩\u{ffe5}\u{ffe6} \
    :\u{2236}\u{a789}\u{fe13}\u{fe55}\u{f03a} ~\u{2dc}\u{223c}\u{ff5e} $\u{fe69} %\u{fe6a} \
    (\u{fe59}\u{207d}\u{208d}\u{fe35} )\u{fe5a}\u{207e}\u{208e}\u{fe36} {\u{fe5b}\u{fe37} \
    }\u{fe5c}\u{fe38} -\u{fe63} +\u{207a}\u{208a}\u{fb29}\u{fe62} \
    _\u{fe33}\u{fe34}\u{fe4d}\u{fe4e}\u{fe4f} ?\u{fe16}\u{fe56} Aᴬ Bᴮℬ CℂℭⅭ\u{a7f2}\u{1f12b} \
    DᴰⅅⅮ Eᴱℰ Fℱ\u{a7f3} Gᴳ Hᴴℋℌℍ IᴵℐℑⅠ Jᴶ Kᴷ\u{212a} LᴸℒⅬ MᴹℳⅯ Nᴺℕ Oᴼ Pᴾℙ Qℚ\u{a7f4} \
    Rᴿℛℜℝ\u{1f12c} S\u{a7f1} Tᵀ Uᵁ VⅤⱽ Wᵂ XⅩ Zℤℨ aªᵃₐ bᵇ cᶜⅽ dᵈⅆⅾ eᵉₑℯⅇ fᶠ gᵍℊ hʰₕℎ iᵢⁱℹⅈⅰ jʲⅉⱼ \
    kᵏₖ lˡₗℓⅼ mᵐₘⅿ nⁿₙ oºᵒₒℴ pᵖₚ q\u{107a5} rʳᵣ sſˢₛ tᵗₜ uᵘᵤ vᵛᵥⅴ wʷ xˣₓⅹ yʸ zᶻ";

/// Characters that turn into several, where they can be part of a name or a separator that means something, each
/// with those: of `..`, `COM1.txt`, `file:`, `AUX`, `CONOUT$`, `PRN` and `CONIN$`, for example.
const SEVERAL: &str = "\
    \u{2025}.. \u{fe30}.. …... \u{fe19}... \u{2a74}::= \u{2488}1. \u{2489}2. \u{248a}3. \
    \u{248b}4. \u{248c}5. \u{248d}6. \u{248e}7. \u{248f}8. \u{2490}9. \u{1f100}0. ⅟1/ ℀a/c ℁a/s \
    ℅c/o ℆c/u ﬁfi №No ㍳AU ㏚PR ㏌in";

fn look_alike(character: char) -> Option<char> {
    let mut lists = LOOK_ALIKES.split(' ');
    let list = lists.find(|list| list[1..].contains(character))?;
    list.chars().next()
}

/// Letters and digits in another style.
fn styled(character: char) -> Option<char> {
    let code = u32::from(character);
    Some(match character {
        // All of ASCII, full-width.
        '\u{ff01}'..='\u{ff5d}' => ascii(code - 0xff01 + 0x21),
        '²' | '³' => ascii(code - 0xb2 + 0x32),
        '¹' => '1',
        '\u{2070}' | '\u{2074}'..='\u{2079}' => ascii(code - 0x2070 + 0x30),
        '\u{2080}'..='\u{2089}' => ascii(code - 0x2080 + 0x30),
        '\u{2460}'..='\u{2468}' => ascii(code - 0x2460 + 0x31),
        '\u{24ea}' => '0',
        '\u{24b6}'..='\u{24cf}' => ascii(code - 0x24b6 + 0x41),
        '\u{24d0}'..='\u{24e9}' => ascii(code - 0x24d0 + 0x61),
        '\u{1ccd6}'..='\u{1ccef}' => ascii(code - 0x1ccd6 + 0x41),
        '\u{1ccf0}'..='\u{1ccf9}' => ascii(code - 0x1ccf0 + 0x30),
        // Thirteen mathematical alphabets, upper case before lower case.
        '\u{1d400}'..='\u{1d6a3}' => {
            let at = (code - 0x1d400) % 52;
            ascii(if at < 26 { 0x41 + at } else { 0x61 + at - 26 })
        }
        '\u{1d7ce}'..='\u{1d7ff}' => ascii((code - 0x1d7ce) % 10 + 0x30),
        '\u{1f130}'..='\u{1f149}' => ascii(code - 0x1f130 + 0x41),
        '\u{1fbf0}'..='\u{1fbf9}' => ascii(code - 0x1fbf0 + 0x30),
        _ => return None,
    })
}

fn ascii(code: u32) -> char {
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}
