component Door kmts {
  props open;
  init shut;
  shut: {!open} ?> ajar;
  ajar: {open} -> shut;
}
property p: ctl AG !open;
