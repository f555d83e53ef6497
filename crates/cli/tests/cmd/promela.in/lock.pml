#define N 2
bool lock;
byte inside;

active [N] proctype P() {
  do
  :: !lock -> lock = true;
     inside++;
in:  assert(inside == 1);
     inside--;
     lock = false
  od
}
