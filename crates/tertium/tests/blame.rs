//! Every method names the components that are uncertain of their part in a transition, by their own actions.

use tertium::{Fact, Model, Options};

const COMPONENTS: &str = "component A mts { actions a; init s; s: -a?> t; t: ; }
    component B mts { actions d; init u; u: -d?> u; }
    system A || B";

#[test]
fn every_method_blames_the_component_that_has_the_action() {
    for (sync, formula) in [
        ("", "<a> true"),
        (" hide { a }", "<tau> true"),
        (" sync { A:a -> d; }", "<d> true"),
        (" sync { A:a -> d; } hide { d }", "<tau> <tau> true"),
    ] {
        let text = format!("{COMPONENTS}{sync}; property x: mu {formula};");
        let model = Model::read("tm", "blame.tm", &text).unwrap();
        for method in ["auto", "direct", "compositional", "refine", "symbolic"] {
            let options = Options::default().method(method).causes(8);
            let answer = model.check(&model.properties()[0], &options).unwrap();
            let causes = &answer.outcome().causes;
            assert!(causes.len() >= 2, "{method}{sync}: {:?}", answer.reason());
            for (fact, _) in causes.iter().flat_map(|cause| &cause.facts) {
                let Fact::Transition { component, action, .. } = fact else { panic!("{fact:?}") };
                let own = if component == "A" { "a" } else { "d" };
                assert_eq!(action.as_deref(), Some(own), "{method}{sync}: {causes:?}");
                assert!(component == "A" || sync.contains("sync"), "{method}{sync}: {causes:?}");
            }
        }
    }
}
