#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# until_said.sh PROGRAM RANKS WHAT FILE: runs a program that says something of libmpishm's and then waits for ever, until
# it has said it. Fails where it does not, or ends.

mpiexec -n "$2" "$1" "$3" >"$4" 2>&1 &
job=$!
said=1
for _ in $(seq 600); do
  grep -q '^mpishm: warning' "$4" && said=0 && break
  kill -0 $job 2>/dev/null || break
  sleep 0.1
done
kill -0 $job 2>/dev/null || said=1
kill $job 2>/dev/null
wait $job
exit $said
