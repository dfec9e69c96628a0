#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# grep --count stops at the first line that matches where its stdout is /dev/null (Debian 12: grep 3.8-5, x86_64).
#
# GNU grep looks at what its stdout is. Where that is the null device nobody sees the count, so the exit code is all that
# matters, and that is known at the first match: grep ends there, and reads no more of the file. Who throws the output of a
# program away to time it would expect that it works as before. A benchmark of a matcher beside `grep -c FILE >/dev/null`
# compares with a program that read one block.
#
# Seen, of a writer that gives 1,000,000 lines which all match into a FIFO that grep reads by its name:
#   to /dev/null: the writer was ended by SIGPIPE
#   to a file:    the writer wrote them all, and 1000000 were counted
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
chmod 755 . && apt-get download --quiet --quiet grep=3.8-5 >/dev/null 2>&1
dpkg-deb --extract grep_*.deb .

for ((i = 0; i < 1000; i++)); do echo line; done >thousand
for ((i = 0; i < 1000; i++)); do cat thousand; done >lines
mkfifo fifo

# writer_of FILE: how the writer ended whose lines were counted into the file.
writer_of() {
  local writer
  cat lines >fifo 2>/dev/null &
  writer=$!
  ./bin/grep --count line fifo >"$1"
  wait "$writer" && echo "the writer wrote them all" || echo "the writer was ended by SIGPIPE"
}

null=$(writer_of /dev/null)
file=$(writer_of counted)
echo "to /dev/null: $null"
echo "to a file:    $file, and $(<counted) were counted"
if [[ $null != *SIGPIPE || $file != *all || $(<counted) != 1000000 ]]; then
  echo "This has changed." >&2
  exit 1
fi
