// A machine that follows the plan of drinks-plan.tm and has decided to serve tea.
//
// expect: "coffee for a coin" = true
// expect: "nothing for free" = true
// expect: "tea for a coin" = true
component Machine lts {
  actions coin, coffee, tea;
  init ready;
  ready:  -coin-> choose;
  choose: -coffee-> clean -tea-> ready;
  clean:  -coin-> choose;
}

property "coffee for a coin": mcf [true*.coin] <coffee> true;
property "nothing for free":  mcf [(!coin)*.(coffee || tea)] false;
property "tea for a coin":    mcf [true*.coin] <tea> true;
