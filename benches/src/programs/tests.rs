//! What every program promises.

use super::*;
use front::WhileDocument;
use support::FileId;
use testkit::compile_for;
use testkit::programs::explicit_model;

fn small() -> impl Iterator<Item = Wish> {
    let programs = Program::value_variants().iter();
    programs.flat_map(|&program| {
        [(1, None), (2, None), (5, None), (3, Some(2))].map(|(size, bits)| Wish {
            program,
            size,
            bits,
        })
    })
}

#[test]
fn longer_programs_are_longer_and_no_wider() {
    for &program in Program::value_variants() {
        let [short, long] = [10, 20].map(|size| make(&Wish { program, size, bits: None }));
        assert!(long.len() > short.len(), "{program:?}");
        let vars = |text: &str| text.lines().filter(|line| line.starts_with("var ")).count();
        assert_eq!(vars(&short), vars(&long), "{program:?}");
    }
}

#[test]
fn each_has_a_property_that_holds_and_one_that_does_not() {
    for wish in small() {
        let properties = wish.program.plan().properties;
        for holds in [true, false] {
            let name = wish.program;
            assert!(properties.iter().any(|property| property.holds == holds), "{name:?}");
        }
    }
}

fn read(wish: &Wish) -> WhileDocument {
    let read = front::read_while(FileId(0), &make(wish).into());
    let document = read.unwrap_or_else(|errors| panic!("{:?}: {errors:?}", wish.program));
    assert!(document.warnings.is_empty(), "{:?}: {:?}", wish.program, document.warnings);
    document
}

/// What is said at the head of the files is true. A library is too long for a check of all its states by definition.
#[test]
fn properties_hold_or_not_as_is_said() {
    for wish in small().filter(|wish| wish.program != Program::Library) {
        let document = read(&wish);
        let model = explicit_model(&document.program, &document.propositions);
        let stated = wish.program.plan().properties;
        assert_eq!(document.properties.len(), stated.len());
        for (property, stated) in document.properties.iter().zip(stated) {
            let formula = compile_for(&property.surface, &model);
            let values = testkit::reference::evaluate(&model, &formula);
            let holds = model.init().iter().all(|&state| values.at(formula.root(), state).is_true);
            let Wish { program, size, .. } = wish;
            assert_eq!(holds, stated.holds, "{program:?} {size}: {}", stated.name);
        }
    }
}

/// As large as measurements want them.
#[test]
fn large_programs_can_be_read() {
    for &program in Program::value_variants() {
        let size = if program == Program::Nested { 100 } else { 10_000 };
        read(&Wish { program, size, bits: None });
    }
}
