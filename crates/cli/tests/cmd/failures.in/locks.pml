/* Two locks taken in opposite orders. */
bool a, b;

active proctype First() {
  atomic { !a -> a = true };
  atomic { !b -> b = true };
  b = false; a = false
}

active proctype Second() {
  atomic { !b -> b = true };
  atomic { !a -> a = true };
  a = false; b = false
}
