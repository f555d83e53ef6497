// A client that is written and an arbiter that is not.
//
// The client asks (`req`), waits for the grant (`gnt`) and gives it back. Of the arbiter only the
// propositions and the start are known, so it may do anything. What the client sees to by itself holds
// whatever the arbiter will be; what is left to the arbiter is unknown, and the reason names the step
// on which it depends.
//
// expect: "no grant without a request" = true
// expect: "starts with a request" = false
// expect: "a grant can come" = unknown
// expect: "every request is granted" = unknown
component Client kripke {
  props req, gnt;
  init idle;
  idle: {}         -> idle, ask;
  ask:  {req}      -> ask, use;
  use:  {req, gnt} -> use, idle;
}

component Arbiter unknown { props req, gnt; init {!req, !gnt}; }

system Client || Arbiter;

property "no grant without a request": ctl AG (gnt -> req);
property "starts with a request":      mu  req;
property "a grant can come":           ctl EF gnt;
property "every request is granted":   ctl AG (req -> AF gnt);
