//! Data of any width costs nothing: the same abstract states and the same rounds.

use crate::asking::{Program, read};
use explicit::{Outcome, Refinement};
use logic::Truth;
use refine::Policy;
use transition::Division;

/// Verdict, abstract states and rounds of each specification.
type Figures = Vec<(Truth, Vec<(String, u64)>, u64)>;

fn figures(text: &str) -> Figures {
    let program = Program::new(read(text).unwrap_or_else(|error| panic!("{error}\n{text}")));
    let how = || (&Division::Instances, Refinement::default());
    let outcome =
        |surface| program.refine(surface, how(), Policy::default()).expect("concretisations");
    let sizes = |outcome: &Outcome| {
        let sizes = outcome.stats.abstract_states.clone().expect("abstract states");
        sizes.into_iter().map(|size| (size.component, size.abstract_states)).collect()
    };
    let outcomes = program.surfaces().map(outcome);
    outcomes
        .map(|outcome| {
            let rounds = outcome.stats.iterations.expect("rounds");
            (outcome.verdict, sizes(&outcome), rounds)
        })
        .collect()
}

fn compare(program: impl Fn(u32) -> String, verdicts: &[bool]) {
    let small = figures(&program(8));
    let found: Vec<Truth> = small.iter().map(|(verdict, ..)| *verdict).collect();
    let expected: Vec<Truth> = verdicts.iter().map(|&verdict| verdict.into()).collect();
    assert_eq!(found, expected, "{}", program(8));
    for width in [9, 32, 64] {
        assert_eq!(figures(&program(width)), small, "{}", program(width));
    }
}

/// A client and a server; each counts, and the client's counter decides in one place.
#[test]
fn counters_of_two_modules() {
    let program = |width: u32| {
        format!(
            "MODULE main
             VAR c : client(s.answers); s : server(c.asks);
             SPEC AG (s.answers -> c.asks)
             SPEC AG (c.asks -> AF s.answers)
             SPEC AG AF c.asks
             SPEC AG EF s.answers
             SPEC EF EG c.asks
             MODULE client(is_answered)
             VAR at : {{idle, asking, using}}; ticks : unsigned word[{width}];
             DEFINE asks := at = asking;
             ASSIGN init(at) := idle;
             next(at) := case
               at = idle : {{idle, asking}};
               at = asking & is_answered : using;
               at = using & ticks = 0ud{width}_0 : {{using, idle}};
               at = using : idle;
               TRUE : at;
             esac;
             init(ticks) := 0ud{width}_0;
             next(ticks) := ticks + 0ud{width}_1;
             MODULE server(is_asked)
             VAR at : {{free, working, answering}}; served : unsigned word[{width}];
             DEFINE answers := at = answering;
             ASSIGN init(at) := free;
             next(at) := case at = free & is_asked : working; at = working : answering;
               TRUE : free; esac;
             init(served) := 0ud{width}_0;
             next(served) := case answers : served + 0ud{width}_1; TRUE : served; esac;"
        )
    };
    compare(program, &[true, true, false, true, false]);
}

/// A word goes from module to module, and is compared with a counter where it does not matter.
#[test]
fn words_that_are_handed_on() {
    let program = |width: u32| {
        format!(
            "MODULE main
             VAR a : stage(b.datum, b.gives); b : stage(c.datum, c.gives); c : stage(a.datum, a.gives);
             SPEC AG (a.gives -> AX !a.gives)
             SPEC AG (c.gives -> b.datum = c.datum | b.datum != c.datum)
             SPEC AG EF b.gives
             SPEC AF (b.gives & c.gives)
             MODULE stage(new, is_given)
             VAR datum : unsigned word[{width}]; gives : boolean; ticks : unsigned word[{width}];
             ASSIGN init(datum) := 0ud{width}_0; init(ticks) := 0ud{width}_0;
             next(datum) := case is_given : new + 0ud{width}_1; TRUE : datum; esac;
             next(ticks) := ticks + 0ud{width}_1;
             init(gives) := FALSE;
             next(gives) := case gives : FALSE; ticks = datum : {{FALSE, TRUE}}; TRUE : {{TRUE, FALSE}};
             esac;"
        )
    };
    compare(program, &[true, true, true, false]);
}

/// Ranges and initial states: a large range that starts anywhere, and a start that relates two words.
#[test]
fn ranges_and_starts() {
    let program = |width: u32| {
        let most = (1u64 << (width - 1).min(40)) - 1;
        format!(
            "MODULE main
             VAR a : part(b.on); b : part(a.on);
             INIT a.level = b.level
             SPEC AG !(a.on & b.on)
             SPEC EF a.on
             SPEC AF a.on
             MODULE part(other)
             VAR on : boolean; level : 0..{most};
             ASSIGN init(on) := FALSE;
             next(on) := case other : FALSE; TRUE : {{TRUE, FALSE}}; esac;
             next(level) := case level < {most} : level + 1; TRUE : 0; esac;"
        )
    };
    compare(program, &[false, true, false]);
}
