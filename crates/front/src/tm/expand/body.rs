//! The body of a component for given parameters.

use super::Expander;
use super::states::{Data, Line, Variable};
use crate::cursor::Name;
use crate::sink::{Parsed, Reported};
use crate::tm::ast::{
    Body, Covers, Declaration, Declared, Init, Inits, Labels, Literal, Variables,
};
use rustc_hash::FxHashMap;
use support::Diagnostic;

impl<'a> Expander<'_, 'a> {
    pub(super) fn body(&mut self, body: &Body<'a>) -> Parsed<Body<'a>> {
        let start = self.scope.names.len();
        let expanded = self.body_in_scope(body);
        self.scope.names.truncate(start);
        expanded
    }

    fn body_in_scope(&mut self, body: &Body<'a>) -> Parsed<Body<'a>> {
        let mut new = Body {
            props: self.declaration(&body.props)?,
            actions: self.declaration(&body.actions)?,
            variables: Vec::new(),
            init: None,
            states: Vec::new(),
            covers: Vec::new(),
            ..*body
        };
        if body.is_broken {
            return Ok(new);
        }
        let data = self.data(body, &new.props.names)?;
        let mut lines: Vec<Line> = Vec::new();
        for state in &body.states {
            self.each(&state.name, &mut |this, name| {
                let bound = this.scope.names[data.end..].to_vec();
                lines.push(Line { name, state, bound });
                Ok(())
            })?;
        }
        let init = match &body.init {
            None => None,
            Some(Init { keyword, inits: Inits::States(names) }) => {
                Some(Init { keyword: *keyword, inits: Inits::States(self.initial_states(names)?) })
            }
            Some(Init { keyword, inits: Inits::Labels(labels) }) => {
                let labels = self.labels(labels)?;
                Some(Init { keyword: *keyword, inits: Inits::Labels(labels) })
            }
        };
        let covers = body.covers.iter().map(|covers| self.covers(covers));
        let covers = covers.collect::<Parsed<Vec<_>>>()?;
        if data.variables.is_empty() {
            for line in &lines {
                new.states.push(self.state(line, &data, &[])?);
            }
            (new.init, new.covers) = (init, covers);
            return Ok(new);
        }
        self.refuse_data_in_unknown(body)?;
        self.reach(&mut new, &data, &lines, init, &covers)?;
        self.declare_actions(&mut new, &data, &lines)?;
        Ok(new)
    }

    fn declaration(&mut self, declared: &Declaration<'a>) -> Parsed<Declaration<'a>> {
        Ok(Declaration { line: declared.line, names: self.names(&declared.names)? })
    }

    fn covers(&mut self, covers: &Covers<'a>) -> Parsed<Covers<'a>> {
        let state = self.single(&covers.state)?;
        Ok(Covers { state, covered: self.names(&covers.covered)?, ..*covers })
    }

    fn initial_states(&mut self, names: &[Name<'a>]) -> Parsed<Vec<Name<'a>>> {
        let (notes, mut all) = (self.notes, Vec::new());
        for name in names {
            let guard = notes.get(&name.span.start).and_then(|note| note.guard.as_ref());
            self.each_if(name, guard, &mut |_, name| {
                all.push(name);
                Ok(())
            })?;
        }
        Ok(all)
    }

    /// The labels that hold for the values of the scope.
    pub(super) fn labels(&mut self, labels: &Labels<'a>) -> Parsed<Labels<'a>> {
        let mut literals = Vec::with_capacity(labels.literals.len());
        let notes = self.notes;
        for literal in &labels.literals {
            let guard = notes.get(&literal.span.start).and_then(|note| note.guard.as_ref());
            self.each_if(&literal.name, guard, &mut |_, name| {
                literals.push(Literal { name, ..*literal });
                Ok(())
            })?;
        }
        Ok(Labels { span: labels.span, literals })
    }

    fn refuse_data_in_unknown(&mut self, body: &Body<'a>) -> Parsed<()> {
        if body.kind != Some(Declared::Unknown) {
            return Ok(());
        }
        let span = body.variables[0].names[0].span;
        Err(self.sink.error(|| {
            Diagnostic::error("a variable in an unknown component", span, "declared here")
                .with_label(body.kind_span, "its states are not specified")
                .with_help("take it out, or declare the component as `kmts` or `mts`")
        }))
    }

    /// The variables, which are in scope from now on.
    fn data(&mut self, body: &Body<'a>, props: &[Name<'a>]) -> Parsed<Data<'a>> {
        let start = self.scope.names.len();
        let mut variables: Vec<Variable> = Vec::new();
        let mut known: FxHashMap<String, usize> = FxHashMap::default();
        for line in &body.variables {
            let values = self.scope.values(&line.domain);
            let values = self.said(values)?;
            let Variables { names, init, is_input, .. } = line;
            for name in names {
                self.each(name, &mut |this, name| {
                    let init = init.as_ref().map(|init| this.value_of(init, &values, &name));
                    let init = init.transpose()?;
                    if known.insert(name.text.to_string(), variables.len()).is_some() {
                        return Err(this.variable_twice(&name));
                    }
                    let is_prop = props.iter().any(|prop| prop.text == name.text);
                    let values = values.clone();
                    let is_input = *is_input;
                    variables.push(Variable { name, values, init, is_input, is_prop });
                    Ok(())
                })?;
            }
        }
        for variable in &variables {
            self.scope.names.push((variable.name.text.clone(), variable.values.at(0)));
        }
        Ok(Data { start, end: self.scope.names.len(), variables, known })
    }

    fn variable_twice(&mut self, name: &Name) -> Reported {
        self.sink.error(|| {
            let message = format!("the variable `{}` is declared twice", name.text);
            Diagnostic::error(message, name.span, "declared again here")
                .with_help("take one of them out, or rename it")
        })
    }
}
