component A lts { init a; a: -x-> a; }
component B lts { init b; b: -y-> b; }
system A || B hide { x };
property on: mcf <y>true;
