/* The same with looking and locking in one step.
 *
 * Holds: the assertion, AG !(P[0]@critical & P[1]@critical), no invalid end states.
 */
bool lock;
byte inside;

active [2] proctype P() {
  do
  :: atomic { !lock -> lock = true };
     inside++;
critical:
     assert(inside == 1);
     inside--;
     lock = false
  od
}
