component Old kmts { props p; init a; a: {p?} -> a; }
component New kmts { props p; init b; b: {p?} -> b; }
system Old || New;
property p: mu p;
