// Two readers and a desk that lends them one book.
component Reader0 lts {
  init out;
  out: -ask0-> waits;
  waits: -lend0-> reads;
  reads: -read0-> reads -return0-> out;
}

component Reader1 lts {
  init out;
  out: -ask1-> waits;
  waits: -lend1-> reads;
  reads: -read1-> reads -return1-> out;
}

component Desk lts {
  init free;
  free: -ask0-> asked0 -ask1-> asked1;
  asked0: -lend0-> lent0;
  asked1: -lend1-> lent1;
  lent0: -return0-> notes0;
  lent1: -return1-> notes1;
  notes0: -note-> free;
  notes1: -note-> free;
}

system Reader0 || Reader1 || Desk;

safety one_at_a_time lts {
  actions lend0, lend1, return0, return1;
  init here;
  here: -lend0-> away0 -lend1-> away1;
  away0: -return0-> here;
  away1: -return1-> here;
}

safety never_lent lts {
  actions lend0, lend1;
  init here;
  here:;
}
