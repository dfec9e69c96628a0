#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prolog of slurm.conf: tests the node before a job. An unfit node is drained; Slurm requeues the job because this fails.
set -uo pipefail
# shellcheck source=healthcheck/deploy/slurm/look.sh
source "$(dirname "$(readlink -f "$0")")/look.sh" || { logger --tag muster -- "$0 needs look.sh beside it"; exit 0; }
rm -f "$unfit"
fit "${MUSTER_PROLOG_OPTIONS:---tier preflight}"
