/* Two processes read, add and write: an update is lost. */
byte count = 0, ended = 0;

active [2] proctype Adder() {
  byte own;
  own = count;
  own = own + 1;
  count = own;
  ended++
}

active proctype Monitor() {
  ended == 2 -> assert(count == 2)
}
