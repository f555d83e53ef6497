// A vending machine and its customer, with a flaw that is easy to overlook.
//
// The two synchronise on the actions that both have. The customer never mentions `coffee`, so the
// machine can pour one without him: the coin is gone, he waits for tea, and nothing can happen any
// more. Give Customer the line `actions coin, tea, coffee, refund, drink;` and the deadlock goes away:
// then coffee is a joint action, and he never takes part in it.
//
// expect: "tea is paid for" = true
// expect: "a coin can buy tea" = true
// expect: "no deadlock" = false
component Machine lts {
  init idle;
  idle: -coin-> paid;
  paid: -tea-> idle -coffee-> idle -refund-> idle;
}

component Customer lts {
  init thirsty;
  thirsty: -coin-> waiting;
  waiting: -tea-> served -refund-> thirsty;
  served:  -drink-> thirsty;
}

system Machine || Customer;

property "tea is paid for":    mcf [(!coin)*.tea] false;
property "a coin can buy tea": mcf <true*.coin.tea> true;
property "no deadlock":        mcf [true*] <true> true;
