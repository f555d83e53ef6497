property tick: mcf <a>true;
property "no b at once": mcf [b]false;
