#!/bin/sh
# Reads nothing and says nothing.
exec sleep 60
