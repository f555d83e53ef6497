#!/bin/sh
# Never knows.
while read -r line; do
  case "$line" in
    "(check-sat"*) echo unknown ;;
    "(echo"*) echo '"end-of-answer"' ;;
  esac
done
