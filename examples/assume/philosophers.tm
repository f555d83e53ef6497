// Philosophers at a round table, and a fork between every two of them; who eats needs both.
//
// Philosopher 0 thinks (`think0`), gets hungry (`hungry0`), takes a fork with each hand (`left0`,
// `right0`), eats (`eat0`) and puts the forks down (`leftdown0`, `rightdown0`). Fork 1 lies to the left of
// philosopher 1 and to the right of philosopher 0.
//
// fork: philosophers 0 and 1 never both have it. zero_first: philosopher 1 does not eat before philosopher
// 0 has, which is wrong.
//
// The assumption is to stand for Fork1.
//
// expect: fork = true
// expect: zero_first = false
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

safety fork lts {
  actions right0, rightdown0, left1, leftdown1;
  init free;
  free: -right0-> one -rightdown0-> free -left1-> two -leftdown1-> free;
  one: -right0-> one -rightdown0-> free -leftdown1-> one;
  two: -rightdown0-> two -left1-> two -leftdown1-> free;
}
property fork: mcf [true*.right0.(!rightdown0)*.left1] false && [true*.left1.(!leftdown1)*.right0] false;

safety zero_first lts {
  actions eat0, eat1;
  init none;
  none: -eat0-> some;
  some: -eat0-> some -eat1-> some;
}
property zero_first: mcf [(!eat0)*.eat1] false;
