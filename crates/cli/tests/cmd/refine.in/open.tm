component A kripke { props req, busy; init s0; s0: {} -> s1; s1: {req} -> s1, s0; s2: {req, busy} -> s2; }
component Net unknown { props req, ack; init {!req, !ack}; }
system A || Net;
property "never busy": ctl AG !busy;
property "answered": ctl AF ack;
