component Light kripke { props on; init a, b; a: {on} -> b, c; b: {on} -> a, c; c: {} -> a; d: {} -> a; }
property lit: ctl AG EF on;
