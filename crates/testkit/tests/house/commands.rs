//! One command runs all tests, and it is the same in the README, in CONTRIBUTING.md and in `.ci/run`.

use crate::{read, root};

fn commands(name: &str) -> Vec<String> {
    let text = read(&root().join(name));
    let without_comment = |line: &str| line.split('#').next().unwrap_or_default().trim().to_owned();
    text.lines().map(without_comment).filter(|line| line.starts_with("cargo ")).collect()
}

#[test]
fn the_documents_and_the_script_run_the_same_commands() {
    let script = commands(".ci/run");
    assert_eq!(script, commands("CONTRIBUTING.md"));
    let [run, test] = &commands("README.md")[..] else { panic!("two commands are the set-up") };
    assert!(run.contains("check examples/"), "{run}");
    assert_eq!(Some(test), script.last());
}
