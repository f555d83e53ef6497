component A kripke { props p; init s0; s0: {} -> s1; s1: {p}; }
component B kripke { props q; init t0; t0: {} -> t0; }
system A || B;
property "always p": ctl AG AF p;
property "goes on": ctl AG EX true;
