//! Bytes become the prompts of a conversation, and what its files say. Whatever they are, the
//! assembler ends, its block is one block and JSON, and what was assembled stays as it is.

use turnkeeper_core::Count;
use turnkeeper_core::ghost_block::{
    Answer, AssembledPrompt, AssemblerOptions, DiagnosticCode, GhostBlockAssembler, Placement,
    SourceKind, Work,
};

pub fn run(bytes: &[u8]) {
    let Some((&flags, text)) = bytes.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(text);
    let mut options = AssemblerOptions::new("/work");
    options.trust_files = Some(flags & 1 != 0);
    options.references_in_code = Some(flags & 2 != 0);
    options.placement = Some(if flags & 4 == 0 {
        Placement::Latest
    } else {
        Placement::Delta
    });
    let max_tokens = (flags & 8 != 0).then_some(60);
    options.max_tokens = max_tokens.and_then(Count::new);
    options.max_total_bytes = Count::new(20_000);
    options.max_macro_expansions = Count::new(50);
    options.max_items = Count::new(40);
    let mut assembler = GhostBlockAssembler::new(options).expect("good options");
    let parts: Vec<&str> = text.split('\0').collect();
    assembler.set_rules([("rule", parts[0])]);
    // Both take as long as the rest, so that each is done after one prompt, which the input chooses.
    let (assembled_twice, saved_after) = (usize::from(flags >> 4 & 3), usize::from(flags >> 6));
    for (at, prompt) in parts.iter().take(4).enumerate() {
        inspect(&assembler, prompt);
        let assembled = assemble(&mut assembler, prompt, &parts);
        check(&assembled, max_tokens);
        if at == assembled_twice {
            let whole = assembled.text().to_string();
            let again = assemble(&mut assembler, &whole, &parts);
            assert_eq!(again.text().to_string(), whole);
        }
        if at == saved_after {
            let saved = assembler.snapshot();
            assembler = GhostBlockAssembler::restore(&saved).expect("what was saved is read");
            assert_eq!(assembler.snapshot(), saved);
        }
    }
}

fn inspect(assembler: &GhostBlockAssembler, prompt: &str) {
    let length = prompt.encode_utf16().count();
    // A directive may stand within a reference, but two never begin at one place.
    let mut next = 0;
    for reference in assembler.inspect(prompt) {
        assert!(reference.start >= next && reference.end > reference.start);
        assert!(reference.end <= length);
        next = reference.start + 1;
    }
    let mut diagnostics = assembler.diagnose(prompt).into_iter();
    assert!(diagnostics.all(|it| it.line > 0 && it.column > 0));
}

fn assemble(assembler: &mut GhostBlockAssembler, prompt: &str, files: &[&str]) -> AssembledPrompt {
    assembler.begin(Work::Prompt, prompt);
    for _ in 0..500 {
        for request in assembler.take_requests() {
            let path = &request.source.name;
            let answer = match request.source.kind {
                SourceKind::File => {
                    assert!(!path.split('/').any(|name| name == ".."), "{path:?}");
                    match path.len() % (files.len() + 2) {
                        0 => Answer::Missing,
                        1 => Answer::Unchanged,
                        number => Answer::content(files[number - 2]),
                    }
                }
                SourceKind::Tool if path.len() % 2 == 0 => Answer::failed("it broke"),
                _ => Answer::content(files[files.len() - 1]),
            };
            assembler.answer(request.id, answer).expect("it waits");
        }
        if assembler.is_ready() {
            return assembler.finish_prompt(None).expect("ready");
        }
    }
    panic!("no end");
}

fn check(prompt: &AssembledPrompt, max_tokens: Option<u64>) {
    let block = prompt.block.to_string();
    if block.is_empty() {
        return;
    }
    let json = block
        .strip_prefix("<content_reference>\n")
        .and_then(|block| block.strip_suffix("\n</content_reference>"))
        .expect("a block");
    assert!(!json.to_lowercase().contains("<content_reference"));
    assert!(!json.to_lowercase().contains("</content_reference"));
    let _: serde_json::Value = serde_json::from_str(json).expect("JSON");
    if let Some(max_tokens) = max_tokens {
        let is_told = prompt
            .diagnostics
            .iter()
            .any(|it| it.code == DiagnosticCode::OverBudget);
        assert!(is_told || block.len() as u64 / 4 <= max_tokens * 4);
    }
}
