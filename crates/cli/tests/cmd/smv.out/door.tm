component Door kripke {
  props open, locked;
  init shut;
  shut: {} -> ajar, bolted;
  ajar: {open} -> shut, ajar;
  bolted: {locked} -> shut;
}
property safe: ctl AG !(open & locked);
property "can open": mu nu X. (mu Y. open | <> Y) & [] X;
