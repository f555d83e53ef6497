// Two stations hand one token to and fro (`give`, `back`); who has it may use it (`use0`, `use1`).
//
// Station 1 writes a log: every use is an entry, made after it. When the log is full it is flushed (`flush`)
// before anything else happens. Nobody else can see how full it is.
//
// turns: who uses the token has it. idle: station 1 never uses it, which is wrong.
//
// The assumption is to stand for Station1.
//
// expect: turns = true
// expect: idle = false
component Station0 lts {
  init has;
  has: -use0-> has -give-> hasnt;
  hasnt: -back-> has;
}

component Station1 lts {
  init hasnt0;
  hasnt0: -give-> has0;
  has0: -back-> hasnt0 -use1-> logs0;
  logs0: -tau-> has1;
  hasnt1: -give-> has1;
  has1: -back-> hasnt1 -use1-> logs1;
  logs1: -tau-> has2;
  hasnt2: -give-> has2;
  has2: -back-> hasnt2 -use1-> logs2;
  logs2: -tau-> has3;
  hasnt3: -give-> has3;
  has3: -back-> hasnt3 -use1-> logs3;
  logs3: -flush-> has0;
}

system Station0 || Station1;

safety turns lts {
  actions use0, give, use1, back;
  init zero;
  zero: -use0-> zero -give-> one;
  one: -use1-> one -back-> zero;
}
property turns: mcf [(!give)*.(use1 || back)] false && [true*.back.(!give)*.(use1 || back)] false && [true*.give.(!back)*.(use0 || give)] false;

safety idle lts {
  actions use1;
  init start;
  start:;
}
property idle: mcf [true*.use1] false;
