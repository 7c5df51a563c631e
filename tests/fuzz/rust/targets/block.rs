//! Bytes become UTF-16 code units, surrogates that stand alone among them, and go through the
//! block: what is read out of it must be what went in, to this library and to another reader.

use turnkeeper_core::ghost_block::{Answer, AssemblerOptions, GhostBlockAssembler, Text, Work};

pub fn run(bytes: &[u8]) {
    let units: Vec<u16> = bytes
        .chunks(2)
        .map(|pair| match *pair {
            // Mostly ASCII, or else hardly anything would be.
            [low, high] if high < 0xd0 => u16::from(low & 0x7f),
            [low, high] => u16::from_le_bytes([low, high]),
            _ => u16::from(pair[0]),
        })
        .collect();
    let content = Text::from_units(&units);
    let mut assembler = assembler();
    assembler.begin(Work::Prompt, "@[file] @[tool{}]");
    for request in assembler.take_requests() {
        assembler
            .answer(request.id, Answer::content(content.clone()))
            .expect("it waits");
    }
    let prompt = assembler.finish_prompt(None).expect("ready");

    let mut reader = self::assembler();
    assert_eq!(reader.scan_history([prompt.text().to_units()]).items, 2);
    for item in reader.items() {
        assert_eq!(item.content.as_ref(), Some(&content), "{}", item.key);
    }

    let block = prompt.block.to_string();
    let json = &block["<content_reference>\n".len()..block.len() - "\n</content_reference>".len()];
    match String::from_utf16(&units) {
        Ok(text) => {
            let value: serde_json::Value = serde_json::from_str(json).expect("JSON");
            assert_eq!(value["files"]["file"], text.as_str());
            assert_eq!(value["tools"][0]["result"], text.as_str());
        }
        // No other reader of Rust takes surrogates that stand alone.
        Err(_) => assert!(json.contains("\\ud")),
    }
}

fn assembler() -> GhostBlockAssembler {
    GhostBlockAssembler::new(AssemblerOptions::new("/work")).expect("a root")
}
