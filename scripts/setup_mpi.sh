#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs an MPI library from PyPI into build/mpi/NAME, beside the system's, and says so; ./check runs it. When it is
# there already it takes a moment and does not touch the network.
#
#   scripts/setup_mpi.sh NAME...    mpich5, openmpi, impi; mpich4 is Debian's, which scripts/setup.sh installs

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  printf 'setup: %s\n' "$@" >&2
  exit 1
}

# One folder and virtual environment per library: they have the same programs.
install() {
  local venv=build/mpi/$1
  shift
  # (mpicc fails too where the checkout has been moved.)
  if "$venv/bin/pip" --version >/dev/null 2>&1 && I_MPI_ROOT=$PWD/$venv "$venv/bin/mpicc" -show >/dev/null 2>&1; then
    return 0
  fi
  printf 'setup: will install with pip into %s: %s\n' "$venv" "$*"
  rm -rf "$venv"
  python3 -m venv "$venv" || fail "python3 -m venv $venv failed"
  "$venv/bin/pip" install --no-input --quiet --disable-pip-version-check "$@" ||
    fail "pip could not install $*: is there a network?"
}

for name in "$@"; do
  case $name in
  mpich4) ;;
  mpich5) install mpich5 'mpich>=5,<6' ;;
  openmpi) install openmpi 'openmpi>=5,<6' ;;
  impi) install impi impi-devel impi-rt ;;
  *) fail "no MPI library is called '$name' here; there are mpich4, mpich5, openmpi and impi" ;;
  esac
done
