#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of commands, made from what they print for --help: command_page.py SOURCE writes it, from the build that was made last;
what that build lacks stays as it is. command_page.py --check BIN SOURCE compares the commands that this build has."""

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


def parts(page):
    """What stands under each title."""
    return {part[3:].partition("\n")[0]: part for part in re.split(r"^(?=## )", page, flags=re.MULTILINE)[1:]}


def last_build(source):
    found = sorted(source.glob("build/*/bin/checks.json"), key=lambda file: file.stat().st_mtime)
    if not found:
        sys.exit(f"{source}: nothing is built here; ./muster list builds it")
    return found[-1].parent


def main():
    *mode, source = sys.argv[1:]
    page = pathlib.Path(source) / "healthcheck/COMMANDS.md"
    stands = parts(page.read_text())
    if mode:
        found = sections(pathlib.Path(mode[1]))
        wrong = [title for title, text in found.items() if text.strip() != stands.get(title, "").strip()]
        print(*(f"{page}: {title} is not what --help says; tests/style/command_page.py . writes the page" for title in wrong), sep="\n")
        return 1 if wrong or not found else 0
    found = sections(last_build(pathlib.Path(source)))
    checks = sorted(title for title in {*stands, *found} if title.startswith("The check "))
    titles = [*dict.fromkeys([*(title for title in found if title not in checks), *(title for title in stands if title not in checks)]), *checks]
    page.write_text(FRONT + "\n" + "\n\n".join((found.get(title) or stands[title]).strip() for title in titles) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
