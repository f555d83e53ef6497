/* The alternating bit protocol over two channels that lose messages.
 *
 * Holds: the assertion (what arrives is what was sent next), and that nobody gets stuck:
 *        what is lost is sent again when nothing else can happen.
 * Fails: AG AF Receiver@take: everything may be lost for ever.
 */
mtype = { data, ack };

chan forth = [1] of { mtype, bit, byte };
chan back = [1] of { mtype, bit };

#define MAX 3

active proctype Sender() {
  byte number;
  bit tag, seen;
send:
  do
  :: forth!data(tag, number) ->
     if
     :: back?ack(seen) ->
        if
        :: seen == tag -> tag = 1 - tag; number = (number + 1) % MAX
        :: else -> skip
        fi
     :: timeout
     fi
  od
}

active proctype Receiver() {
  byte number, expected;
  bit tag, wanted;
  do
  :: forth?data(tag, number) ->
     if
     :: tag == wanted ->
take:   assert(number == expected);
        expected = (expected + 1) % MAX;
        wanted = 1 - wanted
     :: else -> skip
     fi;
     if
     :: back!ack(tag)
     :: skip /* lost */
     fi
  :: forth?data(_, _) /* lost */
  od
}
