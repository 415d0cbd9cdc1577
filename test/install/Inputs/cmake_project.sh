# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake_project.sh GENERATOR WORK SOURCE: configures and builds the project of cmake.test in several ways, with headings
# for what is going on. SOURCE is left as it was.

set -eu
generator=$1 work=$2 source=$3
build=$work/build
say() { printf '[%s]\n' "$*"; }
# A second apart: Make compares times in full seconds where a file system has no better.
edit() { sleep 1 && sed -i "$@"; }
configure() { cmake -S "$source" -B "$build" -G "$generator" -DCMAKE_PREFIX_PATH="$work/moved" "$@"; }
build() { cmake --build "$build" -j 2; }
run() {
  echo "[programs]"
  mpiexec -n 2 "$build/ring"
  mpiexec -n 2 "$build/line/line"
  "$build/stranger"
}
symbols() { nm "$@" | grep -c MPISHM_; }

rm -rf "$build" "$work/kept"
cp -r "$source" "$work/kept"
configure
say first build
build
run
symbols "$build/ring" "$build/halo/libhalo.a" >&2
! symbols "$build/stranger"
test -s "$build/mpishm/ring/report.html"
grep -q '"sites"' "$build/mpishm/ring/report.json"
# What says where it stands still says so.
! grep -rq "MPISHM_" "$source"

say nothing to do
build
say a source that has no MPI is touched
ls -i "$build/mpishm/ring/facts" >"$work/facts"
edit 's/^const/extern const/' "$source/halo/names.c"
build
# What was parsed is a new file.
echo "parsed again: $(ls -i "$build/mpishm/ring/facts" | grep -cvxFf "$work/facts")"
cp "$work/kept/halo/names.c" "$source/halo/"
say "a call in a header is kept: so is what matches it, in every program"
edit 's|^  MPI_Irecv|  MPI_Irecv /* mpishm: keep */|' "$source/halo/include/halo.h"
build
run
cp "$work/kept/halo/include/halo.h" "$source/halo/include/"

say without us
sleep 1
touch "$source/halo/include/halo.h"
configure -DMPISHM=OFF
build
run
! symbols "$build/ring" "$build/halo/libhalo.a"
cmp "$source/halo/names.c" "$work/kept/halo/names.c"

say "shared library, unity build"
rm -rf "$build"
configure -DKIND=SHARED -DCMAKE_UNITY_BUILD=ON
build
run
say nothing to do
build
