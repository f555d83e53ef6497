/* A message that is lost is not sent again. */
mtype = { msg, ack };
chan there = [1] of { mtype };
chan back = [1] of { mtype };
bool sent, confirmed;

active proctype Sender() {
  there!msg; sent = true;
  back?ack; confirmed = true
}

active proctype Line() {
  do
  :: there?msg -> back!ack
  :: there?msg -> skip
  od
}

ltl delivered { [] (sent -> <> confirmed) }
