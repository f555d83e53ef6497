/* Leader election in a ring of three: whoever has the largest number.
 *
 * Holds: the assertions (there is one leader, and it is the largest), and that nobody gets stuck;
 *        AF leaders == 1.
 */
#define N 3

mtype = { candidate, winner };
chan ring[N] = [N] of { mtype, byte };
byte leaders;

proctype Node(chan in, out; byte number) {
  byte other;
  bool done;
  out!candidate(number);
  do
  :: !done ->
     if
     :: in?candidate(other) ->
        if
        :: other > number -> out!candidate(other)
        :: other < number -> skip
        :: else ->
           leaders++;
           assert(leaders == 1 && number == N);
           out!winner(number)
        fi
     :: in?winner(other) ->
        assert(other == N);
        if
        :: other != number -> out!winner(other)
        :: else -> skip
        fi;
        done = true
     fi
  :: done -> break
  od
}

init {
  atomic {
    run Node(ring[0], ring[1], 2);
    run Node(ring[1], ring[2], 3);
    run Node(ring[2], ring[0], 1)
  }
}
