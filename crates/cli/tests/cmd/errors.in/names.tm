component Lift kripke {
  props moving, open;
  init s0;
  s0: {moving} -> s1;
  s1: {open} -> s0;
}
property safe: ctl AG !(movin & open);
property "no deadlock": mu nu Z. <> true & [] Z;
property turned: mu mu Z. !Z;
