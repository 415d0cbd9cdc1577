#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Configures a preset and builds it, in a few lines of output as long as all is well; ./demo and ./check use it.
#
#   scripts/build.sh PRESET [TARGET...]

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1
shift
[ "$preset" = default ] && folder=build || folder=build/$preset

options=()
if command -v ccache >/dev/null; then
  options+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi

mkdir -p "$folder"
log=$folder/configure.log
configure() {
  cmake --preset "$preset" "${options[@]}" >"$log" 2>&1 && return
  cat "$log" >&2
  echo "build: cmake --preset $preset failed" >&2
  exit 1
}
configure
# Where the compiler is another one than before, CMake forgets the preset's flags, a sanitizer's among them.
! grep -q "require your cache to be deleted" "$log" || configure
targets=()
[ $# -eq 0 ] || targets=(--target "$@")
cmake --build "$folder" -j "$(nproc)" "${targets[@]}" || {
  echo "build: building $folder failed" >&2
  exit 1
}
