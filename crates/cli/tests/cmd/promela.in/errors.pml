byte a[3], i;
active proctype P() {
  do
  :: i < 4 -> a[i] = 12 / (2 - i); i++
  :: else -> break
  od
}
