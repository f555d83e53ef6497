//! While-programs: the meaning of a program and that of its partition graphs are the same (M Lemma A.1), by the
//! definitions of the paper and by what `flow` makes of them.

use flow::{Partition, Statements, Whole};
use testkit::programs::{
    Assembled, Oracle, Program, RandomCuts, Size, all_partitions, partition_graph_count,
    partition_graphs, random_program, to_flow,
};
use testkit::{Case, Rng, for_seeds};

fn noted(rng: &mut Rng, case: &mut Case, size: Size) -> (Program, Oracle) {
    let program = random_program(rng, size);
    case.note(program.text());
    let oracle = Oracle::new(&program);
    (program, oracle)
}

/// M Lemma A.1, by the definitions alone.
#[test]
fn every_partition_graph_means_what_the_program_means() {
    for_seeds("partition-graphs", 0..300, |rng, case| {
        let size = Size { valuations: 12, commands: 5, depth: 2, ..Size::small() };
        let (_, oracle) = noted(rng, case, size);
        let Oracle { flat, valuations, structure, .. } = &oracle;
        if partition_graph_count(flat, &flat.body, 500) == 500 {
            return Ok(());
        }
        let graphs = partition_graphs(flat, valuations, &flat.body);
        assert_eq!(graphs.len(), partition_graph_count(flat, &flat.body, 500));
        for graph in graphs {
            let joined = graph.structure(valuations);
            if joined != *structure {
                return Err(format!("{graph:?} has another structure: {joined:?}, {structure:?}"));
            }
        }
        Ok(())
    });
}

fn same(program: &flow::Program, partition: &Partition, oracle: &Oracle) -> Result<(), String> {
    let assembled = Assembled::new(program, partition);
    assembled.compare(program, oracle).map_err(|error| format!("{partition:?}: {error}"))
}

/// M Lemma A.1 for `flow`: random cuts, none, and all.
#[test]
fn pieces_put_together_are_the_program() {
    for_seeds("pieces", 0..1000, |rng, case| {
        let (program, oracle) = noted(rng, case, Size::small().with_procedures());
        let program = to_flow(&program);
        same(&program, &Partition::new(&program, &mut Whole), &oracle)?;
        same(&program, &Partition::new(&program, &mut Statements), &oracle)?;
        let partition = Partition::new(&program, &mut RandomCuts::new(rng));
        same(&program, &partition, &oracle)
    });
}

/// The same for all partitions.
#[test]
fn all_pieces_put_together_are_the_program() {
    for_seeds("all-pieces", 0..300, |rng, case| {
        let size = Size { valuations: 16, commands: 4, depth: 2, procedures: 1, holes: 0 };
        let (program, oracle) = noted(rng, case, size);
        let program = to_flow(&program);
        let Some(partitions) = all_partitions(&program, 300) else { return Ok(()) };
        partitions.iter().try_for_each(|partition| same(&program, partition, &oracle))
    });
}
