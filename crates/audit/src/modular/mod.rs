//! Certificates about while-programs (paper M), proved node by node.
//!
//! The program is divided into nodes with exits ([`transition::cfg::Unfolding`]), and the formulas into the
//! temporal formulas of their closure, by levels ([`transition::cfg::Closure`]). A certificate is a list of claims,
//! level by level: *at the entry of this place, the untils of this level hold at least with these valuations*. For each
//! place and temporal formula a set of valuations is kept, the *known* one, which for untils is empty at first. A node
//! *gives* a set at its entry: that of the formula when the node is model checked by itself, the formula being true
//! behind its exits where it is known to be (M Def. 2.5; Def. 5.1 for conditions that stand alone). The place
//! `error` is in every node: there every step leads back to itself, and a temporal formula is what its operand is
//! there.
//!
//! The conditions that are checked, and all of them ([`audit`]):
//!
//! 1. The claims are about this program (its digest), and the closure is that of the formulas at hand. It is one
//!    with a single view of each formula only if the program has no holes.
//! 2. The set of a claim is within what the node gives. Then it is added to what is known.
//! 3. When a level ends, what each node gives is known, of all untils of the level. Of `AX` and `EX`, what a node
//!    gives becomes known without a claim.
//! 4. In the end, what is claimed to be true is *surely* true at the first place with all initial valuations, and
//!    what is claimed to be false is with some initial valuation not even *maybe* true.
//!
//! Inside holes, edges may be there or not, labels may hold or not. A location there has cases with guards, and a case has
//! groups of edges: a program in the place of the hole is in some case whose guard holds, and makes some step of each
//! group; the first group has all edges that it may make steps of. So AX is sure if in every case all edges of the first
//! group lead there, and EX if in every case all edges of some group do; AX may be if in some case some edge of each
//! group leads there, and EX if in some case some edge of the first does. An until of the assumption that a group
//! postpones is fulfilled after finitely many steps: what is sure is the greatest set for the edges of a location to
//! itself that postpone it, and the least one otherwise.
//!
//! **Theorem.** Then all that is known after a level is exactly what is true of the formulas of this level at the
//! entries, in the structure of the whole program; and the verdicts are right, whatever is written in the place of the
//! holes that fulfils the assumptions.
//!
//! *Proof.* By induction on levels: let what is known of lower ones be exact. The truth of an until in all locations
//! of the program is the least solution of equations, one for each location, whose right sides are monotone:
//! the goal, or the left operand and a step (that of a location in a hole that ends is a greatest solution for others,
//! and monotone in them). Operands are truth functions of lower levels. The least solution of the equations of a node
//! alone, for what is true at its exits, is what is true in the node, so lower levels are exact in all its
//! locations, and the right sides with which it is model checked are the true ones (M Def. 2.6). What a node gives is
//! the least solution of its own equations for given values at its exits. Suppose what is known is within the least
//! solution of all equations, as it is when nothing is known; then what a node gives
//! under it is too, since it is monotone, so claims keep to it (2). When the level ends, what is known at the
//! entries together with the least solutions inside of the nodes is a set for each location that its right side does
//! not lead out of (3); the least solution is within all such. Both together: it is the least solution. `AX` and
//! `EX` speak of lower levels only, and negation of exact sets is exact.
//!
//! For holes, by induction on formulas: what is sure is true, and what is true may be, whatever is written there. A
//! program in the place of a hole that satisfies the assumption satisfies in each of its states all formulas of the stage
//! that it is in ([`transition::cfg::Assumed`]), so those of some case; its steps lead to the next stages, all of them to
//! that of the first group, and for each other group one to that group's. Without an assumption there is one case, with
//! all edges in one group, of which some step is made. If all edges of a group lead to where something is sure, so does
//! a step that is made, and if it is the first group so do all; if a step leads to where something may be, so does some
//! edge. Let an until u of the assumption be postponed by edges of a location to itself. If u is about all paths, no
//! run takes such edges for ever. If it is about some path, then each state of the location that postpones u has a
//! step of the group of u to where u is fulfilled sooner, and these are finitely many; this group is one whose edges all
//! stay in the set. So for both quantifiers runs that show it leave the location, and until then they stay in the
//! greatest set, where the left operand or the goal holds; so what is around decides. With that, 4 says what is claimed. ∎
//!
//! The node is model checked by plain fixpoints (`node`), with steps computed edge by edge (`data`). What is shared
//! with the engine is what the text means (`transition::cfg`), how expressions become truth functions (`encode`) and
//! the operations on these (`bdd`).

mod cut;
mod data;
mod format;
mod node;

pub use cut::Cut;
pub use format::{
    About, ListedNode, ListedSet, ModularHead, ModularWriter, NamedFormula, normal_form,
};

use crate::error::{AuditError, ensure};
use crate::format::{CertificateKind, END, PROVE};
use crate::read::Reader;
use crate::symbolic::sets::{self, Sets};
use bdd::{Bdd, Manager, Policy};
use data::Data;
use encode::Layout;
use format::VERDICTS;
use logic::Surface;
use rustc_hash::FxHashMap;
use std::io::Read;
use support::{IdVec, Monitor};
use transition::cfg::{
    Assumed, Cfg, Closure, CtlAtom, GraphId, Partition, PartitionGraph, Program, UnfoldedId,
    Unfolding, Weights,
};

/// A while-program that certificates are checked against, as it was read.
#[derive(Clone, Copy)]
pub struct ModularSubject<'a> {
    pub program: &'a Program,
    /// The formulas of the properties that the head of the certificate names, in its order.
    pub formulas: &'a [Surface],
    /// The meaning of the propositions of the formulas.
    pub atom: &'a dyn Fn(&str) -> Option<CtlAtom>,
    /// The assumptions about holes: the texts of the head, read.
    pub assumed: &'a [Assumed],
    /// No more nodes of BDDs than this.
    pub most_nodes: usize,
}

/// The verdicts that a valid certificate has proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModularVerdicts {
    /// By property of the head: its verdict, if the certificate says one.
    pub verdicts: Vec<Option<bool>>,
    pub claims: u64,
}

/// Checks what follows the head of a certificate, to its end.
pub fn audit<R: Read>(
    mut reader: Reader<R>,
    head: &ModularHead,
    subject: &ModularSubject,
    monitor: &Monitor,
) -> Result<ModularVerdicts, AuditError> {
    monitor.phase("auditing", 0);
    let closure = subject_closure(CertificateKind::Modular, &reader, head, subject)?;
    let cut = Cut::read(&mut reader, subject.program)?;
    let machine = &subject.program.data;
    let order = sets::order(machine, &mut reader)?;
    let are_all = sets::has_all_bits(machine, &order, machine.vars.ids());
    ensure(are_all, "its bits are not those of the variables of the program")?;
    let policy = Policy { most_nodes: subject.most_nodes, ..Policy::default() };
    let mut manager = Manager::new(monitor, policy);
    let layout = Layout::in_order(machine, &order, &mut manager);
    let sets = Sets::of_machine(machine, &layout, &order);
    let data = Data::new(machine, layout, manager)?;
    let mut auditor = Auditor::new(subject, &closure, cut, data, sets)?;
    for level in 0..closure.levels.len() {
        while auditor.claim(&mut reader, level)? {
            monitor.step(1)?;
        }
        auditor.close(level)?;
    }
    let verdicts = auditor.conclude(&mut reader, head)?;
    reader.end()?;
    Ok(ModularVerdicts { verdicts, claims: auditor.claims })
}

/// Condition 1, for a certificate of this kind.
pub(crate) fn subject_closure<R>(
    kind: CertificateKind,
    reader: &Reader<R>,
    head: &ModularHead,
    subject: &ModularSubject,
) -> Result<Closure, AuditError> {
    let ModularSubject { program, formulas, .. } = *subject;
    let is_meant = reader.is_about(kind, program.digest());
    ensure(is_meant, "the certificate is about another program")?;
    let is_complete = !head.is_complete || program.holes.is_empty();
    ensure(is_complete, "the certificate is about a program without holes")?;
    let are_these = head.properties.len() == formulas.len();
    ensure(are_these, "the certificate is about other properties")?;
    for (property, formula) in head.properties.iter().zip(formulas) {
        let (theirs, ours) = (&property.formula, formula.source());
        let problem =
            format_args!("the certificate is about the formula `{theirs}`, and this is `{ours}`");
        ensure(*theirs == ours, problem)?;
    }
    let closure = Closure::new(formulas, head.is_complete, subject.atom).map_err(|_| {
        AuditError::invalid("its formulas are not of CTL, or say nothing of this program")
    })?;
    let is_it = format::normal_form(program, &closure) == head.normal_form;
    ensure(is_it, "its formulas are not made of the parts that the certificate names")?;
    Ok(closure)
}

struct Auditor<'a> {
    closure: &'a Closure,
    data: Data,
    sets: Sets,
    places: Unfolding,
    /// Of the graphs that are nodes.
    flows: FxHashMap<GraphId, Cfg>,
    /// By temporal formula.
    known: IdVec<UnfoldedId, Vec<Bdd>>,
    claims: u64,
    /// The last claim by which something became known, and the last after which all was that the node gives.
    changed: IdVec<UnfoldedId, u64>,
    exact: IdVec<UnfoldedId, u64>,
}

impl<'a> Auditor<'a> {
    fn new(
        subject: &ModularSubject,
        closure: &'a Closure,
        mut cut: Cut,
        data: Data,
        sets: Sets,
    ) -> Result<Self, AuditError> {
        let program = subject.program;
        let partition = Partition::new(program, &mut cut);
        let places = Unfolding::new(&partition).filter(|_| has_room(program, &partition));
        let places = places
            .ok_or_else(|| AuditError::invalid("it partitions the program into too many blocks"))?;
        let mut flows = FxHashMap::default();
        for (id, node) in places.nodes.iter() {
            let cfg = || places.cfg(id, program, &partition, subject.assumed);
            flows.entry(node.graph).or_insert_with(cfg);
        }
        let nothing = vec![data.manager.constant(false); closure.temporals.len()];
        let known = places.nodes.iter().map(|_| nothing.clone()).collect();
        let [changed, exact] = [(); 2].map(|()| places.nodes.iter().map(|_| 0).collect());
        Ok(Self { closure, data, sets, places, flows, known, claims: 0, changed, exact })
    }

    /// Asks what a node gives, model checked by itself under what is known.
    fn node<T>(&mut self, place: UnfoldedId, ask: impl FnOnce(node::Node) -> T) -> T {
        let Self { closure, data, places, flows, known, .. } = self;
        let node = &places.nodes[place];
        let exit = |&exit: &UnfoldedId| {
            let cfg = &flows[&places.nodes[exit].graph];
            (&cfg.locations[cfg.entry], &known[exit][..])
        };
        let exits: Vec<node::Exit> = node.exits.iter().map(exit).collect();
        ask(node::Node::new(data, closure, &flows[&node.graph], &exits))
    }

    /// Condition 2; false at the end of the level.
    fn claim<R: Read>(&mut self, reader: &mut Reader<R>, level: usize) -> Result<bool, AuditError> {
        match reader.number()? {
            END => return Ok(false),
            PROVE => self.claims += 1,
            _ => return Err(reader.malformed("neither a claim nor the end of a level")),
        }
        let place = UnfoldedId(reader.below(self.places.nodes.len(), "an undefined location")?);
        let given = self.node(place, |node| node.at_entry(level))?;
        let mut is_exact = true;
        for (&id, given) in self.closure.levels[level].iter().zip(given) {
            let index = id.0 as usize;
            if !self.closure.temporals[id].is_until() {
                self.known[place][index] = given;
                continue;
            }
            let set = self.sets.read(reader, &mut self.data.manager)?;
            let set = self.data.manager.and(&set, &self.data.all)?;
            let problem = format_args!(
                "claim {}: location {} does not imply the claim at its entry",
                self.claims, place.0
            );
            ensure(self.data.manager.is_subset(&set, &given)?, problem)?;
            let more = self.data.manager.or(&self.known[place][index], &set)?;
            is_exact &= more == given;
            if more != self.known[place][index] {
                self.known[place][index] = more;
                self.changed[place] = self.claims;
            }
        }
        if is_exact {
            self.exact[place] = self.claims;
        }
        Ok(true)
    }

    /// Condition 3. What was exact, and whose exits are unchanged, is not evaluated again.
    fn close(&mut self, level: usize) -> Result<(), AuditError> {
        for place in self.places.nodes.ids() {
            let exits = &self.places.nodes[place].exits;
            let exact = self.exact[place];
            if exact > 0 && exits.iter().all(|&exit| self.changed[exit] < exact) {
                continue;
            }
            let given = self.node(place, |node| node.at_entry(level))?;
            for (&id, given) in self.closure.levels[level].iter().zip(given) {
                let known = &mut self.known[place][id.0 as usize];
                if !self.closure.temporals[id].is_until() {
                    *known = given;
                    continue;
                }
                let UnfoldedId(place) = place;
                let problem = format_args!(
                    "level {level}: location {place} allows more at its entry than is claimed"
                );
                ensure(self.data.manager.is_subset(&given, known)?, problem)?;
            }
        }
        // Claims of this level say nothing of the next.
        self.exact = self.places.nodes.iter().map(|_| 0).collect();
        Ok(())
    }

    /// Condition 4.
    fn conclude<R: Read>(
        &mut self,
        reader: &mut Reader<R>,
        head: &ModularHead,
    ) -> Result<Vec<Option<bool>>, AuditError> {
        let start = self.data.start()?;
        let mut verdicts = Vec::new();
        for (property, root) in head.properties.iter().zip(&self.closure.roots) {
            let verdict = reader.one_of(&VERDICTS, "no verdict")?;
            verdicts.push(verdict);
            let Some(verdict) = verdict else { continue };
            let root = if verdict { root.certain } else { root.maybe };
            let value = self.node(UnfoldedId(0), |node| node.formula_at_entry(root))?;
            let which = if verdict { "all initial states" } else { "an initial state" };
            let name = &property.name;
            let problem = format_args!("it is not proved that `{name}` is {verdict} in {which}");
            ensure(self.data.manager.is_subset(&start, &value)? == verdict, problem)?;
        }
        Ok(verdicts)
    }
}

/// Whether nodes are small enough, with all bodies that are called in them.
fn has_room(program: &Program, partition: &Partition) -> bool {
    let weights = Weights::new(program);
    let weight = |graph: &PartitionGraph| match graph {
        PartitionGraph::Block(commands) => {
            commands.iter().map(|&command| weights.of(command)).fold(0, u64::saturating_add)
        }
        _ => 1,
    };
    partition.graphs.values().map(weight).fold(0, u64::saturating_add) <= Unfolding::MOST
}
