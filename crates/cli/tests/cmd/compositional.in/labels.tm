// Both move, and not to the same label: A goes to p, B away from it.
component A kripke { props p; init s0; s0: {} -> s1; s1: {p} -> s1; }
component B kripke { props p; init t0; t0: {} -> t1; t1: {p} -> t2; t2: {} -> t2; }
system A || B;
property "goes on": ctl AG EX true;
property "p for ever": ctl AX AG p;
property "two steps": mu <> <> true;
