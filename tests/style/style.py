#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the repository to the rules of its style that no compiler checks: style.py [ROOT] prints FILE:LINE: RULE."""

import json
import re
import sys
from pathlib import Path

import rooms
from rooms import LIBRARIES
from source import CXX, INCLUDE, Problem, parse

SCRIPTS = (".py", ".sh")
LONGEST = 300
# Checks without a table of faults, and why.
NO_TABLE = {"gpu_devices": "its facts come from a driver, and no rig has a GPU to break yet"}

SYSTEM_PATH = re.compile(r"(?<![\w.}])/(sys|proc|etc|dev/kmsg|var/lib/hyperv)\b")
MUTABLE_STATIC = re.compile(r"\b(static|thread_local)\b(?!.*\b(const|constexpr)\b)[^(]*[=;{]")


COUNTS_BITS = re.compile(r"\bstd::(bit_width|bit_ceil|bit_floor|has_single_bit|count[lr]_\w+|popcount)\b")


def preprocessor(source):
    for number, line in enumerate(source.code, 1):
        if line.lstrip().startswith("#") and not re.match(r"#include |#pragma once$", line.rstrip()):
            yield number, "a preprocessor line other than #pragma once and #include"


def system_paths(source):
    if source.folder == "tests" or source.path.startswith("topology/kernel/sysfs."):
        return
    for number, text in source.literals:
        if SYSTEM_PATH.search(text):
            yield number, "an absolute system path outside topology/kernel/sysfs"


def includes(source):
    for number, line in enumerate(source.lines, 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        quote, header = found.groups()
        if quote == '"' and not header.startswith(tuple(f"{folder}/" for folder in {*LIBRARIES, source.folder})):
            yield number, f"{source.folder} may not include {header}"
        if header.startswith("nlohmann/") and source.folder != "tests" and "_json." not in source.path:
            yield number, "nlohmann/json outside a file named *_json"
        if header.endswith((".cpp", ".cu")):
            yield number, "a source is included"
        if header.startswith("CLI/") and not source.path.endswith(".cpp"):
            yield number, "CLI11 outside a .cpp"


def own_header_first(source, exists):
    own = re.sub(r"\.(cpp|cu)$", ".hpp", source.path)
    if own == source.path or not exists(own):
        return
    first = next(((number, line) for number, line in enumerate(source.lines, 1) if INCLUDE.match(line)), (1, ""))
    if INCLUDE.match(first[1] or "") is None or INCLUDE.match(first[1])[2] != own:
        yield first[0], f"the first include is not {own}, so nothing shows that it compiles alone"


def ownership(source):
    for number, line in enumerate(source.code, 1):
        if re.search(r"\bnew\b", line) and not INCLUDE.match(line):
            yield number, "new: ownership is through Handle, unique_ptr and containers"
        if re.search(r"\b(shared_ptr|make_shared)\b", line):
            yield number, "shared_ptr: ownership is through Handle, unique_ptr and containers"
        if MUTABLE_STATIC.search(line):
            yield number, "a mutable static"


def for_devices(root):
    """Files that nvcc reads, and so may compile for a device."""
    reached, waiting = set(), [file for pattern in ("*.cu", "*.cuh") for file in root.glob(f"benchmarks/**/{pattern}")]
    while waiting:
        file = waiting.pop()
        if file in reached or not file.exists():
            continue
        reached.add(file)
        found = map(INCLUDE.match, file.read_text().splitlines())
        waiting += [root / include[2] for include in found if include and include[1] == '"']
    return reached


def bits_on_devices(source):
    """nvcc compiles them for a device without a word, and they are 0 there."""
    for number, line in enumerate(source.code, 1):
        if found := COUNTS_BITS.search(line):
            yield number, f"{found[0]} in what nvcc reads, which makes it 0 on a device"


def shape(path, lines):
    longest = 100 if path == "CMakeLists.txt" else LONGEST
    if len(lines) > longest:
        yield longest + 1, f"{len(lines)} lines, more than {longest}"
    first_lines = 1 if path.endswith(CXX) else 2
    if not path.endswith("CMakeLists.txt") and not any("SPDX-License-Identifier" in l for l in lines[:first_lines]):
        yield 1, "no SPDX line at the top"


def checks(root):
    """Every check has a table of faults, and the generic profile says something about it."""
    profile = json.loads((root / "healthcheck/profiles/generic.json").read_text())
    known = {expectation["check"] for expectation in profile["expectations"]} | set(profile.get("information", {}))
    for file in sorted((root / "healthcheck/checks").glob("*/*.cpp")):
        path, name = str(file.relative_to(root)), file.stem
        table = f"tests/healthcheck/checks/{file.parent.name}/{name}_test.cpp"
        if name not in known:
            yield Problem(path, 1, "generic.json has neither an expectation of this check nor information why not")
        if name not in NO_TABLE and not (root / table).exists():
            yield Problem(path, 1, f"{table}, its table of faults, is missing")


def problems(root):
    files = [root / "CMakeLists.txt", root / "muster", root / ".ci/run"]
    files += [file for folder in (*LIBRARIES, "containers", "tests") for file in sorted((root / folder).rglob("*"))]
    of_devices = for_devices(root)
    for file in files:
        path = str(file.relative_to(root))
        source_like = path.endswith(CXX + SCRIPTS + ("CMakeLists.txt",)) or path in ("muster", ".ci/run", "containers/show")
        if not file.is_file() or not source_like:
            continue
        text = file.read_text()
        found = list(shape(path, text.splitlines()))
        if path.endswith(CXX):
            source = parse(path, text)
            for rule in (preprocessor, system_paths, includes, ownership):
                found += rule(source)
            if file in of_devices:
                found += bits_on_devices(source)
            found += own_header_first(source, lambda header: (root / header).exists())
        yield from (Problem(path, line, rule) for line, rule in sorted(found))
    yield from checks(root)
    yield from rooms.problems(root)


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = list(problems(root))
    for problem in found:
        print(f"{problem.file}:{problem.line}: {problem.text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
