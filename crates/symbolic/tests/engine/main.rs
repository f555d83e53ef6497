//! BDDs against the plain meaning: of random systems of partial models, of random SMV programs, and of
//! NuSMV's own examples; with reordering at odd moments and with too little room.

mod causes;
mod composition;
mod corpus;
#[path = "../common/forge.rs"]
mod forge;
#[path = "../../../front/tests/smv/generate.rs"]
mod generate;
mod groups;
mod machines;
mod peer;
mod programs;
mod system_certificates;
mod system_explanations;
mod systems;
#[path = "../common/vocabulary.rs"]
mod vocabulary;
