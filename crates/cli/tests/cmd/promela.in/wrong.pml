#define TWICE(a) (a + a)
mtype = { go, stop };
chan c = [1] of { mtype, byte };
byte count[3];
active proctype P() {
  byte number;
  conut[0] = 1;
  count = 2;
  c!go, 1, 2;
  number = TWICE(nmber);
  goto over;
there:
  break;
  run Q(1);
}
