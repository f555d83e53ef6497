//! A property: a formula about a model, with its name.

use crate::integers::IntegerModel;
use crate::transition_system::{FiniteModel, StatedProperty};
use explicit::{Outcome, Reason};
use logic::{BinderId, Expr, ExprId, Logic, Quantifier, Surface};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use support::{Diagnostic, IdVec, SourceMap, Span};

/// A formula with its name, as models of states are asked it.
#[derive(Clone)]
pub struct NativeProperty {
    pub name: String,
    pub span: Span,
    pub surface: Surface,
}

impl NativeProperty {
    /// The specification that writers put into a text.
    pub fn specification(&self) -> front::Specification {
        front::Specification::new(Some(self.name.clone()), self.span, self.surface.clone())
    }
}

/// A formula about a model. Cheap to clone.
#[derive(Clone)]
pub struct Property(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub name: String,
    pub logic: &'static str,
    pub formula: String,
    pub span: Option<Span>,
    pub statement: String,
    pub not_supported: Option<Cow<'static, str>>,
    /// Whether the question is how long paths are.
    pub is_length: bool,
    pub warnings: Vec<Diagnostic>,
    pub about: About,
}

/// The model that the formula is about.
pub(crate) enum About {
    Components(Surface, Option<Arc<SourceMap>>),
    /// By number among the formulas that were read with the text.
    Finite(Arc<FiniteModel>, usize),
    Integers(Arc<IntegerModel>, usize),
}

impl Inner {
    pub fn of(asked: &StatedProperty, about: About) -> Self {
        Self {
            name: asked.name.clone(),
            logic: asked.logic,
            formula: asked.formula.clone(),
            span: Some(asked.span),
            statement: asked.statement.clone(),
            not_supported: asked.not_supported.clone(),
            is_length: asked.distance.is_some(),
            warnings: asked.warnings.clone(),
            about,
        }
    }
}

impl Property {
    /// One that is known by its name and its formula.
    pub(crate) fn new(name: &str, logic: Logic, formula: &str, span: Span, about: About) -> Self {
        Self(Arc::new(Inner {
            name: name.to_owned(),
            logic: logic.name(),
            formula: formula.to_owned(),
            span: Some(span),
            statement: format!("specification {formula} "),
            not_supported: None,
            is_length: false,
            warnings: Vec::new(),
            about,
        }))
    }

    /// Its name; a formula that was given without one is its own name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The name of its logic.
    pub fn logic(&self) -> &'static str {
        self.0.logic
    }

    /// The formula as it was written, on one line.
    pub fn formula(&self) -> &str {
        &self.0.formula
    }

    /// Where the formula stands in the text.
    pub fn span(&self) -> Option<Span> {
        self.0.span
    }

    /// The formula as NuSMV would print it: `specification AG p `.
    pub fn statement(&self) -> &str {
        &self.0.statement
    }

    /// Why no method can check it, if that is known from the text.
    pub fn not_supported(&self) -> Option<&str> {
        self.0.not_supported.as_deref()
    }

    /// Whether the question is how long paths are, and not whether something holds.
    pub(crate) fn is_length(&self) -> bool {
        self.0.is_length
    }

    /// Warnings for those who ask it.
    pub(crate) fn warnings(&self) -> &[Diagnostic] {
        &self.0.warnings
    }

    /// The answer to a property that cannot be checked.
    pub(crate) fn unsupported_outcome(&self) -> Option<Outcome> {
        let why = self.0.not_supported.clone()?;
        Some(Outcome::unknown(Reason::Unsupported(why)))
    }

    /// The subformulas about states, as they are written, those in others first. A part in which a fixpoint variable is
    /// free, or that is about a path, is none.
    pub fn subformulas(&self) -> Vec<String> {
        let surface = match self.about() {
            About::Components(surface, _) => Some(surface),
            About::Finite(text, number) => {
                text.all[*number].property.as_ref().map(|property| &property.surface)
            }
            About::Integers(..) => None,
        };
        surface.map(subformulas).unwrap_or_default()
    }

    /// Whether it says of the initial state that some path from there has a property.
    pub(crate) fn is_existential(&self) -> bool {
        let About::Finite(text, number) = self.about() else { return false };
        let Some(property) = &text.all[*number].property else { return false };
        let exprs = &property.surface.exprs;
        matches!(
            exprs[property.surface.root].0,
            Expr::State(Quantifier::Exists, ..)
                | Expr::Path(Quantifier::Exists, ..)
                | Expr::Quantified(Quantifier::Exists, _)
        )
    }

    /// The texts that its span points into.
    pub(crate) fn sources<'a>(&'a self, model: &'a crate::Model) -> &'a SourceMap {
        match self.about() {
            About::Components(_, own) => own.as_deref().unwrap_or_else(|| model.sources()),
            About::Finite(text, _) => &text.sources,
            About::Integers(subject, _) => &subject.sources,
        }
    }

    /// Whether a certificate brings the formula that it proves: it is of linear time, or about paths on which steps are
    /// fair.
    pub(crate) fn is_translated(&self, model: &crate::Model) -> bool {
        let logic = match self.about() {
            About::Components(surface, _) => Some(surface.logic),
            // A claim of a file has a logic of its own for users.
            About::Finite(text, number) => {
                text.all[*number].property.as_ref().map(|property| property.surface.logic)
            }
            About::Integers(..) => Logic::named(self.0.logic),
        };
        let is_fair = model.has_fair_actions();
        logic.is_some_and(|logic| logic.has_linear_operators() || is_fair && logic.is_about_paths())
    }

    pub(crate) fn about(&self) -> &About {
        &self.0.about
    }
}

/// Two properties are the same if one was cloned from the other.
impl PartialEq for Property {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Property({}: {} {})", self.name(), self.logic(), self.formula())
    }
}

fn subformulas(surface: &Surface) -> Vec<String> {
    if surface.has_data() {
        // A part of it may have variables for data, and needs the sorts.
        return Vec::new();
    }
    // By expression: the variables that are free in it; `None` if it is about a path.
    let mut free: IdVec<ExprId, Option<Vec<BinderId>>> = IdVec::new();
    let mut found: Vec<String> = Vec::new();
    for (id, (expr, span)) in surface.exprs.iter() {
        let mut own = match expr {
            Expr::Linear(..) | Expr::LinearPair(..) => None,
            Expr::Var(binder) => Some(vec![*binder]),
            _ => Some(Vec::new()),
        };
        let is_quantified = matches!(expr, Expr::Quantified(..));
        expr.operands(|operand| match (&mut own, &free[operand]) {
            (Some(own), Some(others)) => own.extend(others),
            (_, None) if !is_quantified => own = None,
            _ => {}
        });
        if let (Expr::Fix(binder, _), Some(own)) = (expr, &mut own) {
            own.retain(|free| free != binder);
        }
        let text = surface.text.get(span.start as usize..span.end as usize).map(str::trim);
        let is_told = id != surface.root && !matches!(expr, Expr::Const(_));
        if let Some(text) = text.filter(|_| is_told && own.as_ref().is_some_and(Vec::is_empty))
            && !found.iter().any(|known| known == text)
        {
            found.push(text.to_owned());
        }
        free.push(own);
    }
    found
}
