/* Two clients, each with a channel of its own to get answers, and a server.
 *
 * Holds: the assertion, and that nobody gets stuck: the server may wait for ever at its label `end`;
 *        AG (Client[2]@waiting -> EF Client[2]@served).
 */
#define CLIENTS 2

chan request = [1] of { byte, byte };
chan answer[CLIENTS] = [0] of { byte };

active proctype Server() {
  byte who, what;
end:
  do
  :: request?who, what -> answer[who]!(what + 1)
  od
}

proctype Client(byte me) {
  byte got, rounds;
  do
  :: rounds < 2 ->
     request!me, rounds;
waiting:
     answer[me]?got;
served:
     assert(got == rounds + 1);
     rounds++
  :: else -> break
  od
}

init { atomic { run Client(0); run Client(1) } }
