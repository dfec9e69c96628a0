#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# promtool test rules evaluates the groups of a file in another order each time (prometheus v0.316.0).
#
# A rule file reads from top to bottom, so one would expect that a group which records a series comes before a group below that
# uses it, in each evaluation. promtool keeps the groups in a map of Go, and sorts them by `group_eval_order` alone. Without that
# field an alert of a recorded series is there in some runs and not in others, for the value that is looked at may be older than
# the five minutes that Prometheus looks back. A test that passes today fails tomorrow. Name all groups in `group_eval_order`.
#
# Seen, of 40 runs of one test whose second group uses what the first one records, evaluated every 30 min:
#   without the field: some runs passed, some failed
#   with the field:    all of them passed
set -euo pipefail

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
promtool=$("$here/../tests/cluster/build.sh" promtool)/bin/promtool
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >rules.yaml <<'RULES'
groups:
  - name: records
    rules: [{record: age, expr: time() - started}]
  - name: alerts
    rules: [{alert: Old, expr: age > 10800}]
RULES

# passed LINE: how many of 40 runs of the test passed, with that line in it.
passed() {
  local count=0
  cat >test.yaml <<TEST
rule_files: [rules.yaml]
evaluation_interval: 30m
$1
tests:
  - interval: 1h
    input_series: [{series: started, values: 0x6}]
    alert_rule_test: [{eval_time: 6h, alertname: Old, exp_alerts: [{}]}]
TEST
  for ((i = 0; i < 40; i++)); do
    if "$promtool" test rules test.yaml >/dev/null 2>&1; then ((++count)); fi
  done
  echo "$count"
}

without=$(passed "")
with=$(passed "group_eval_order: [records, alerts]")
echo "without the field: $without of 40 runs passed"
echo "with the field:    $with of 40 runs passed"
if ((without == 0 || without == 40 || with != 40)); then
  echo "This has changed." >&2
  exit 1
fi
