//! The tarball as `npm publish` would send it, and an app that has installed it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::{npm, paths, step};

/// Packs a package's folder into a tarball of this name.
pub fn pack_folder(package: &Path, tarball: &Path) -> Result<PathBuf> {
    let folder = tarball.parent().context("the tarball lies in a folder")?;
    // A folder of its own for each: npm chooses the name of the file.
    let packing = tarball.with_extension("packing");
    let _ = fs::remove_dir_all(&packing);
    fs::create_dir_all(folder)?;
    fs::create_dir_all(&packing)?;
    let mut npm = npm::command(package);
    npm.args(["pack", "--ignore-scripts", "--pack-destination"])
        .arg(&packing);
    step::run("npm pack", &mut npm)?;
    let packed: Vec<_> = fs::read_dir(&packing)?.collect::<Result<_, _>>()?;
    let [packed] = packed.as_slice() else {
        bail!("npm pack wrote {} files", packed.len())
    };
    fs::rename(packed.path(), tarball)?;
    fs::remove_dir_all(packing)?;
    Ok(tarball.to_owned())
}

/// Installs tarballs into a folder as a user would, but without a network: the package has no dependencies but its
/// program's, so none is needed.
pub fn install(tarballs: &[&Path], app: &Path) -> Result<()> {
    let _ = fs::remove_dir_all(app);
    fs::create_dir_all(app)?;
    fs::write(
        app.join("package.json"),
        "{ \"name\": \"app\", \"private\": true }\n",
    )?;
    let mut npm = npm::command(app);
    npm.args([
        "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund",
    ])
    .args(tarballs);
    let label = match app.strip_prefix(paths::root()) {
        Ok(relative) => format!("install the tarball into {}", relative.display()),
        Err(_) => "install the tarball".to_owned(),
    };
    step::run(&label, &mut npm)
}
