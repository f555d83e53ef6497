component A kripke { props p; init a; a: {p} -> a; }
component B kripke { props p; init b; b: {} -> b; }
system A || B;
property p: mu p;
