component Lift kripke {
  props up, down
  init s0;
  s0: {up} -> s1;
  s1: {upp} -> s0, s7;
}
component Lift kripke { props x; init a; a: {x} -> a; }
property p: ctl AG (up &);
property q: mu nu Z. !Z;
