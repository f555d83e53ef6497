// Philosophers at a round table, and a fork between every two of them; who eats needs both.
//
// Philosopher 0 thinks (`think0`), gets hungry (`hungry0`), takes a fork with each hand (`left0`,
// `right0`), eats (`eat0`) and puts the forks down (`leftdown0`, `rightdown0`). One philosopher, not
// number 0, takes the right fork first, the others the left one, so there is no deadlock. Taking a fork
// is a step of the philosopher and of the fork together: whoever has it blocks the neighbour.
//
// expect: "local: nobody eats who was not hungry" = true
// expect: "local: a philosopher can think forever" = true
// expect: "local: a philosopher can always think" = false
// expect: "local: a philosopher thinks with a fork in the hand" = false
// expect: "two-party: neighbours never eat together" = true
// expect: "two-party: one fork, one hand" = true
// expect: "two-party: neighbours can eat in turns" = true
// expect: "two-party: neighbours can eat in turns forever" = true
// expect: "two-party: a free fork waits for philosopher 1" = false
// expect: "two-party: a fork goes from hand to hand" = false
// expect: "global: no deadlock" = true
// expect: "global: who is hungry can eat" = true
// expect: "global: nobody can do anything" = false
// expect: "global: first and last can eat in turns" = true
// expect: "global: who is hungry eats in the end" = false
// expect: "global: some can eat forever while philosopher 0 is hungry" = true
component Fork0 lts {
  init free;
  free: -left0-> left -right2-> right;
  left: -leftdown0-> free;
  right: -rightdown2-> free;
}

component Phil0 lts {
  init thinks;
  thinks: -think0-> thinks -hungry0-> hungry;
  hungry: -left0-> one;
  one: -right0-> both1;
  both1: -eat0-> both2;
  both2: -eat0-> full;
  full: -leftdown0-> sated;
  sated: -rightdown0-> thinks;
}

component Fork1 lts {
  init free;
  free: -left1-> left -right0-> right;
  left: -leftdown1-> free;
  right: -rightdown0-> free;
}

component Phil1 lts {
  init thinks;
  thinks: -think1-> thinks -hungry1-> hungry;
  hungry: -left1-> one;
  one: -right1-> both1;
  both1: -eat1-> both2;
  both2: -eat1-> full;
  full: -leftdown1-> sated;
  sated: -rightdown1-> thinks;
}

component Fork2 lts {
  init free;
  free: -left2-> left -right1-> right;
  left: -leftdown2-> free;
  right: -rightdown1-> free;
}

component Phil2 lts {
  init thinks;
  thinks: -think2-> thinks -hungry2-> hungry;
  hungry: -right2-> one;
  one: -left2-> both1;
  both1: -eat2-> full;
  full: -leftdown2-> sated;
  sated: -rightdown2-> thinks;
}

system Fork0 || Phil0 || Fork1 || Phil1 || Fork2 || Phil2;

property "local: nobody eats who was not hungry": mcf [(!hungry0)*.eat0] false;
property "local: a philosopher can think forever": mu nu X. <think0> X;
property "local: a philosopher can always think": mcf [true*] <think0> true;
property "local: a philosopher thinks with a fork in the hand": mcf <true*.right0.(!rightdown0)*.think0> true;
property "two-party: neighbours never eat together": mcf [true*] !(<eat0> true && <eat1> true);
property "two-party: one fork, one hand": mcf [true*.right0.(!rightdown0)*.left1] false;
property "two-party: neighbours can eat in turns": mcf <true*.eat0.true*.eat1> true;
property "two-party: neighbours can eat in turns forever": mu nu X. mu Y. <eat0> (mu Z. <eat1> X | <true> Z) | <true> Y;
property "two-party: a free fork waits for philosopher 1": mcf [true*.rightdown0] <left1> true;
property "two-party: a fork goes from hand to hand": mcf <true*.right0.(!rightdown0)*.left1> true;
property "global: no deadlock": mcf [true*] <true> true;
property "global: who is hungry can eat": mcf [true*.hungry0.(!eat0)*] <true*.eat0> true;
property "global: nobody can do anything": mcf <true*> [true] false;
property "global: first and last can eat in turns": mcf <true*.eat0.true*.eat2> true;
property "global: who is hungry eats in the end": mcf [true*.hungry0] mu X. (<true> true && [!eat0] X);
property "global: some can eat forever while philosopher 0 is hungry": mcf <true*.hungry0> nu X. mu Y. (<eat2> X || <!eat0> Y);
