component A lts { actions a, c; init s; s: -a-> t; t: -c-> s; }
component B lts { actions b, c; init s; s: -b-> t; t: -c-> s; }
system A || B;
