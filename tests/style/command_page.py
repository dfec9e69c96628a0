#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of commands, made from what they print for --help: command_page.py BIN PAGE writes it, of a build with everything;
command_page.py --check BIN PAGE compares the commands that this build has."""

import json
import os
import pathlib
import re
import subprocess
import sys

FRONT = """# Commands

<!-- made by tests/style/command_page.py -->

What `--help` says of each command and of each check. `muster help COMMAND` prints the same. `muster fleet` and `muster scratch` are
programs of their own, and are there where their libraries are.
"""
SHARED = ("Machine", "Report")
GROUP = re.compile(r"^(?=[A-Z]\w*:$)", re.MULTILINE)


def told(program, *words):
    run = subprocess.run([program, *words], stdout=subprocess.PIPE, text=True, check=False, env=os.environ | {"COLUMNS": "100"})
    return "" if run.returncode else run.stdout


def commands(help_text):
    """The names in a list of commands."""
    return re.findall(r"^  ([a-z]+)  ", help_text, re.MULTILINE)


def groups(text):
    """What stands before the groups of options, and each by its name; the default of --report is the check's own."""
    first, *rest = GROUP.split(re.sub(r"muster-\w+-report", "muster-CHECK-report", text))
    return first, {part.partition(":")[0]: part for part in rest}


def without(text, shared):
    """Without the groups that all checks have."""
    first, found = groups(text)
    return first + "".join(part for name, part in found.items() if shared.get(name) != part)


def sections(binary):
    """By title, in the order of `muster --help`."""
    muster = binary / "muster"
    checks = [check["name"] for check in json.loads((binary / "checks.json").read_text())]
    common = groups(told(binary / "muster-host-memory", "--help"))[1]
    shared = {name: common[name] for name in SHARED}
    found = {"Options of all checks": "".join(shared.values())}
    for command in commands(told(muster, "--help")):
        below = commands(told(muster, command, "--help")) if command in ("fleet", "profile", "topology") else []
        for words in [[command, name] for name in below] or [[command]]:
            if text := told(muster, *words, "--help"):
                found[f"muster {' '.join(words)}"] = without(text, shared)
    for check in sorted(checks):
        found[f"The check {check}"] = without(told(binary / f"muster-{check.replace('_', '-')}", "--help"), shared)
    return {title: f"## {title}\n\n```\n{text.strip()}\n```\n" for title, text in found.items()}


def main():
    *mode, binary, page = sys.argv[1:]
    found, page = sections(pathlib.Path(binary)), pathlib.Path(page)
    if not mode:
        page.write_text(FRONT + "\n" + "\n".join(found.values()))
        return 0
    stands = page.read_text()
    wrong = [title for title, text in found.items() if text not in stands]
    print(*(f"{page}: {title} is not what --help says; tests/style/command_page.py writes the page" for title in wrong), sep="\n")
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main())
