#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether two builds have the same code: same_code.py BEFORE AFTER compares every object of two build folders.

For a change that moves files. Objects are matched by the name of their source; of each, every section that is loaded is
compared by its bytes, and by what its relocations refer to. Build without unity builds, so that an object is a source."""

import hashlib
import struct
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

ALLOCATED, STRINGS = 0x2, 0x20
SYMBOLS, RELOCATIONS, NOBITS = 2, 4, 8
OF_SECTION = 3  # the type of a symbol that stands for a section


class Section(NamedTuple):
    name: str
    kind: int
    flags: int
    link: int
    info: int
    size: int
    data: bytes


def text_at(data, offset):
    return data[offset : data.index(b"\0", offset)].decode()


def sections(data):
    start = struct.unpack_from("<Q", data, 40)[0]
    size, count, names = struct.unpack_from("<HHH", data, 58)
    if count == 0:  # more than fit into the field
        count = struct.unpack_from("<Q", data, start + 32)[0]
        names = struct.unpack_from("<I", data, start + 40)[0]
    heads = [struct.unpack_from("<IIQQQQIIQQ", data, start + at * size) for at in range(count)]
    strings = data[heads[names][4] : heads[names][4] + heads[names][5]]
    return [
        Section(text_at(strings, head[0]), head[1], head[2], head[6], head[7], head[5], b"" if head[1] == NOBITS else data[head[4] : head[4] + head[5]])
        for head in heads
    ]


def symbols(table, all_sections):
    names = all_sections[table.link].data
    for name, info, _, section, value, _ in struct.iter_unpack("<IBBHQQ", table.data):
        yield text_at(names, name), info & 15, section, value


def referred(symbol, addend, all_sections):
    """What a relocation refers to, by name where it has one, and a text by its letters."""
    name, kind, section, value = symbol
    if not 0 < section < len(all_sections):
        return name, addend
    target = all_sections[section]
    if target.flags & STRINGS and (kind == OF_SECTION or name.startswith(".L")):
        at = value + (addend + 4 if kind == OF_SECTION else 0)
        return (target.data[at : target.data.index(b"\0", at)], 0 if kind == OF_SECTION else addend) if 0 <= at < target.size else (target.name, addend)
    return (target.name, value + addend) if kind == OF_SECTION or name.startswith(".L") else (name, addend)


def code_of(file):
    """Of each loaded section its name, and the hash of its bytes and of what it refers to."""
    all_sections = sections(file.read_bytes())
    relocations = {section.info: section for section in all_sections if section.kind == RELOCATIONS}
    found = []
    for index, section in enumerate(all_sections):
        if not section.flags & ALLOCATED:
            continue
        content = hashlib.sha256(str(section.size).encode())
        if section.flags & STRINGS:
            content.update(b"\0".join(sorted(section.data.split(b"\0"))))
        else:
            content.update(section.data)
        if index in relocations:
            table = list(symbols(all_sections[relocations[index].link], all_sections))
            refers = [
                (offset, info & 0xFFFFFFFF, *referred(table[info >> 32], addend, all_sections))
                for offset, info, addend in struct.iter_unpack("<QQq", relocations[index].data)
            ]
            content.update(repr(refers).encode())
        found.append((section.name, content.hexdigest()))
    return tuple(sorted(found))


def objects(folder):
    found = defaultdict(list)
    for file in Path(folder).rglob("*.o"):
        found[file.name].append((code_of(file), file.relative_to(folder)))
    return found


def main():
    before, after = (objects(folder) for folder in sys.argv[1:3])
    same, others = 0, []
    for name in sorted(before.keys() | after.keys()):
        left = [code for code, _ in after[name]]
        for code, file in before[name]:
            if code in left:
                left.remove(code)
                same += 1
                continue
            near = left.pop(0) if left else ()
            others.append(f"{file}: {', '.join(sorted({name for name, _ in set(code) ^ set(near)})[:8]) if near else 'is gone'}")
        others += [f"{name}: is new" for _ in left]
    print(*others, sep="\n")
    print(f"{same} objects have the same code, {len(others)} have not")
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
