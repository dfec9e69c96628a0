#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# down.sh FOLDER: ends the cluster whose state is in FOLDER, and removes FOLDER.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=tests/cluster/lib.sh
source "$here/lib.sh"

(($# == 1)) || die "usage: down.sh FOLDER"
[[ -e $1/group ]] || die "$1 is not a folder of a cluster"
stop "$1"
rm -rf "$1"
