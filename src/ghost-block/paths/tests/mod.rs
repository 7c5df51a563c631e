//! Tables of paths that a person can read; [`models`] goes where no table does.

mod models;

use serde_json::Value;

use super::{Denied, Platform, Resolved, Roots};
use turnkeeper_base::path::LONGEST;

const HOSTILE: &str = include_str!("../../../../tests/data/ghost-block/hostile-paths.json");

fn posix() -> Roots {
    let allowed = ["/work/shared/".to_owned()];
    Roots::new(Platform::Posix, "/work/app", &allowed).expect("plain roots")
}

fn win32() -> Roots {
    let allowed = [r"D:\Shared".to_owned(), r"\\server\share\repo".to_owned()];
    Roots::new(Platform::Win32, r"C:\Work\App", &allowed).expect("plain roots")
}

fn resolved(request: &str, folded: &str, is_directory: bool) -> Result<Resolved, Denied> {
    Ok(Resolved {
        request: request.to_owned(),
        folded: folded.to_owned(),
        is_directory,
    })
}

#[test]
fn no_hostile_path_resolves_and_each_is_told_why() {
    let table: Value = serde_json::from_str(HOSTILE).expect("the fixture is JSON");
    let rows = table.as_array().expect("the fixture is an array");
    let mut wrong = Vec::new();
    for (name, roots) in [("posix", posix()), ("win32", win32())] {
        let rows = rows.iter().filter(|row| row["platform"] == name);
        assert!(rows.clone().count() >= 60, "{name}");
        for row in rows {
            let path = row["path"].as_str().expect("a path is a string");
            let found = roots.resolve(path).map_err(|denied| denied.0);
            if found != Err(row["why"].as_str().expect("a reason is a string")) {
                wrong.push(format!("{row}\n    {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_path_may_have_4096_units_and_no_more() {
    assert_eq!(LONGEST, 4_096);
    assert!(Denied::TOO_LONG.0.contains("4096"));
    for roots in [posix(), win32()] {
        assert!(roots.resolve(&"é".repeat(4_096)).is_ok());
        assert_eq!(roots.resolve(&"é".repeat(4_097)), Err(Denied::TOO_LONG));
    }
    // A short relative path whose request, which is absolute, is longer.
    let deep = format!("/{}", ["d".repeat(100).as_str(); 40].join("/"));
    let root = format!("{deep}/app");
    let roots = Roots::new(Platform::Posix, &root, &[deep]).expect("plain roots");
    let written = format!("../{}", "a".repeat(60));
    assert_eq!(roots.resolve(&written), Err(Denied::TOO_LONG));
}

#[test]
fn no_reason_repeats_the_path() {
    let marked = [
        "../MARK", "MARK\u{0}", "~MARK/a", "file:MARK", "%2eMARK", "MARK%c0",
    ];
    for roots in [posix(), win32()] {
        for path in marked {
            let reason = roots.resolve(path).expect_err(path).0;
            assert!(!reason.contains("MARK"), "{reason}");
        }
    }
}

/// Written, request, whether it is a directory.
const FINE_ON_POSIX: [(&str, &str, bool); 67] = [
    ("a.md", "a.md", false),
    ("src/a.ts", "src/a.ts", false),
    ("./src/a.ts", "src/a.ts", false),
    ("src//a.ts", "src/a.ts", false),
    ("src/./a.ts", "src/a.ts", false),
    ("src/lib/../a.ts", "src/a.ts", false),
    ("src/../a.ts", "a.ts", false),
    ("../app/a.ts", "a.ts", false),
    ("src/", "src", true),
    ("src/.", "src", true),
    ("src/lib/..", "src", true),
    ("src//", "src", true),
    (".", ".", true),
    ("./", ".", true),
    ("src/..", ".", true),
    ("../app", ".", true),
    ("/work/app", ".", true),
    ("/work/app/", ".", true),
    ("/work/app/src/a.ts", "src/a.ts", false),
    ("/work/./app//src/../a.ts", "a.ts", false),
    ("/work/shared/a.md", "/work/shared/a.md", false),
    ("/work/shared", "/work/shared", true),
    ("/work/shared/docs/", "/work/shared/docs", true),
    ("../shared/a.md", "/work/shared/a.md", false),
    ("100%.md", "100%.md", false),
    ("100%25.md", "100%25.md", false),
    ("a%20b.md", "a%20b.md", false),
    ("a%41.md", "a%41.md", false),
    ("%e4%b8%ad.md", "%e4%b8%ad.md", false),
    ("%E9t%E9.md", "%E9t%E9.md", false),
    ("%", "%", false),
    ("%2", "%2", false),
    ("%zz%u12.md", "%zz%u12.md", false),
    ("%u4e2d.md", "%u4e2d.md", false),
    ("50%-60%/a.md", "50%-60%/a.md", false),
    (".gitignore", ".gitignore", false),
    (
        ".github/workflows/ci.yml",
        ".github/workflows/ci.yml",
        false,
    ),
    ("...", "...", false),
    (".../a.md", ".../a.md", false),
    ("..a", "..a", false),
    ("a..", "a..", false),
    ("a..b/c", "a..b/c", false),
    (" a.md", " a.md", false),
    ("my notes.md", "my notes.md", false),
    ("a.md ", "a.md ", false),
    ("a:b.md", "a:b.md", false),
    ("localhost:8080.log", "localhost:8080.log", false),
    ("profile.md", "profile.md", false),
    ("a\\b.md", "a\\b.md", false),
    (
        "dev-disk-by\\x2duuid.device",
        "dev-disk-by\\x2duuid.device",
        false,
    ),
    ("con", "con", false),
    ("nul.txt", "nul.txt", false),
    ("*.md", "*.md", false),
    ("what?.md", "what?.md", false),
    ("routes/$id.tsx", "routes/$id.tsx", false),
    ("$HOME.md", "$HOME.md", false),
    ("src/~", "src/~", false),
    ("~backup", "~backup", false),
    ("~$draft.docx", "~$draft.docx", false),
    (
        "[id]/(group)/@slot/page.tsx",
        "[id]/(group)/@slot/page.tsx",
        false,
    ),
    ("文档/说明.md", "文档/说明.md", false),
    ("第１．２節.md", "第１．２節.md", false),
    ("読み／書き.md", "読み／書き.md", false),
    ("¥100.md", "¥100.md", false),
    ("etc…/…", "etc…/…", false),
    ("👨‍👩‍👧.md", "👨‍👩‍👧.md", false),
    ("Ｑ：何か.md", "Ｑ：何か.md", false),
];

#[test]
fn fine_paths_resolve_on_posix_and_case_counts() {
    let roots = posix();
    for (written, request, is_directory) in FINE_ON_POSIX {
        let expected = resolved(request, request, is_directory);
        assert_eq!(roots.resolve(written), expected, "{written}");
    }
    assert_ne!(roots.resolve("a.md"), roots.resolve("A.md"));
}

/// Written, request, folded, whether it is a directory.
const FINE_ON_WIN32: [(&str, &str, &str, bool); 55] = [
    ("a.md", "a.md", "A.MD", false),
    ("src/a.ts", "src/a.ts", "SRC/A.TS", false),
    (r"src\a.ts", "src/a.ts", "SRC/A.TS", false),
    (r".\src\a.ts", "src/a.ts", "SRC/A.TS", false),
    (r"src\/a.ts", "src/a.ts", "SRC/A.TS", false),
    (r"src\\a.ts", "src/a.ts", "SRC/A.TS", false),
    (r"SRC\A.ts", "SRC/A.ts", "SRC/A.TS", false),
    (r"src\lib\..\a.ts", "src/a.ts", "SRC/A.TS", false),
    (r"src/..\a.ts", "a.ts", "A.TS", false),
    (r"..\app\a.ts", "a.ts", "A.TS", false),
    (r"..\..\WORK\App\a.ts", "a.ts", "A.TS", false),
    (r"src\", "src", "SRC", true),
    ("src/", "src", "SRC", true),
    (r"src\lib\..", "src", "SRC", true),
    (".", ".", ".", true),
    (r".\", ".", ".", true),
    (r"src\..", ".", ".", true),
    (r"C:\Work\App", ".", ".", true),
    (r"C:\Work\App\", ".", ".", true),
    (r"C:\Work\App\src\a.ts", "src/a.ts", "SRC/A.TS", false),
    (r"c:\work\app\src\a.ts", "src/a.ts", "SRC/A.TS", false),
    ("c:/WORK/App/Src/a.ts", "Src/a.ts", "SRC/A.TS", false),
    (r"C:/Work\App/src\a.ts", "src/a.ts", "SRC/A.TS", false),
    (r"C:\\Work\\App\\a.ts", "a.ts", "A.TS", false),
    (r"C:\Work\.\App\src\..\a.ts", "a.ts", "A.TS", false),
    (r"D:\Shared\a.md", "D:/Shared/a.md", "D:/SHARED/A.MD", false),
    (
        "d:/shared/Docs/a.md",
        "D:/Shared/Docs/a.md",
        "D:/SHARED/DOCS/A.MD",
        false,
    ),
    (r"D:\Shared", "D:/Shared", "D:/SHARED", true),
    (r"d:\shared\docs\", "D:/Shared/docs", "D:/SHARED/DOCS", true),
    (
        r"\\server\share\repo\a.md",
        "//server/share/repo/a.md",
        "//SERVER/SHARE/REPO/A.MD",
        false,
    ),
    (
        "//SERVER/Share/REPO/a.md",
        "//server/share/repo/a.md",
        "//SERVER/SHARE/REPO/A.MD",
        false,
    ),
    (
        r"\\server\share\repo",
        "//server/share/repo",
        "//SERVER/SHARE/REPO",
        true,
    ),
    ("100%.md", "100%.md", "100%.MD", false),
    ("a%20b.md", "a%20b.md", "A%20B.MD", false),
    ("%e4%b8%ad.md", "%e4%b8%ad.md", "%E4%B8%AD.MD", false),
    (".gitignore", ".gitignore", ".GITIGNORE", false),
    ("..a", "..a", "..A", false),
    ("a..b/c", "a..b/c", "A..B/C", false),
    (" a.md", " a.md", " A.MD", false),
    ("my notes.md", "my notes.md", "MY NOTES.MD", false),
    ("console.ts", "console.ts", "CONSOLE.TS", false),
    ("con1.ts", "con1.ts", "CON1.TS", false),
    ("icon", "icon", "ICON", false),
    ("null.md", "null.md", "NULL.MD", false),
    ("a.con", "a.con", "A.CON", false),
    ("COM.md", "COM.md", "COM.MD", false),
    ("com10.log", "com10.log", "COM10.LOG", false),
    ("lpt-1.md", "lpt-1.md", "LPT-1.MD", false),
    ("PROGRA~1/a.md", "PROGRA~1/a.md", "PROGRA~1/A.MD", false),
    ("routes/$id.tsx", "routes/$id.tsx", "ROUTES/$ID.TSX", false),
    ("~$draft.docx", "~$draft.docx", "~$DRAFT.DOCX", false),
    ("文档/说明.md", "文档/说明.md", "文档/说明.MD", false),
    ("読み／書き.md", "読み／書き.md", "読み／書き.MD", false),
    ("Été/ß.md", "Été/ß.md", "ÉTÉ/ß.MD", false),
    ("ı/ſ/K.md", "ı/ſ/K.md", "ı/ſ/K.MD", false),
];

#[test]
fn fine_paths_resolve_on_windows_and_case_does_not_count() {
    let roots = win32();
    for (written, request, folded, is_directory) in FINE_ON_WIN32 {
        let expected = resolved(request, folded, is_directory);
        assert_eq!(roots.resolve(written), expected, "{written}");
    }
}

#[test]
fn honest_names_with_look_alikes_resolve() {
    let names = [
        "第一章：開始.md",
        "README：説明.md",
        "Ｑ＆Ａ.md",
        "half½.md",
        "ﬁlter.md",
        "Ⅳ.md",
        "～まで.md",
        "1～2章.md",
        "100％.md",
        "会議 12：30.md",
        "v1.2：notes.md",
        "foo.py：バグ.md",
        "notes….md",
        "𝐛𝐨𝐥𝐝.md",
        "℅.md",
        "ｃｏｎｓｏｌｅ.md",
    ];
    for roots in [posix(), win32()] {
        for name in names {
            for path in [
                name.to_owned(),
                format!("docs/{name}"),
                format!("{name}/a.md"),
            ] {
                let found = roots.resolve(&path).map(|resolved| resolved.request);
                assert_eq!(found.as_ref(), Ok(&path));
            }
        }
    }
}

#[test]
fn one_slash_in_front_means_the_root_unless_a_reader_may_see_a_folder_of_the_system() {
    for roots in [posix(), win32()] {
        for below in ["src/a.ts", "文档/说明.md", "été/a.md", ".github/a.yml"] {
            let request = roots.resolve(&format!("/{below}")).unwrap().request;
            assert_eq!(request, below);
        }
        for written in [
            "/etc/passwd",
            "/ETC/passwd",
            "/ᴱtc/passwd",
            "/eｔc/passwd",
            "/e\u{200b}tc/passwd",
            "/ etc/passwd",
            "/%65tc/passwd",
            "/%u0065tc/passwd",
            "/™p/x",
            "/㍲ta/x",
            "/nⅨ/x",
            "/d㋎/x",
            "/bﬁn/../etc/passwd",
            "/etc／passwd",
        ] {
            let denied = roots.resolve(written).unwrap_err();
            assert!(
                matches!(denied, Denied::OUTSIDE | Denied::NO_DRIVE),
                "{written}: {denied:?}"
            );
        }
        assert!(roots.resolve("/etc./passwd").is_err());
        assert!(roots.resolve("/src/../../etc/passwd").is_err());
    }
}

#[test]
fn roots_that_say_no_one_place_are_refused_by_name() {
    let refused = [
        (
            Platform::Posix,
            "",
            "must be an absolute path of this platform",
        ),
        (
            Platform::Posix,
            "work",
            "must be an absolute path of this platform",
        ),
        (
            Platform::Posix,
            "~/work",
            "must be an absolute path of this platform",
        ),
        (
            Platform::Posix,
            r"C:\Work",
            "must be an absolute path of this platform",
        ),
        (
            Platform::Posix,
            "//work",
            "must be an absolute path of this platform",
        ),
        (
            Platform::Posix,
            "file:///work",
            "must be an absolute path of this platform",
        ),
        (Platform::Posix, "/work\0", "must not have a NUL"),
        (
            Platform::Posix,
            "/work\n",
            "must not have a control character",
        ),
        (
            Platform::Posix,
            "/work/../..",
            "must not lead above its top",
        ),
        (
            Platform::Win32,
            "C:",
            "must be an absolute path of this platform",
        ),
        (
            Platform::Win32,
            "C:work",
            "must be an absolute path of this platform",
        ),
        (
            Platform::Win32,
            r"\Work",
            "must be an absolute path of this platform",
        ),
        (
            Platform::Win32,
            "/c:/work",
            "must be an absolute path of this platform",
        ),
        (
            Platform::Win32,
            r"\\server",
            "must be an absolute path of this platform",
        ),
        (
            Platform::Win32,
            r"\\server\pipe\a",
            "must be an absolute path of this platform",
        ),
        (
            Platform::Win32,
            r"\\?\C:\Work",
            r"must not be a device path, such as \\?\C:\x",
        ),
        (
            Platform::Win32,
            r"\\.\C:\Work",
            r"must not be a device path, such as \\?\C:\x",
        ),
        (
            Platform::Win32,
            r"\??\C:\Work",
            r"must not be a device path, such as \\?\C:\x",
        ),
        (Platform::Win32, r"C:\nul", "must not name a device"),
        (
            Platform::Win32,
            r"C:\Work:a",
            "must not name an alternate data stream",
        ),
        (
            Platform::Win32,
            r"C:\Work.",
            "has a name that Windows changes or refuses",
        ),
        (
            Platform::Win32,
            r"C:\Work*",
            "has a name that Windows changes or refuses",
        ),
        (Platform::Win32, "C:\\Work\0", "must not have a NUL"),
    ];
    for (platform, path, why) in refused {
        let error = Roots::new(platform, path, &[]).expect_err(path);
        assert_eq!(error, ("root".to_owned(), why), "{path}");
        let root = if platform == Platform::Posix {
            "/a"
        } else {
            r"C:\a"
        };
        let allowed = [root.to_owned(), path.to_owned()];
        let error = Roots::new(platform, root, &allowed).expect_err(path);
        assert_eq!(error, ("allowedRoots[1]".to_owned(), why), "{path}");
    }
}

#[test]
fn a_root_may_be_a_top_a_share_or_have_an_odd_name() {
    // Platform, root, the other root, written, request.
    let cases = [
        (Platform::Posix, "/", "/a", "/etc/hosts", "etc/hosts"),
        (Platform::Posix, "/", "/a", "a/b.md", "a/b.md"),
        (Platform::Posix, "/a", "/", "/b.md", "/b.md"),
        (Platform::Posix, "/a", "/", "/", "/"),
        (Platform::Posix, "/a/./b/../c//", "/d", "/a/c/e.md", "e.md"),
        (Platform::Posix, "/a", "/a/b", "/a/b/c.md", "b/c.md"),
        (Platform::Posix, "/a/b", "/a", "../c.md", "/a/c.md"),
        (Platform::Posix, "/p%2e", "/q%2e", "/p%2e/a.md", "a.md"),
        (
            Platform::Posix,
            "/p%2e",
            "/q%2e",
            "/q%2e/a.md",
            "/q%2e/a.md",
        ),
        (Platform::Posix, "/~/．．", "/a\\b", "/~/．．/a.md", "a.md"),
        (
            Platform::Posix,
            "/~/．．",
            "/..\\a",
            "/..\\a/a.md",
            "/..\\a/a.md",
        ),
        (Platform::Win32, r"C:\", r"D:\", "c:/a.md", "a.md"),
        (Platform::Win32, r"C:\", r"D:\", "d:/a.md", "D:/a.md"),
        (Platform::Win32, r"C:\", r"D:\", r"d:\", "D:/"),
        (Platform::Win32, r"c:\work", r"D:\", r"C:\WORK\a.md", "a.md"),
        (
            Platform::Win32,
            r"\\wsl$\Ubuntu\home",
            r"D:\",
            r"src\a.md",
            "src/a.md",
        ),
        (
            Platform::Win32,
            r"\\wsl$\Ubuntu\home",
            r"D:\",
            r"\\WSL$\ubuntu\HOME\a.md",
            "a.md",
        ),
        (
            Platform::Win32,
            r"C:\a",
            r"\\server\share",
            "//server/share",
            "//server/share/",
        ),
        (Platform::Win32, r"C:\p%2e", r"D:\", r"c:\P%2E\a.md", "a.md"),
        (Platform::Win32, r"C:\ÉTÉ", r"D:\", r"c:\été\a.md", "a.md"),
    ];
    for (platform, root, other, written, request) in cases {
        let roots = Roots::new(platform, root, &[other.to_owned()]).expect(root);
        let found = roots.resolve(written).map(|resolved| resolved.request);
        assert_eq!(found, Ok(request.to_owned()), "{written}");
        let again = roots.resolve(request).map(|resolved| resolved.request);
        assert_eq!(again, Ok(request.to_owned()), "{request}");
    }
}

#[test]
fn what_a_root_excuses_in_itself_it_does_not_excuse_below() {
    let roots = Roots::new(Platform::Posix, "/p%2e", &["/p%2e/q%2e".to_owned()]);
    let roots = roots.expect("plain roots");
    assert_eq!(roots.resolve("/p%2e/a%2e"), Err(Denied::ESCAPE));
    assert_eq!(roots.resolve("/p%2e/q%2e/a%2e"), Err(Denied::ESCAPE));
    // Its request, `q%2e/a.md`, is relative, and there the escape is the writer's.
    assert_eq!(roots.resolve("/p%2e/q%2e/a.md"), Err(Denied::ESCAPE));
    assert_eq!(roots.resolve("q%2e/a.md"), Err(Denied::ESCAPE));
}
