// Each takes one fork and waits for the other's.
component P lts { init p0; p0: -p.left-> p1; p1: -p.right-> p0; }
component Q lts { init q0; q0: -q.right-> q1; q1: -q.left-> q0; }
component Left lts { init l0; l0: -p.left-> l1 -q.left-> l0; l1: -p.left-> l0; }
component Right lts { init r0; r0: -q.right-> r1 -p.right-> r0; r1: -q.right-> r0; }
system P || Q || Left || Right;
property "goes on": ctl AG EX true;
property "on and on": mcf [true*]<true>true;
