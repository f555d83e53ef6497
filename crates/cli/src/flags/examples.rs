//! What stands below the help of each command.

pub(super) const MAIN_EXAMPLES: &str = "\
Examples:
  tertium check examples/arbiter.tm
  tertium explain examples/arbiter.tm --property 'starts with a request'
  tertium check machine.aut --mcf '[true*.error]false'
  tertium compare system.tm abstraction.tm
  tertium solve game.pg --verify

Exit status: 0 everything holds; 1 something fails; 3 nothing fails and something is unknown; \
2 the input or the call is wrong.";

pub(super) const CHECK_EXAMPLES: &str = "\
Examples:
  tertium check door.tm                             every property in the file
  tertium check door.tm --property safe --json      one of them, for a script
  tertium check a.tm b.tm properties.tm             several files make one system
  tertium check lts.aut --mu 'nu Z. <>true & []Z'   a formula from the command line
  tertium check a.aut b.aut --sync net.sync --mcf '[true*]<true>true'
  tertium check big.aut --mcf '[true*]<true>true' --timeout 60 --memory 2G
  tertium check big.tm --method refine -v           abstract, and refine where it is in doubt
  tertium check two.tm --abstract M2 --trace t.json abstract one component, write the story
  tertium check two.tm --emit-abstraction out       write what was enough to know of each component
  tertium check net.tm --safety order --assume auto a safety property, by an assumption
  tertium check model.smv --format nusmv            a model for NuSMV, in NuSMV's words
  tertium check model.smv --components auto -v      module by module: what each of them decides
  tertium check model.smv --unknown bus             what is sure before `bus` is written
  tertium check model.pml                           a Promela model: assertions, invalid end states
  tertium check model.pml --ctl 'AG !P[0]@critical' a formula over its variables and labels
  tertium check union.tm --semantics sis --values   states that cover others: what each says itself
  tertium check prog.while                          a while-program; without a property: `AG !error`
  tertium check prog.while --assume 'net: AF end'   with what is assumed of the hole `net`
  tertium check prog.while --resume results         piece by piece; killed, it can be started again

Files: .tm is the native language, .aut an Aldebaran LTS, .smv a whole system in the language of NuSMV, \
.pml a Promela model for Spin, .while a while-program, - is standard input (.tm, or .aut if it begins with `des`, .smv if it begins with `MODULE`, \
.pml if it begins with a word of Promela, such as `byte`, `mtype` or `active`, .while if it begins with `var` or `proc`). A .tm file has a system, or only properties; an .aut file is a component named like \
the file. The systems of all files run together, in the order of the files, and every property is \
checked on the whole. A --sync file says how components with actions do that: \
`sync { a:send | b:recv -> comm; } hide { comm }`, either or both; without it they synchronise on the \
actions that they share.

Exit status: 0 every property holds; 1 some property fails; 3 none fails and some is unknown (a limit \
that is reached is an unknown with its reason); 2 the input or the call is wrong.";

pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  tertium explain door.tm --property safe           a trace or a tree, on the terminal
  tertium explain lts.aut --mcf '[true*.error] false' --shortest
  tertium explain door.tm --property safe --html -o why.html
  tertium explain model.pml --property assertions   the run into a failed assertion
  tertium explain prog.while --property ends        a way through a while-program
  tertium explain loop.while --property ends        integers: a run with values, or an invariant
  tertium explain count.smv --property low --solver z3   the same of an SMV file, by another solver
  tertium explain union.tm --property safe --semantics sis   each state by what it says itself
  tertium explain door.tm --property safe --tm -o part.tm; tertium check part.tm

A verdict that is false has a counterexample, one that is true a witness: the part of the model that it \
rests on, in each state the subformula that holds or fails there. Of an unknown one it is told where \
knowledge is missing, and which.

Exit status: 0 the property holds; 1 it fails; 3 it is unknown; 2 the input or the call is wrong.";

pub(super) const CERTIFY_EXAMPLES: &str = "\
Examples:
  tertium check door.tm --certificate door.cert     check, and write down what shows the verdicts
  tertium certify door.tm door.cert                 check that, without trusting the checker
  tertium certify --sync net.sync a.aut b.aut net.cert
  tertium certify changed.tm desk.cert              does an old assumption stand for a changed process?
  tertium certify --solver z3 loop.while loop.cert  integers: ask another solver than the checker did

Exit status: 0 all claims of the certificate are shown to be right; 1 one is not, with the reason; \
2 the input or the call is wrong; 3 a limit was reached.";

pub(super) const ASSUME_EXAMPLES: &str = "\
Examples:
  tertium assume examples/assume/mutex.tm --process N --safety exclusion
  tertium assume net.tm --process Receiver --safety order -o receiver.tm -o receiver.dot
  tertium assume net.tm --process Receiver --safety order --steps 20 --curve
  tertium assume net.tm --process all --safety order --whole -o small.tm
  tertium assume net.tm --process Receiver --safety order --certificate receiver.cert
  tertium assume model.pml --process Receiver -o small.pml   for Spin: no assertion fails
  tertium certify net.tm receiver.cert     later, when Receiver may have changed

With the assumption in place of the process the property holds exactly if it does with the process \
itself. It can be interrupted at any time (--steps, --timeout, Ctrl-C): what there is by then is sound.

Exit status: 0 the property holds; 1 it fails, with a run into the error, unless a limit was reached first; 3 the verdict is unknown (the \
assumption is sound even so); 2 the input or the call is wrong.";

pub(super) const SOLVE_EXAMPLES: &str = "\
Examples:
  tertium solve game.pg                    winners and strategies in PGSolver's form
  tertium solve game.pg --verify --stats   check the solution, tell the times
  generator | tertium solve - --json       a summary for a script

Exit status: 0 the game is solved; 2 the input or the call is wrong, or the solution did not pass \
--verify; 3 a limit was reached.";

pub(super) const COMPARE_EXAMPLES: &str = "\
Examples:
  tertium compare system.tm abstraction.tm                   does the abstraction cover the system?
  tertium compare a.aut b.aut                                are they bisimilar?
  tertium compare a.aut b.aut --relation simulation --json
  tertium compare system.tm door.tm --component Door         does it cover this part of the system?

Exit status: 0 yes; 1 no, with the pair of states that breaks it; 2 the input or the call is wrong; \
3 a limit was reached.";

pub(super) const CONVERT_EXAMPLES: &str = "\
Examples:
  tertium convert machine.aut machine.tm
  tertium convert machine.tm machine.aut       one lts
  tertium convert system.tm picture.dot        the composition of a system
  tertium convert model.tm - --to dot          to standard output
  tertium convert plain.tm partial.tm --to kmts
  tertium convert sets.tm union.tm --to mixts  a state for each set that a must transition leads to
  tertium convert union.tm kmts.tm --to kmts   and every must transition is a may transition
  tertium convert modules.smv flat.smv         all modules as one
  tertium convert model.pml states.tm          the states of a Promela model
  tertium convert prog.while prog.while        a while-program, laid out
  tertium convert prog.while prog.smv          the same program for NuSMV
  tertium convert prog.while prog.dot --partition statement

Exit status: 0 done; 2 the input or the call is wrong; 3 a limit was reached.";

pub(super) const EXPLORE_EXAMPLES: &str = "\
Examples:
  tertium explore examples/arbiter.tm               opens a page in the browser
  tertium explore a.aut b.aut --sync net.sync       a network
  tertium explore model.smv --no-open --port 8080   prints the address only

The page edits, draws, checks and explains the files; nothing is written to them. The server listens on \
127.0.0.1 only, and answers who has the token in the address. It reads the files that are named here, and \
those that they bring in by `component … from`, once, when it starts. Ctrl-C ends it.

Exit status: 0 it was ended; 2 the call is wrong, or the port is taken.";
