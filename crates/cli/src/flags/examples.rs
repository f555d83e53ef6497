//! Examples and exit status, shown below the help of each command.

pub(super) const MAIN_EXAMPLES: &str = "\
Examples:
  tertium check examples/arbiter.tm
  tertium explain examples/arbiter.tm --property 'starts with a request'
  tertium check machine.aut --mcf '[true*.error]false'
  tertium compare system.tm abstraction.tm
  tertium simulate examples/peterson.smv
  tertium solve game.pg --verify

Exit status: 0 everything holds; 1 something fails; 3 nothing fails and something is unknown; \
2 the input or the call is wrong.";

pub(super) const CHECK_EXAMPLES: &str = "\
Examples:
  tertium check door.tm                             every property in the file
  tertium check door.tm --property safe --json      one of them, for a script
  tertium check models --junit results.xml          every model in a directory, each by itself
  tertium check --compose a.tm b.tm properties.tm   several files as one system
  tertium check lts.aut --mu 'nu Z. <>true & []Z'   a formula from the command line
  tertium check a.aut b.aut --sync net.sync --mcf '[true*]<true>true'
  tertium check big.aut --mcf '[true*]<true>true' --timeout 60 --memory 2G
  tertium check big.tm --method refine -v           abstraction refinement, with its rounds
  tertium check two.tm --abstract M2 --log-refinement t.json   abstract one component, log the rounds
  tertium check two.tm --emit-abstraction out       write the final abstractions of the components
  tertium check net.tm --safety order --assume auto a safety property, by assume-guarantee reasoning
  tertium check model.smv --format nusmv            a NuSMV model, with output as of NuSMV
  tertium check model.smv --components auto -v      module by module
  tertium check model.smv --unknown bus             which verdicts do not depend on `bus`
  tertium check model.pml                           a Promela model: assertions, invalid end states
  tertium check model.pml --ctl 'AG !P[0]@critical' a formula over its variables and labels
  tertium check union.tm --semantics sis --values   standard inductive semantics, with all values
  tertium check prog.while                          a while-program; without a property: `AG !error`
  tertium check prog.while --assume 'net: AF end'   under an assumption on the hole `net`
  tertium check prog.while --resume results         block by block; can be resumed after a crash

Files: .tm is the native language, .aut an Aldebaran LTS, .smv a NuSMV model, \
.pml a Promela model for Spin, .while a while-program, - is standard input (.tm, or .aut if it begins with `des`, .smv if it begins with `MODULE`, \
.pml if it begins with a word of Promela, such as `byte`, `mtype` or `active`, .while if it begins with `var` or `proc`). A .tm file has a system, or only properties; an .aut file is a component named like \
the file. Several files are checked one by one; with --compose their systems are composed, in the order of \
the files, and every property is checked on the composition. A --sync file composes them too and \
defines the synchronisation of components with actions: `sync { a:send | b:recv -> comm; } hide { \
comm }`, either or both; without it they synchronise on the actions that they share.

Exit status: 0 every property holds; 1 some property fails; 3 none fails and some is unknown (a limit \
that is reached is an unknown with its reason); 2 the input or the call is wrong.";

pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  tertium explain door.tm --property safe           a trace or a tree, on the terminal
  tertium explain lts.aut --mcf '[true*.error] false' --shortest
  tertium explain door.tm --property safe -o why.html
  tertium explain model.smv --property safe -o trace.vcd   the trace for a wave viewer
  tertium explain model.smv --property safe --format nusmv the trace as NuSMV prints it
  tertium explain model.pml --property assertions   the trace into a failed assertion
  tertium explain prog.while --property ends        a trace of a while-program
  tertium explain loop.while --property ends        integers: a trace with values, or an invariant
  tertium explain count.smv --property low --solver z3   an SMV file over integers, with Z3
  tertium explain union.tm --property safe --semantics sis   standard inductive semantics
  tertium explain door.tm --property safe --tm -o part.tm; tertium check part.tm

A false verdict has a counterexample, a true one a witness: the sub-model that the verdict depends on, with the \
subformulas that hold or fail in each state. An unknown one has a diagnosis: the label or transition on which \
the verdict depends.

Exit status: 0 the property holds; 1 it fails; 3 it is unknown; 2 the input or the call is wrong.";

pub(super) const CERTIFY_EXAMPLES: &str = "\
Examples:
  tertium check door.tm --certificate door.cert     check, and write a certificate
  tertium certify door.tm door.cert                 validate it without trusting the checker
  tertium certify --sync net.sync a.aut b.aut net.cert
  tertium certify changed.tm desk.cert              is the assumption still valid for a changed process?
  tertium certify --solver z3 loop.while loop.cert  integers: validate with another solver

Exit status: 0 every property of the files (or every one that `--require` names) is certified; 1 a claim is not valid, \
with the reason; 2 the input or the call is wrong; 3 all claims are valid and show less, or a limit was reached.";

pub(super) const ASSUME_EXAMPLES: &str = "\
Examples:
  tertium assume examples/assume/mutex.tm --process N --safety exclusion
  tertium assume net.tm --process Receiver --safety order -o receiver.tm -o receiver.dot
  tertium assume net.tm --process Receiver --safety order --steps 20 --curve
  tertium assume net.tm --process all --safety order --system -o small.tm
  tertium assume net.tm --process Receiver --safety order --certificate receiver.cert
  tertium assume model.pml --process Receiver -o small.pml   for Spin: no assertion fails
  tertium certify net.tm receiver.cert     later, when Receiver may have changed

With the assumption in place of the process the property holds if and only if it holds with the process \
itself. The synthesis can be interrupted at any time (--steps, --timeout, Ctrl-C): its result is sound.

Exit status: 0 the property holds; 1 it fails, with a trace into the error, unless a limit was reached first; 3 the verdict is unknown (the \
assumption is sound even so); 2 the input or the call is wrong.";

pub(super) const SOLVE_EXAMPLES: &str = "\
Examples:
  tertium solve game.pg                    winners and strategies in PGSolver's form
  tertium solve game.pg --verify --stats   verify the solution, print the times
  generator | tertium solve - --json       a summary for a script

Exit status: 0 the game is solved; 2 the input or the call is wrong, or the solution did not pass \
--verify; 3 a limit was reached.";

pub(super) const COMPARE_EXAMPLES: &str = "\
Examples:
  tertium compare system.tm abstraction.tm                   does the abstraction cover the system?
  tertium compare a.aut b.aut                                are they bisimilar?
  tertium compare a.aut b.aut --relation simulation --json
  tertium compare system.tm door.tm --component Door         does it cover this component of the system?

Exit status: 0 yes; 1 no, with the pair of states that breaks it; 2 the input or the call is wrong; \
3 a limit was reached.";

pub(super) const MINIMISE_EXAMPLES: &str = "\
Examples:
  tertium minimise machine.aut small.aut                           strong bisimulation
  tertium minimise system.tm small.aut --equivalence branching     of the composition; tau is not observed
  tertium minimise machine.aut small.aut --equivalence dpbranching where tau may go on for ever is kept
  tertium minimise machine.aut - --to aut --equivalence weak-trace deterministic, the same traces

Exit status: 0 it is written; 2 the input or the call is wrong; 3 a limit was reached.";

pub(super) const CONVERT_EXAMPLES: &str = "\
Examples:
  tertium convert machine.aut machine.tm
  tertium convert machine.tm machine.aut       one lts
  tertium convert system.tm picture.dot        the composition of a system
  tertium convert model.tm - --to dot          to standard output
  tertium convert plain.tm partial.tm --to kmts
  tertium convert sets.tm union.tm --to mixts  a state for each target set of a hyper-transition
  tertium convert union.tm kmts.tm --to kmts   every must transition becomes a may transition
  tertium convert modules.smv flat.smv         flattened into one module
  tertium convert model.pml states.tm          the reachable states of a Promela model
  tertium convert prog.while prog.while        a while-program, formatted
  tertium convert prog.while prog.smv          the same program for NuSMV
  tertium convert prog.while prog.dot --partition statement

Exit status: 0 done; 2 the input or the call is wrong; 3 a limit was reached.";

pub(super) const SIMULATE_EXAMPLES: &str = "\
Examples:
  tertium simulate examples/peterson.smv            in the terminal: choose steps, watch formulas
  tertium simulate model.pml --steps 20 --seed 7    a random walk, printed
  tertium simulate arbiter.tm --watch 'AG !(i & o)' --plain
  printf '1\\nrandom 5\\ntrace\\n' | tertium simulate door.tm
  tertium check model.smv --json > found.json; tertium simulate model.smv --replay found.json

Commands, from standard input: NUMBER [INPUT=VALUE …] takes a step; `undo`, `random N`, `goto NAME=VALUE …`, `watch FORMULA`, \
`state`, `trace`, `help`, `quit`. May transitions of a partial model are marked.

Exit status: 0 done; 2 the input or the call is wrong, or a script had a wrong command; 3 a limit was reached.";

pub(super) const EXPLORE_EXAMPLES: &str = "\
Examples:
  tertium explore examples/arbiter.tm               opens a page in the browser
  tertium explore a.aut b.aut --sync net.sync       a network
  tertium explore model.smv --no-open --port 8080   prints the address only

The page edits, draws, checks and explains the files; nothing is written to them. The server listens on \
127.0.0.1 only, and answers only requests with the token in the address. It reads the files that are named here, and \
those that they include by `component … from`, once, when it starts. Ctrl-C ends it.

Exit status: 0 it was stopped; 2 the call is wrong, or the port is taken.";
