/* Mutual exclusion by looking first and locking then.
 *
 * Fails: the assertion, and AG !(P[0]@critical & P[1]@critical): both may look before one of them locks.
 * Holds: no invalid end states.
 */
bool lock;
byte inside;

active [2] proctype P() {
  do
  :: !lock ->
     lock = true;
     inside++;
critical:
     assert(inside == 1);
     inside--;
     lock = false
  od
}
