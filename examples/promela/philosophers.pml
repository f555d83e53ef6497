/* Three dining philosophers who all take the left fork first.
 *
 * Holds: the assertions (nobody eats with a fork that is not theirs).
 * Fails: no invalid end states: all of them may hold one fork and wait for the other.
 */
#define N 3

byte holder[N] = 255;

proctype Philosopher(byte me) {
  byte left = me, right = (me + 1) % N;
think:
  do
  :: atomic { holder[left] == 255 -> holder[left] = me };
hungry:
     atomic { holder[right] == 255 -> holder[right] = me };
eat: assert(holder[left] == me && holder[right] == me);
     holder[right] = 255;
     holder[left] = 255
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) {
      run Philosopher(i)
    }
  }
}
