/* The sliding window protocol of paper A, section 7, with two places and three kinds of messages, over a
 * channel that loses what it likes: a sender that does not send has lost the message.
 *
 * Numbers run to twice the places, so that old messages are known from new ones. `ack!2` says that all
 * before number 2 has come.
 *
 * Holds: the assertion: no white message comes out before one has gone in. No invalid end states.
 */
mtype = { none, red, white, blue };

chan data = [0] of { byte, mtype };
chan ack = [0] of { byte };
bool asked;

active proctype Sender() {
  byte base;
  mtype low = none, high = none;
  byte n;
end:
  do
  :: high == none ->
     if
     :: high = red
     :: atomic { high = white; asked = true }
     :: high = blue
     fi
  :: atomic { low == none && high != none -> low = high; high = none }
  :: low != none -> data!base, low
  :: low != none && high != none -> data!((base + 1) % 4), high
  :: atomic {
       ack?n ->
       if
       :: n == (base + 1) % 4 && low != none -> base = n; low = high; high = none
       :: n == (base + 2) % 4 && low != none && high != none -> base = n; low = none; high = none
       :: else
       fi;
       n = 0
     }
  od
}

active proctype Receiver() {
  byte next;
  mtype first = none, second = none;
  byte n;
  mtype m = none;
end:
  do
  :: atomic {
       data?n, m ->
       if
       :: n == next && first == none -> first = m
       :: n == (next + 1) % 4 && second == none -> second = m
       :: else
       fi;
       n = 0; m = none
     }
  :: atomic {
       first != none ->
       assert(first != white || asked);
       first = second; second = none; next = (next + 1) % 4
     }
  :: ack!next
  od
}
