//! Promela files that include others, read through a loader.

use std::io::{BufRead, Cursor};
use std::path::Path;
use std::sync::Arc;
use tertium::{Error, Input, Loader, Model, NoFiles, Options, Verdict};

/// Files by their paths.
struct Files(&'static [(&'static str, &'static str)]);

impl Loader for Files {
    fn open(&self, path: &Path) -> Result<Box<dyn BufRead + Send>, Error> {
        let found = self.0.iter().find(|(name, _)| Path::new(name) == path);
        match found {
            Some((_, text)) => Ok(Box::new(Cursor::new(text.as_bytes()))),
            None => NoFiles.open(path),
        }
    }
}

fn read(files: &'static [(&'static str, &'static str)]) -> Result<Model, Error> {
    Input::new().file("models/main.pml").loader(Arc::new(Files(files))).read()
}

#[test]
fn included_files_are_relative_to_their_includers() {
    let model = read(&[
        ("models/main.pml", "#include \"parts/values.h\"\nbyte x = N;\ninit { assert(x == M) }\n"),
        ("models/parts/values.h", "#define N 3\n#include \"more.h\"\n"),
        ("models/parts/more.h", "#define M 4\n"),
    ]);
    let model = model.expect("a model");
    let assertions = model.property_named("assertions").expect("the property");
    let answer = model.check(assertions, &Options::default()).expect("an answer");
    assert_eq!(answer.verdict(), Verdict::False);
    let given = model.property(tertium::Logic::Ctl, "EF (x == M - 1)").expect("a formula");
    let answer = model.check(&given, &Options::default()).expect("an answer");
    assert_eq!(answer.verdict(), Verdict::True);
}

#[test]
fn a_missing_file_and_one_that_includes_itself_are_errors() {
    let missing = read(&[("models/main.pml", "#include \"no.h\"\ninit { skip }\n")]);
    assert!(missing.expect_err("an error").to_string().contains("`no.h` cannot be read"));
    let endless = read(&[("models/main.pml", "#include \"main.pml\"\ninit { skip }\n")]);
    let said = endless.expect_err("an error").to_string();
    assert!(said.contains("more than 256 files are included"), "{said}");
    // With a guard it ends.
    let guarded = read(&[(
        "models/main.pml",
        "#ifndef G\n#define G\nbyte x;\n#include \"main.pml\"\ninit { x = 1 }\n#endif\n",
    )]);
    assert!(guarded.is_ok());
    // What is not reached is not missed.
    let text = "#if 0\n#include \"no.h\"\n#endif\ninit { skip }\n";
    assert!(Model::read("promela", "main.pml", text).is_ok());
    let wrong = Model::read("promela", "main.pml", "#include <a.h>\ninit { skip }\n");
    assert!(wrong.expect_err("an error").to_string().contains("in quotes"));
}
