component A lts { actions a; init s; s: -a-> s; }
component B mts { actions a, b; init t; t: -a-> u; u: -b?> t; }
system A || B;
