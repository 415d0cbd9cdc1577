#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   local_agent.sh [OPTION...] HOST COMMAND...
#
# Stands in for ssh (launch.py): runs the command here. If MPISHM_TEST_HOSTNAME names the library that makes it so, the
# command finds this machine called HOST.

while :; do
  case $1 in
  -*) shift ;;
  *) break ;;
  esac
done
MPISHM_TEST_HOST=$1
export MPISHM_TEST_HOST
shift
if [ -n "$MPISHM_TEST_HOSTNAME" ]; then
  LD_PRELOAD=$MPISHM_TEST_HOSTNAME
  export LD_PRELOAD
fi
exec /bin/sh -c "$*"
