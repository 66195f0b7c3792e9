# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts beside it. Installs the Debian packages that are missing and enters .venv, made if need be.
# `tests` as the first argument asks for what the C++ tests and fuzz targets need as well.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=${PYTHON:-python3}
missing=()

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# need <package> <command…>: the package is missing if the command fails
need() {
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || missing+=("$package")
}

compiles() {
  echo "#include <$1>" | c++ -x c++ -fsyntax-only -
}

has_fuzzer() {
  echo 'extern "C" int LLVMFuzzerTestOneInput(char const*, unsigned long) { return 0; }' |
    clang++ -x c++ -fsanitize=fuzzer,address -o /dev/null -
}

has_openmp() {
  printf '#include <omp.h>\nint main() { return omp_get_max_threads() < 1; }' |
    clang++ -x c++ -fopenmp -o /dev/null -
}

install_packages() {
  need g++ command -v c++
  need python3 command -v "$python"
  need python3-venv "$python" -c 'import ensurepip, venv'
  need python3-dev "$python" -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")'
  if [ "$1" = tests ]; then
    need libgtest-dev compiles gtest/gtest.h
    need clang has_fuzzer
    need libomp-dev has_openmp
  fi
  [ ${#missing[@]} -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null; then
    echo "Please install what Debian calls: ${missing[*]}" >&2
    exit 1
  fi
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}"
}

install_packages "${1:-build}"
[ -x .venv/bin/python ] || "$python" -m venv .venv
# shellcheck disable=SC1091
. .venv/bin/activate
