//! The page of the explorer in a browser: `npm test` of crates/explorer/web with this build of the command, and whether
//! what is checked in as `dist` is what the sources give. Needs Node and Chromium, and is skipped by name without.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// How `npm test` ends where there is no Chromium.
const NO_BROWSER: i32 = 77;

fn web() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../explorer/web")
}

fn npm(arguments: &[&str]) -> ExitStatus {
    let mut command = Command::new("npm");
    command.args(arguments).current_dir(web()).env("TERTIUM", env!("CARGO_BIN_EXE_tertium"));
    command.status().expect("npm starts")
}

fn has_npm() -> bool {
    let mut asked = Command::new("npm");
    asked.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    asked.status().is_ok_and(|status| status.success())
}

/// Fetches the dependencies of the page once. Without a network there is nothing to be fetched from.
fn has_packages() -> bool {
    web().join("node_modules/esbuild").exists() || npm(&["ci", "--ignore-scripts"]).success()
}

/// Not by a macro, whose output is shown only of tests that fail.
fn skip(reason: &str) {
    let message = format!("skipped: {reason}\n");
    std::io::stderr().write_all(message.as_bytes()).expect("somebody reads");
}

#[test]
fn the_page_is_current_and_works_in_a_browser() {
    if !has_npm() {
        return skip("`npm` is not found, so the explorer's page is not tested");
    }
    if !has_packages() {
        return skip("`npm ci` has failed in crates/explorer/web, so the page is not tested");
    }
    for step in ["types", "verify"] {
        assert!(npm(&["run", step]).success(), "`npm run {step}` fails in crates/explorer/web");
    }
    let tested = npm(&["test"]);
    if tested.code() == Some(NO_BROWSER) {
        return skip("no Chromium was found, so the page is not tested in a browser");
    }
    assert!(tested.success(), "`npm test` fails in crates/explorer/web");
}
