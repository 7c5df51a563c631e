//! The program `turnkeeper`, native, and the npm packages that carry it: one for each system and processor.

use std::collections::BTreeMap;
use std::env::consts::{ARCH, OS};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::json;

use crate::crates::Crates;
use crate::debian::{QEMU_ARM64, WINE};
use crate::package::Flavour;
use crate::{pack, paths, step, tools, wasm};

const CRATE: &str = "turnkeeper-cli";

/// A system and a processor in npm's words, and the target that Rust compiles for.
pub struct Platform {
    os: &'static str,
    cpu: &'static str,
    target: &'static str,
}

#[rustfmt::skip]
const PLATFORMS: [Platform; 6] = [
    // Static, so there is one package whatever the system's C library is.
    Platform { os: "linux", cpu: "x64", target: "x86_64-unknown-linux-musl" },
    Platform { os: "linux", cpu: "arm64", target: "aarch64-unknown-linux-musl" },
    Platform { os: "darwin", cpu: "x64", target: "x86_64-apple-darwin" },
    Platform { os: "darwin", cpu: "arm64", target: "aarch64-apple-darwin" },
    Platform { os: "win32", cpu: "x64", target: "x86_64-pc-windows-gnu" },
    Platform { os: "win32", cpu: "arm64", target: "aarch64-pc-windows-gnullvm" },
];

/// `cargo xtask program`: packs the programs of platforms.
pub fn run(names: &[String]) -> Result<()> {
    let all = names.iter().any(|name| name == "all");
    let platforms: Vec<&Platform> = match names {
        [] => vec![Platform::here()?],
        _ if all => PLATFORMS.iter().collect(),
        names => names
            .iter()
            .map(|it| Platform::named(it))
            .collect::<Result<_>>()?,
    };
    for platform in platforms {
        let tarball = make(platform, Flavour::Published)?;
        println!(
            "{}: {} KB",
            tarball.display(),
            fs::metadata(&tarball)?.len() / 1_000
        );
    }
    Ok(())
}

/// Writes this machine's platform package where an app has it, without packing it.
pub fn make_in_app(flavour: Flavour) -> Result<()> {
    let platform = Platform::here()?;
    let folder = flavour.app().join("node_modules").join(platform.package());
    assemble(platform, flavour, &folder)
}

/// Compiles this machine's program as the tests take it.
pub fn compile_quick() -> Result<()> {
    compile(Platform::here()?, Flavour::Quick).map(drop)
}

/// This machine's program as it is published.
pub fn here() -> Result<PathBuf> {
    compile(Platform::here()?, Flavour::Published)
}

/// The words that start the programs of other systems here, by the platform's name.
pub fn emulated() -> Result<BTreeMap<&'static str, Vec<PathBuf>>> {
    let program = |name| compile(Platform::named(name)?, Flavour::Published);
    let (arm64, windows) = (program("linux-arm64")?, program("win32-x64")?);
    random_for_wine(&windows)?;
    Ok(BTreeMap::from([
        ("linux-arm64", vec![QEMU_ARM64.find()?, arm64]),
        ("win32-x64", vec![WINE.find()?, windows]),
    ]))
}

/// Puts the library beside the program that Rust's asks for random bytes, and that Debian's wine lacks.
fn random_for_wine(program: &Path) -> Result<()> {
    const NAME: &str = "bcryptprimitives";
    let source = paths::target("xtask").join(format!("{NAME}.c"));
    fs::write(
        &source,
        "__declspec(dllimport) unsigned char SystemFunction036(void *, unsigned long);\n\
         __declspec(dllexport) int ProcessPrng(unsigned char *to, unsigned long long length) {\n\
         \x20 return SystemFunction036(to, (unsigned long) length);\n}\n",
    )?;
    let mut zig = tools::zig()?;
    zig.args(["cc", "-target", "x86_64-windows-gnu", "-shared", "-O1"])
        .arg(&source)
        .arg("-ladvapi32")
        .arg("-o")
        .arg(program.with_file_name(format!("{NAME}.dll")));
    step::run(&format!("compile {NAME}.dll"), &mut zig)
}

/// Packs a platform package of a flavour.
pub fn make(platform: &Platform, flavour: Flavour) -> Result<PathBuf> {
    let folder = flavour.programs().join(platform.package());
    assemble(platform, flavour, &folder)?;
    pack::pack_folder(&folder, &platform.tarball_beside(&flavour.tarball()))
}

impl Platform {
    pub fn here() -> Result<&'static Platform> {
        let os = match OS {
            "macos" => "darwin",
            "windows" => "win32",
            os => os,
        };
        let cpu = match ARCH {
            "x86_64" => "x64",
            "aarch64" => "arm64",
            cpu => cpu,
        };
        Self::named(&format!("{os}-{cpu}"))
    }

    fn named(name: &str) -> Result<&'static Platform> {
        let found = PLATFORMS
            .iter()
            .find(|it| format!("{}-{}", it.os, it.cpu) == name);
        found.with_context(|| format!("there is no package for {name}"))
    }

    pub fn package(&self) -> String {
        format!("turnkeeper-{}-{}", self.os, self.cpu)
    }

    /// As `npm pack` writes it, beside the package.
    pub fn tarball_beside(&self, package: &Path) -> PathBuf {
        package.with_file_name(format!("{}.tgz", self.package()))
    }

    /// On Windows its own linker is there, which is what its users' scanners know.
    fn target(&self) -> &'static str {
        match (OS, self.os, self.cpu) {
            ("windows", "win32", "x64") => "x86_64-pc-windows-msvc",
            ("windows", "win32", _) => "aarch64-pc-windows-msvc",
            _ => self.target,
        }
    }

    fn program(&self) -> &'static str {
        if self.os == "win32" {
            "turnkeeper.exe"
        } else {
            "turnkeeper"
        }
    }
}

/// Compiles the program: for tests as the native tests are compiled, so that it takes seconds.
fn compile(platform: &Platform, flavour: Flavour) -> Result<PathBuf> {
    let mut cargo = tools::cargo();
    if flavour != Flavour::Published {
        cargo.args(["build", "--package", CRATE]);
        tools::run_cargo("compile the program", &mut cargo)?;
        return Ok(paths::target("debug").join(platform.program()));
    }
    let target = platform.target();
    tools::target(target)?;
    // A system links for itself, and macOS and Windows for their other processor, too. From Linux zig has the linkers
    // of all others.
    let is_own = Platform::here().is_ok_and(|here| here.target() == target);
    if OS == "linux" && !is_own {
        tools::use_zig(&mut cargo)?;
        cargo.arg("zigbuild");
    } else {
        cargo.arg("build");
        compile_sqlite(&mut cargo, target);
    }
    cargo.env("LIBSQLITE3_FLAGS", SQLITE);
    // The allocator says when it was compiled, which would make each build another program.
    cargo.env("SOURCE_DATE_EPOCH", "0");
    cargo.args([
        "--package", CRATE, "--profile", "program", "--target", target,
    ]);
    cargo.args(["--config", &wasm::same_everywhere(target)?]);
    tools::run_cargo(&format!("compile the program for {target}"), &mut cargo)?;
    let program = paths::target(target)
        .join("program")
        .join(platform.program());
    // The release's workflow names a command that signs a file.
    if let Some(sign) = std::env::var_os("TURNKEEPER_SIGN").filter(|it| !it.is_empty()) {
        let sign = paths::root().join(sign);
        step::run("sign the program", Command::new(sign).arg(&program))?;
    }
    Ok(program)
}

/// SQLite without the kinds of tables that no agent keeps sessions in, and without calls with 64-bit offsets of other
/// names, which 64-bit systems do not need.
const SQLITE: &str = "-DSQLITE_DISABLE_LFS -USQLITE_ENABLE_FTS3 -USQLITE_ENABLE_FTS3_PARENTHESIS -USQLITE_ENABLE_FTS5 \
    -USQLITE_ENABLE_RTREE -USQLITE_ENABLE_DBSTAT_VTAB -USQLITE_ENABLE_LOAD_EXTENSION -USQLITE_ENABLE_STAT4 \
    -USQLITE_SOUNDEX";

/// A static program for Linux is linked with another C library than the system's, whose headers compile SQLite. The two
/// agree in all that it uses, but for the names that [`SQLITE`] leaves out.
fn compile_sqlite(cargo: &mut Command, target: &str) {
    if OS != "linux" {
        return;
    }
    let name = target.replace('-', "_");
    cargo.env(format!("CC_{name}"), "cc");
    cargo.env(format!("CFLAGS_{name}"), "-U_FORTIFY_SOURCE");
}

/// Writes a platform package: the program, and what npm has to know of it. But for the demo, it says what is inside.
fn assemble(platform: &Platform, flavour: Flavour, folder: &Path) -> Result<()> {
    let program = compile(platform, flavour)?;
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder)?;
    let name = platform.program();
    // A copy, since tests may still run the one before.
    fs::copy(&program, folder.join(name))
        .with_context(|| format!("cannot copy {}", program.display()))?;
    let mut manifest = json!({
        "name": platform.package(),
        "version": env!("CARGO_PKG_VERSION"),
        "description": format!("The program of the package turnkeeper for {} on {}.", platform.os, platform.cpu),
        "license": "MIT",
        "os": [platform.os],
        "cpu": [platform.cpu],
        "files": [name, "licenses.txt"],
        "preferUnplugged": true,
    });
    // As in the package itself, which has it of `js/build/manifest.mjs`: npm attests only what names its repository.
    if let Ok(repository) = std::env::var("TURNKEEPER_REPOSITORY") {
        manifest["repository"] = json!({ "type": "git", "url": format!("git+{repository}.git") });
    }
    fs::write(folder.join("package.json"), format!("{manifest:#}\n"))?;
    fs::copy(paths::repo("pkg-template/LICENSE"), folder.join("LICENSE"))?;
    if flavour == Flavour::Demo {
        return Ok(());
    }
    let inside = Crates::inside(&[CRATE.to_owned()], platform.target())?;
    let licences = format!(
        "The program beside this file has these crates inside, and a table of prices.\n\n{}",
        inside.licences()?
    );
    fs::write(folder.join("licenses.txt"), licences)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    #[test]
    fn the_package_asks_for_every_platform() {
        let template = fs::read(paths::repo("pkg-template/package.json")).expect("the template");
        let template: Value = serde_json::from_slice(&template).expect("JSON");
        let asked = template["optionalDependencies"]
            .as_object()
            .expect("an object");
        // The order is that of the file only where another crate asks for it.
        let packages: BTreeSet<String> = PLATFORMS.iter().map(Platform::package).collect();
        assert_eq!(asked.keys().cloned().collect::<BTreeSet<_>>(), packages);
    }
}
