//! Random closed formulas, as a user might have written them: text, spans and all.

use crate::failure::Case;
use crate::models::{ModelShape, model};
use crate::rng::Rng;
use crate::text::model_text;
use logic::{
    ActionSet, BinderId, Expr, ExprId, Family, Fix, Formula, Logic, Modality, PathOp, Quantifier,
    RegId, Regular, Signature, StateOp, Surface, SurfaceBuilder, compile,
};
use model::{Kind, PartialModel};
use support::{FileId, Span};

/// The vocabulary and size of random formulas.
#[derive(Clone, Debug)]
pub struct FormulaShape {
    pub logic: Logic,
    pub family: Family,
    pub props: Vec<String>,
    pub actions: Vec<String>,
    /// The number of operators, roughly.
    pub size: usize,
}

impl FormulaShape {
    pub fn over(model: &PartialModel, logic: Logic, size: usize) -> Self {
        let props = model.props().names().map(str::to_owned).collect();
        let actions = model.actions().names().map(str::to_owned).collect();
        Self { logic, family: model.kind.family(), props, actions, size }
    }
}

/// A random formula. Variables may be unguarded, unused, or share their names. Half of those of the
/// µ-calculus begin with several fixpoints, so that alternation is not the rare case that it would be.
pub fn formula(rng: &mut Rng, shape: &FormulaShape) -> Surface {
    let mut generator = Generator {
        rng,
        shape,
        builder: SurfaceBuilder::default(),
        text: String::new(),
        scope: Vec::new(),
        negated: false,
        alternating: false,
    };
    generator.alternating = shape.logic != Logic::Ctl && generator.rng.chance(0.5);
    let prefix = if generator.alternating { generator.rng.between(2, 4) } else { 0 };
    let root = generator.prefixed(prefix, shape.size);
    generator.builder.finish(shape.logic, generator.text.into(), root)
}

/// A random formula over a model, in a logic that suits it, in normal form.
pub fn formula_for(rng: &mut Rng, model: &PartialModel, size: usize) -> Formula {
    let logic = match model.kind.family() {
        Family::Props => *rng.pick(&[Logic::Mu, Logic::Mu, Logic::Mu, Logic::Ctl]),
        Family::Actions => *rng.pick(&[Logic::Mu, Logic::Mu, Logic::Mcf]),
    };
    compile_for(&formula(rng, &FormulaShape::over(model, logic, size)), model)
}

/// A random model of one of some kinds and a formula over it of at most some size, remembered as the
/// case in question.
pub fn pair(
    rng: &mut Rng,
    case: &mut Case,
    kinds: &[Kind],
    size: usize,
) -> (PartialModel, Formula) {
    let kind = *rng.pick(kinds);
    let shape = ModelShape::small(rng, kind);
    let model = model(rng, &shape);
    case.note(model_text(&model));
    let formula = noted_formula(rng, case, &model, size);
    (model, formula)
}

/// A random formula over a model of at most some size, remembered as that of the case.
pub fn noted_formula(rng: &mut Rng, case: &mut Case, model: &PartialModel, size: usize) -> Formula {
    let size = rng.between(1, size);
    let formula = formula_for(rng, model, size);
    case.note_property(&formula);
    formula
}

/// The normal form over the propositions of a model.
///
/// Panics if the formula does not fit the model: the test is wrong then.
pub fn compile_for(surface: &Surface, model: &PartialModel) -> Formula {
    let mut actions: Vec<String> = model.actions().names().map(str::to_owned).collect();
    actions.sort();
    let signature =
        Signature { family: model.kind.family(), props: model.props(), actions: &actions };
    let result = compile(surface, &signature, &mut Vec::new());
    result.unwrap_or_else(|errors| panic!("`{}`: {errors:?}", surface.source()))
}

struct Generator<'a> {
    rng: &'a mut Rng,
    shape: &'a FormulaShape,
    builder: SurfaceBuilder,
    text: String,
    /// The fixpoints around, with whether each lies under an odd number of negations.
    scope: Vec<(BinderId, &'static str, bool)>,
    negated: bool,
    /// Prefers variables and modalities to everything else.
    alternating: bool,
}

impl Generator<'_> {
    fn span_from(&self, start: usize) -> Span {
        Span::new(FileId(0), start..self.text.len())
    }

    fn expr(&mut self, size: usize) -> ExprId {
        let start = self.text.len();
        let expr = match size {
            0 | 1 => self.leaf(),
            _ => self.compound(size - 1),
        };
        let span = self.span_from(start);
        self.builder.expr(expr, span)
    }

    /// So many fixpoints at the head.
    fn prefixed(&mut self, fixpoints: usize, size: usize) -> ExprId {
        if fixpoints == 0 {
            return self.expr(size);
        }
        let start = self.text.len();
        let expr = self
            .bind(["W", "X", "Y", "Z"][fixpoints - 1], |this| this.prefixed(fixpoints - 1, size));
        let span = self.span_from(start);
        self.builder.expr(expr, span)
    }

    fn operand(&mut self, size: usize) -> ExprId {
        if size <= 1 {
            return self.expr(size);
        }
        self.text.push('(');
        let expr = self.expr(size);
        self.text.push(')');
        expr
    }

    fn leaf(&mut self) -> Expr {
        let visible = self.visible_variables();
        if !visible.is_empty() && self.rng.chance(if self.alternating { 0.7 } else { 0.5 }) {
            let (binder, name) = *self.rng.pick(&visible);
            self.text.push_str(name);
            return Expr::Var(binder);
        }
        if !self.shape.props.is_empty() && self.rng.chance(0.9) {
            let name = self.rng.pick(&self.shape.props).clone();
            self.text.push_str(&name);
            return Expr::Prop(name);
        }
        if self.shape.family == Family::Actions && self.rng.chance(0.8) {
            return self.possible_or_not();
        }
        self.constant()
    }

    fn constant(&mut self) -> Expr {
        let value = self.rng.chance(0.5);
        self.text.push_str(if value { "true" } else { "false" });
        Expr::Const(value)
    }

    /// `(<a> true)` or `([a] false)`: what stands for a literal where there are no propositions.
    fn possible_or_not(&mut self) -> Expr {
        let modality = *self.rng.pick(&[Modality::Box, Modality::Dia]);
        let (open, close, word) = match modality {
            Modality::Box => ("([", "] ", "false"),
            Modality::Dia => ("(<", "> ", "true"),
        };
        self.text.push_str(open);
        let reg = self.one_step();
        self.text.push_str(close);
        let start = self.text.len();
        self.text.push_str(word);
        let span = self.span_from(start);
        let body = self.builder.expr(Expr::Const(modality == Modality::Dia), span);
        self.text.push(')');
        Expr::Modal(modality, reg, body)
    }

    /// Those that would occur positively and that no inner fixpoint of the same name hides.
    fn visible_variables(&self) -> Vec<(BinderId, &'static str)> {
        let hidden = |i: usize| self.scope[i + 1..].iter().any(|inner| inner.1 == self.scope[i].1);
        let usable = self
            .scope
            .iter()
            .enumerate()
            .filter(|&(i, outer)| outer.2 == self.negated && !hidden(i));
        usable.map(|(_, &(binder, name, _))| (binder, name)).collect()
    }

    fn compound(&mut self, size: usize) -> Expr {
        // Past the first few, everything is a conjunction, a disjunction, a fixpoint or a modality.
        let choice = if self.alternating { self.rng.between(6, 100) } else { self.rng.below(100) };
        match (choice, self.shape.logic) {
            (45..60, Logic::Mu | Logic::Mcf) if self.alternating => self.chain(size),
            (0..8, _) => self.negation(size),
            (8..32, _) => self.chain(size),
            (32..37, _) => self.implication(size),
            (37..40, Logic::Mu | Logic::Ctl) => self.equivalence(size),
            (_, Logic::Ctl) => self.ctl(size),
            (40..65, _) => self.fixpoint(size),
            _ => self.modal(size),
        }
    }

    fn negation(&mut self, size: usize) -> Expr {
        self.text.push('!');
        self.negated = !self.negated;
        let e = self.operand(size);
        self.negated = !self.negated;
        Expr::Not(e)
    }

    fn chain(&mut self, size: usize) -> Expr {
        let conjunction = self.rng.chance(0.5);
        let sign = match (conjunction, self.shape.logic) {
            (true, Logic::Mcf) => " && ",
            (false, Logic::Mcf) => " || ",
            (true, _) => " & ",
            (false, _) => " | ",
        };
        let count = if self.rng.chance(0.8) { 2 } else { 3 };
        let mut operands = Vec::new();
        for index in 0..count {
            if index > 0 {
                self.text.push_str(sign);
            }
            operands.push(self.operand(size / count));
        }
        if conjunction { Expr::And(operands) } else { Expr::Or(operands) }
    }

    fn implication(&mut self, size: usize) -> Expr {
        self.negated = !self.negated;
        let left = self.operand(size / 2);
        self.negated = !self.negated;
        self.text.push_str(if self.shape.logic == Logic::Mcf { " => " } else { " -> " });
        Expr::Implies(left, self.operand(size / 2))
    }

    /// Within an equivalence no variable from outside can occur.
    fn equivalence(&mut self, size: usize) -> Expr {
        let scope = std::mem::take(&mut self.scope);
        let left = self.operand(size / 2);
        self.text.push_str(" <-> ");
        let right = self.operand(size / 2);
        self.scope = scope;
        Expr::Iff(left, right)
    }

    fn fixpoint(&mut self, size: usize) -> Expr {
        let name = *self.rng.pick(&["X", "Y", "Z"]);
        self.bind(name, |this| this.expr(size))
    }

    fn bind(&mut self, name: &'static str, body: impl FnOnce(&mut Self) -> ExprId) -> Expr {
        let (kind, word) = *self.rng.pick(&[(Fix::Mu, "mu "), (Fix::Nu, "nu ")]);
        self.text.push_str(word);
        let start = self.text.len();
        self.text.push_str(name);
        let binder = self.builder.binder(kind, name, self.span_from(start));
        self.text.push_str(". ");
        self.scope.push((binder, name, self.negated));
        let body = body(self);
        self.scope.pop();
        Expr::Fix(binder, body)
    }

    fn ctl(&mut self, size: usize) -> Expr {
        let (quantifier, letter) =
            *self.rng.pick(&[(Quantifier::All, 'A'), (Quantifier::Exists, 'E')]);
        self.text.push(letter);
        if self.rng.chance(0.5) {
            let states = [(StateOp::Next, 'X'), (StateOp::Finally, 'F'), (StateOp::Globally, 'G')];
            let (op, letter) = *self.rng.pick(&states);
            self.text.push(letter);
            self.text.push(' ');
            return Expr::State(quantifier, op, self.operand(size));
        }
        let paths = [(PathOp::Until, " U "), (PathOp::Release, " R "), (PathOp::WeakUntil, " W ")];
        let (op, sign) = *self.rng.pick(&paths);
        self.text.push('[');
        let left = self.operand(size / 2);
        self.text.push_str(sign);
        let right = self.operand(size / 2);
        self.text.push(']');
        Expr::Path(quantifier, op, left, right)
    }

    fn modal(&mut self, size: usize) -> Expr {
        let (modality, open, close) =
            *self.rng.pick(&[(Modality::Box, '[', "] "), (Modality::Dia, '<', "> ")]);
        self.text.push(open);
        let reg = match (self.shape.logic, self.shape.family) {
            (Logic::Mcf, Family::Actions) => {
                let size = self.rng.between(1, 4);
                self.regular(size)
            }
            (_, Family::Actions) => self.one_step(),
            (_, Family::Props) => {
                let span = self.span_from(self.text.len());
                self.builder.reg(Regular::Action(ActionSet::any()), span)
            }
        };
        self.text.push_str(close);
        Expr::Modal(modality, reg, self.operand(size))
    }

    fn regular(&mut self, size: usize) -> RegId {
        let start = self.text.len();
        let regular = match if size <= 1 { 0 } else { self.rng.between(1, 4) } {
            0 => return self.one_step(),
            1 => {
                let first = self.regular_operand(size / 2);
                self.text.push('.');
                Regular::Seq(first, self.regular_operand(size / 2))
            }
            2 => {
                let first = self.regular_operand(size / 2);
                self.text.push_str(" + ");
                Regular::Alt(first, self.regular_operand(size / 2))
            }
            3 => {
                let once = self.regular_operand(size - 1);
                self.text.push('*');
                Regular::Star(once)
            }
            _ => {
                let once = self.regular_operand(size - 1);
                self.text.push('+');
                Regular::Plus(once)
            }
        };
        let span = self.span_from(start);
        self.builder.reg(regular, span)
    }

    fn regular_operand(&mut self, size: usize) -> RegId {
        self.text.push('(');
        let reg = self.regular(size);
        self.text.push(')');
        reg
    }

    /// A set of actions: one, some, all but one, all.
    fn one_step(&mut self) -> RegId {
        let start = self.text.len();
        let sign = if self.shape.logic == Logic::Mcf { " || " } else { "|" };
        let set = match self.rng.below(5) {
            0 | 1 => self.action(),
            2 => {
                let first = self.action();
                self.text.push_str(sign);
                first.or(self.action())
            }
            3 => {
                self.text.push('!');
                self.action().complement()
            }
            _ => {
                self.text.push_str("true");
                ActionSet::any()
            }
        };
        let span = self.span_from(start);
        self.builder.reg(Regular::Action(set), span)
    }

    fn action(&mut self) -> ActionSet {
        let start = self.text.len();
        let name = self.rng.pick(&self.shape.actions).clone();
        self.text.push_str(&name);
        let span = self.span_from(start);
        self.builder.actions.push((name.clone(), span));
        ActionSet::one(name)
    }
}
