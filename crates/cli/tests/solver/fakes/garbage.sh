#!/bin/sh
# Answers with rubbish.
while read -r line; do
  case "$line" in
    "(check-sat"*) printf ')) \377\376 (((( satunsat\n(error "?")\n' ;;
    "(echo"*) echo end-of-answer ;;
  esac
done
