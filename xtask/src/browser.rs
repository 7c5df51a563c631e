//! Chromium and its driver.

use std::env;
use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::apt;

pub struct Browser {
    pub chrome: PathBuf,
    pub driver: PathBuf,
}

/// The browser named by `CHROME_PATH` and `CHROMEDRIVER`, else Debian's, installed if need be.
pub fn chromium() -> Result<Browser> {
    let browser = Browser {
        chrome: named("CHROME_PATH", "/usr/bin/chromium"),
        driver: named("CHROMEDRIVER", "/usr/bin/chromedriver"),
    };
    if !browser.chrome.exists() || !browser.driver.exists() {
        apt::install(
            "Chromium",
            &["chromium", "chromium-driver"],
            "the browser suites need Chromium and chromedriver; set CHROME_PATH and CHROMEDRIVER",
        )?;
    }
    for program in [&browser.chrome, &browser.driver] {
        if !program.exists() {
            bail!(
                "{} is not there; set CHROME_PATH and CHROMEDRIVER",
                program.display()
            );
        }
    }
    Ok(browser)
}

fn named(variable: &str, usual: &str) -> PathBuf {
    env::var_os(variable).map_or_else(|| PathBuf::from(usual), PathBuf::from)
}
