// A lift and its door; nobody knows yet whether the sensor works.
component Door kmts {
  props moving, open, blocked;
  init closed;
  closed: {!moving, !open, !blocked} -> opened, rising;
  opened: {!moving, open, blocked?} -> closed ?> opened;
  rising: {moving, !open, !blocked} -> closed;
}

property safe: ctl AG !(moving & open);
property "always shut": ctl AG !open;
property "shuts again": ctl AG (open -> AF !open);
property "never blocked": mu nu Z. (!blocked & [] Z);
