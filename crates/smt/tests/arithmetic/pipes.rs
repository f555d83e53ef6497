//! Solvers behind a pipe, and two that are compared with each other.

use smt::{
    Comparison, CrossChecked, END_OF_ANSWER, Embedded, LinearFormula, Pipe, PipeFault, Piped,
    SatAnswer, Solver, Term, Variable,
};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

#[derive(Default)]
struct Wire {
    heard: Vec<String>,
    answers: VecDeque<Result<String, PipeFault>>,
    starts: usize,
}

/// Says what it is told to, and remembers what it hears.
#[derive(Clone, Default)]
struct Parrot(Rc<RefCell<Wire>>);

impl Pipe for Parrot {
    fn exchange(&mut self, text: &str) -> Result<String, PipeFault> {
        let mut wire = self.0.borrow_mut();
        wire.heard.push(text.to_owned());
        wire.answers.pop_front().unwrap_or(Err(PipeFault::Ended))
    }

    fn restart(&mut self) -> Result<(), PipeFault> {
        self.0.borrow_mut().starts += 1;
        Ok(())
    }
}

impl Parrot {
    fn saying(answers: &[&str]) -> Self {
        let parrot = Self::default();
        let answers = answers.iter().map(|&answer| Ok(answer.to_owned()));
        parrot.0.borrow_mut().answers.extend(answers);
        parrot
    }

    fn heard(&self) -> Vec<String> {
        self.0.borrow().heard.clone()
    }
}

fn compare(relation: Comparison, constant: i64) -> LinearFormula {
    let constant = Term::constant(constant).expect("small");
    relation.between(&Term::variable(Variable(0)), &constant).expect("small")
}

#[test]
fn a_question_is_a_script() {
    let parrot = Parrot::saying(&["sat\n", "((v0 (- 5)))\n"]);
    let mut solver = Piped::new(parrot.clone());
    let odd = LinearFormula::divides(2, &Term::variable(Variable(0))).negated();
    let SatAnswer::Sat(model) = solver.check(&[compare(Comparison::Less, -4), odd]) else {
        panic!("-5 is a solution")
    };
    assert_eq!(model.value(Variable(0)), -5);
    let heard = parrot.heard();
    let (_, question) = heard[0].split_once("(set-logic QF_LIA)\n").expect("a logic");
    assert_eq!(
        question,
        "(push 1)\n\
         (declare-fun v0 () Int)\n\
         (declare-fun p0 () Bool)\n\
         (assert (=> p0 (<= (+ 0 5 (* 1 v0)) 0)))\n\
         (declare-fun p1 () Bool)\n\
         (assert (=> p1 (not (= (mod (+ 0 0 (* 1 v0)) 2) 0))))\n\
         (check-sat-assuming (p0 p1))\n\
         (echo \"end-of-answer\")\n"
    );
    assert_eq!(heard[1], format!("(get-value (v0))\n(echo \"{END_OF_ANSWER}\")\n"));
}

#[test]
fn cores_are_the_assumptions_that_are_named() {
    let parrot = Parrot::saying(&["unsat\n", "(p2 p0)\n"]);
    let parts = [1, 2, 3].map(|constant| compare(Comparison::Equal, constant));
    assert_eq!(Piped::new(parrot).check(&parts), SatAnswer::Unsat(vec![0, 2]));
}

#[test]
fn a_core_with_strange_names_is_everything() {
    for strange in ["(p7)", "(q0)", "((p0))", "p0", "", "(error \"no\")"] {
        let parrot = Parrot::saying(&["unsat\n", strange]);
        let parts = [1, 2].map(|constant| compare(Comparison::Equal, constant));
        assert_eq!(Piped::new(parrot).check(&parts), SatAnswer::Unsat(vec![0, 1]), "{strange}");
    }
}

#[test]
fn the_context_is_asserted_once_and_again_after_a_fault() {
    let parrot = Parrot::saying(&["unknown\n", "unknown\n"]);
    let mut solver = Piped::new(parrot.clone());
    solver.push(&compare(Comparison::Less, 9));
    let question = [compare(Comparison::Greater, 7)];
    // The third exchange ends the solver, the fourth comes after a start.
    (0..4).for_each(|_| assert!(matches!(solver.check(&question), SatAnswer::Unknown(_))));
    let tells_context = |text: &String| text.contains("(assert (<= (+ 0 (- 8) (* 1 v0)) 0))");
    let reported: Vec<bool> = parrot.heard().iter().map(tells_context).collect();
    assert_eq!(reported, [true, false, false, true]);
    assert_eq!(parrot.0.borrow().starts, 2);
    solver.pop();
    // Pops are balanced: one for a question, one for the context.
    assert!(parrot.heard()[1].starts_with("(pop 1)\n(push 1)\n"));
}

#[test]
fn a_solver_that_fails_three_times_in_a_row_is_given_up() {
    let parrot = Parrot::default();
    let mut solver = Piped::new(parrot.clone());
    (0..10).for_each(|_| assert!(matches!(solver.check(&[]), SatAnswer::Unknown(_))));
    assert_eq!(parrot.0.borrow().starts, 3);
    assert_eq!(solver.counters().unknown, 10);
}

#[test]
fn a_disagreement_is_reported() {
    let liar = Piped::new(Parrot::saying(&["unsat\n", "(p0)\n"]));
    let mut both = CrossChecked::new(Embedded::new(), liar);
    let SatAnswer::Unknown(why) = both.check(&[compare(Comparison::Less, 3)]) else {
        panic!("they disagree")
    };
    assert!(why.contains("disagree") && why.contains("x0 <= 2"), "{why}");
    assert_eq!(both.disagreement(), Some(&*why));
    // One of the solvers is wrong, so no answer is used.
    assert!(matches!(both.check(&[]), SatAnswer::Unknown(_)));
}

#[test]
fn an_answer_that_only_one_gives_is_none() {
    let mut both = CrossChecked::new(Embedded::new(), Piped::new(Parrot::default()));
    assert!(matches!(both.check(&[compare(Comparison::Less, 3)]), SatAnswer::Unknown(_)));
    assert_eq!(both.disagreement(), None);
    assert_eq!(both.counters().unknown, 1);
}

/// x0 is 0, x1 is x0 + 1, and x1 is at most 0.
fn rising() -> Vec<LinearFormula> {
    let x = |v: u32| Term::variable(Variable(v));
    let more = x(1).minus(&x(0)).and_then(|by| by.plus_constant(-1)).expect("small");
    vec![LinearFormula::zero(&x(0)), LinearFormula::zero(&more), LinearFormula::at_most(&x(1))]
}

#[test]
fn interpolants_of_a_sequence_are_asked_for_at_once() {
    let parrot = Parrot::saying(&["unsat\n((<= 0 v0) (> v1 0))\n", "sat\n", "((v0 0))\n"]);
    let mut solver = Piped::new(parrot.clone());
    let between = solver.interpolate(&rising()).expect("it says some");
    assert_eq!(between.len(), 2);
    let heard = parrot.heard();
    assert!(heard[0].contains("(assert (! (= (+ 0 0 (* 1 v0)) 0) :named p0))"), "{}", heard[0]);
    assert!(heard[0].contains("(check-sat)\n(get-interpolants p0 p1 p2)\n"), "{}", heard[0]);
    // Questions are asked of a solver that was started for them.
    assert!(matches!(solver.check(&[compare(Comparison::Equal, 0)]), SatAnswer::Sat(_)));
    assert_eq!(parrot.0.borrow().starts, 2);
}

#[test]
fn a_solver_without_sequences_is_queried_one_by_one() {
    let said = [
        "unsat\n(error \"what?\")\n",
        "(define-fun i () Bool (and true (not (< v0 0))))\n",
        "(define-fun i () Bool (>= (* 2 v1) (+ 1 (- 1) 1)))\n",
    ];
    let parrot = Parrot::saying(&said);
    let between = Piped::new(parrot.clone()).interpolate(&rising()).expect("it says some");
    assert_eq!(
        between[1],
        compare(Comparison::Greater, 0)
            .substitute(&|_| { Some(Term::variable(Variable(1))) })
            .expect("small")
    );
    assert!(parrot.heard()[1].contains("(get-interpolant i (not (and true "));
    assert!(parrot.heard()[2].contains("(assert (<= (+ 0 0 (* (- 1) v0)) 0))"), "the one before");
}

#[test]
fn a_solver_without_interpolants_is_not_queried_for_ever() {
    let rubbish = [
        "",
        "unsat",
        "unsat\n(",
        "sat\n((<= 0 v0) (> v1 0))",
        "unsat\n((<= 0 v0))",
        "unsat\n((<= 0 v1) (> v0 0))",
        "unsat\n((<= 0 v0 v0) (> v1 0))",
        "unsat\n((<= 0 (* v0 v0)) (> v1 0))",
        "unsat\n((= 0 99999999999999999999) (> v1 0))",
        "(define-fun i () Bool (< v9 0))",
        "(define-fun i () Bool)",
        "(fail)",
    ];
    for said in rubbish {
        let parrot = Parrot::saying(&[said, said]);
        let mut solver = Piped::new(parrot.clone());
        assert_eq!(solver.interpolate(&rising()), None, "{said}");
        assert_eq!(solver.interpolate(&rising()), None, "{said}");
        assert_eq!(parrot.heard().len(), 2, "{said}");
    }
    let mut late = Piped::new(Parrot::default());
    assert_eq!(late.interpolate(&rising()), None);
    assert_eq!(late.counters(), Default::default());
}
