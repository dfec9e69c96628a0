#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Epilog of slurm.conf: looks at the node after a job and drains it where it is unfit now.
set -uo pipefail
# shellcheck source=healthcheck/deploy/slurm/look.sh
source "$(dirname "$(readlink -f "$0")")/look.sh" || { logger --tag muster -- "$0 needs look.sh beside it"; exit 0; }
[[ ! -e $unfit ]] || exit 0
fit "${MUSTER_EPILOG_OPTIONS:---tier preflight}"
