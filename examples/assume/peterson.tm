// Peterson's algorithm: two processes, a flag of each and whose turn it is.
//
// A process raises its flag (`up0`), lets the other go first (`give1`) and waits until the other's flag is
// down (`clear1`) or it is its own turn (`mine0`). Then it enters (`enter0`), works for some steps
// (`work0`), leaves (`leave0`) and takes its flag down (`down0`).
//
// exclusion: the two are never both inside. zero_first: process 1 does not enter before process 0 has, which
// is wrong.
//
// The assumption is to stand for Process1.
//
// expect: exclusion = true
// expect: zero_first = false
component Process0 lts {
  init idle;
  idle: -up0-> raised;
  raised: -give1-> waits;
  waits: -clear1-> may -mine0-> may;
  may: -enter0-> inside0;
  inside0: -work0-> inside1;
  inside1: -work0-> inside2;
  inside2: -leave0-> outside;
  outside: -down0-> idle;
}

component Process1 lts {
  init idle;
  idle: -up1-> raised;
  raised: -give0-> waits;
  waits: -clear0-> may -mine1-> may;
  may: -enter1-> inside0;
  inside0: -work1-> inside1;
  inside1: -work1-> inside2;
  inside2: -leave1-> outside;
  outside: -down1-> idle;
}

component Flag0 lts {
  init lowered;
  lowered: -up0-> raised -clear0-> lowered;
  raised: -down0-> lowered;
}

component Flag1 lts {
  init lowered;
  lowered: -up1-> raised -clear1-> lowered;
  raised: -down1-> lowered;
}

component Turn lts {
  init of0;
  of0: -give0-> of0 -give1-> of1 -mine0-> of0;
  of1: -give0-> of0 -give1-> of1 -mine1-> of1;
}

system Process0 || Process1 || Flag0 || Flag1 || Turn;

safety exclusion lts {
  actions enter0, leave0, enter1, leave1;
  init free;
  free: -enter0-> one -leave0-> free -enter1-> two -leave1-> free;
  one: -enter0-> one -leave0-> free -leave1-> one;
  two: -leave0-> two -enter1-> two -leave1-> free;
}
property exclusion: mcf [true*.enter0.(!leave0)*.enter1] false && [true*.enter1.(!leave1)*.enter0] false;

safety zero_first lts {
  actions enter0, enter1;
  init none;
  none: -enter0-> some;
  some: -enter0-> some -enter1-> some;
}
property zero_first: mcf [(!enter0)*.enter1] false;
