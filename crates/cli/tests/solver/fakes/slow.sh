#!/bin/sh
# Would answer, if somebody waited.
while read -r line; do
  case "$line" in
    "(check-sat"*) sleep 2; echo unsat ;;
    "(echo"*) echo end-of-answer ;;
  esac
done
