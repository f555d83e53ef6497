#define A B
#define B A
#include "other.pml"
byte x = A;
