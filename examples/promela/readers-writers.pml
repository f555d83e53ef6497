/* Readers and a writer that send requests to a monitor, with structures and a macro.
 *
 * Holds: the assertion, and no invalid end states; AG !(Writer@writing & Reader[2]@reading).
 */
typedef Lock { byte readers; bool writer };
Lock lock;

#define free (lock.readers == 0 && !lock.writer)

active proctype Writer() {
end:
  do
  :: atomic { free -> lock.writer = true };
writing:
     assert(lock.readers == 0);
     lock.writer = false
  od
}

active [2] proctype Reader() {
end:
  do
  :: atomic { !lock.writer -> lock.readers++ };
reading:
     assert(!lock.writer);
     lock.readers--
  od
}
