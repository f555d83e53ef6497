// Assumption that replaces `Desk`. Its states:
//   free: free, asked0, asked1, notes0, notes1
//   lent0: lent0, lent1
// Assumption that replaces `Reader0`. Its states:
//   out: out, waits
//   reads: reads
// Assumption that replaces `Reader1`. Its states:
//   out: out, waits
//   reads: reads
component Desk lts {
  actions ask0, ask1, lend0, lend1, return0, return1, note;
  init free;
  free: -ask0-> free -ask1-> free -lend0-> lent0 -lend1-> lent0 -note-> free;
  lent0: -return0-> free -return1-> free;
}

component Reader0 lts {
  actions ask0, lend0, read0, return0;
  init out;
  out: -ask0-> out -lend0-> reads;
  reads: -read0-> reads -return0-> out;
}

component Reader1 lts {
  actions ask1, lend1, read1, return1;
  init out;
  out: -ask1-> out -lend1-> reads;
  reads: -read1-> reads -return1-> out;
}

system Desk || Reader0 || Reader1;

