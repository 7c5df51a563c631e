//! The items of a conversation: where they come from, how long they stay, and what fails.

use super::*;
use turnkeeper_base::options::Count;

#[test]
fn items_accumulate_and_files_show_today() {
    let mut assembler = assembler();
    let mut host = Host::new(&[("a.md", "A"), ("b.md", "B"), ("c.md", "C")]);
    host.versions = true;
    host.prompt(&mut assembler, "@[b.md] @[ls{}]");
    host.files.insert("b.md".into(), "B2".into());
    host.prompt(&mut assembler, "@[a.md] @[./b.md] @[ls{}]");
    let prompt = host.prompt(&mut assembler, "@[c.md]");
    let keys: Vec<String> = assembler.items().into_iter().map(|item| item.key).collect();
    assert_eq!(keys, ["b.md", "ls{}", "a.md", "c.md"]);
    assert_eq!(files(&prompt.block)["b.md"], "B2");
    assert_eq!(host.asked.iter().filter(|asked| *asked == "ls").count(), 2);
}

#[test]
fn a_tool_that_is_named_again_runs_again_and_one_that_is_remembered_does_not() {
    for (remember, calls, is_there_later) in [
        (None, 2, true),
        (Some(RememberTools::Last), 2, true),
        (Some(RememberTools::Always), 1, true),
        (Some(RememberTools::Never), 2, false),
    ] {
        let mut assembler = with(|options| options.remember_tools = remember);
        let mut host = Host::new(&[]);
        let first = host.prompt(&mut assembler, "see @[ls{}]");
        // A prompt that comes back calls no tool again.
        let again = host.prompt(&mut assembler, &first.text().to_lossy());
        assert_eq!(again.block, first.block);
        host.prompt(&mut assembler, "now @[ls{}]");
        let later = host.prompt(&mut assembler, "and then");
        assert_eq!(later.block.to_string().contains("\"ls\""), is_there_later);
        assert_eq!(host.asked.len(), calls, "{remember:?}");
    }
}

#[test]
fn what_a_prompt_refers_to_can_be_had_without_a_turn() {
    let mut assembler = assembler();
    let mut host = Host::new(&[("a.md", "A"), ("b.md", "B")]);
    host.prompt(&mut assembler, "@[a.md]");
    let before = assembler.snapshot();
    let prompt = "@[b.md] @[ls{}] @{nope}";
    assembler.begin(Work::LonePrompt, prompt);
    host.serve(&mut assembler);
    assert!(assembler.finish_prompt(None).is_err());
    let resolution = assembler.finish_resolving().expect("it is ready");
    let keys: Vec<&str> = resolution.items.iter().map(|it| it.key.as_str()).collect();
    assert_eq!(keys, ["b.md", "ls{}"]);
    assert_eq!(resolution.items[0].content, Some("B".into()));
    assert_eq!(resolution.diagnostics.len(), 1);
    assert_eq!(assembler.snapshot(), before);
}

#[test]
fn a_text_is_preprocessed_and_nothing_is_read() {
    let mut assembler = assembler();
    let mut host = Host::new(&[]);
    host.prompt(&mut assembler, "@{define WHO, you}");
    let before = assembler.snapshot();
    let text = "@{define A, b}@{WHO} @{A} @{GIVEN} @[a.md] @{nope}";
    let macros = [("GIVEN".to_owned(), "it".into())];
    let preprocessed = assembler.preprocess(text, macros);
    assert_eq!(preprocessed.text.to_lossy(), "you b it @[a.md] @{nope}");
    assert_eq!(preprocessed.diagnostics.len(), 1);
    assert_eq!(assembler.snapshot(), before);
}

#[test]
fn what_fails_is_said_and_a_failed_tool_runs_again() {
    let mut assembler = assembler();
    let mut host = Host::new(&[]);
    let prompt = host.prompt(&mut assembler, "@[no.md] @[../up] @[fails{}]");
    let block = prompt.block.to_string();
    assert!(
        block.contains("\"no.md\": {\n      \"error\": \"not found\"\n    }"),
        "{block}"
    );
    assert!(
        block.contains("\"../up\": {\n      \"error\": \"denied: "),
        "{block}"
    );
    assert!(block.contains("\"error\": \"it broke\""), "{block}");
    host.prompt(&mut assembler, "again @[fails{}]");
    host.prompt(&mut assembler, "not mentioned");
    assert_eq!(host.asked, ["no.md", "fails", "no.md", "fails", "no.md"]);
}

#[test]
fn a_prompt_that_comes_back_says_again_that_a_tool_failed_which_had_not_before() {
    for placement in [Placement::Latest, Placement::Delta] {
        let mut assembler = with(|options| options.placement = Some(placement));
        let mut host = Host::default();
        host.prompt(&mut assembler, "@[flaky{}]");
        host.is_broken = true;
        let failed = host.prompt(&mut assembler, "Again: @[flaky{}]");
        assert!(failed.block.to_string().contains("it broke"));
        let same = host.prompt(&mut assembler, &failed.text().to_string());
        assert_eq!(same.block, failed.block);
    }
}

#[test]
fn a_whole_file_makes_its_lines_needless() {
    let mut assembler = assembler();
    let mut host = Host::new(&[("a.md", "1\n2\n3\n4")]);
    let prompt = host.prompt(&mut assembler, "@[a.md:2:3] @[a.md:1]");
    assert_eq!(files(&prompt.block)["a.md:2:3"], "2\n3");
    assert_eq!(files(&prompt.block)["a.md:1"], "1");
    let prompt = host.prompt(&mut assembler, "@[a.md]");
    assert_eq!(files(&prompt.block).len(), 1);
    // A folder is no file of which there are lines.
    let prompt = host.prompt(&mut assembler, "@[docs/] @[docs:2]");
    assert!(files(&prompt.block)["docs:2"]["error"].is_string());
}

#[test]
fn the_set_is_rebuilt_from_an_old_conversation() {
    let mut host = Host::new(&[("a.md", "A"), ("b.md:1", "odd"), ("c.md", "C")]);
    let mut first = assembler();
    let old = host.prompt(&mut first, "@[a.md] @[ls{\"x\": 1}] @[c.md:1:2]");
    let mut second = assembler();
    assert_eq!(second.scan_history([old.text().to_units()]).items, 3);
    assert_eq!(second.scan_history([units("and @[b.md] @[rm{}]")]).items, 4);
    host.asked.clear();
    let prompt = host.prompt(&mut second, "go on @[ls{\"x\": 1}]");
    assert_eq!(host.asked, ["b.md", "c.md", "a.md", "ls"]);
    assert!(prompt.block.to_string().contains("\"result\": \"result\""));
    let keys: Vec<String> = second.items().into_iter().map(|item| item.key).collect();
    assert_eq!(keys, ["a.md", "c.md:1:2", "ls{\"x\":1}", "b.md"]);
}

#[test]
fn limits_are_said_and_nothing_is_cut() {
    let mut assembler = with(|options| {
        options.max_item_bytes = Count::new(10);
        options.max_total_bytes = Count::new(15);
        options.max_items = Count::new(3);
    });
    let mut host = Host::new(&[("a", "0123456789"), ("b", "01234567890"), ("c", "012345")]);
    let prompt = host.prompt(&mut assembler, "@[a] @[b] @[c] @[d]");
    let files = files(&prompt.block);
    assert_eq!(files["a"], "0123456789");
    assert_eq!(files["b"]["error"], "11 bytes exceed the limit of 10 bytes");
    assert_eq!(
        files["c"]["error"],
        "all items together exceed the limit of 15 bytes"
    );
    assert_eq!(
        files["(more references)"]["error"],
        "1 more than the limit of 3 items"
    );
}

#[test]
fn lines_that_are_dropped_do_not_count_as_items() {
    let mut assembler = with(|options| options.max_items = Count::new(3));
    let mut host = Host::new(&[("a", "1\n2")]);
    host.prompt(&mut assembler, "@[a]");
    let prompt = host.prompt(&mut assembler, "@[a:1] @[a:2] @[no] @[../up] @[fails{}]");
    let block = prompt.block.to_string();
    assert!(block.contains("\"denied: "), "{block}");
    assert!(
        block.contains("1 more than the limit of 3 items"),
        "{block}"
    );
    assert_eq!(host.asked, ["a", "no", "a"]);
    let again = host.prompt(&mut assembler, &prompt.text().to_string());
    assert_eq!(again.text(), prompt.text());
}

#[test]
fn wrong_answers_and_wrong_order() {
    let mut assembler = assembler();
    assert_eq!(
        assembler.finish_prompt(None).unwrap_err().code(),
        crate::ErrorCode::WrongOrder
    );
    assembler.begin(Work::Prompt, "@[a]");
    let id = assembler.take_requests()[0].id;
    assert_eq!(assembler.take_requests(), []);
    assert!(!assembler.is_ready());
    assembler.answer(id, Answer::Unchanged).expect("waits");
    assert_eq!(
        assembler.answer(id, Answer::Missing).unwrap_err().code(),
        crate::ErrorCode::UnknownId
    );
    assert!(assembler.is_ready());
    assert!(assembler.finish_skill().is_err());
    assembler.begin(Work::Prompt, "@[a]");
    assembler.cancel();
    assert!(assembler.items().is_empty());
}

#[test]
fn a_snapshot_goes_on() {
    let mut assembler = with(|options| options.placement = Some(Placement::Delta));
    assembler.set_rules([("r", "R 思")]);
    let mut host = Host::new(&[("a.md", "A\u{2028}思"), ("b.md", "B")]);
    host.versions = true;
    host.prompt(
        &mut assembler,
        "@{define F, \"b.md\"}@[a.md] @[no] @[../x] @[ls{\"a\": [1]}] @[t{\"a\": \"\\ud800\"}]",
    );
    let mut restored = GhostBlockAssembler::restore(&assembler.snapshot()).expect("a snapshot");
    assert_eq!(restored.snapshot(), assembler.snapshot());
    let expected = host.prompt(&mut assembler, "@[@{F}]");
    assert_eq!(host.prompt(&mut restored, "@[@{F}]"), expected);
    let snapshot = assembler.snapshot();
    for cut in 0..snapshot.len() {
        assert!(GhostBlockAssembler::restore(&snapshot[..cut]).is_err());
    }
}

#[test]
fn a_single_line_is_a_range_whose_end_is_its_start() {
    let mut assembler = assembler();
    assembler.begin(Work::Prompt, "@[a:10] @[a:10:10] @[a:10:20] @[a]x");
    let inspected = assembler.inspect("@[a:10] @[a:10:20] @[a]");
    let lines = |at: usize| (inspected[at].start_line, inspected[at].end_line);
    assert_eq!(
        [lines(0), lines(1), lines(2)],
        [(Some(10), Some(10)), (Some(10), Some(20)), (None, None)]
    );
    let mut assembler = self::assembler();
    assembler.begin(Work::Prompt, "@[a:10] @[a:10:10] @[a:10:20]");
    let requests = assembler.take_requests();
    let asked: Vec<_> = requests
        .iter()
        .map(|request| (request.source.start_line, request.source.end_line))
        .collect();
    assert_eq!(asked, [(Some(10), Some(10)), (Some(10), Some(20))]);
    for request in requests {
        assembler
            .answer(request.id, Answer::content("x"))
            .expect("it waits");
    }
    assembler.finish_prompt(None).expect("ready");
    let keys: Vec<String> = assembler.items().into_iter().map(|item| item.key).collect();
    assert_eq!(keys, ["a:10", "a:10:20"]);
}

/// The origin of each item, as `key source first last`.
fn origins(assembler: &GhostBlockAssembler) -> Vec<String> {
    let items = assembler.items().into_iter();
    let shown = items.map(|item| {
        let from = item.from;
        let source = format!("{:?}", from.source).to_lowercase();
        let name = from.name.map_or(String::new(), |name| format!(" {name}"));
        format!(
            "{} {source}{name} {} {}",
            item.key, from.first_turn, from.last_turn
        )
    });
    shown.collect()
}

#[test]
fn each_item_says_who_mentioned_it_and_when() {
    let mut assembler = assembler();
    let mut host = Host::new(&[("a", "A"), ("b", "B"), ("old", "O")]);
    assembler.scan_history([units("@[old]")]);
    assert_eq!(origins(&assembler), ["old history 0 0"]);
    assembler.set_rules([("r", "R")]);
    host.prompt(&mut assembler, "@[a:1]");
    host.prompt(&mut assembler, "@[b] @[old]");
    let last = host.prompt(&mut assembler, "@[a]");
    let expected = [
        "r rule r 1 3", "old history 0 2", "b prompt 2 2", "a prompt 1 3",
    ];
    assert_eq!(origins(&assembler), expected);
    // The same prompt that comes back is the same turn.
    host.prompt(&mut assembler, &last.text().to_string());
    assert_eq!(origins(&assembler), expected);
    let restored = GhostBlockAssembler::restore(&assembler.snapshot()).expect("just saved");
    assert_eq!(origins(&restored), expected);
}

#[test]
fn what_is_forgotten_is_gone_until_it_is_referred_to_again() {
    for placement in [Placement::Latest, Placement::Delta] {
        let mut assembler = with(|options| options.placement = Some(placement));
        assembler.set_rules([("r", "R")]);
        let mut host = Host::new(&[("a", "A"), ("b", "B")]);
        host.prompt(&mut assembler, "@[a] @[b]");
        assert!(!assembler.forget("c"));
        assert!(assembler.forget("a"));
        assert!(!assembler.forget("a"));
        assert!(assembler.forget("r"));
        assembler = GhostBlockAssembler::restore(&assembler.snapshot()).expect("just saved");
        assert_eq!(origins(&assembler), ["b prompt 1 1"]);
        let next = host.prompt(&mut assembler, "on");
        let block = next.block.to_string();
        let is_told = block.contains("\"removed\": [\n    \"a\",\n    \"r\"\n  ]");
        assert_eq!(is_told, placement == Placement::Delta, "{block}");
        let same = host.prompt(&mut assembler, &next.text().to_string());
        assert_eq!(same.block, next.block);
        let third = host.prompt(&mut assembler, "and on").block.to_string();
        assert!(!third.contains("\"removed\""), "{third}");
        let again = host.prompt(&mut assembler, "@[a]").block.to_string();
        assert!(again.contains("\"a\": \"A\""), "{again}");
        assert_eq!(origins(&assembler), ["b prompt 1 1", "a prompt 4 4"]);
    }
}

#[test]
fn what_is_forgotten_while_a_prompt_is_under_way_does_not_come_back_with_it() {
    let mut assembler = assembler();
    let mut host = Host::new(&[("a", "A")]);
    host.prompt(&mut assembler, "@[a]");
    assembler.begin(Work::Prompt, "on");
    for request in assembler.take_requests() {
        let answer = Answer::content("A");
        assembler.answer(request.id, answer).expect("it waits");
    }
    assert!(assembler.is_ready());
    assert!(assembler.forget("a"));
    let prompt = assembler.finish_prompt(None).expect("still ready");
    assert!(prompt.block.is_empty(), "{}", prompt.block);
}

#[test]
fn references_over_the_limit_are_one_item_and_nothing_of_them_is_kept() {
    let mut assembler = with(|options| options.max_items = Count::new(100));
    let mut host = Host::new(&[]);
    let many: String = (0..20_000)
        .map(|number| format!("@[f{number}] @[../{number}] ![i](i{number}) "))
        .collect();
    assembler.set_rules([("r", &many[..])]);
    let prompt = host.prompt(&mut assembler, &many);
    assert_eq!(assembler.items().len(), 102);
    assert!(host.asked.len() <= 300, "{}", host.asked.len());
    let block = prompt.block.to_string();
    assert!(
        block.contains("39900 more than the limit of 100 items"),
        "{block:.300}"
    );
    let limits: Vec<&str> = prompt
        .diagnostics
        .iter()
        .filter(|told| told.code == DiagnosticCode::Limit)
        .map(|told| &*told.message)
        .collect();
    assert_eq!(
        limits,
        [
            "39900 references more than the limit of 100 stay as they are",
            "39900 more than the limit of 100 items"
        ]
    );
    assert!(
        prompt.diagnostics.len() <= 400,
        "{}",
        prompt.diagnostics.len()
    );
    assembler.set_rules(Vec::<(&str, &str)>::new());
    let next = host.prompt(&mut assembler, "on").block.to_string();
    assert!(!next.contains("more than the limit"), "{next:.300}");
    assert_eq!(assembler.items().len(), 100);
}
