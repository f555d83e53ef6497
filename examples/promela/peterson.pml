/* Peterson's algorithm for two processes.
 *
 * Holds: the assertion, and that nobody gets stuck;
 *        AG !(P[0]@crit & P[1]@crit), AG (P[0]@wait -> AF P[0]@crit).
 * Fails: AG AF P[0]@crit: nothing makes P[0] begin.
 */
bool flag[2];
byte turn;
byte inside;

active [2] proctype P() {
  do
  :: flag[_pid] = true;
     turn = 1 - _pid;
wait: (flag[1 - _pid] == false || turn == _pid);
     inside++;
crit: assert(inside == 1);
     inside--;
     flag[_pid] = false
  od
}
