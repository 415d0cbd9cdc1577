#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what is missing to build and test mpishm on Debian 12, and says what. ./demo and ./check run it first; when
# nothing is missing it takes a moment and touches neither the network nor the system.
#
#   scripts/setup.sh [--bench | --with-browser]
#
# With --bench also valgrind and matplotlib, which only bench/ uses; with --with-browser also Chromium (100 MB), in which
# two tests open pages: without it they are skipped.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

groups=(build test)
case ${1:-} in
--bench) groups+=(bench) ;;
--with-browser) groups+=(browser) ;;
esac
# The words of these groups.
read -r -d '' -a packages < <(for group in "${groups[@]}"; do
  sed -n "s/#.*//; /^\[$group\]/,/^\[/{/^\[/!p}" scripts/packages.txt
done) || true

say() { printf 'setup: %s\n' "$*"; }
fail() {
  printf 'setup: %s\n' "$@" >&2
  exit 1
}

# Root's rights are asked for only when something has to be installed.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

missing_packages() {
  local installed package
  installed=" $(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null |
    sed -n 's/^installed //p' | tr '\n' ' ')" || true # dpkg-query fails when it does not know one of them
  for package in "${packages[@]}"; do
    case $installed in *" $package "*) ;; *) printf '%s\n' "$package" ;; esac
  done
}

# Those of the given packages that no archive has.
unknown_packages() {
  apt-cache show --no-all-versions "$@" 2>/dev/null | sed -n 's/^Package: //p' | sort -u |
    comm -13 - <(printf '%s\n' "$@" | sort -u)
}

install_packages() {
  local -a missing unknown
  mapfile -t missing < <(missing_packages)
  [ ${#missing[@]} -gt 0 ] || return 0
  say "will install with apt-get: ${missing[*]}"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null ||
      fail "this needs root's rights, and there is no sudo here; run this as root, then start again:" \
        "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
    say "this needs root's rights; sudo may ask for your password"
  fi

  # Lists that do not know a package, or are older than a day, may name versions that the server no longer has.
  mapfile -t unknown < <(unknown_packages "${missing[@]}")
  if [ ${#unknown[@]} -gt 0 ] ||
    [ -z "$(find /var/lib/apt/lists -maxdepth 1 -name '*_*' -mtime -1 -print -quit)" ]; then
    as_root apt-get update || fail "apt-get update failed: is there a network?"
    mapfile -t unknown < <(unknown_packages "${missing[@]}")
  fi
  [ ${#unknown[@]} = 0 ] ||
    fail "not in this system's archives: ${unknown[*]}" \
      "Debian 12 has all of them; elsewhere see docs/getting-started.md"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" ||
    fail "apt-get could not install: ${missing[*]}"
}

# What Debian has not, or not as we need it, lives beside the build, not in the system. psutil lets lit end what hangs;
# sarif-om knows what SARIF's schema allows; mkdocs makes pages of docs/ and checks their links.
python_packages=(lit psutil sarif-om mkdocs)
install_python_packages() {
  local venv=build/venv
  # (Fails too where the checkout has been moved, or Python renewed.)
  "$venv/bin/lit" --version >/dev/null 2>&1 &&
    "$venv/bin/python" -c 'import psutil, sarif_om, mkdocs' 2>/dev/null && return 0
  say "will install with pip into $venv: ${python_packages[*]}"
  rm -rf "$venv"
  python3 -m venv "$venv" || fail "python3 -m venv $venv failed"
  "$venv/bin/pip" install --no-input --quiet --disable-pip-version-check "${python_packages[@]}" ||
    fail "pip could not install ${python_packages[*]}: is there a network?"
}

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  fail "this script installs with apt-get, which this system does not have" \
    "install the programs that docs/getting-started.md lists, then use cmake --preset default"
fi
install_packages
install_python_packages
if [ "${1:-}" = --bench ] && ! build/venv/bin/python -c 'import matplotlib' 2>/dev/null; then
  say "will install with pip into build/venv: matplotlib"
  build/venv/bin/pip install --no-input --quiet --disable-pip-version-check matplotlib ||
    fail "pip could not install matplotlib: is there a network?"
fi
