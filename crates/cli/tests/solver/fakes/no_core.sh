#!/bin/sh
# Finds a contradiction and dies when it is asked for reasons.
while read -r line; do
  case "$line" in
    "(check-sat"*) echo unsat ;;
    "(get-unsat"*) exit 1 ;;
    "(echo"*) echo end-of-answer ;;
  esac
done
