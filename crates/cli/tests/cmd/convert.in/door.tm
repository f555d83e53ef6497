// A lift and its door.
component Door kripke { props open; init a; a: {} -> b; b: {open} -> a, b; }
property shuts: ctl AG (open -> EX !open);
