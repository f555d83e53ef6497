/* Three dining philosophers, the last of whom takes the forks in the other order.
 *
 * Holds: the assertions, and that nobody gets stuck;
 *        AG EF Philosopher[1]@eat.
 * Fails: AG (Philosopher[1]@hungry -> AF Philosopher[1]@eat): no fairness is assumed; with `--fair strong` it holds in LTL.
 */
#define N 3
#define FREE 255

byte holder[N] = FREE;

inline take(fork) {
  atomic { holder[fork] == FREE -> holder[fork] = me }
}

proctype Philosopher(byte me; byte first; byte second) {
  do
  :: take(first);
hungry:
     take(second);
eat: assert(holder[first] == me && holder[second] == me);
     holder[second] = FREE;
     holder[first] = FREE
  od
}

init {
  atomic {
    run Philosopher(0, 0, 1);
    run Philosopher(1, 1, 2);
    run Philosopher(2, 0, 2)
  }
}
