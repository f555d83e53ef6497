// Each of two partners waits for the other one to begin.
component Caller lts {
  actions ready, call, answer;
  init start;
  start:   -ready-> waiting;
  waiting: -answer-> calling;
  calling: -call-> start;
}
component Callee lts {
  actions ready, call, answer;
  init start;
  start:   -ready-> waiting;
  waiting: -call-> answering;
  answering: -answer-> start;
}
system Caller || Callee;
property "never stuck": mcf [true*] <true> true;
