#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages of faults and metrics, made from their data: data_pages.py SOURCE writes both."""
import json
import pathlib
import sys

FRONT = "<!-- made by tests/style/data_pages.py -->\n"


def read(source, name):
    return json.loads((source / "healthcheck" / name).read_text(encoding="utf-8"))


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def faults(source):
    """Ordered by code."""
    lines = ["# Faults", "", FRONT, "What a code means and what to do, as `muster explain CODE` says it. A code is never renamed, nor used again. A violation is a",
             "failure where the profile says nothing else, and the faults marked with a severity are that at most.", "",
             "| code | meaning | where to look | what to do | at most |", "|---|---|---|---|---|"]
    for row in sorted(read(source, "faults.json"), key=lambda row: row["code"]):
        lines.append(f"| `{row['code']}` | {cell(row['meaning'])} | {cell(row['evidence'])} | {cell(row['action'])} | {row.get('severity', '')} |")
    return "\n".join(lines) + "\n"


def metrics(source):
    """By check, in the order of the table."""
    lines = ["# Metrics", "", FRONT, "Everything that checks measure, as `muster explain METRIC` says it. Labels tell of which component a value is; a profile may",
             "expect something of all of them or of some."]
    owners = {}
    for row in read(source, "metrics.json"):
        owners.setdefault(row["metric"].partition(".")[0], []).append(row)
    for owner, rows in owners.items():
        lines += ["", f"## {owner}", "", "| metric | unit | better | meaning | labels |", "|---|---|---|---|---|"]
        for row in rows:
            labels = ", ".join(sorted(row.get("labels", {})))
            lines.append(f"| `{row['metric']}` | {row['unit']} | {row.get('better', '')} | {cell(row['meaning'])} | {labels} |")
    return "\n".join(lines) + "\n"


PAGES = {"healthcheck/FAULTS.md": faults, "healthcheck/METRICS.md": metrics}

if __name__ == "__main__":
    for name, made in PAGES.items():
        path = pathlib.Path(sys.argv[1])
        (path / name).write_text(made(path), encoding="utf-8")
