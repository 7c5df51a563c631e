//! The contents of the block, and its place in a prompt.

use super::*;
use turnkeeper_base::options::Count;

#[test]
fn the_example_to_the_character() {
    let mut assembler = assembler();
    assembler.set_rules([("default.md", "...")]);
    let mut host = Host::new(&[("src/main.ts", "import...")]);
    let prompt = host.prompt(
        &mut assembler,
        "Look at @[src/main.ts] and @[ls{\"uri\": \".\"}]",
    );
    assert_eq!(
        prompt.text().to_string(),
        r#"Look at @[src/main.ts] and @[ls{"uri": "."}]

<content_reference>
{
  "rules": [
    {
      "name": "default.md",
      "content": "..."
    }
  ],
  "files": {
    "src/main.ts": "import..."
  },
  "tools": [
    {
      "name": "ls",
      "args": {
        "uri": "."
      },
      "result": "result"
    }
  ]
}
</content_reference>"#
    );
    assert_eq!(prompt.diagnostics, []);
}

#[test]
fn assembling_what_was_assembled_changes_nothing() {
    for placement in [Placement::Latest, Placement::Delta] {
        let mut assembler = with(|options| options.placement = Some(placement));
        let mut host = Host::new(&[("a.md", "A"), ("b.md", "B")]);
        host.prompt(&mut assembler, "first @[b.md]");
        let once = host.prompt(
            &mut assembler,
            "@{define F, \"a.md\"}\nsee @[@{F}] not \\@[b.md]",
        );
        assert_eq!(once.user.to_string(), "see @[a.md] not @[b.md]");
        let twice = host.prompt(&mut assembler, &once.text().to_string());
        assert_eq!(twice.text(), once.text(), "{placement:?}");
        let snapshot = assembler.snapshot();
        let mut restored = GhostBlockAssembler::restore(&snapshot).expect("a snapshot");
        let thrice = host.prompt(&mut restored, &once.text().to_string());
        assert_eq!(thrice.text(), once.text());
    }
}

#[test]
fn delta_carries_what_is_new_or_changed() {
    let mut assembler = with(|options| options.placement = Some(Placement::Delta));
    assembler.set_rules([("r", "R")]);
    let mut host = Host::new(&[("a.md", "A"), ("b.md", "B")]);
    let first = host
        .prompt(&mut assembler, "@[a.md] @[b.md] @[ls{}]")
        .block
        .to_string();
    assert!(first.contains("\"rules\"") && first.contains("\"tools\""));
    host.files.insert("a.md".into(), "A2".into());
    host.files.remove("b.md");
    let second = host.prompt(&mut assembler, "go on").block.to_string();
    assert_eq!(
        second,
        "<content_reference>\n{\n  \"files\": {\n    \"a.md\": \"A2\"\n  },\n  \"removed\": [\n    \"b.md\"\n  ]\n}\n</content_reference>"
    );
    let third = host.prompt(&mut assembler, "go on").block.to_string();
    assert_eq!(
        third,
        "<content_reference>\n{\n  \"unchanged\": [\n    \"a.md\"\n  ]\n}\n</content_reference>"
    );
}

#[test]
fn the_budget_leaves_out_what_was_mentioned_longest_ago() {
    let mut assembler = with(|options| options.max_tokens = Count::new(120));
    let rule = "rule ".repeat(20);
    assembler.set_rules([("r", &rule[..])]);
    let text = "word ".repeat(20);
    let mut host = Host::new(&[("a.md", &text), ("b.md", &text), ("c.md", &text)]);
    host.prompt(&mut assembler, "@[a.md]");
    host.prompt(&mut assembler, "@[b.md]");
    let prompt = host.prompt(&mut assembler, "@[c.md] @[a.md]");
    assert!(block::estimate_tokens(&prompt.block) <= 120);
    assert_eq!(prompt.omitted, ["a.md", "b.md"]);
    assert!(
        prompt
            .block
            .to_string()
            .ends_with("\"omitted\": [\n    \"a.md\",\n    \"b.md\"\n  ]\n}\n</content_reference>")
    );
    // A count that gives up leaves everything as it was.
    let items = assembler.items();
    assembler.begin(Work::Prompt, "@[d.md]");
    let id = assembler.take_requests();
    for request in id {
        let answer = host.answer(&request);
        assembler.answer(request.id, answer).expect("it waits");
    }
    let failed = assembler.finish_prompt(Some(&mut |_| None));
    assert_eq!(failed.unwrap_err().field(), Some("countTokens"));
    assert_eq!(assembler.items(), items);
    assert!(assembler.finish_prompt(None).is_ok());
    // Rules stay, even over the budget, and that is told.
    let mut assembler = with(|options| options.max_tokens = Count::new(10));
    assembler.set_rules([("r", &rule[..])]);
    let prompt = host.prompt(&mut assembler, "@[a.md]");
    assert_eq!(prompt.diagnostics[0].code, DiagnosticCode::OverBudget);
    assert_eq!(prompt.omitted, ["a.md"]);
}

#[test]
fn images_take_the_places_of_their_references() {
    let mut assembler = assembler();
    let mut host = Host::new(&[("a.md", "A")]);
    let prompt = host.prompt(
        &mut assembler,
        "see ![one](img/1.png) and ![](data:image/gif;base64,AAAA) ![x](../x.png) ![r](https://x.org/a.png)",
    );
    let parts: Vec<String> = prompt
        .parts()
        .into_iter()
        .map(|part| match part {
            Part::Text(text) => text.to_string(),
            Part::Image(image) => format!("[{} {} {}]", image.alt, image.media_type, image.data),
        })
        .collect();
    assert_eq!(
        parts,
        [
            "see ",
            "[one image/png img/1.png]",
            " and ",
            "[ image/gif AAAA]",
            " ![x](../x.png) ![r](https://x.org/a.png)"
        ]
    );
    let told: Vec<(u32, u32)> = prompt
        .diagnostics
        .iter()
        .map(|it| (it.line, it.column))
        .collect();
    assert_eq!(told, [(1, 59), (1, 74)]);
}

#[test]
fn a_text_that_ends_as_a_block_does_comes_back_whole() {
    let mut assembler = assembler();
    let mut host = Host::new(&[]);
    let fake = "a\n\n<content_reference>\n{`\n}\n</content_reference>";
    let prompt = format!("{fake}@{{define X, \"1\"}}");
    for given in [&prompt, fake, fake] {
        let assembled = host.prompt(&mut assembler, given);
        assert_eq!(assembled.text().to_string(), fake);
    }
}

#[test]
fn of_two_blocks_at_the_end_one_is_taken_off_and_it_stays_at_that() {
    let mut assembler = assembler();
    let mut host = Host::new(&[]);
    let one = "a\n\n<content_reference>\n{<]\n}\n</content_reference>\r\n";
    let prompt = format!("{one}\n\n<content_reference>\n{{\n}}\n</content_reference>");
    for given in [&prompt, one, one] {
        let assembled = host.prompt(&mut assembler, given);
        assert_eq!(assembled.text().to_string(), one);
    }
}

#[test]
fn what_comes_back_reads_its_files_under_the_macros_of_the_first_time() {
    let mut assembler = with(|options| options.trust_files = Some(true));
    let uses_then_defines = "@{A} @{B}!\n@{define B, \"late\"}\n@{define A, \"late\"}";
    let mut host = Host::new(&[("a", uses_then_defines)]);
    let first = host.prompt(&mut assembler, "@{define A, \"early\"}@[a]");
    assert!(first.block.to_string().contains("\"a\": \"early @{B}!"));
    let whole = first.text().to_string();
    for _ in 0..2 {
        let again = host.prompt(&mut assembler, &whole);
        assert_eq!(again.text().to_string(), whole);
        assembler = GhostBlockAssembler::restore(&assembler.snapshot()).expect("just saved");
    }
    let next = host.prompt(&mut assembler, "@{A} @{B}");
    assert!(next.text().to_string().starts_with("late late\n"));
}
