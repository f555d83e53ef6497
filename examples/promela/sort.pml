/* Sorting in one `d_step`, after choosing what to sort: `select`, arrays, and arithmetic.
 *
 * Holds: the assertions, no invalid end states, no run-time errors.
 */
#define N 3

byte a[N];

inline swap(p, q) {
  d_step { t = a[p]; a[p] = a[q]; a[q] = t; t = 0 }
}

active proctype Sort() {
  byte t;
  int i, j;
  for (i : 0 .. N - 1) {
    select (j : 0 .. 2);
    a[i] = j
  }
  for (i : 0 .. N - 2) {
    for (j : 0 .. N - 2) {
      if
      :: a[j] > a[j + 1] -> swap(j, j + 1)
      :: else
      fi
    }
  }
sorted:
  assert(a[0] <= a[1] && a[1] <= a[2])
}
