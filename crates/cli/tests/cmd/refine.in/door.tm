component Door kmts {
  props open, blocked;
  init closed;
  closed: {!open, !blocked} -> opened;
  opened: {open, blocked?} -> closed ?> opened;
}

property "shuts again": ctl AF !open;
property "never blocked": ctl AG !blocked;
