/* Two processes that add to a counter: read, add, write.
 *
 * Fails: the assertion: both may read the same value.
 * Holds: AF finished == 2, no invalid end states.
 */
byte counter, finished;

proctype Adder() {
  byte read;
  byte round;
  do
  :: round < 2 -> read = counter; read++; counter = read; round++
  :: else -> break
  od;
  finished++;
}

init {
  atomic { run Adder(); run Adder() }
  finished == 2;
  assert(counter == 4)
}
