//! A model: a system and its properties, read once and checked any number of times.

use crate::answer::Answer;
use crate::error::{Diagnostics, Error};
use crate::event::Observer;
use crate::explanation::Explanation;
use crate::explicit_model::{self, ExplicitStates};
use crate::input::{Input, load_included};
use crate::integers::IntegerModel;
use crate::language::Language;
use crate::options::{Cancel, Options, Semantics};
use crate::portfolio;
use crate::property::{About, Property};
use crate::source::{self, Loader, NoFiles, Source};
use crate::transition_system::{self, Either, FiniteModel};
use front::{ProcessFairness, Safety, Specification};
use logic::{Logic, Surface};
use model::System;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use support::{Diagnostic, Monitor, Severity, SourceMap};

/// A system and the properties that its texts ask about it. Cheap to clone; all clones share what was computed.
///
/// ```
/// let model = tertium::Model::read("tm", "two.tm", "
///     component M kripke { props p; init s; s: {} -> t; t: {p} -> t; }
///     property reached: ctl EF p;
/// ")?;
/// let answer = model.check(&model.properties()[0], &tertium::Options::default())?;
/// assert_eq!(answer.verdict().to_string(), "true");
/// # Ok::<(), tertium::Error>(())
/// ```
#[derive(Clone)]
pub struct Model(Arc<Inner>);

/// Its parts.
pub(crate) struct Inner {
    names: Vec<String>,
    language: Language,
    form: Form,
    properties: Vec<Property>,
    safeties: Vec<Safety>,
    fairness: Vec<logic::FairSteps>,
    /// Of a symbolic model; properties are read with it.
    process_fairness: Option<ProcessFairness>,
    warnings: Vec<Diagnostic>,
    sources: SourceMap,
    loader: Arc<dyn Loader + Send>,
    /// The states under the reduced and under the standard semantics.
    states: [Mutex<Option<Arc<ExplicitStates>>>; 2],
}

/// The three forms of a model.
pub(crate) enum Form {
    /// Components with their states.
    Components(Arc<System>),
    /// Variables with finitely many values.
    Finite(Arc<FiniteModel>),
    /// Variables without bounds.
    Integers(Arc<IntegerModel>),
}

impl Inner {
    pub(crate) fn of_components(
        names: Vec<String>,
        language: Language,
        read: explicit_model::Components,
        loader: Arc<dyn Loader + Send>,
    ) -> Self {
        let explicit_model::Components {
            system,
            properties,
            safeties,
            fairness,
            warnings,
            sources,
        } = read;
        let property = |property: Specification| {
            let name = property.title().to_owned();
            let surface = property.formula.ok()?;
            let (logic, source, span) = (surface.logic, surface.source(), surface.span);
            Some(Property::new(&name, logic, &source, span, About::Components(surface, None)))
        };
        let properties = properties.into_iter().filter_map(property).collect();
        let form = Form::Components(Arc::new(system));
        let (process_fairness, states) = Default::default();
        Self {
            names,
            language,
            form,
            properties,
            safeties,
            fairness,
            process_fairness,
            warnings,
            sources,
            loader,
            states,
        }
    }

    pub(crate) fn of_text(
        source: Source,
        language: Language,
        process_fairness: Option<ProcessFairness>,
        loader: Arc<dyn Loader + Send>,
        cancel: &Cancel,
    ) -> Result<Self, Error> {
        let monitor = cancel.monitor();
        monitor.phase("reading", 0);
        let names = vec![source.name.clone()];
        let text: Arc<str> = source::read_text(&names[0], source.open(&*loader)?, monitor)?.into();
        let mut sources = SourceMap::new();
        let file = sources.add(names[0].clone(), text);
        load_included(language, &mut sources, &*loader, monitor)?;
        let read = {
            let texts = (sources.clone(), file);
            transition_system::read(language, texts, process_fairness, &[], monitor)?
        };
        let (form, properties, warnings) = match read {
            Either::Finite(text) => {
                let text = Arc::new(*text);
                let (properties, warnings) = (text.properties(), text.warnings.clone());
                (Form::Finite(text), properties, warnings)
            }
            Either::Integers(subject) => {
                let subject = Arc::new(*subject);
                let warnings = subject.warnings.clone();
                (Form::Integers(subject.clone()), subject.properties(), warnings)
            }
        };
        let (safeties, fairness, states) = Default::default();
        Ok(Self {
            names,
            language,
            form,
            properties,
            safeties,
            fairness,
            process_fairness,
            warnings,
            sources,
            loader,
            states,
        })
    }
}

impl Model {
    pub(crate) fn of(inner: Inner) -> Self {
        Self(Arc::new(inner))
    }

    /// Reads a file, by its ending.
    ///
    /// # Errors
    ///
    /// The file cannot be read, its ending names no language, or something is wrong in it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Input::new().file(path).read()
    }

    /// Reads a text in a language: `tm`, `aut`, `smv`, `promela` or `while`. It cannot name files.
    ///
    /// # Errors
    ///
    /// There is no such language, or something is wrong in the text.
    pub fn read(language: &str, name: &str, text: &str) -> Result<Self, Error> {
        Input::new().text(name, text).language(language).loader(Arc::new(NoFiles)).read()
    }

    /// The properties that the texts ask, in their order.
    pub fn properties(&self) -> &[Property] {
        &self.0.properties
    }

    /// The property of this name; in a symbolic model also by its formula, or its number from 1.
    ///
    /// # Errors
    ///
    /// There is none.
    pub fn property_named(&self, name: &str) -> Result<&Property, Error> {
        self.properties_named(name).map(|found| found[0])
    }

    fn properties_named(&self, name: &str) -> Result<Vec<&Property>, Error> {
        let all = self.properties();
        let folded = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let by_states = self.components().is_some();
        let is_meant = |&(number, property): &(usize, &Property)| match by_states {
            true => property.name() == name,
            false => {
                let number = (number + 1).to_string();
                [property.name(), property.formula(), &number].contains(&&*folded)
            }
        };
        let found = all.iter().enumerate().filter(is_meant).map(|(_, property)| property);
        let found: Vec<&Property> = found.collect();
        match found.is_empty() {
            false => Ok(found),
            true => {
                let names = all.iter().map(|property| property.name());
                Err(Error::message(format!("there is no property `{name}`"))
                    .with_help(support::did_you_mean(name, "the files have", names)))
            }
        }
    }

    /// Selects what is asked: formulas that are given, else the properties of these names, else all of them.
    ///
    /// # Errors
    ///
    /// A formula is wrong, a property is not there, or there is none at all.
    pub fn select(
        &self,
        formulas: &[(Logic, String)],
        names: &[String],
    ) -> Result<Vec<Property>, Error> {
        if !formulas.is_empty() {
            return self.formulas(formulas);
        }
        if self.properties().is_empty() {
            let (what, help) = match self.components() {
                Some(_) => (
                    "property",
                    "give one with --mu, --ctl or --mcf, or write `property NAME: ctl AG p;` into a .tm file",
                ),
                None => (
                    "specification",
                    "give a formula with --ctl or --mu, or write `SPEC AG p` into the file",
                ),
            };
            return Err(Error::message(format!("there is no {what} to check")).with_help(help));
        }
        if names.is_empty() {
            return Ok(self.properties().to_vec());
        }
        let mut found: Vec<Property> = Vec::new();
        for name in names {
            for property in self.properties_named(name)? {
                if !found.iter().any(|known| Arc::ptr_eq(&known.0, &property.0)) {
                    found.push(property.clone());
                }
            }
        }
        Ok(found)
    }

    /// Reads a formula about the model.
    ///
    /// # Errors
    ///
    /// Something is wrong in the formula.
    pub fn property(&self, logic: Logic, formula: &str) -> Result<Property, Error> {
        let mut found = self.formulas(&[(logic, formula.to_owned())])?;
        Ok(found.swap_remove(0))
    }

    /// Reads several formulas that will be asked together.
    ///
    /// # Errors
    ///
    /// Something is wrong in one of the formulas.
    pub fn formulas(&self, formulas: &[(Logic, String)]) -> Result<Vec<Property>, Error> {
        match &self.0.form {
            Form::Components(_) => self.formulas_of_components(formulas),
            Form::Finite(_) | Form::Integers(_) => {
                let mut sources = SourceMap::new();
                for source in self.0.sources.files() {
                    sources.add_file(source.clone());
                }
                let file = support::FileId(0);
                match transition_system::read(
                    self.0.language,
                    (sources, file),
                    self.0.process_fairness,
                    formulas,
                    &Monitor::new(),
                )? {
                    Either::Finite(text) => Ok(Arc::new(*text).properties()),
                    Either::Integers(subject) => Ok(Arc::new(*subject).properties()),
                }
            }
        }
    }

    fn formulas_of_components(&self, formulas: &[(Logic, String)]) -> Result<Vec<Property>, Error> {
        let mut sources = self.0.sources.clone();
        let (mut errors, mut found) = (Vec::new(), Vec::new());
        for (logic, text) in formulas {
            let text: Arc<str> = text.as_str().into();
            let file = sources.add(format!("<--{}>", logic.name()), text.clone());
            match front::parse_formula(*logic, file, &text, 0..text.len()) {
                Ok(surface) => found.push(surface),
                Err(diagnostics) => errors.extend(diagnostics),
            }
        }
        if !errors.is_empty() {
            return Err(Error::of(errors, &sources));
        }
        let sources = Arc::new(sources);
        let property = |surface: Surface| {
            let (source, span, logic) = (surface.source(), surface.span, surface.logic);
            let about = About::Components(surface, Some(sources.clone()));
            Property::new(&source, logic, &source, span, about)
        };
        Ok(found.into_iter().map(property).collect())
    }

    /// Answers one property.
    ///
    /// # Errors
    ///
    /// The options do not fit the model, or the model is wrong in a way that only a check finds. A limit is no error:
    /// the answer is unknown then.
    pub fn check(&self, property: &Property, options: &Options) -> Result<Answer, Error> {
        let mut answers = self.check_all(std::slice::from_ref(property), options, &())?;
        answers.pop().unwrap_or_else(|| Err(Error::message("there is no answer")))
    }

    /// Answers several properties, which share work and time: easy ones first, and the rest share the time that is
    /// left. The answers are in the order of the properties; an error in one is about that property alone.
    ///
    /// # Errors
    ///
    /// As [`Model::check`].
    pub fn check_all(
        &self,
        properties: &[Property],
        options: &Options,
        observer: &dyn Observer,
    ) -> Result<Vec<Result<Answer, Error>>, Error> {
        portfolio::check_all(self, properties, options, observer)
    }

    /// Answers a property and explains the answer.
    ///
    /// # Errors
    ///
    /// As [`Model::check`]; or the method cannot explain.
    pub fn explain(&self, property: &Property, options: &Options) -> Result<Explanation, Error> {
        self.explain_watched(property, options, &())
    }

    /// Answers a property and explains the answer, with an observer.
    ///
    /// # Errors
    ///
    /// As [`Model::explain`].
    pub fn explain_watched(
        &self,
        property: &Property,
        options: &Options,
        observer: &dyn Observer,
    ) -> Result<Explanation, Error> {
        portfolio::explain(self, property, std::slice::from_ref(property), options, observer)
    }

    /// Compiles the properties against the model and returns the warnings.
    ///
    /// # Errors
    ///
    /// A property speaks of what the model does not have.
    pub fn analyse(&self) -> Result<Diagnostics, Error> {
        portfolio::analyse(self, self.properties(), &Options::default())
    }

    /// Refuses a model of which a part is left out, because it has constructs that are not supported: it can only be
    /// asked what does not depend on them.
    pub(crate) fn refuse_unsupported(&self, what: &str) -> Result<(), Error> {
        let unsupported = match &self.0.form {
            Form::Components(_) => return Ok(()),
            Form::Finite(text) => &text.unsupported,
            Form::Integers(subject) => &subject.unsupported,
        };
        if unsupported.is_empty() {
            return Ok(());
        }
        let help =
            format!("`check` answers what does not depend on it; the model cannot be {what}");
        let error = |diagnostic: &Diagnostic| Diagnostic {
            severity: Severity::Error,
            help: Some(help.clone()),
            ..diagnostic.clone()
        };
        Err(Error::of(unsupported.iter().map(error).collect(), &self.0.sources))
    }

    /// Warnings about the texts.
    pub fn warnings(&self) -> Diagnostics {
        Diagnostics { messages: self.0.warnings.clone(), sources: self.0.sources.clone() }
    }

    /// The texts.
    pub fn sources(&self) -> &SourceMap {
        &self.0.sources
    }

    /// The names of the texts.
    pub fn names(&self) -> &[String] {
        &self.0.names
    }

    /// The name of the language.
    pub fn language(&self) -> &'static str {
        self.0.language.name()
    }

    /// A text in the language of the model, laid out, if the language knows how.
    pub(crate) fn laid_out(&self, text: &str) -> Option<String> {
        self.0.language.laid_out(text)
    }

    /// Whether the model is given by variables, and not by components with their states.
    pub fn is_symbolic(&self) -> bool {
        self.components().is_none()
    }

    /// As [`Model::formulas`], each of them for itself: a certificate about a model by variables is then about its formula
    /// alone, as [`crate::certify`] needs it.
    ///
    /// # Errors
    ///
    /// As [`Model::formulas`].
    pub fn formulas_apart(&self, formulas: &[(Logic, String)]) -> Result<Vec<Property>, Error> {
        match &self.0.form {
            Form::Finite(_) => {
                formulas.iter().map(|(logic, text)| self.property(*logic, text)).collect()
            }
            _ => self.formulas(formulas),
        }
    }

    /// Whether the model is a program, in which assumptions can stand for holes.
    pub fn is_program(&self) -> bool {
        match &self.0.form {
            Form::Components(_) => false,
            Form::Finite(text) => text.control_flow.is_some(),
            Form::Integers(subject) => subject.document.view.is_none(),
        }
    }

    /// The names of the components; a symbolic model is one.
    pub fn component_names(&self) -> Vec<String> {
        match &self.0.form {
            Form::Components(system) => {
                system.components.iter().map(|part| part.model.name.clone()).collect()
            }
            Form::Finite(text) => match text.transition_system() {
                Ok(program) => vec![program.document.machine.name.clone()],
                Err(_) => Vec::new(),
            },
            Form::Integers(_) => Vec::new(),
        }
    }

    /// The names of the methods that support the model's properties, or some formula about it.
    pub fn methods(&self) -> Vec<&'static str> {
        portfolio::methods(self)
    }

    pub(crate) fn form(&self) -> &Form {
        &self.0.form
    }

    pub(crate) fn safeties(&self) -> &[Safety] {
        &self.0.safeties
    }

    /// Whether only paths count on which some actions are fair.
    pub(crate) fn has_fair_actions(&self) -> bool {
        !self.0.fairness.is_empty()
    }

    pub(crate) fn loader(&self) -> &dyn Loader {
        &*self.0.loader
    }

    /// The components, if the model is given by states.
    pub(crate) fn components(&self) -> Option<&System> {
        match &self.0.form {
            Form::Components(system) => Some(system),
            _ => None,
        }
    }

    /// The states of components.
    pub(crate) fn states(
        &self,
        semantics: Option<Semantics>,
    ) -> Result<Arc<ExplicitStates>, Error> {
        let Form::Components(system) = &self.0.form else {
            return Err(Error::message("the model is given by variables"));
        };
        let kept = &self.0.states[usize::from(semantics == Some(Semantics::Sis))];
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || Arc::new(ExplicitStates::of_components(system, &self.0.fairness, semantics));
        Ok(kept.get_or_insert_with(make).clone())
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Model({} {:?})", self.language(), self.0.names)
    }
}
