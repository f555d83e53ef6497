#!/bin/sh
# Says that there is a model, and not which.
while read -r line; do
  case "$line" in
    "(check-sat"*) echo sat ;;
    "(get-value"*) echo '((v0 (* 2 x)' ;;
    "(echo"*) echo end-of-answer ;;
  esac
done
