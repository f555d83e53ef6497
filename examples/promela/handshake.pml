/* A rendezvous hands values over one by one, and who is in `atomic` hands control over with them.
 *
 * Holds: the assertions, and no invalid end states; AF Taker@done.
 */
chan hand = [0] of { byte };
byte sum;

active proctype Giver() {
  byte i;
  for (i : 1 .. 3) {
    atomic { sum = sum + i; hand!i }
  }
}

active proctype Taker() {
  byte got, all, i;
  for (i : 1 .. 3) {
    atomic { hand?got; all = all + got; assert(all == sum) }
  }
done:
  assert(all == 6)
}
