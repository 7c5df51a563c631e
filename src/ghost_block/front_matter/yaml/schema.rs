//! What is a string in YAML's core schema.

/// `null`, the booleans and what is no number, as the schema writes them.
const WORDS: [&[u8]; 14] = [
    b"", b"~", b"null", b"Null", b"NULL", b"true", b"True", b"TRUE", b"false", b"False", b"FALSE",
    b".nan", b".NaN", b".NAN",
];

/// Whether a plain scalar is a string.
pub(super) fn is_string(text: &[u8]) -> bool {
    !WORDS.contains(&text) && !is_number(text)
}

/// Whether a plain scalar is a number.
fn is_number(text: &[u8]) -> bool {
    if let [b'0', base @ (b'x' | b'o'), digits @ ..] = text {
        let radix = if *base == b'x' { 16 } else { 8 };
        let fits = |&digit: &u8| char::from(digit).is_digit(radix);
        return !digits.is_empty() && digits.iter().all(fits);
    }
    let text = unsigned(text);
    if matches!(text, b".inf" | b".Inf" | b".INF") {
        return true;
    }
    let whole = digits(text);
    let (mut fraction, mut rest) = (0, &text[whole..]);
    if let [b'.', behind @ ..] = rest {
        fraction = digits(behind);
        rest = &behind[fraction..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = unsigned(exponent);
        rest = &exponent[digits(exponent)..];
        if exponent.is_empty() {
            return false;
        }
    }
    whole + fraction > 0 && rest.is_empty()
}

fn unsigned(text: &[u8]) -> &[u8] {
    match text {
        [b'+' | b'-', rest @ ..] => rest,
        _ => text,
    }
}

/// How many digits a text begins with.
fn digits(text: &[u8]) -> usize {
    let mut count = 0;
    while count < text.len() && text[count].is_ascii_digit() {
        count += 1;
    }
    count
}
