use std::borrow::Cow;
use std::{env, fs};

/// A plugin that an agent loads into its own process, as one file.
pub(super) fn plugin(name: &str) -> Option<Cow<'static, [u8]>> {
    let package = env::var_os("TURNKEEPER_PACKAGE")?;
    let file = std::path::Path::new(&package)
        .join("dist")
        .join("plugins")
        .join(name);
    fs::read(file).ok().map(Cow::Owned)
}
