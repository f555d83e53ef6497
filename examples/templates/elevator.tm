// An elevator: a button on each floor, and a cabin that serves what was asked for.
//
// expect: asked.0 = true
// expect: asked.1 = true
// expect: asked.2 = true
// expect: asked.3 = true
// expect: "a call can be served" = true
// expect: "a call is served in the end" = false
// expect: "the cabin moves with an open door" = false
const TOP = 3;

component Button(f in 0..TOP) lts {
  init off;
  off: -press[f]-> on;
  on: -press[f]-> on -open[f]-> off;
}

component Cabin lts {
  var at : 0..TOP := 0;
  init closed;
  closed: when at < TOP -up-> closed do at := at + 1
    when at > 0 -down-> closed do at := at - 1
    -open[at]-> open;
  open: -close-> closed;
}

system f in 0..TOP: Button(f) || Cabin;

property asked(f in 0..TOP): mcf [(!press[f])*.open[f]] false;
property "a call can be served": mcf [true*.press[TOP]] <true*.open[TOP]> true;
property "a call is served in the end": mcf [true*.press[0]] mu X. (<true> true && [!open[0]] X);
property "the cabin moves with an open door": mcf <true*.open[1].(!close)*.(up+down)> true;
