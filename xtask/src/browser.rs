//! The browsers in which the page and the package are tested.

use std::env;
use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::{apt, tools};

/// The browser named by `CHROME_PATH`, else Debian's, installed if need be.
pub fn chromium() -> Result<PathBuf> {
    let chrome = env::var_os("CHROME_PATH")
        .map_or_else(|| PathBuf::from("/usr/bin/chromium"), PathBuf::from);
    if !chrome.exists() {
        apt::install(
            "Chromium",
            &["chromium"],
            "the suites with a browser need Chromium; set CHROME_PATH",
        )?;
    }
    if !chrome.exists() {
        bail!("{} is not there; set CHROME_PATH", chrome.display());
    }
    Ok(chrome)
}

/// The program that drives Chromium, Debian's, installed if need be. Without it, what needs it is skipped, and
/// says so.
pub fn chromedriver() -> Option<PathBuf> {
    let find = || -> Result<PathBuf> {
        let driver = env::var_os("CHROMEDRIVER")
            .map_or_else(|| PathBuf::from("/usr/bin/chromedriver"), PathBuf::from);
        if !driver.exists() {
            apt::install(
                "Chromium's driver",
                &["chromium", "chromium-driver"],
                "the tests of the core in Chromium need chromium-driver; set CHROMEDRIVER",
            )?;
        }
        if !driver.exists() {
            bail!("{} is not there; set CHROMEDRIVER", driver.display());
        }
        Ok(driver)
    };
    let found = find();
    if let Err(error) = &found {
        println!("tests in Chromium are skipped: {error:#}");
    }
    found.ok()
}

/// Firefox and the program that drives it.
pub struct Firefox {
    pub browser: PathBuf,
    pub driver: PathBuf,
}

/// Debian's Firefox, installed if need be, with the driver from the Rust registry, compiled once.
/// Without them, what needs them is skipped, and says so: not every system has this Firefox.
pub fn firefox() -> Option<Firefox> {
    let found = find_firefox();
    if let Err(error) = &found {
        println!("tests in Firefox are skipped: {error:#}");
    }
    found.ok()
}

fn find_firefox() -> Result<Firefox> {
    let browser = env::var_os("FIREFOX_PATH")
        .map_or_else(|| PathBuf::from("/usr/bin/firefox-esr"), PathBuf::from);
    if !browser.exists() {
        apt::install(
            "Firefox",
            &["firefox-esr"],
            "the tests in Firefox need firefox-esr; set FIREFOX_PATH",
        )?;
    }
    if !browser.exists() {
        bail!("{} is not there; set FIREFOX_PATH", browser.display());
    }
    let driver = tools::geckodriver()?;
    Ok(Firefox { browser, driver })
}
