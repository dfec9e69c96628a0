#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages of faults, metrics and profiles, made from their data: data_pages.py SOURCE writes them."""
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
             "failure unless the profile says otherwise. Where a row names a severity, it is never worse than that.", "",
             "| code | meaning | where to look | what to do | worst severity |", "|---|---|---|---|---|"]
    for row in sorted(read(source, "faults.json"), key=lambda row: row["code"]):
        action = " Where it only waited: ".join(row[key] for key in ("action", "action_where_waiting") if key in row)
        lines.append(f"| `{row['code']}` | {cell(row['meaning'])} | {cell(row['evidence'])} | {cell(action)} | {row.get('severity', '')} |")
    return "\n".join(lines) + "\n"


def metrics(source):
    """By check, in the order of the table."""
    lines = ["# Metrics", "", FRONT, "Everything that checks measure, as `muster explain METRIC` says it. A profile may expect something of all",
             "values of a metric, or of those with some labels. Labels in italics name a component, such as a GPU."]
    owners = {}
    for row in read(source, "metrics.json"):
        owners.setdefault(row["metric"].partition(".")[0], []).append(row)
    for owner, rows in owners.items():
        lines += ["", f"## {owner}", "", "| metric | unit | better | meaning | labels |", "|---|---|---|---|---|"]
        for row in rows:
            labels = ", ".join(f"_{name}_" if values == "component" else name for name, values in sorted(row.get("labels", {}).items()))
            lines.append(f"| `{row['metric']}` | {row['unit']} | {row.get('better', '')} | {cell(row['meaning'])} | {labels} |")
    return "\n".join(lines) + "\n"


def number(value, unit):
    """With a prefix, of what is counted in thousands."""
    if unit == "B" and value >= 2**20:
        return f"{value / 2**30:.4g} GiB" if value >= 2**30 else f"{value / 2**20:.4g} MiB"
    if unit in ("B/s", "bit/s", "op/s", "FLOP/s", "Hz"):
        for prefix, factor in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
            if abs(value) >= factor:
                return f"{value / factor:g} {prefix}{unit}"
    return f"{value:g}" + ("" if unit == "1" else f" {unit}")


def bound(row):
    """What an expectation holds a value against."""
    unit = row.get("unit", "1")
    words = {"at_least": "at least", "at_most": "at most", "within": "within", "no_change": "grows by at most"}
    beyond = f"{'warns' if row.get('severity') == 'warn' else 'fails'} beyond"
    if row["bound"] == "efficiency":
        return f"at least {row['pass']:.0%} of its physical limit; {beyond.replace('beyond', 'below')} {row['fail']:.0%}"
    if row["bound"] in words:
        passes, fails = row.get("pass", 0), row.get("fail", row.get("pass", 0))
        told = [" to ".join(number(threshold, unit) for threshold in thresholds) if isinstance(thresholds, list) else number(thresholds, unit) for thresholds in (passes, fails)]
        return f"{words[row['bound']]} {told[0]}" + (f"; {beyond} {told[1]}" if fails != passes else "")
    if row["bound"] in ("equals", "one_of"):
        return ", ".join(value if isinstance(value, str) else number(value, unit) for value in row.get("values", [row.get("value")]))
    return {"peers": "as its peers", "majority": "as most of its peers"}[row["bound"]]


def profiles(source):
    """By profile, in the order of its file."""
    lines = ["# Expectations", "", FRONT, "What each shipped profile expects. A profile that extends another one replaces what it says anew."]
    for file in sorted((source / "healthcheck/profiles").glob("*.json")):
        profile = json.loads(file.read_text(encoding="utf-8"))
        extends = f" It extends `{profile['extends']}`." if "extends" in profile else ""
        lines += ["", f"## {profile['name']}", "", f"{profile['description']}.{extends}", "",
                  "| metric | of | expected | from tier | worst severity | fault | source |", "|---|---|---|---|---|---|---|"]
        for row in [*profile["expectations"], *profile.get("evidence", [])]:
            labels = ", ".join(f"{name} {value}" for name, value in row.get("labels", {}).items())
            fault = f"`{row['fault']}`" if "fault" in row else f"its label {row['fault_label']}"
            optional = " (may be absent)" if row.get("optional") else ""
            lines.append(f"| `{row['metric']}` | {cell(labels)} | {cell(bound(row))}{optional} | {row.get('tier', 'quick')} | {row.get('severity', '')} | {fault} | {cell(row['source'])}, {row['date']} |")
        for check, reason in profile.get("information", {}).items():
            lines.append(f"\nOf `{check}` nothing is expected: {reason}")
    return "\n".join(lines) + "\n"


PAGES = {"healthcheck/FAULTS.md": faults, "healthcheck/METRICS.md": metrics, "healthcheck/profiles/EXPECTATIONS.md": profiles}

if __name__ == "__main__":
    for name, made in PAGES.items():
        path = pathlib.Path(sys.argv[1])
        (path / name).write_text(made(path), encoding="utf-8")
