#!/bin/sh
# Satisfies everything with zeros.
while read -r line; do
  case "$line" in
    "(check-sat"*) echo sat ;;
    "(get-value"*) echo '((v0 0))' ;;
    "(echo"*) echo end-of-answer ;;
  esac
done
