# SPDX-License-Identifier: Apache-2.0
"""A C++ file as the rules of style look at it."""

import re
from typing import NamedTuple

CXX = (".hpp", ".cpp", ".cu", ".cuh")
INCLUDE = re.compile(r'#include (["<])([^">]+)[">]')
TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<raw>R"(?P<mark>[^(\s]*)\((?P<rawtext>.*?)\)(?P=mark)")'
    r'|(?P<literal>"(?P<text>(?:\\.|[^"\\\n])*)")|(?P<character>\'(?:\\.|[^\'\\\n])\')',
    re.DOTALL,
)


class Problem(NamedTuple):
    file: str
    line: int
    text: str


class Source(NamedTuple):
    """A C++ file: its lines, its lines without comments and literals, and its string literals by line."""

    path: str
    lines: list[str]
    code: list[str]
    literals: list[tuple[int, str]]

    @property
    def folder(self):
        return self.path.split("/")[0]


def parse(path, text):
    literals = []

    def blank(token):
        if token["literal"] or token["raw"]:
            literals.append((text.count("\n", 0, token.start()) + 1, token["text"] or token["rawtext"] or ""))
            return '""' + "\n" * token[0].count("\n")
        return " " + "\n" * token[0].count("\n")

    without_comments = TOKEN.sub(blank, text)
    return Source(path, text.splitlines(), without_comments.splitlines(), literals)
