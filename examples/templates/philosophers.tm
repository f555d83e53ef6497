// The philosophers of ../families/philosophers.tm, written once for all of them.
//
// The last one takes the right fork first and eats in one step.
//
// expect: "neighbours never eat together" = true
// expect: "no deadlock" = true
// expect: hungry.0 = true
// expect: hungry.1 = true
// expect: hungry.2 = true
// expect: "who is hungry eats in the end" = false
const N = 3;

component Fork(i in 0..N-1) lts {
  init free;
  free: -left[i]-> left -right[(i-1)%N]-> right;
  left: -leftdown[i]-> free;
  right: -rightdown[(i-1)%N]-> free;
}

component Phil(i in 0..N-1) lts {
  init thinks;
  thinks: -think[i]-> thinks -hungry[i]-> hungry;
  hungry: when i < N-1 -left[i]-> one when i = N-1 -right[i]-> one;
  one: when i < N-1 -right[i]-> both1 when i = N-1 -left[i]-> both2;
  both1: -eat[i]-> both2;
  both2: -eat[i]-> full;
  full: -leftdown[i]-> sated;
  sated: -rightdown[i]-> thinks;
}

system i in 0..N-1: Fork(i) || i in 0..N-1: Phil(i);

property "neighbours never eat together": mcf [true*] !(<eat[0]> true && <eat[1]> true);
property "no deadlock": mcf [true*] <true> true;
property hungry(i in 0..N-1): mcf [true*.hungry[i].(!eat[i])*] <true*.eat[i]> true;
property "who is hungry eats in the end": mcf [true*.hungry[0]] mu X. (<true> true && [!eat[0]] X);
