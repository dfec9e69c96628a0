# SPDX-License-Identifier: Apache-2.0
"""The recipes of CONTRIBUTING.md, as a page that a machine follows.

A recipe is a section `### Add ...`. A line that is a path in backticks says that the block below it is that file, new. A line
`In PATH, after TEXT:` says that the block below goes after the first line that holds TEXT. The last block, of sh, shows what
was added; each command must succeed, and lines of it that begin with `#` are of its output."""

import re
from typing import NamedTuple

SECTION = re.compile(r"^### (Add .+)$", re.MULTILINE)
STEP = re.compile(
    r"^(?:`(?P<new>[^`\n]+)`|In `(?P<file>[^`]+)`, after `(?P<after>[^\n]+)`):?\n\n```\w*\n(?P<text>.*?)^```$|^```sh\n(?P<shell>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


class Edit(NamedTuple):
    file: str
    after: str | None  # None: the file is new
    text: str


class Recipe(NamedTuple):
    title: str
    edits: list[Edit]
    shell: str

    def apply(self, root):
        """Does what the recipe says in this tree."""
        for edit in self.edits:
            file = root / edit.file
            if edit.after is None:
                if file.exists():
                    raise SystemExit(f"{self.title}: {edit.file} is there already")
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(edit.text)
                continue
            lines = file.read_text().splitlines(keepends=True)
            at = next((number for number, line in enumerate(lines) if edit.after in line), None)
            if at is None:
                raise SystemExit(f"{self.title}: {edit.file} has no line with {edit.after}")
            file.write_text("".join(lines[: at + 1]) + edit.text + "".join(lines[at + 1 :]))


def read(page):
    parts = SECTION.split(page)
    for title, text in zip(parts[1::2], parts[2::2]):
        steps = list(STEP.finditer(re.split(r"^## ", text, maxsplit=1, flags=re.MULTILINE)[0]))
        edits = [Edit(step["new"] or step["file"], step["after"], step["text"]) for step in steps if step["shell"] is None]
        shell = [step["shell"] for step in steps if step["shell"] is not None]
        if not edits or len(shell) != 1:
            raise SystemExit(f"{title}: a recipe has edits, and one block of sh")
        yield Recipe(title, edits, shell[0])
