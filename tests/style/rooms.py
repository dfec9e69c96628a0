#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rooms of the house, in the line of DESIGN.md: rooms.py [ROOT] prints units and lines of each, and what breaks a rule."""

import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

from source import CXX, INCLUDE, Problem, parse

LIBRARIES = ("results", "topology", "benchmarks", "healthcheck")
TOP = {"CMakeLists.txt", "README.md", "COMMANDS.md", "FAULTS.md", "METRICS.md", "faults.json", "kernel_messages.json", "metrics.json"}
MOST_UNITS = 30
MOST_LINES = 3000
LONGEST_FUNCTION = 40

ROW = re.compile(r"\| `((?:" + "|".join(LIBRARIES) + r")(?:/\w+)*)` \| (.+) \|$")
TYPE = re.compile(r"\b(?:class|struct|union|enum(?: class)?)\s+(?:\[\[\w+\]\]\s*)?(\w+)\s*(?:final\s*)?(?::(?!:).*)?$", re.DOTALL)
NAMESPACE = re.compile(r"\bnamespace\s*([\w:]*)\s*$")
# What a room must not see though it comes later.
HIDDEN = (
    (("healthcheck/judge",), ("healthcheck/check", "healthcheck/parts", "healthcheck/checks", "topology/kernel", "benchmarks"), "the judge sees no check and no back end"),
    (("healthcheck/check", "healthcheck/parts", "healthcheck/checks"), ("healthcheck/judge", "healthcheck/expectations"), "a check sees neither the judge nor expectations"),
    (("topology",), ("results/values", "results/json", "results/render"), "topology sees of results only files and strings"),
)


class Block(NamedTuple):
    """What stands between braces: kind (namespace, type, function or other), name and lines, and the names around it."""

    kind: str
    name: str
    first: int
    last: int
    around: tuple[str, ...]


def blocks(code):
    """The blocks of a file without comments and literals, but for those in functions."""
    around, heads, head, first = [], [], "", 0
    for number, line in enumerate(code, 1):
        for letter in "" if line.lstrip().startswith("#") else line:
            if letter == "{":
                heads.append((head, first))
                is_value = head[-1:].isalnum() or head[-1:] in ("_", ">", "=", ",", "(")  # x_{1}, not f() {
                around.append(("value", "", first) if is_value else (*kind_of(head, [block[0] for block in around]), first or number))
                head = ""
            elif letter == "}" and around:
                kind, name, begin = around.pop()
                head, first = heads.pop()
                head = head + "{}" if kind == "value" else ""
                yield Block(kind, name, begin, number, tuple(block[1] for block in around if block[0] in ("namespace", "type")))
            elif letter == ";":
                head = ""
            elif head or not letter.isspace():
                first = first if head else number
                head += letter
        head += "\n" if head else ""


def kind_of(head, around):
    text = " ".join(head.split())
    if {"function", "other", "value"} & set(around):
        return "other", ""
    if found := NAMESPACE.search(text):
        return "namespace", found[1]
    without_templates = re.sub(r"template <[^<>]*(?:<[^<>]*>[^<>]*)*>", "", text)
    if "(" not in without_templates.split(":")[0] and (found := TYPE.search(without_templates)):
        return "type", found[1]
    return ("function", text) if ")" in text and "=" not in text.split("(")[0].replace("operator=", "") else ("other", "")


class Rooms(NamedTuple):
    line: list[str]  # rooms, each of which sees those before it
    sources: dict[str, list]  # of each room


def read(root):
    line = [found[1] for row in (root / "DESIGN.md").read_text().splitlines() if (found := ROW.match(row))]
    sources = defaultdict(list)
    for library in LIBRARIES:
        for file in sorted((root / library).rglob("*")):
            if file.suffix in CXX:
                path = file.relative_to(root)
                sources[str(path.parent)].append(parse(str(path), file.read_text()))
    return Rooms(line, sources)


def is_in(room, rooms):
    return any(room == other or room.startswith(other + "/") for other in rooms)


def room_of(header):
    return header.rpartition("/")[0]


def arrows(rooms):
    """Of each include of another room: from, to, and where."""
    for room, sources in rooms.sources.items():
        for source in sources:
            for number, line in enumerate(source.lines, 1):
                found = INCLUDE.match(line)
                if found and found[1] == '"' and found[2].startswith(LIBRARIES) and room_of(found[2]) != room:
                    yield room, room_of(found[2]), source.path, number


def of_line(rooms):
    place = {room: at for at, room in enumerate(rooms.line)}
    for room, sources in rooms.sources.items():
        if room not in place:
            yield Problem(sources[0].path, 1, f"DESIGN.md has no room {room}")
    for room, seen, file, number in arrows(rooms):
        if place.get(seen, 0) > place.get(room, len(place)):
            yield Problem(file, number, f"{room} stands before {seen} and may not see it")
        for hidden_from, hidden, why in HIDDEN:
            if is_in(room, hidden_from) and is_in(seen, hidden):
                yield Problem(file, number, why)


def rings(rooms):
    """Rooms that see each other, directly or by way of others."""
    sees = defaultdict(set)
    for room, seen, *_ in arrows(rooms):
        sees[room].add(seen)
    reached = {room: set(seen) for room, seen in sees.items()}
    for middle in list(reached):
        for room in reached:
            if middle in reached[room]:
                reached[room] |= reached[middle]
    return sorted(room for room in reached if room in reached[room])


def units(sources):
    return len({source.path.rpartition(".")[0] for source in sources})


def lines(sources):
    return sum(len(source.lines) for source in sources)


def of_size(rooms):
    for room, sources in rooms.sources.items():
        if units(sources) > MOST_UNITS or lines(sources) > MOST_LINES:
            yield Problem(sources[0].path, 1, f"{room} has {units(sources)} units and {lines(sources)} lines: at most {MOST_UNITS} and {MOST_LINES}")


def of_blocks(rooms):
    types = defaultdict(list)
    for source in (source for sources in rooms.sources.values() for source in sources):
        for block in blocks(source.code):
            if block.kind == "type" and block.name:
                types["::".join(name for name in (*block.around, block.name) if name)].append((source.path, block.first))
            if block.kind == "function" and block.last - block.first + 1 > LONGEST_FUNCTION:
                yield Problem(source.path, block.first, f"a function of {block.last - block.first + 1} lines, more than {LONGEST_FUNCTION}")
    for name, places in types.items():
        for file, number in places[1:]:
            yield Problem(file, number, f"{name} is also a type of {places[0][0]}:{places[0][1]}")


def at_top(root):
    for file in sorted((root / "healthcheck").glob("*")):
        if file.is_file() and file.name not in TOP:
            yield Problem(str(file.relative_to(root)), 1, "at the top of healthcheck stand build files and data alone")


def problems(root):
    rooms = read(root)
    yield from at_top(root)
    yield from of_line(rooms)
    for room in rings(rooms):
        yield Problem(rooms.sources[room][0].path, 1, f"{room} is in a ring of rooms")
    yield from of_size(rooms)
    yield from of_blocks(rooms)


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    rooms = read(root)
    for room in rooms.line:
        sources = rooms.sources.get(room, [])
        print(f"{room:35} {units(sources):3} units {lines(sources):5} lines")
    tops = Counter(file.parent.name for library in LIBRARIES for file in (root / library).glob("*") if file.is_file())
    print("files at the top:", ", ".join(f"{library} {tops[library]}" for library in LIBRARIES))
    found = list(problems(root))
    for problem in found:
        print(f"{problem.file}:{problem.line}: {problem.text}")
    print(f"{len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
