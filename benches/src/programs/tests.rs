//! What every program promises.

use super::*;

fn small() -> impl Iterator<Item = Wish> {
    let programs = Program::value_variants().iter();
    programs.flat_map(|&program| [1, 2, 5].map(|size| Wish { program, size }))
}

#[test]
fn longer_programs_are_longer_and_no_wider() {
    for &program in Program::value_variants() {
        let [short, long] = [10, 20].map(|size| make(&Wish { program, size }));
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
