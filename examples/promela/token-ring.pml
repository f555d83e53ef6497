/* A token goes round through an array of channels; only who has it may work.
 *
 * Holds: the assertions, and no invalid end states; AG AF Station[1]@work.
 */
#define N 3
#define next(i) ((i + 1) % N)

chan link[N] = [1] of { bit };
byte working;

proctype Station(byte me) {
  do
  :: link[me]?1 ->
     working++;
work:
     assert(working == 1);
     working--;
     link[next(me)]!1
  od
}

init {
  byte i;
  atomic {
    i = 0;
    do
    :: i < N -> run Station(i); i++
    :: else -> break
    od;
    link[0]!1
  }
}
