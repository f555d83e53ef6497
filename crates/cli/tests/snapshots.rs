//! The output word for word: the sessions in `cmd/`, each with its files in the folder beside it.
//!
//! `TRYCMD=overwrite cargo test -p tertium-cli --test snapshots` writes what the program says now.

#[test]
fn sessions() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
