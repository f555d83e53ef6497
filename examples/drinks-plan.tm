// A plan for a drinks machine: a modal transition system.
//
// `-coffee->` has to be there in every machine that follows the plan, `-tea?>` may be there or not.
// What the plan settles is true or false of all such machines; the rest is unknown.
// drinks-machine.tm is one of them: `tertium compare examples/drinks-machine.tm examples/drinks-plan.tm`.
//
// expect: "coffee for a coin" = true
// expect: "nothing for free" = true
// expect: "tea for a coin" = unknown
component Plan mts {
  actions coin, coffee, tea;
  init idle;
  idle: -coin-> paid;
  paid: -coffee-> idle -tea?> idle;
}

property "coffee for a coin": mcf [true*.coin] <coffee> true;
property "nothing for free":  mcf [(!coin)*.(coffee || tea)] false;
property "tea for a coin":    mcf [true*.coin] <tea> true;
