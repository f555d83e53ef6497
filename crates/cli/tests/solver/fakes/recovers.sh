#!/bin/sh
# Dies on every question about v7, and satisfies all others with 5.
while read -r line; do
  case "$line" in
    *v7*) exit 1 ;;
    "(check-sat"*) echo sat ;;
    "(get-value"*) echo '((v0 5))' ;;
    "(echo"*) echo end-of-answer ;;
  esac
done
