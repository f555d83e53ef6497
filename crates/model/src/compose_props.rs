//! Synchronous composition on the joint labelling (C Def. 4.2), reachable part only.

use crate::edges::{EdgeClass, Mode};
use crate::names::StateNames;
use crate::partial::{Kind, Model, ModelBuilder};
use crate::system::{ComposeError, System};
use base::{Monitor, Stopped};
use logic::{PropId, Truth};
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub(crate) fn compose(system: &System, monitor: &Monitor) -> Result<Model, ComposeError> {
    let mut product = Product::new(system);
    product.add_initial();
    if product.builder_init_is_empty {
        return Err(ComposeError::NoComposableInit);
    }
    monitor.phase("composing", 0);
    let mut next = 0;
    while next < product.count {
        product.expand(next);
        next += 1;
        if next % 1024 == 0 {
            monitor.step(1024)?;
        }
        if product.count > u32::MAX / 2 {
            return Err(Stopped(base::StopReason::Size).into());
        }
    }
    Ok(product.finish())
}

struct Product<'a> {
    models: Vec<&'a Model>,
    /// Component by component: its propositions in the numbering of the system.
    props: Vec<Vec<PropId>>,
    /// By proposition of the system: whether several components have it.
    joint: Vec<bool>,
    builder: ModelBuilder,
    ids: FxHashMap<Box<[u32]>, u32>,
    tuples: Vec<u32>,
    count: u32,
    builder_init_is_empty: bool,
}

impl<'a> Product<'a> {
    fn new(system: &'a System) -> Self {
        let models: Vec<&Model> = system.components.iter().map(|c| &c.model).collect();
        let name: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
        let mut builder = ModelBuilder::new(kind(&models), name.join(" || "));
        let mut uses = vec![0; system.props().len()];
        let props = models
            .iter()
            .map(|model| {
                let own: Vec<PropId> = model.props().names().map(|p| builder.prop(p)).collect();
                own.iter().for_each(|prop| uses[prop.0 as usize] += 1);
                own
            })
            .collect();
        Self {
            models,
            props,
            joint: uses.iter().map(|&count| count > 1).collect(),
            builder,
            ids: FxHashMap::default(),
            tuples: Vec::new(),
            count: 0,
            builder_init_is_empty: true,
        }
    }

    fn add_initial(&mut self) {
        let choices: Vec<Vec<u32>> = self.models.iter().map(|m| m.init().to_vec()).collect();
        let mut found = Vec::new();
        self.for_each_composable(&choices, &mut |tuple| found.push(tuple.to_vec()));
        for tuple in found {
            let state = self.intern(&tuple);
            self.builder.init(state);
            self.builder_init_is_empty = false;
        }
    }

    /// Every tuple of the choices whose members agree on the joint labels.
    fn for_each_composable(&self, choices: &[Vec<u32>], visit: &mut dyn FnMut(&[u32])) {
        let mut tuple = Vec::with_capacity(choices.len());
        let mut joint = vec![None; self.joint.len()];
        self.extend_tuple(choices, &mut tuple, &mut joint, visit);
    }

    fn extend_tuple(
        &self,
        choices: &[Vec<u32>],
        tuple: &mut Vec<u32>,
        joint: &mut Vec<Option<Truth>>,
        visit: &mut dyn FnMut(&[u32]),
    ) {
        let component = tuple.len();
        if component == choices.len() {
            return visit(tuple);
        }
        for &state in &choices[component] {
            let mut set = Vec::new();
            if self.agree(component, state, joint, &mut set) {
                tuple.push(state);
                self.extend_tuple(choices, tuple, joint, visit);
                tuple.pop();
            }
            set.into_iter().for_each(|prop: usize| joint[prop] = None);
        }
    }

    /// Whether a state agrees with the joint labels so far, which it then extends (recorded in `set`).
    /// Agreement is to the letter: unknown agrees only with unknown (C Def. 4.2).
    fn agree(
        &self,
        component: usize,
        state: u32,
        joint: &mut [Option<Truth>],
        set: &mut Vec<usize>,
    ) -> bool {
        for (local, prop) in self.props[component].iter().enumerate() {
            let prop = prop.0 as usize;
            if !self.joint[prop] {
                continue;
            }
            let value = self.models[component].label(state, PropId(local as u32));
            match joint[prop] {
                Some(known) if known != value => return false,
                Some(_) => {}
                None => {
                    joint[prop] = Some(value);
                    set.push(prop);
                }
            }
        }
        true
    }

    fn intern(&mut self, tuple: &[u32]) -> u32 {
        if let Some(&id) = self.ids.get(tuple) {
            return id;
        }
        let id = self.builder.state(String::new());
        self.ids.insert(tuple.into(), id);
        self.tuples.extend_from_slice(tuple);
        self.count += 1;
        for (component, &state) in tuple.iter().enumerate() {
            for (local, &prop) in self.props[component].iter().enumerate() {
                let value = self.models[component].label(state, PropId(local as u32));
                self.builder.label(id, prop, value);
            }
        }
        id
    }

    fn expand(&mut self, state: u32) {
        let width = self.models.len();
        let tuple = self.tuples[state as usize * width..][..width].to_vec();
        for (mode, allowed) in [
            (Mode::MAY, (|class| class.mode.may) as fn(EdgeClass) -> bool),
            (Mode::MUST, |class| class.mode.must),
        ] {
            let choices: Vec<Vec<u32>> = self
                .models
                .iter()
                .zip(&tuple)
                .map(|(model, &member)| {
                    let out = model.edges().out(member);
                    out.filter(|&(_, class)| allowed(class)).map(|(target, _)| target).collect()
                })
                .collect();
            let mut found = Vec::new();
            self.for_each_composable(&choices, &mut |tuple| found.push(tuple.to_vec()));
            for target in found {
                let target = self.intern(&target);
                self.builder.edge(state, None, mode, target);
            }
        }
        self.expand_hyper(state, &tuple);
    }

    /// A tuple of must transitions, some to sets, is one to the product of the sets if every tuple of
    /// the product agrees on the joint labels; otherwise an implementation may pick one that does not.
    fn expand_hyper(&mut self, state: u32, tuple: &[u32]) {
        if self.models.iter().zip(tuple).all(|(model, &s)| model.hyper_from(s).is_empty()) {
            return;
        }
        let options: Vec<Vec<Vec<u32>>> = self
            .models
            .iter()
            .zip(tuple)
            .map(|(model, &member)| {
                let hyper = model.hyper_from(member).iter().map(|hyper| hyper.targets.clone());
                let must = model.edges().out(member).filter(|(_, class)| class.mode.must);
                hyper.chain(must.map(|(target, _)| vec![target])).collect()
            })
            .collect();
        let mut combinations: Vec<Vec<Vec<u32>>> = vec![Vec::new()];
        for option in &options {
            combinations = combinations
                .into_iter()
                .flat_map(|head| {
                    option.iter().map(move |set| {
                        let mut longer = head.clone();
                        longer.push(set.clone());
                        longer
                    })
                })
                .collect();
        }
        for sets in combinations {
            let size: usize = sets.iter().map(Vec::len).product();
            let mut members = Vec::new();
            self.for_each_composable(&sets, &mut |tuple| members.push(tuple.to_vec()));
            if members.len() == size && size > 1 {
                let targets = members.iter().map(|tuple| self.intern(tuple)).collect();
                self.builder.hyper(state, targets);
            }
        }
    }

    fn finish(self) -> Model {
        let parts = self.models.iter().map(|model| model.names().clone()).collect();
        let names = StateNames::Product { parts, tuples: Arc::new(self.tuples) };
        self.builder.finish_named(names)
    }
}

/// The least kind that holds them all.
fn kind(models: &[&Model]) -> Kind {
    let has = |kind| models.iter().any(|model| model.kind == kind);
    match () {
        () if has(Kind::Gkmts) => Kind::Gkmts,
        () if has(Kind::MixTs) => Kind::MixTs,
        () if has(Kind::Kmts) => Kind::Kmts,
        () => Kind::Kripke,
    }
}
